import type { ProxySetting } from '../../core/ports.ts';

/** Which proxy the system or the environment sets for an address. */

const PORTS: Record<string, string> = { 'http:': '80', 'https:': '443' };

/**
 * The first entry of a browser's proxy list ("PROXY a:3128; DIRECT") as an address; undefined for a direct connection. A proxy that cannot
 * be used is an error and never bypassed.
 */
export function proxyOfRules(rules: string): ProxySetting {
  const [kind = '', place = ''] = (rules.split(';', 1)[0] ?? '').trim().split(' ');
  const name = NAMES[kind.toUpperCase()] ?? kind.toUpperCase();
  if (name === '' || name === 'DIRECT') return undefined;
  const scheme = SCHEMES[name];
  const address = scheme === undefined || place === '' ? undefined : proxyAddress(`${scheme}://${place}`);
  return address ?? { unusable: `This system names a proxy that cannot be used (${name}): ${USABLE}` };
}

/**
 * The proxy that the system sets. "DIRECT" is an answer too: it exempts the address whatever the environment says, which decides only if the
 * system has no rules.
 */
export const systemProxyFor = (rules: string, env: Environment, url: URL): ProxySetting =>
  rules.trim() === '' ? environmentProxyFor(env, url) : proxyOfRules(rules);

const USABLE = 'it must be of HTTP, HTTPS or SOCKS 5. Nothing was sent.';

/** "SOCKS" alone predates version 5. */
const NAMES: Record<string, string> = { SOCKS: 'SOCKS4' };

const SCHEMES: Record<string, string> = { PROXY: 'http', HTTP: 'http', HTTPS: 'https', SOCKS5: 'socks5' };

/** Proxy schemes of the environment; with `socks5h` the proxy resolves names, as always here. */
const PROTOCOLS: Record<string, string> = {
  'http:': 'http:',
  'https:': 'https:',
  'socks:': 'socks5:',
  'socks5:': 'socks5:',
  'socks5h:': 'socks5:',
};

/** An address with a known scheme, by default `http`. */
function proxyAddress(text: string): string | undefined {
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  const protocol = url && PROTOCOLS[url.protocol];
  if (!protocol || url.hostname === '') return undefined;
  if (protocol === 'socks5:') {
    const login = url.username === '' ? '' : `${url.username}:${url.password}@`;
    return `socks5://${login}${url.hostname}:${url.port || SOCKS_PORT}`;
  }
  return url.href.endsWith('/') ? url.href.slice(0, -1) : url.href;
}

const SOCKS_PORT = '1080';

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment's proxy for an address (`HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`), unless `NO_PROXY` exempts it. */
export function environmentProxyFor(env: Environment, url: URL): ProxySetting {
  if (isExcepted(env.no_proxy || env.NO_PROXY || '', url)) return undefined;
  const own = url.protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY'] : ['http_proxy', 'HTTP_PROXY'];
  const others = ['all_proxy', 'ALL_PROXY', 'https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'];
  const name = [...own, ...others].find((each) => (env[each] ?? '').trim() !== '');
  if (name === undefined) return undefined;
  return proxyAddress((env[name] ?? '').trim()) ?? { unusable: `The proxy in ${name} cannot be used: ${USABLE}` };
}

/** `a.example,.b.example,c.example:8443,*`: a name covers its subdomains; with a port, only that port. */
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

/** An IPv6 address contains colons. */
function nameAndPort(entry: string): [name: string, port?: string] {
  const at = entry.lastIndexOf(':');
  const isOne = at > 0 && (entry.indexOf(':') === at || entry[at - 1] === ']');
  const [name, port] = isOne ? [entry.slice(0, at), entry.slice(at + 1)] : [entry, undefined];
  const bare = withoutBrackets(name);
  return port === undefined ? [bare] : [bare, port];
}
