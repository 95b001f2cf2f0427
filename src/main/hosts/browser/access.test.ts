import { expect, test } from 'vitest';
import { createAccess, isOwnOrigin, newSecret, type PageKeys } from './access.ts';

const PORT = 4_321;
const SECRETS = { token: newSecret(), originKey: newSecret() };
const bearer = (token: string) => new Headers({ authorization: `Bearer ${token}` });
const fromPage = (key: string | undefined) =>
  new Headers({ authorization: `Bearer ${key}`, 'sec-fetch-site': 'same-origin' });
const cookieOf = (setCookie: string | undefined) => new Headers({ cookie: `other=1; ${setCookie?.split(';')[0]}` });

const access = (now = () => 0, secrets = SECRETS) => createAccess(secrets, () => PORT, now);

function keysOf(keys: ReturnType<typeof access>, offered: string, page: 'app' | 'media' = 'app'): PageKeys {
  return keys.signIn(keys.enter(offered, page)?.ticket ?? '') ?? { media: '' };
}

test('the token calls by header, as tools do; nothing near it does', () => {
  const keys = access();
  expect(keys.caller(bearer(keys.token))).toBe('page');
  for (const wrong of ['', 'x', keys.token.slice(1), `${keys.token}a`, newSecret(), SECRETS.originKey]) {
    expect(keys.caller(bearer(wrong))).toBeNull();
    expect(keys.enter(wrong, 'app')).toBeNull();
    expect(keys.signIn(wrong)).toBeNull();
  }
  expect(keys.caller(new Headers())).toBeNull();
});

test('secrets have 256 bits, and none holds another', () => {
  const keys = access();
  const { page = '', media } = keysOf(keys, keys.token);
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
  expect([keys.mayRead(headers), keys.caller(headers)]).toEqual([true, null]);
  headers.set('origin', `http://127.0.0.1:${PORT}`);
  expect(keys.caller(headers)).toBeNull();
  expect(keys.mayRead(cookieOf(`dailies_${PORT}=`))).toBe(false);
  expect(keys.mayRead(cookieOf(cookie?.replace(String(PORT), '80')))).toBe(false);
});

test("a page's key is good from a page only: a call that says nothing of where it comes from is none", () => {
  const keys = access();
  const { page } = keysOf(keys, keys.token);
  expect(keys.caller(bearer(page ?? ''))).toBeNull();
  expect(keys.caller(fromPage(page))).toBe('page');
});

test("a page's keys outlive a run of the same origin, and are worth nothing at another", () => {
  const { page, media } = keysOf(access(), SECRETS.token);
  expect([access().caller(fromPage(page)), access().caller(fromPage(media))]).toEqual(['page', 'mediaPage']);
  const elsewhere = access(() => 0, { ...SECRETS, originKey: newSecret() });
  expect([elsewhere.caller(fromPage(page)), elsewhere.caller(fromPage(media))]).toEqual([null, null]);
});

test('the media page gets no rights of a page, whatever opened it; its ticket opens no page', () => {
  const keys = access();
  const opened = keysOf(keys, keys.token, 'media');
  expect([opened.page, keys.caller(fromPage(opened.media))]).toEqual([undefined, 'mediaPage']);
  const worker = keysOf(keys, keys.ticket('enter', 'mediaWorker'), 'media');
  expect([worker.page, keys.caller(fromPage(worker.media))]).toEqual([undefined, 'mediaWorker']);
  expect(keys.enter(keys.ticket('enter', 'mediaWorker'), 'app')).toBeNull();
});

test('a ticket works once, for its one use, and not for long', () => {
  let now = 0;
  const keys = access(() => now);
  const enter = keys.ticket('enter', 'page');
  expect(keys.signIn(enter)).toBeNull();
  expect(keys.enter(enter, 'app')).toBeNull();
  const events = keys.ticket('events', 'mediaPage');
  expect([keys.listener(events), keys.listener(events)]).toEqual(['mediaPage', null]);
  expect(keys.enter(keys.ticket('events', 'page'), 'app')).toBeNull();
  const signIn = keys.enter(keys.token, 'app')?.ticket ?? '';
  expect([keys.signIn(signIn)?.page, keys.signIn(signIn)]).toEqual([expect.any(String), null]);
  const late = keys.ticket('events', 'page');
  now += 60_001;
  expect(keys.listener(late)).toBeNull();
});

test.each([
  [{ host: '127.0.0.1:4321' }, true, true],
  [{ host: 'localhost:4321', origin: 'http://localhost:4321' }, true, true],
  [{ host: '127.0.0.1:4321', 'sec-fetch-site': 'same-origin' }, true, true],
  // A link in a mail leads to the pages; a picture or a frame of another page leads nowhere.
  [{ host: '127.0.0.1:4321', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, true, false],
  [{ host: '127.0.0.1:4321', 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' }, true, false],
  [{}, false, false],
  [{ host: 'dailies.example:4321' }, false, false],
  [{ host: '127.0.0.1:1' }, false, false],
  [{ host: '127.0.0.1:4321', origin: 'http://evil.example' }, false, false],
  [{ host: '127.0.0.1:4321', origin: 'http://localhost:4321' }, false, false],
  [{ host: '127.0.0.1:4321', origin: 'null' }, false, false],
  [{ host: '127.0.0.1:4321', 'sec-fetch-site': 'same-site' }, false, false],
])('%j is our own for a page: %s, for data: %s', (headers, forPage, forData) => {
  const own = new Headers(headers as Record<string, string>);
  expect([isOwnOrigin(own, PORT, 'page'), isOwnOrigin(own, PORT, 'data')]).toEqual([forPage, forData]);
});
