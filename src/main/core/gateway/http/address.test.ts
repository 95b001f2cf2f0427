import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { allowedNear, mayAskProxyFor, publicOnly, scopeOf } from './origin.ts';

/**
 * Every range that a hostile result could use to reach a private network; a gap here is a request to the user's router or a metadata
 * service.
 */
test.each([
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['::1', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['10.0.0.1', 'private'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.1.1', 'private'],
  ['100.64.0.1', 'private'],
  ['::ffff:10.0.0.1', 'private'],
  ['fc00::1', 'private'],
  ['fd12:3456::1', 'private'],
  ['0.0.0.0', 'reserved'],
  ['0.1.2.3', 'reserved'],
  ['169.254.169.254', 'reserved'],
  ['::ffff:169.254.169.254', 'reserved'],
  ['224.0.0.1', 'reserved'],
  ['239.255.255.255', 'reserved'],
  ['255.255.255.255', 'reserved'],
  ['198.18.0.1', 'reserved'],
  ['::', 'reserved'],
  ['::127.0.0.1', 'reserved'],
  ['fe80::1', 'reserved'],
  ['fe80::1%eth0', 'reserved'],
  ['fec0::1', 'reserved'],
  ['ff02::1', 'reserved'],
  ['64:ff9b::7f00:1', 'reserved'],
  ['64:ff9b::a00:1', 'reserved'],
  ['64:ff9b:1::1', 'reserved'],
  ['2002:7f00:1::', 'reserved'],
  ['2001:0:1::1', 'reserved'],
  ['100::1', 'reserved'],
  ['not an address', 'reserved'],
  ['172.32.0.1', 'public'],
  ['100.128.0.1', 'public'],
  ['1.1.1.1', 'public'],
  ['2606:4700::1111', 'public'],
  ['::ffff:8.8.8.8', 'public'],
])('%s is %s', (address, reach) => {
  expect(scopeOf(address)).toBe(reach);
});

test('results may be no further inside the network than the service itself', () => {
  const reached = (home: string[], address: string) => allowedNear(home)(address);
  expect(reached(['127.0.0.1'], '127.0.0.9')).toBe(true);
  expect(reached(['127.0.0.1'], '::1')).toBe(true);
  expect(reached(['127.0.0.1'], '192.168.1.1')).toBe(false);
  expect(reached(['127.0.0.1'], '169.254.169.254')).toBe(false);
  expect(reached(['192.168.7.5'], '192.168.7.9')).toBe(true);
  expect(reached(['192.168.7.5'], '127.0.0.1')).toBe(false);
  expect(reached(['fd00:1:2:3::5'], 'fd00:1:2:3::9')).toBe(true);
  expect(reached(['fd00:1:2:3::5'], 'fd00:1:2:4::9')).toBe(false);
  expect(reached(['1.1.1.1'], '10.0.0.1')).toBe(false);
  // A name with private and public addresses counts as public.
  expect(reached(['1.1.1.1', '127.0.0.1'], '127.0.0.1')).toBe(false);
  expect(reached([], '127.0.0.1')).toBe(false);
  expect(allowedNear([])).toBe(publicOnly);
});

test('another private network than the one the service is on is refused', () => {
  const own = Object.values(networkInterfaces()).flatMap((entries) => (entries ?? []).map(({ address }) => address));
  const mine = own.filter((address) => scopeOf(address) === 'private').join(' ');
  const home = mine.includes('172.16.') ? '172.20.0.5' : '172.16.0.5';
  expect(allowedNear([home])('192.168.250.1')).toBe(false);
  expect(allowedNear([home])('10.200.0.1')).toBe(false);
});

test('a proxy gets no request for a name that is known to be private; a name that only it can resolve is left to it', async () => {
  expect(await mayAskProxyFor('localhost', publicOnly)).toBe(false);
  expect(await mayAskProxyFor('localhost', allowedNear(['127.0.0.1']))).toBe(true);
  expect(await mayAskProxyFor(`${'x'.repeat(64)}.invalid`, publicOnly)).toBe(true);
});
