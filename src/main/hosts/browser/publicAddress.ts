/** Where a reverse proxy serves the studio: what `X-Forwarded-*` headers would say, which anybody can send, is stated by `--public-url`. */
export interface PublicAddress {
  /** Scheme, name and port, as a browser's `Origin` has them. */
  origin: string;
  /** Name and port, as the `Host` header has them. */
  host: string;
  /** The path in which the pages lie; begins and ends with `/`. */
  base: string;
}

/** The studio's own first folders: below one of them, a path with and one without the base could not be told apart. */
const OWN = /^\/(rpc|events|media|exports|session|hello|assets)\//;

/** The address of a text such as `https://studio.example/dailies/`, or the rule that it breaks. */
export function parsePublicUrl(text: string): PublicAddress | string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // Without TLS a browser gives a page no cryptography, and the key could be read on the way.
  if (url?.protocol !== 'https:') return 'must be an address that begins with https://';
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '' || /[?#]$/.test(text))
    return 'must be an address without a name, a password, ? or #';
  const base = url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`;
  if (!/^\/([A-Za-z0-9._~-]+\/)*$/.test(base)) return 'must have a path of letters, digits and . _ ~ - only';
  if (OWN.test(base))
    return `must not have a path that begins with ${base.split('/')[1]}: the studio has its own there`;
  return { origin: url.origin, host: url.host, base };
}

/** The path inside the studio. A proxy may pass the whole path on, or cut the base off. */
export function pathInside(pathname: string, address: PublicAddress | undefined): string {
  if (!address || !pathname.startsWith(address.base)) return pathname;
  return `/${pathname.slice(address.base.length)}`;
}
