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
