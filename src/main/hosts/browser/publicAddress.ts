/** The address of a reverse proxy, stated by `--public-url`: anybody can send `X-Forwarded-*` headers. */
export interface PublicAddress {
  /** Scheme, name and port, as a browser's `Origin` has them. */
  origin: string;
  /** Name and port, as the `Host` header has them. */
  host: string;
  /** The path of the pages; begins and ends with `/`. */
  base: string;
}

/** The studio's own first folders: below one of them, paths with and without the base would be ambiguous. */
const OWN = /^\/(rpc|events|media|exports|session|hello|assets)\//;

/** Parses an address such as `https://studio.example/dailies/`, or returns the rule it breaks. */
export function parsePublicUrl(text: string): PublicAddress | string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // Without TLS a browser offers pages no cryptography, and the key could be intercepted.
  if (url?.protocol !== 'https:') return 'must be an address that begins with https://';
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '' || /[?#]$/.test(text))
    return 'must be an address without a name, a password, ? or #';
  const base = url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`;
  if (!/^\/([A-Za-z0-9._~-]+\/)*$/.test(base)) return 'must have a path of letters, digits and . _ ~ - only';
  if (OWN.test(base))
    return `must not have a path that begins with ${base.split('/')[1]}: the studio has its own there`;
  return { origin: url.origin, host: url.host, base };
}

/** The path inside the studio. A proxy may pass on the whole path or cut off the base. */
export function pathInside(pathname: string, address: PublicAddress | undefined): string {
  if (!address || !pathname.startsWith(address.base)) return pathname;
  return `/${pathname.slice(address.base.length)}`;
}
