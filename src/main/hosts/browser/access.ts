import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { PublicAddress } from './publicAddress.ts';

/** A page or tool may do everything; the media page, in a frame or in a browser of its own, only its work. */
export type Client = 'page' | 'mediaPage' | 'mediaWorker';

/** A ticket replaces a secret on a command line and in an address: valid once and briefly. */
const TICKET_MS = 60_000;
type Use = 'enter' | 'signIn' | 'events';

interface Ticket {
  use: Use;
  client: Client;
  until: number;
  /** Of the page that redeemed it. */
  nonce?: string;
}

/** The key that a page, or the media page, keeps in its origin's storage. It is proved, never sent. */
export type PageKeys = { page: string } | { media: string };

/** The host's proof of identity, from which a page also derives its session secret. */
export interface HostProof {
  /** New at each start. */
  run: string;
  /** For each key of a page, `HMAC-SHA256(key, "host\n<nonce>\n<run>")` in base64url. */
  proofs: string[];
}

/** The server's secrets, kept over restarts (`endpoint.ts`). */
export interface AccessSecrets {
  /** 256 bits: for tools as `Authorization: Bearer`, for the first page as `?token=`. */
  token: string;
  /** The keys of this origin's pages are derived from it. */
  originKey: string;
}

export interface Access {
  token: string;
  /**
   * Issues a one-time ticket, which replaces the token when a window opens, or the client's key for events, since `EventSource` sends no
   * headers.
   */
  ticket(use: 'enter' | 'events', client: Client): string;
  /**
   * Accepts a token or ticket in a page's address; returns the cookie for media and a ticket that the page exchanges for its keys. Null if
   * unauthorized. The media page never gets more than its own rights. `by`: the address of the proxy, if there is one: the cookie is limited
   * to its path and to TLS. `isOther`: another user of this machine, who may have read a ticket off a command line; the ticket stays valid
   * for its owner.
   */
  enter(
    offered: string,
    page: 'app' | 'media',
    from?: { by?: PublicAddress | undefined; isOther?: boolean },
  ): { cookie: string; ticket: string } | null;
  /**
   * The page's keys, once. A page that reloads before the answer arrives repeats its secret nonce, and is answered again while the ticket
   * lasts.
   */
  signIn(ticket: string, nonce?: string): PageKeys | null;
  /** Null if the nonce is not 43 letters of base64url. */
  proveHost(nonce: string): HostProof | null;
  /** The client by its header; null if unauthorized. A cookie reaches every port of this machine, so it permits no calls. */
  authenticate(headers: Headers): Client | null;
  /** The client that opens the event stream with this ticket. */
  authenticateStream(ticket: string): Client | null;
  /** Whether media, exported files and pages may be read: with the right to call, or with the cookie. */
  mayRead(headers: Headers): boolean;
}

/**
 * Access to the loopback server. An open page keeps asking for the studio, and while the host is down any program of this machine can
 * take its port and answer. So a page's key is never sent: the host first proves that it knows the key, over a nonce of the page, and
 * calls carry `HMAC-SHA256(key, "page
 *
 * <run>")`, which is worthless to the host of another run. An impostor at the port learns only a nonce. Not prevented: a program that
 * serves its own page there to a user who reloads. The cookie's name contains the port, since cookies do not distinguish ports.
 */
export function createAccess({ token, originKey }: AccessSecrets, port: () => number, now: () => number): Access {
  const derive = (purpose: string) => hmac(originKey, purpose);
  const keys: Record<Client, string> = { page: derive('page'), mediaPage: derive('media'), mediaWorker: newSecret() };
  const run = newSecret();
  const clients = Object.keys(keys) as Client[];
  const cookie = derive('cookie');
  const tickets = new Map<string, Ticket>();
  const cookieName = () => `dailies_${port()}`;
  const issue = (use: Use, client: Client) => {
    const ticket = newSecret();
    for (const [old, { until }] of tickets) if (until <= now()) tickets.delete(old);
    tickets.set(ticket, { use, client, until: now() + TICKET_MS });
    return ticket;
  };
  const redeem = (use: Use, offered: string): Client | null => {
    const found = tickets.get(offered);
    tickets.delete(offered);
    return found?.use === use && found.until > now() ? found.client : null;
  };
  const authenticate = (headers: Headers): Client | null => {
    const bearer = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];
    if (bearer === undefined) return null;
    if (isEqual(bearer, token)) return 'page';
    // A browser states a page's origin; without one, the call is not a page's.
    if (!headers.has('origin') && !headers.has('sec-fetch-site')) return null;
    return clients.find((client) => isEqual(bearer, hmac(keys[client], `page\n${run}`))) ?? null;
  };
  return {
    token,
    ticket: issue,
    enter(offered, page, { by, isOther = false } = {}) {
      const client = (isOther ? null : redeem('enter', offered)) ?? (isEqual(offered, token) ? 'page' : null);
      if (client === null || (page === 'app' && client !== 'page')) return null;
      const rights = page === 'media' && client === 'page' ? 'mediaPage' : client;
      return {
        cookie: `${cookieName()}=${cookie}; Path=${by?.base ?? '/'}; HttpOnly; SameSite=Strict${by ? '; Secure' : ''}`,
        ticket: issue('signIn', rights),
      };
    },
    signIn(ticket, nonce) {
      const asked = tickets.get(ticket)?.nonce;
      if (asked !== undefined && (nonce === undefined || !isEqual(nonce, asked))) return null;
      const until = tickets.get(ticket)?.until ?? 0;
      const client = redeem('signIn', ticket);
      if (client === null) return null;
      if (nonce !== undefined) tickets.set(ticket, { use: 'signIn', client, until, nonce });
      return client === 'page' ? { page: keys.page } : { media: keys[client] };
    },
    proveHost(nonce) {
      if (!/^[\w-]{43}$/.test(nonce)) return null;
      return { run, proofs: clients.map((client) => hmac(keys[client], `host\n${nonce}\n${run}`)) };
    },
    authenticate,
    authenticateStream: (ticket) => redeem('events', ticket),
    mayRead(headers) {
      const offered = cookieValue(headers.get('cookie') ?? '', cookieName());
      return authenticate(headers) !== null || (offered !== undefined && isEqual(offered, cookie));
    },
  };
}

/**
 * The counterpart of {@link Access.proveHost}, for a program of this user that has read the data folder's secrets. Like a page, it sends
 * nothing before the peer has proved to be the host.
 */
export function pageAccess(originKey: string) {
  const key = hmac(originKey, 'page');
  return {
    isHost: (nonce: string, { run, proofs }: HostProof): boolean =>
      proofs.some((proof) => isEqual(proof, hmac(key, `host\n${nonce}\n${run}`))),
    /** The `Authorization` header of calls during that run of the host. */
    bearer: ({ run }: HostProof): string => hmac(key, `page\n${run}`),
  };
}

/**
 * Whether the request addresses this server and comes from no other page. A link on another page may lead to our pages, and to nothing else.
 */
export function isOwnOrigin(headers: Headers, server: OwnAddress, to: 'page' | 'script' | 'data'): boolean {
  const own = originOf(headers.get('host') ?? '', server);
  if (own === undefined) return false;
  const origin = headers.get('origin');
  // The media frame has an opaque origin; our scripts contain no secrets.
  if (to === 'script' && origin === 'null') return true;
  if (origin !== null && origin !== own) return false;
  const site = headers.get('sec-fetch-site');
  const followsLink = to === 'page' && headers.get('sec-fetch-mode') === 'navigate';
  return site === null || site === 'same-origin' || site === 'none' || followsLink;
}

/** This server's address: its loopback port, and the proxy's name if there is one. */
export interface OwnAddress {
  port: number;
  publicAddress?: PublicAddress | undefined;
}

/** The origin of pages read by this `Host`; undefined if it is not ours. */
function originOf(host: string, { port, publicAddress }: OwnAddress): string | undefined {
  if (host === `127.0.0.1:${port}` || host === `localhost:${port}`) return `http://${host}`;
  return host === publicAddress?.host ? publicAddress.origin : undefined;
}

const hmac = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('base64url');

export const newSecret = (): string => randomBytes(32).toString('base64url');

function isEqual(offered: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(offered), digest(expected));
}

function cookieValue(header: string, name: string): string | undefined {
  const part = header.split(';').find((pair) => pair.trim().startsWith(`${name}=`));
  return part?.trim().slice(name.length + 1);
}
