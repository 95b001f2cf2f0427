/** What a page of the browser host proves itself with: kept in the storage of its origin, which no other port of this machine reaches. */

import { hostAddress } from './hostAddress.ts';
import { keep, readKept } from './kept.ts';

interface PageKeys {
  page?: string;
  media?: string;
}

/** Of the studio at this path: several may be served on one origin. */
const place = (): string => `dailies.keys${hostAddress('.').slice(1)}`;
/** Where the storage is shut off: until the page is closed. */
let unkept: PageKeys = {};

/** The ticket that the first address carries, and what shows who redeems it; unanswered, it is kept for this window alone. */
export interface SignIn {
  ticket: string;
  nonce: string;
}

/** It leaves the address at once, and works once. Of a page that was loaded anew before the answer came, the one that it had. */
export function takeTicket(): SignIn | undefined {
  const { hash, search, pathname } = window.location;
  const asked = /^\?ticket=([\w-]+)$/.exec(search)?.[1];
  const ticket = asked ?? /^#ticket=([\w-]+)$/.exec(hash)?.[1];
  const before = unanswered();
  if (ticket === undefined) return before;
  // A page that is loaded anew while it takes its ticket finds it in its address again.
  const begun =
    before?.ticket === ticket ? before : { ticket, nonce: base64url(crypto.getRandomValues(new Uint8Array(32))) };
  keepUnanswered(begun);
  // The place that was asked for beside the ticket stays.
  window.history.replaceState(null, '', asked === undefined ? pathname : `${pathname}${hash}`);
  return begun;
}

/** Read each time: another page of this origin may have signed in since. */
export function pageKey(): string | undefined {
  const { page, media } = stored();
  return window.location.pathname === hostAddress('media.html') ? media : page;
}

/** Exchanges the ticket for a key; what is kept already stays where it is not valid any more. */
export async function signIn(begun: SignIn): Promise<void> {
  const answer = await post<PageKeys>(hostAddress('session'), begun);
  if (answer?.ok) keepKeys({ ...stored(), ...answer.data });
  keepUnanswered(undefined);
}

/** What a session's calls carry; `unauthorized`: what answers at this address does not know the page's key. */
export type Session = { secret: string } | 'unauthorized';

/**
 * Has the host prove that it knows the page's key, which itself is never sent, and answers the secret of its present run. Throws where
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

/** Undefined where the answer is not ours. */
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

/** Where the storage is shut off, a page that is loaded anew before the answer has to be opened again. */
const keepUnanswered = (begun: SignIn | undefined) => keep('sessionStorage', place(), begun);
