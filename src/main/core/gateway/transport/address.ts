import { BlockList, isIP, isIPv6 } from 'node:net';

/** Where an address leads. `reserved` covers link-local (cloud metadata), multicast and others no result ever lives at. */
export type Reach = 'public' | 'private' | 'loopback' | 'reserved';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const privateNets = new BlockList();
privateNets.addSubnet('10.0.0.0', 8, 'ipv4');
privateNets.addSubnet('172.16.0.0', 12, 'ipv4');
privateNets.addSubnet('192.168.0.0', 16, 'ipv4');
privateNets.addSubnet('100.64.0.0', 10, 'ipv4');
privateNets.addSubnet('fc00::', 7, 'ipv6');

const reserved = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  reserved.addSubnet(net, bits, 'ipv4');
}
// Unspecified, link-local, site-local, multicast, and the prefixes that smuggle an IPv4 address inside an IPv6 one.
for (const [net, bits] of [
  ['::', 128],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['2001::', 32],
] as const) {
  reserved.addSubnet(net, bits, 'ipv6');
}

/** Where a numeric address leads; IPv4 inside IPv6 counts as what it is. */
export function reachOf(address: string): Reach {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  if (isIP(address) === 0) return 'reserved';
  if (loopback.check(address, family)) return 'loopback';
  if (privateNets.check(address, family)) return 'private';
  return reserved.check(address, family) ? 'reserved' : 'public';
}

/** The reach of a host as it is written, where that alone tells: a numeric address, or `localhost`. */
export function writtenReach(hostname: string): Reach | undefined {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (host === 'localhost' || host.endsWith('.localhost')) return 'loopback';
  return isIP(host) === 0 ? undefined : reachOf(host);
}

/** What results may live at, given where the profile's own service lives: never further inside than the service itself. */
export function allowedFrom(home: Reach): ReadonlySet<Reach> {
  if (home === 'loopback') return new Set(['public', 'private', 'loopback']);
  return home === 'private' ? new Set(['public', 'private']) : new Set(['public']);
}
