/** The keys of a page of the browser host, in the storage of its origin, which no other port of this machine can read. */

import { hostAddress } from './hostAddress.ts';
import { keep, readKept } from './kept.ts';

interface PageKeys {
  page?: string;
  media?: string;
}

/** One place per path: several studios may be served on one origin. */
const place = (): string => `dailies.keys${hostAddress('.').slice(1)}`;
/** The fallback without storage: keys last until the page is closed. */
let unkept: PageKeys = {};

/**
 * The ticket in the first address, and a nonce that identifies who redeems it. Until it is answered, both are stored for this window only.
 */
export interface SignIn {
  ticket: string;
  nonce: string;
}

/** The ticket works once and is removed from the address at once. A page that was reloaded before the answer came uses its stored one. */
export function takeTicket(): SignIn | undefined {
  const { hash, search, pathname } = window.location;
  const asked = /^\?ticket=([\w-]+)$/.exec(search)?.[1];
  const ticket = asked ?? /^#ticket=([\w-]+)$/.exec(hash)?.[1];
  const before = unanswered();
  if (ticket === undefined) return before;
  // A page that was reloaded while it took its ticket finds the same ticket in the address again.
  const begun =
    before?.ticket === ticket ? before : { ticket, nonce: base64url(crypto.getRandomValues(new Uint8Array(32))) };
  keepUnanswered(begun);
  // The requested route beside the ticket stays in the address.
  window.history.replaceState(null, '', asked === undefined ? pathname : `${pathname}${hash}`);
  return begun;
}

/** Read each time: another page of this origin may have signed in since. */
export function pageKey(): string | undefined {
  const { page, media } = stored();
  return window.location.pathname === hostAddress('media.html') ? media : page;
}

/** Exchanges the ticket for a key. If the ticket is no longer valid, the stored keys stay. */
export async function signIn(begun: SignIn): Promise<void> {
  const answer = await post<PageKeys>(hostAddress('session'), begun);
  if (answer?.ok) keepKeys({ ...stored(), ...answer.data });
  keepUnanswered(undefined);
}

/** The secret of a session's calls. `unauthorized`: the host at this address does not know the page's key. */
export type Session = { secret: string } | 'unauthorized';

/**
 * Makes the host prove that it knows the page's key, which itself is never sent, and returns the secret of its current run. Throws if
 * nothing answers.
 */
export async function openSession(key: string): Promise<Session> {
  const nonce = base64url(crypto.getRandomValues(new Uint8Array(32)));
  const answer = await post<{ run?: unknown; proofs?: unknown }>(hostAddress('hello'), { nonce });
  const { run, proofs } = answer?.ok ? answer.data : {};
  if (typeof run !== 'string' || !Array.isArray(proofs)) return 'unauthorized';
  if (!proofs.includes(await hmac(key, `host\n${nonce}\n${run}`))) return 'unauthorized';
  return { secret: await hmac(key, `page\n${run}`) };
}

/** Undefined if the answer is not from Dailies. */
async function post<T>(path: string, body: object): Promise<{ ok: boolean; data: T } | undefined> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  return response.json().catch(() => undefined);
}

async function hmac(key: string, text: string): Promise<string> {
  const bytes = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const made = await crypto.subtle.importKey('raw', bytes.encode(key), algorithm, false, ['sign']);
  return base64url(new Uint8Array(await crypto.subtle.sign('HMAC', made, bytes.encode(text))));
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const stored = (): PageKeys => ({ ...unkept, ...(readKept('localStorage', place()) as PageKeys | undefined) });

function keepKeys(keys: PageKeys): void {
  if (!keep('localStorage', place(), keys)) unkept = keys;
}

const unanswered = () => readKept('sessionStorage', place()) as SignIn | undefined;

/** Without storage, a page that is reloaded before the answer must be opened with a new ticket. */
const keepUnanswered = (begun: SignIn | undefined) => keep('sessionStorage', place(), begun);
