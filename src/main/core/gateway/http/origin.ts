import { type LookupAddress, lookup } from 'node:dns';
import { lookup as lookupNow } from 'node:dns/promises';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Profile } from '../../../../shared/gateway/profile.ts';

/**
 * The profile's own origin, the only one that a key is sent to, and the addresses under it. A path is appended to the origin, so that it
 * cannot name another host; it is never resolved against the origin, where `//host/x` would.
 */

interface WithBaseUrl {
  profile: Pick<Profile, 'baseUrl'>;
}

export function originOf({ profile }: WithBaseUrl): string {
  return new URL(profile.baseUrl).origin;
}

/** The path of the base URL, without a slash at its end: empty, or `/team/a`. */
export function basePathOf({ profile }: WithBaseUrl): string {
  return new URL(profile.baseUrl).pathname.replace(/\/$/, '');
}

/** An address under the profile's base, by a path of our own: `/v1/chat/completions`. */
export function urlOf({ profile }: WithBaseUrl, path: `/${string}`): URL {
  return new URL(profile.baseUrl + path);
}

/** The address of a stored path and query at the profile's origin; undefined if the text is no path. */
export function urlAtOrigin(service: WithBaseUrl, path: string): URL | undefined {
  const origin = originOf(service);
  const url = path.startsWith('/') ? URL.parse(origin + path) : null;
  return url ? new URL(origin + pathOf(url)) : undefined;
}

/**
 * The path and query of an address in an answer, if it is on the profile's own host. It is requested at the profile's own origin, because
 * a proxy may have got scheme and port wrong.
 */
export function pathAtOrigin(service: WithBaseUrl, address: string): string | undefined {
  const base = new URL(service.profile.baseUrl);
  const url = URL.parse(address, `${service.profile.baseUrl}/`);
  return url && /^https?:$/.test(url.protocol) && url.hostname === base.hostname ? pathOf(url) : undefined;
}

/** Replaces several leading slashes by one, as web servers do (nginx `merge_slashes`): two slashes would begin a host. */
const pathOf = ({ pathname, search }: URL): string => pathname.replace(/^\/+/, '/') + search;

/**
 * An id as one segment of a path. A colon may stay as it is, because some services compare it literally. A lone surrogate, which JSON can
 * hold and an address cannot, becomes the replacement character, as in the database.
 */
export function segmentOf(id: string): string {
  return encodeURIComponent(id.toWellFormed()).replaceAll('%3A', ':').replaceAll('%40', '@');
}

/** Where an address leads. `reserved` covers link-local (cloud metadata), multicast and other ranges in which no result ever is. */
type AddressScope = 'public' | 'private' | 'loopback' | 'reserved';

/** Networks as `10.0.0.0/8`. */
function blockList(...nets: string[]): BlockList {
  const list = new BlockList();
  for (const each of nets) {
    const [net = '', bits = ''] = each.split('/');
    list.addSubnet(net, Number(bits), familyOf(net));
  }
  return list;
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');

const loopback = blockList('127.0.0.0/8', '::1/128');
const privateNets = blockList('10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7');
const reserved = blockList(
  ...'0.0.0.0/8 169.254.0.0/16 192.0.0.0/24 192.88.99.0/24 198.18.0.0/15 224.0.0.0/4 240.0.0.0/4'.split(' '),
  // Unspecified, discard, link-local, site-local and multicast.
  ...'::/96 100::/64 fe80::/10 fec0::/10 ff00::/8'.split(' '),
  // An IPv4 address hidden in an IPv6 one (NAT64, 6to4, Teredo): where these lead cannot be known here.
  ...'64:ff9b::/96 64:ff9b:1::/48 2002::/16 2001::/32'.split(' '),
);

/** Where a numeric address leads; IPv4 inside IPv6 counts as IPv4. */
export function scopeOf(address: string): AddressScope {
  const ip = withoutZone(address);
  const family = familyOf(ip);
  if (isIP(ip) === 0) return 'reserved';
  if (loopback.check(ip, family)) return 'loopback';
  if (privateNets.check(ip, family)) return 'private';
  return reserved.check(ip, family) ? 'reserved' : 'public';
}

/** `fe80::1%eth0`: the zone names the interface, not the destination. */
const withoutZone = (address: string): string => address.split('%', 1)[0] ?? '';

/** The numeric address if the host name is one or is `localhost`; undefined for a name that needs a look-up. */
export function literalAddress(hostname: string): string | undefined {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (host === 'localhost' || host.endsWith('.localhost')) return '127.0.0.1';
  return isIP(host) === 0 ? undefined : host;
}

/** The scope of a host, if its name alone decides it. */
export function literalScope(hostname: string): AddressScope | undefined {
  const address = literalAddress(hostname);
  return address === undefined ? undefined : scopeOf(address);
}

/** Whether a numeric address may be connected to. */
export type MayConnect = (address: string) => boolean;

export const publicOnly: MayConnect = (address) => scopeOf(address) === 'public';

/**
 * Which addresses results may have, given the addresses of the profile's own service: this machine if the service is on it, the service's
 * network if that is private, and always public addresses.
 */
export function allowedNear(serviceAddresses: readonly string[]): MayConnect {
  const scopes = new Set(serviceAddresses.map(scopeOf));
  if (scopes.size !== 1) return publicOnly;
  if (scopes.has('loopback')) return (address) => ['public', 'loopback'].includes(scopeOf(address));
  if (!scopes.has('private')) return publicOnly;
  const nets = networksOf(serviceAddresses.map(withoutZone));
  return (address) => {
    const scope = scopeOf(address);
    if (scope !== 'private') return scope === 'public';
    const ip = withoutZone(address);
    return nets.check(ip, familyOf(ip));
  };
}

/** The networks of these addresses: as wide as this machine's own interface there says, otherwise the usual /24 and /64. */
function networksOf(addresses: readonly string[]): BlockList {
  const nets = new BlockList();
  const own = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  for (const address of addresses) {
    const family = familyOf(address);
    nets.addSubnet(address, family === 'ipv6' ? 64 : 24, family);
    for (const { cidr } of own) {
      const [net = '', bits = ''] = cidr?.split('/') ?? [];
      if (isIP(net) === 0 || familyOf(net) !== family || scopeOf(net) !== 'private') continue;
      if (blockList(`${net}/${bits}`).check(address, family)) nets.addSubnet(net, Number(bits), family);
    }
  }
  return nets;
}

export const FORBIDDEN = 'EFORBIDDENADDRESS';

/**
 * A name look-up that returns only addresses which may be connected to. The connection uses exactly these, so a name that resolves
 * differently the second time (DNS rebinding) gains nothing.
 */
export function guardedLookup(allowed: () => MayConnect): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '', 0);
      const addresses: LookupAddress[] = found.filter(({ address }) => allowed()(address));
      const [first] = addresses;
      if (!first) return callback(forbidden(hostname), '', 0);
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}

function forbidden(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} leads to a private address`), { code: FORBIDDEN });
}

/**
 * Whether a name may be requested through a proxy, which looks it up by itself: not if this machine knows that it leads only to forbidden
 * addresses. A name that cannot be looked up here is left to the proxy.
 */
export async function mayAskProxyFor(hostname: string, allowed: MayConnect): Promise<boolean> {
  const found = await lookupNow(hostname, { all: true }).catch(() => []);
  return found.length === 0 || found.some(({ address }) => allowed(address));
}
