import { expect, test } from 'vitest';
import { environmentProxyFor, proxyOfRules, systemProxyFor } from './proxyRules.ts';

const unusable = (word: string) => ({ unusable: expect.stringContaining(word) });

test.each<[string, unknown]>([
  ['DIRECT', undefined],
  ['PROXY proxy.example:3128', 'http://proxy.example:3128'],
  ['PROXY proxy.example:3128; DIRECT', 'http://proxy.example:3128'],
  ['HTTPS safe.example:443;PROXY b:1', 'https://safe.example'],
  ['SOCKS5 s.example', 'socks5://s.example:1080'],
  ['SOCKS5 s.example:99; DIRECT', 'socks5://s.example:99'],
  ['SOCKS s.example:1080', unusable('SOCKS4')],
  ['SOCKS4 s.example:1080', unusable('SOCKS4')],
  ['PROXY [fd00::1]:3128', 'http://[fd00::1]:3128'],
  ['DIRECT; PROXY b:1', undefined],
  ['QUIC q:1', unusable('QUIC')],
  ['PROXY', unusable('PROXY')],
  ['PROXY ::::', unusable('PROXY')],
  ['', undefined],
])('%s', (rules, proxy) => expect(proxyOfRules(rules)).toEqual(proxy));

const of = (env: Record<string, string>, url = 'https://api.gateway.example/v1') =>
  environmentProxyFor(env, new URL(url));

test('the environment names a proxy for each scheme, and one for all', () => {
  const both = { HTTPS_PROXY: 'http://s:1', HTTP_PROXY: 'http://p:2', ALL_PROXY: 'http://a:3' };
  expect([of(both), of(both, 'http://x.example')]).toEqual(['http://s:1', 'http://p:2']);
  expect([of({ ALL_PROXY: 'a:3' }), of({ HTTP_PROXY: 'p:2' }), of({})]).toEqual([
    'http://a:3',
    'http://p:2',
    undefined,
  ]);
  expect(of({ https_proxy: 'http://l:1', HTTPS_PROXY: 'http://u:1' })).toBe('http://l:1');
  expect(of({ HTTPS_PROXY: 'http://me:secret@p:1' })).toBe('http://me:secret@p:1');
  expect(of({ ALL_PROXY: 'socks5://me:secret@p' })).toBe('socks5://me:secret@p:1080');
  expect(of({ ALL_PROXY: 'socks5h://p:1' })).toBe('socks5://p:1');
  expect(of({ ALL_PROXY: 'socks://[fd00::1]:1/' })).toBe('socks5://[fd00::1]:1');
});

test('what the system says goes before what the environment says', () => {
  const answers = ['DIRECT', 'PROXY s:1', ''].map((rules) =>
    systemProxyFor(rules, { HTTPS_PROXY: 'http://e:1' }, new URL('https://inside.example')),
  );
  expect(answers).toEqual([undefined, 'http://s:1', 'http://e:1']);
});

test.each(['ftp://me:secret@p:1', 'socks4://me:secret@p:1', 'http://'])('%s is no direct connection', (proxy) => {
  const way = of({ HTTPS_PROXY: proxy });
  expect(way).toEqual({ unusable: expect.stringContaining('HTTPS_PROXY') });
  expect(JSON.stringify(way)).not.toContain('sec');
});

test.each([
  ['*', true],
  ['gateway.example', true],
  ['.gateway.example', true],
  ['*.gateway.example', true],
  ['other.example, API.gateway.example', true],
  ['other.example api.gateway.example:443', true],
  ['api.gateway.example:8443', false],
  ['way.example', false],
  ['api.gateway.example.org', false],
  [',. ,', false],
])('NO_PROXY=%s', (list, isDirect) => {
  expect(of({ HTTPS_PROXY: 'http://p:1', NO_PROXY: list }) === undefined).toBe(isDirect);
});

test('an IPv6 address is excepted with and without its port', () => {
  const env = (NO_PROXY: string) => of({ HTTPS_PROXY: 'http://p:1', NO_PROXY }, 'https://[2001:db8::1]:8443/');
  expect([env('2001:db8::1'), env('[2001:db8::1]:8443'), env('[2001:db8::1]:1')]).toEqual([
    undefined,
    undefined,
    'http://p:1',
  ]);
});
