/** Which proxy a system or an environment names for an address. */

const PORTS: Record<string, string> = { 'http:': '80', 'https:': '443' };

/**
 * The first place of a list as browsers write it ("PROXY a:3128; DIRECT"), as an address; undefined for a direct connection, and for a
 * kind that is not known, such as SOCKS.
 */
export function proxyOfRules(rules: string): string | undefined {
  const [kind = '', place = ''] = (rules.split(';', 1)[0] ?? '').trim().split(' ');
  const scheme = SCHEMES[kind.toUpperCase()];
  return scheme === undefined || place === '' ? undefined : proxyAddress(`${scheme}://${place}`);
}

const SCHEMES: Record<string, string> = {
  PROXY: 'http',
  HTTP: 'http',
  HTTPS: 'https',
  SOCKS5: 'socks5',
  SOCKS: 'socks5',
};

const KNOWN = ['http:', 'https:'];

/** An address with a scheme that is known; without one it is `http`. */
function proxyAddress(text: string): string | undefined {
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  if (!url || url.hostname === '' || !KNOWN.includes(url.protocol)) return undefined;
  return url.href.endsWith('/') ? url.href.slice(0, -1) : url.href;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy that the environment names for an address (`HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`), unless `NO_PROXY` excepts it. */
export function environmentProxyFor(env: Environment, url: URL): string | undefined {
  if (isExcepted(env.no_proxy || env.NO_PROXY || '', url)) return undefined;
  const own = url.protocol === 'https:' ? [env.https_proxy, env.HTTPS_PROXY] : [env.http_proxy, env.HTTP_PROXY];
  const others = [env.all_proxy, env.ALL_PROXY, env.https_proxy, env.HTTPS_PROXY, env.http_proxy, env.HTTP_PROXY];
  const named = [...own, ...others].find((proxy) => proxy !== undefined && proxy.trim() !== '');
  return named === undefined ? undefined : proxyAddress(named.trim());
}

/** `a.example,.b.example,c.example:8443,*`: a name covers what is under it; with a port, that port alone. */
function isExcepted(list: string, url: URL): boolean {
  const host = withoutBrackets(url.hostname).toLowerCase();
  const port = url.port || PORTS[url.protocol];
  return list
    .toLowerCase()
    .split(',')
    .flatMap((part) => part.split(' '))
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const [name, only] = nameAndPort(entry);
      if (only !== undefined && only !== port) return false;
      const bare = name.startsWith('*.') ? name.slice(2) : name.startsWith('.') ? name.slice(1) : name;
      return bare !== '' && (host === bare || host.endsWith(`.${bare}`));
    });
}

const withoutBrackets = (host: string): string =>
  host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;

/** An IPv6 address has colons of its own. */
function nameAndPort(entry: string): [name: string, port?: string] {
  const at = entry.lastIndexOf(':');
  const isOne = at > 0 && (entry.indexOf(':') === at || entry[at - 1] === ']');
  const [name, port] = isOne ? [entry.slice(0, at), entry.slice(at + 1)] : [entry, undefined];
  const bare = withoutBrackets(name);
  return port === undefined ? [bare] : [bare, port];
}
