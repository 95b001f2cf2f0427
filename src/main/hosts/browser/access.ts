import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Whose call it is: a page or a tool may do everything; the media page, inside a page or in a browser of its own, only its work. */
export type Visitor = 'page' | 'mediaPage' | 'mediaWorker';

/** A ticket stands in for a secret on a command line and in an address, so it works once, for one use, and not for long. */
const TICKET_MS = 60_000;
type Use = 'enter' | 'signIn' | 'events';

/** What a page keeps in the storage of its origin, for itself or for the media page. It is proved, never sent. */
export type PageKeys = { page: string } | { media: string };

/** What the host proves itself with, and what a page derives the secret of its session from. */
export interface Greeting {
  /** New with each start. */
  run: string;
  /** For each key that a page may have, `HMAC-SHA256(key, "host\n<nonce>\n<run>")` in base64url. */
  proofs: string[];
}

/** What this server is known by; both outlive a run (see `endpoint.ts`). */
export interface AccessSecrets {
  /** 256 bits: for tools as `Authorization: Bearer`, for the first page as `?token=`. */
  token: string;
  /** Makes the keys of the pages of this origin, and no other. */
  originKey: string;
}

export interface Access {
  token: string;
  /** A one-time stand-in: for the token, on the way to a window, or for a caller's key, since `EventSource` sends no headers. */
  ticket(use: 'enter' | 'events', visitor: Visitor): string;
  /**
   * Takes a token or a ticket at the address of a page; answers the cookie for media, and a ticket that the page exchanges for its
   * keys. Null for a stranger. The media page never gets more than its own rights.
   */
  enter(offered: string, page: 'app' | 'media'): { cookie: string; ticket: string } | null;
  signIn(ticket: string): PageKeys | null;
  /** Null where the nonce is not 43 letters of base64url. */
  greet(nonce: string): Greeting | null;
  /** Who calls, by the header alone: a cookie reaches every port of this machine, so it opens no call. Null for a stranger. */
  caller(headers: Headers): Visitor | null;
  /** Who opens the stream of events with this ticket. */
  listener(ticket: string): Visitor | null;
  /** Whether media and pages may be read: by whoever may call, or with the cookie. */
  mayRead(headers: Headers): boolean;
}

/**
 * Keys to the loopback server. A page that was left open asks for the studio again and again, and while the host is down any program of
 * this machine can take its port and answer. So a page's key is never sent: the host first proves that it knows it, over a nonce of the
 * page, and calls carry `HMAC-SHA256(key, "page\n<run>")`, which is worth nothing to a host of another run. Whoever sits at the port
 * learns a nonce. What this does not keep out: a program that serves a page of its own there to a user who loads it anew.
 * The cookie's name carries the port: cookies do not tell ports apart. */
export function createAccess({ token, originKey }: AccessSecrets, port: () => number, now: () => number): Access {
  const made = (purpose: string) => hmac(originKey, purpose);
  const keys: Record<Visitor, string> = { page: made('page'), mediaPage: made('media'), mediaWorker: newSecret() };
  const run = newSecret();
  const visitors = Object.keys(keys) as Visitor[];
  const cookie = made('cookie');
  const tickets = new Map<string, { use: Use; visitor: Visitor; until: number }>();
  const cookieName = () => `dailies_${port()}`;
  const issue = (use: Use, visitor: Visitor) => {
    const ticket = newSecret();
    for (const [old, { until }] of tickets) if (until <= now()) tickets.delete(old);
    tickets.set(ticket, { use, visitor, until: now() + TICKET_MS });
    return ticket;
  };
  const redeem = (use: Use, offered: string): Visitor | null => {
    const found = tickets.get(offered);
    tickets.delete(offered);
    return found?.use === use && found.until > now() ? found.visitor : null;
  };
  const caller = (headers: Headers): Visitor | null => {
    const bearer = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];
    if (bearer === undefined) return null;
    if (same(bearer, token)) return 'page';
    // A browser says where a page's call comes from; what does not say so is no page.
    if (!headers.has('origin') && !headers.has('sec-fetch-site')) return null;
    return visitors.find((visitor) => same(bearer, hmac(keys[visitor], `page\n${run}`))) ?? null;
  };
  return {
    token,
    ticket: issue,
    enter(offered, page) {
      const visitor = redeem('enter', offered) ?? (same(offered, token) ? 'page' : null);
      if (visitor === null || (page === 'app' && visitor !== 'page')) return null;
      const rights = page === 'media' && visitor === 'page' ? 'mediaPage' : visitor;
      return {
        cookie: `${cookieName()}=${cookie}; Path=/; HttpOnly; SameSite=Strict`,
        ticket: issue('signIn', rights),
      };
    },
    signIn(ticket) {
      const visitor = redeem('signIn', ticket);
      if (visitor === null) return null;
      return visitor === 'page' ? { page: keys.page } : { media: keys[visitor] };
    },
    greet(nonce) {
      if (!/^[\w-]{43}$/.test(nonce)) return null;
      return { run, proofs: visitors.map((visitor) => hmac(keys[visitor], `host\n${nonce}\n${run}`)) };
    },
    caller,
    listener: (ticket) => redeem('events', ticket),
    mayRead(headers) {
      const offered = cookieValue(headers.get('cookie') ?? '', cookieName());
      return caller(headers) !== null || (offered !== undefined && same(offered, cookie));
    },
  };
}

/**
 * True where the request names this very server and comes from no other page. A link on another page may lead to a page of ours,
 * never to anything else.
 */
export function isOwnOrigin(headers: Headers, port: number, to: 'page' | 'script' | 'data'): boolean {
  const host = headers.get('host') ?? '';
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`) return false;
  const origin = headers.get('origin');
  // The media frame has no origin of its own; a script of ours holds nothing secret.
  if (to === 'script' && origin === 'null') return true;
  if (origin !== null && origin !== `http://${host}`) return false;
  const site = headers.get('sec-fetch-site');
  const followsLink = to === 'page' && headers.get('sec-fetch-mode') === 'navigate';
  return site === null || site === 'same-origin' || site === 'none' || followsLink;
}

const hmac = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('base64url');

export const newSecret = (): string => randomBytes(32).toString('base64url');

function same(offered: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(offered), digest(expected));
}

function cookieValue(header: string, name: string): string | undefined {
  const part = header.split(';').find((pair) => pair.trim().startsWith(`${name}=`));
  return part?.trim().slice(name.length + 1);
}
