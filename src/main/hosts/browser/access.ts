import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Who a request comes from, as far as the host tells them apart. */
export type Visitor = 'page' | 'worker';

/** A ticket opens one window; it travels on a command line, so it works once and not for long. */
const TICKET_MS = 60_000;

export interface Access {
  /** 256 bits for this run: for tools as `Authorization: Bearer`, for the first page as `?token=`. */
  token: string;
  /** A one-time stand-in for the token. */
  ticket(visitor: Visitor): string;
  /** Takes a token or a ticket; answers the cookie that replaces it, or null. */
  exchange(offered: string): string | null;
  /** Who asks, by bearer token or cookie; null for a stranger. */
  visitor(headers: Headers): Visitor | null;
}

/** Keys to this run's loopback server. The cookie's name carries the port: cookies do not tell ports apart. */
export function createAccess(port: () => number, now: () => number): Access {
  const token = newSecret();
  const sessions: Record<Visitor, string> = { page: newSecret(), worker: newSecret() };
  const tickets = new Map<string, { visitor: Visitor; until: number }>();
  const cookieName = () => `dailies_${port()}`;
  const bySecret = (offered: string | undefined): Visitor | null => {
    if (offered === undefined) return null;
    if (same(offered, sessions.page)) return 'page';
    return same(offered, sessions.worker) ? 'worker' : null;
  };
  return {
    token,
    ticket(visitor) {
      const ticket = newSecret();
      tickets.set(ticket, { visitor, until: now() + TICKET_MS });
      return ticket;
    },
    exchange(offered) {
      const ticket = tickets.get(offered);
      tickets.delete(offered);
      const valid = ticket && ticket.until > now();
      const visitor = valid ? ticket.visitor : same(offered, token) ? 'page' : null;
      return visitor && `${cookieName()}=${sessions[visitor]}; Path=/; HttpOnly; SameSite=Strict`;
    },
    visitor(headers) {
      const bearer = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];
      if (bearer !== undefined) return same(bearer, token) ? 'page' : null;
      return bySecret(cookieValue(headers.get('cookie') ?? '', cookieName()));
    },
  };
}

/** True where the request names this very server and comes from no other page. */
export function isOwnOrigin(headers: Headers, port: number): boolean {
  const host = headers.get('host') ?? '';
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`) return false;
  const origin = headers.get('origin');
  if (origin !== null && origin !== `http://${host}`) return false;
  const site = headers.get('sec-fetch-site');
  const navigates = headers.get('sec-fetch-mode') === 'navigate';
  return site === null || site === 'same-origin' || site === 'none' || navigates;
}

const newSecret = () => randomBytes(32).toString('base64url');

function same(offered: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(offered), digest(expected));
}

function cookieValue(header: string, name: string): string | undefined {
  const part = header.split(';').find((pair) => pair.trim().startsWith(`${name}=`));
  return part?.trim().slice(name.length + 1);
}
