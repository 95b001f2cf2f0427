import { expect, test } from 'vitest';
import { createAccess, isOwnOrigin } from './access.ts';

const PORT = 4_321;
const bearer = (token: string) => new Headers({ authorization: `Bearer ${token}` });
const withCookie = (setCookie: string | null) => new Headers({ cookie: `other=1; ${setCookie?.split(';')[0]}` });

function access(now = () => 0) {
  return createAccess(() => PORT, now);
}

test('the token opens by header and by cookie; nothing near it does', () => {
  const keys = access();
  expect(keys.visitor(bearer(keys.token))).toBe('page');
  expect(keys.visitor(withCookie(keys.exchange(keys.token)))).toBe('page');
  for (const wrong of ['', 'x', keys.token.slice(1), `${keys.token}a`, access().token]) {
    expect(keys.visitor(bearer(wrong))).toBeNull();
    expect(keys.exchange(wrong)).toBeNull();
  }
  expect(keys.visitor(new Headers())).toBeNull();
  expect(keys.visitor(withCookie(`dailies_${PORT}=`))).toBeNull();
});

test('the token has 256 bits and is not what the cookie holds', () => {
  const keys = access();
  expect(Buffer.from(keys.token, 'base64url')).toHaveLength(32);
  expect(keys.exchange(keys.token)).not.toContain(keys.token);
});

test('the cookie is for this port only, out of reach of scripts and of other sites', () => {
  const cookie = access().exchange(access().token) ?? access().exchange('');
  expect(cookie).toBeNull();
  const keys = access();
  expect(keys.exchange(keys.token)).toMatch(new RegExp(`^dailies_${PORT}=[^;]+; Path=/; HttpOnly; SameSite=Strict$`));
});

test('a ticket works once and not for long, and tells the worker from a page', () => {
  let now = 0;
  const keys = access(() => now);
  const ticket = keys.ticket('worker');
  expect(keys.visitor(withCookie(keys.exchange(ticket)))).toBe('worker');
  expect(keys.exchange(ticket)).toBeNull();
  const late = keys.ticket('page');
  now += 60_001;
  expect(keys.exchange(late)).toBeNull();
});

test.each([
  [{ host: '127.0.0.1:4321' }, true],
  [{ host: 'localhost:4321', origin: 'http://localhost:4321' }, true],
  [{ host: '127.0.0.1:4321', 'sec-fetch-site': 'same-origin' }, true],
  [{ host: '127.0.0.1:4321', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, true],
  [{}, false],
  [{ host: 'dailies.example:4321' }, false],
  [{ host: '127.0.0.1:1' }, false],
  [{ host: '127.0.0.1:4321', origin: 'http://evil.example' }, false],
  [{ host: '127.0.0.1:4321', origin: 'http://localhost:4321' }, false],
  [{ host: '127.0.0.1:4321', origin: 'null' }, false],
  [{ host: '127.0.0.1:4321', 'sec-fetch-site': 'same-site' }, false],
])('%j is our own: %s', (headers, own) => {
  expect(isOwnOrigin(new Headers(headers as Record<string, string>), PORT)).toBe(own);
});
