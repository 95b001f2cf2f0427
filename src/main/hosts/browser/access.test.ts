import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Access, createAccess, isOwnOrigin, newSecret } from './access.ts';

const PORT = 4_321;
const SECRETS = { token: newSecret(), originKey: newSecret() };
const bearer = (token: string) => new Headers({ authorization: `Bearer ${token}` });
const hmac = (key: string, text: string) => createHmac('sha256', key).update(text).digest('base64url');
/** The headers of a page that has this key, once the host has greeted it. */
const fromPage = (host: Access, key: string) =>
  new Headers({
    authorization: `Bearer ${hmac(key, `page\n${host.proveHost(newSecret())?.run}`)}`,
    'sec-fetch-site': 'same-origin',
  });
const cookieOf = (setCookie: string | undefined) => new Headers({ cookie: `other=1; ${setCookie?.split(';')[0]}` });

const access = (now = () => 0, secrets = SECRETS) => createAccess(secrets, () => PORT, now);

function keysOf(keys: Access, offered: string, page: 'app' | 'media' = 'app'): { page?: string; media?: string } {
  return keys.signIn(keys.enter(offered, page)?.ticket ?? '') ?? {};
}
const keyOf = (keys: Access, offered: string, page: 'app' | 'media' = 'app'): string => {
  const { page: own, media } = keysOf(keys, offered, page);
  return own ?? media ?? '';
};

test('the token calls by header, as tools do; nothing near it does', () => {
  const keys = access();
  expect(keys.authenticate(bearer(keys.token))).toBe('page');
  for (const wrong of ['', 'x', keys.token.slice(1), `${keys.token}a`, newSecret(), SECRETS.originKey]) {
    expect(keys.authenticate(bearer(wrong))).toBeNull();
    expect(keys.enter(wrong, 'app')).toBeNull();
    expect(keys.signIn(wrong)).toBeNull();
  }
  expect(keys.authenticate(new Headers())).toBeNull();
});

test('a sign-in whose answer was lost is answered again to the same page, and to no other', () => {
  let now = 0;
  const keys = access(() => now);
  const { ticket = '' } = keys.enter(keys.token, 'app') ?? {};
  const first = keys.signIn(ticket, 'nonce');
  expect(first).toHaveProperty('page');
  expect(keys.signIn(ticket, 'nonce')).toEqual(first);
  expect(keys.signIn(ticket, 'another')).toBeNull();
  expect(keys.signIn(ticket)).toBeNull();
  expect(keys.authenticateStream(ticket)).toBeNull();
  const fresh = keys.enter(keys.token, 'app')?.ticket ?? '';
  expect(keys.signIn(fresh, 'nonce')).toEqual(first);
  now = 60_000;
  expect(keys.signIn(fresh, 'nonce')).toBeNull();
});

test('secrets have 256 bits, and none holds another', () => {
  const keys = access();
  const [page, media] = [keyOf(keys, keys.token), keyOf(keys, keys.token, 'media')];
  const cookie = keys.enter(keys.token, 'app')?.cookie ?? '';
  const all = [keys.token, SECRETS.originKey, page, media, /=([^;]+)/.exec(cookie)?.[1] ?? ''];
  expect(new Set(all).size).toBe(5);
  for (const secret of all) expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
});

test('the cookie reads media and pages, and opens no call', () => {
  const keys = access();
  const { cookie } = keys.enter(keys.token, 'app') ?? {};
  expect(cookie).toMatch(new RegExp(`^dailies_${PORT}=[^;]+; Path=/; HttpOnly; SameSite=Strict$`));
  const headers = cookieOf(cookie);
  expect([keys.mayRead(headers), keys.authenticate(headers)]).toEqual([true, null]);
  headers.set('origin', `http://127.0.0.1:${PORT}`);
  expect(keys.authenticate(headers)).toBeNull();
  expect(keys.mayRead(cookieOf(`dailies_${PORT}=`))).toBe(false);
  expect(keys.mayRead(cookieOf(cookie?.replace(String(PORT), '80')))).toBe(false);
});

test("a page's key is valid from a page only: a call without an origin is refused", () => {
  const keys = access();
  const headers = fromPage(keys, keyOf(keys, keys.token));
  expect(keys.authenticate(headers)).toBe('page');
  headers.delete('sec-fetch-site');
  expect(keys.authenticate(headers)).toBeNull();
});

test('a key is proved, not sent: itself it opens nothing, and what a call carries is worth nothing to the next run', () => {
  const [first, next] = [access(), access()];
  const key = keyOf(first, first.token);
  expect(
    first.authenticate(new Headers({ authorization: `Bearer ${key}`, 'sec-fetch-site': 'same-origin' })),
  ).toBeNull();
  const headers = fromPage(first, key);
  expect([first.authenticate(headers), next.authenticate(headers)]).toEqual(['page', null]);
});

test("the host proves that it knows each page's key, over the nonce of that page, and nobody else can", () => {
  const keys = access();
  const nonce = newSecret();
  const { run = '', proofs = [] } = keys.proveHost(nonce) ?? {};
  for (const key of [keyOf(keys, keys.token), keyOf(keys, keys.token, 'media')])
    expect(proofs).toContain(hmac(key, `host\n${nonce}\n${run}`));
  const impostor = access(() => 0, { ...SECRETS, originKey: newSecret() }).proveHost(nonce);
  expect(impostor?.proofs).not.toContain(hmac(keyOf(keys, keys.token), `host\n${nonce}\n${impostor?.run}`));
  // No nonce makes it produce a call's proof.
  expect(
    proofs.map((proof) => keys.authenticate(new Headers({ authorization: `Bearer ${proof}`, origin: 'x' }))),
  ).toEqual([null, null, null]);
  for (const broken of ['', 'x', `${nonce}\n`, `page\n${nonce}`]) expect(keys.proveHost(broken)).toBeNull();
});

test("a page's keys outlive a run of the same origin, and are worth nothing at another", () => {
  const [page, media] = [keyOf(access(), SECRETS.token), keyOf(access(), SECRETS.token, 'media')];
  const next = access();
  expect([next.authenticate(fromPage(next, page)), next.authenticate(fromPage(next, media))]).toEqual([
    'page',
    'mediaPage',
  ]);
  const elsewhere = access(() => 0, { ...SECRETS, originKey: newSecret() });
  expect([page, media].map((key) => elsewhere.authenticate(fromPage(elsewhere, key)))).toEqual([null, null]);
});

test('the media page gets no rights of a page, whatever opened it; its ticket opens no page', () => {
  const keys = access();
  const opened = keysOf(keys, keys.token, 'media');
  expect([opened.page, keys.authenticate(fromPage(keys, opened.media ?? ''))]).toEqual([undefined, 'mediaPage']);
  const worker = keysOf(keys, keys.ticket('enter', 'mediaWorker'), 'media');
  expect([worker.page, keys.authenticate(fromPage(keys, worker.media ?? ''))]).toEqual([undefined, 'mediaWorker']);
  expect(keys.enter(keys.ticket('enter', 'mediaWorker'), 'app')).toBeNull();
});

test('a ticket works once, for its one use, and not for long', () => {
  let now = 0;
  const keys = access(() => now);
  const enter = keys.ticket('enter', 'page');
  expect(keys.signIn(enter)).toBeNull();
  expect(keys.enter(enter, 'app')).toBeNull();
  const events = keys.ticket('events', 'mediaPage');
  expect([keys.authenticateStream(events), keys.authenticateStream(events)]).toEqual(['mediaPage', null]);
  expect(keys.enter(keys.ticket('events', 'page'), 'app')).toBeNull();
  const signIn = keys.enter(keys.token, 'app')?.ticket ?? '';
  expect([keys.signIn(signIn), keys.signIn(signIn)]).toEqual([{ page: expect.any(String) }, null]);
  const late = keys.ticket('events', 'page');
  now += 60_001;
  expect(keys.authenticateStream(late)).toBeNull();
});

test.each([
  [{ host: '127.0.0.1:4321' }, true, true],
  [{ host: 'localhost:4321', origin: 'http://localhost:4321' }, true, true],
  [{ host: '127.0.0.1:4321', 'sec-fetch-site': 'same-origin' }, true, true],
  // A link in a mail may lead to the pages; a picture or frame on another page may not.
  [{ host: '127.0.0.1:4321', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, true, false],
  [{ host: '127.0.0.1:4321', 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' }, true, false],
  [{}, false, false],
  [{ host: 'dailies.example:4321' }, false, false],
  [{ host: '127.0.0.1:1' }, false, false],
  [{ host: '127.0.0.1:4321', origin: 'http://evil.example' }, false, false],
  [{ host: '127.0.0.1:4321', origin: 'http://localhost:4321' }, false, false],
  [{ host: '127.0.0.1:4321', origin: 'null' }, false, false],
  [{ host: '127.0.0.1:4321', origin: 'null', 'sec-fetch-site': 'cross-site' }, false, false],
  [{ host: '127.0.0.1:4321', 'sec-fetch-site': 'same-site' }, false, false],
])('%j is our own for a page: %s, for data: %s', (headers, forPage, forData) => {
  const own = new Headers(headers as Record<string, string>);
  expect([isOwnOrigin(own, { port: PORT }, 'page'), isOwnOrigin(own, { port: PORT }, 'data')]).toEqual([
    forPage,
    forData,
  ]);
});

test.each([
  [{ host: 'studio.example' }, true],
  [{ host: 'studio.example', origin: 'https://studio.example', 'sec-fetch-site': 'same-origin' }, true],
  [{ host: '127.0.0.1:4321', origin: 'http://127.0.0.1:4321' }, true],
  [{ host: 'studio.example', origin: 'http://studio.example' }, false],
  [{ host: 'studio.example', origin: 'http://127.0.0.1:4321' }, false],
  [{ host: '127.0.0.1:4321', origin: 'https://studio.example' }, false],
  [{ host: 'evil.example', 'x-forwarded-host': 'studio.example' }, false],
])('with a proxy in front, %j is our own: %s', (headers, isOwn) => {
  const publicAddress = { origin: 'https://studio.example', host: 'studio.example', base: '/dailies/' };
  expect(isOwnOrigin(new Headers(headers as Record<string, string>), { port: PORT, publicAddress }, 'data')).toBe(
    isOwn,
  );
});

test('behind a proxy the cookie stays in its path and never goes without TLS', () => {
  const keys = access();
  const by = { origin: 'https://studio.example', host: 'studio.example', base: '/dailies/' };
  expect(keys.enter(keys.token, 'app', { by })?.cookie).toMatch(
    /; Path=\/dailies\/; HttpOnly; SameSite=Strict; Secure$/,
  );
});

test('the media frame, which has no origin, gets scripts by our own name and nothing else', () => {
  const frame = { origin: 'null', 'sec-fetch-site': 'cross-site' };
  const own = new Headers({ host: '127.0.0.1:4321', ...frame });
  expect((['script', 'page', 'data'] as const).map((to) => isOwnOrigin(own, { port: PORT }, to))).toEqual([
    true,
    false,
    false,
  ]);
  expect(isOwnOrigin(new Headers({ host: 'dailies.example:4321', ...frame }), { port: PORT }, 'script')).toBe(false);
  const other = new Headers({ host: '127.0.0.1:4321', origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' });
  expect(isOwnOrigin(other, { port: PORT }, 'script')).toBe(false);
});

test('another user of this machine is not let in by a ticket, and leaves it to whom it is for', () => {
  const keys = access();
  const ticket = keys.ticket('enter', 'page');
  expect(keys.enter(ticket, 'app', { isOther: true })).toBeNull();
  expect(keyOf(keys, ticket)).toBe(keyOf(keys, keys.token));
  expect(keys.enter(ticket, 'app')).toBeNull();
  expect(keys.enter(keys.token, 'app', { isOther: true })).not.toBeNull();
});
