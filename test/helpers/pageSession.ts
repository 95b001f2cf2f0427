import { createHmac, randomBytes } from 'node:crypto';
import type { Host } from './host.ts';

/** A page's session at the browser host, created as a page creates it. */

type At = Pick<Host, 'origin'>;

const hmac = (key: string, text: string) => createHmac('sha256', key).update(text).digest('base64url');

async function post({ origin }: At, to: string, input: object): Promise<unknown> {
  const init = { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' }, body: JSON.stringify(input) };
  return ((await (await fetch(origin + to, init)).json()) as { data: unknown }).data;
}

/** As a page does at every start of its host: checks whether the host knows its key, and gets the secret for its calls. */
export async function greet(host: At, key: string): Promise<{ isKnown: boolean; secret: string }> {
  const nonce = randomBytes(32).toString('base64url');
  const { run, proofs } = (await post(host, '/hello', { nonce })) as { run: string; proofs: string[] };
  return { isKnown: proofs.includes(hmac(key, `host\n${nonce}\n${run}`)), secret: hmac(key, `page\n${run}`) };
}

/** Opens the first address as a browser does: the answer sets the cookie and gives the page its key. */
export async function enter(host: At & Pick<Host, 'token'>, path = '/'): Promise<{ cookie: string; key: string }> {
  const first = await fetch(`${host.origin}${path}?token=${host.token}`, { redirect: 'manual' });
  const ticket = /#ticket=(.*)$/.exec(first.headers.get('location') ?? '')?.[1];
  const keys = (await post(host, '/session', { ticket })) as { page?: string; media?: string };
  const { [path === '/' ? 'page' : 'media']: key = '', ...others } = keys;
  if (Object.keys(others).length > 0) throw new Error(`A page got more keys than its own: ${Object.keys(keys).join()}`);
  return { cookie: first.headers.get('set-cookie')?.split(';')[0] ?? '', key };
}
