import type { Socket } from 'node:net';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { Agent, buildConnector, type Dispatcher, Pool, ProxyAgent, Socks5ProxyAgent } from 'undici';
import type { Network } from '../../ports.ts';
import { PROXY_LOGIN } from './failure.ts';
import { guardedLookup, type MayConnect } from './origin.ts';

type Connector = buildConnector.connector;

interface ProxyPool {
  /** `http`, `https` or `socks5`. */
  uri: string;
  tls: buildConnector.BuildOptions;
  options: Omit<Agent.Options, 'connect' | 'factory'>;
  /** Wraps the connector of every connection to a service. */
  guard(connect: Connector): Connector;
}

/** A pool whose requests go through a proxy, with the same limits and guard as direct ones. */
const poolThrough = (proxy: ProxyPool): Dispatcher =>
  proxy.uri.startsWith('socks5:') ? throughSocks(proxy) : throughHttp(proxy);

/** The library creates the inner pools by itself, and would use its own limits for plain requests. */
function throughHttp({ uri, tls, options, guard }: ProxyPool): Dispatcher {
  const factory = (origin: string | URL, own: { connect?: Connector }) =>
    new Pool(origin, { ...options, ...(own.connect ? { connect: guard(own.connect) } : {}) });
  return new ProxyAgent({ ...options, uri, requestTls: tls, proxyTls: tls, factory }).compose(refusedByProxy);
}

/**
 * A plain request that the proxy answers with 407 never reached the service. The library reports this as an invalid argument, only after
 * the request has begun, and then continues with the answer.
 */
function refusedByProxy(dispatch: Dispatcher.Dispatch): Dispatcher.Dispatch {
  return (options, handler) => {
    let isBegun = false;
    let isRefused = false;
    return dispatch(options, {
      onRequestStart(controller, context) {
        isBegun = true;
        handler.onRequestStart?.(controller, context);
      },
      onRequestUpgrade: (controller, ...rest) => handler.onRequestUpgrade?.(controller, ...rest),
      onResponseStart: (controller, ...rest) => handler.onResponseStart?.(controller, ...rest),
      onResponseData: (controller, chunk) => (isRefused ? undefined : handler.onResponseData?.(controller, chunk)),
      onResponseEnd: (controller, trailers) => (isRefused ? undefined : handler.onResponseEnd?.(controller, trailers)),
      onResponseError(controller, error) {
        if (isRefused) return;
        isRefused = isBegun && 'code' in error && error.code === 'UND_ERR_INVALID_ARG';
        const refusal = Object.assign(new Error('The proxy asks for a login.'), { code: PROXY_LOGIN });
        handler.onResponseError?.(controller, isRefused ? refusal : error);
        if (isRefused) controller.abort(refusal);
      },
    });
  };
}

/** The library's own pools behind SOCKS accept neither limits nor a guard, so only its tunnel through the proxy is used. */
function throughSocks({ uri, tls, options, guard }: ProxyPool): Dispatcher {
  const timeout = options.connectTimeout;
  const toProxy = buildConnector({ timeout });
  const proxy = new Socks5ProxyAgent(uri, {
    connectTimeout: timeout,
    connect: (target, callback) => toProxy({ ...target, hostname: withoutBrackets(target.hostname) }, callback),
  }) as Socks5ProxyAgent & { createSocks5Connection(host: string, port: number): Promise<Socket> };
  const secure = buildConnector({ ...tls, timeout, allowH2: false });
  const connect: Connector = (target, callback) => {
    const isSecure = target.protocol === 'https:';
    proxy.createSocks5Connection(target.hostname, Number(target.port) || (isSecure ? 443 : 80)).then(
      (socket) => (isSecure ? secure({ ...target, httpSocket: socket }, callback) : callback(null, socket)),
      (error: Error) => callback(error, null),
    );
  };
  return new Agent({ ...options, connect: guard(connect) });
}

const withoutBrackets = (host: string): string =>
  host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;

/**
 * Removes "100 Continue" from the beginning of the received bytes. Some proxies send it unasked, and the HTTP client would close the
 * connection, which would leave a paid request unconfirmed.
 */
function withoutContinue<Connection extends Socket>(socket: Connection): Connection {
  const read: (size?: number) => Buffer | null = socket.read.bind(socket);
  let held: Buffer = Buffer.alloc(0);
  let begun = false;
  socket.read = (size?: number): Buffer | null => {
    for (;;) {
      const bytes = read(size);
      if (begun || bytes === null) return bytes;
      held = afterContinue(Buffer.concat([held, bytes]));
      if (held.length === 0 || mayBeContinue(held)) continue;
      begun = true;
      return held;
    }
  };
  return socket;
}

const FIRST_WORDS = Buffer.from('HTTP/1.1 100');
const HEAD_END = '\r\n\r\n';
const MAX_HEAD_BYTES = 8_192;

function afterContinue(bytes: Buffer): Buffer {
  let rest = bytes;
  while (rest.length >= FIRST_WORDS.length && rest.subarray(0, FIRST_WORDS.length).equals(FIRST_WORDS)) {
    const end = rest.indexOf(HEAD_END);
    if (end < 0) break;
    rest = rest.subarray(end + HEAD_END.length);
  }
  return rest;
}

/** Whether the bytes so far may still become a "100 Continue". */
function mayBeContinue(bytes: Buffer): boolean {
  if (bytes.length > MAX_HEAD_BYTES) return false;
  const length = Math.min(bytes.length, FIRST_WORDS.length);
  return bytes.subarray(0, length).equals(FIRST_WORDS.subarray(0, length));
}

export type Route = 'paid' | 'free' | 'thirdParty';

const CONNECT_MS = 10_000;
/** Connections per host for free requests: a thousand tasks are polled over a few. */
const MAX_FREE_CONNECTIONS = 8;
/** A system names one proxy, or a few by rules. */
const MAX_PROXIES = 8;

/** Our own clock times everything except connecting, because undici's limits would cut slow video answers. No retries, no HTTP/2. */
const COMMON = {
  headersTimeout: 0,
  bodyTimeout: 0,
  allowH2: false,
  pipelining: 1,
  maxHeaderSize: 65_536,
  connectTimeout: CONNECT_MS,
};

type Tls = { secureContext?: SecureContext };

/**
 * The connection pools of one profile. When the trusted certificate authorities of the system change, new requests use new pools, and
 * running requests finish on the old ones.
 */
export class Connections {
  private pools: Pools;
  private authorities: readonly string[];
  private hasEnded = false;
  private readonly stop: () => void;
  private readonly allowed: () => MayConnect;

  constructor(network: Network | undefined, allowed: () => MayConnect) {
    this.allowed = allowed;
    this.authorities = network?.authorities() ?? [];
    this.pools = new Pools(this.authorities, allowed);
    this.stop = network?.onChange(() => this.renew(network.authorities())) ?? (() => undefined);
  }

  /** The caller must use the pool at once: a later change replaces it. */
  of(route: Route, proxy: string | undefined): Dispatcher {
    return proxy === undefined ? this.pools[route] : this.pools.through(proxy, route);
  }

  retire(): Promise<void> {
    this.end();
    return this.pools.retire();
  }

  close(): Promise<void> {
    this.end();
    return this.pools.close();
  }

  private end(): void {
    this.hasEnded = true;
    this.stop();
  }

  private renew(authorities: readonly string[]): void {
    if (this.hasEnded || sameList(authorities, this.authorities)) return;
    const before = this.pools;
    this.authorities = authorities;
    this.pools = new Pools(authorities, this.allowed);
    void before.retire();
  }
}

const sameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one, at) => one === b[at]);

class Pools {
  readonly free: Agent;
  readonly paid: Agent;
  readonly thirdParty: Agent;
  private readonly tls: Tls;
  /** Pools through proxies. There too, each paid request has a connection of its own that ends with it. */
  private readonly proxied = new Map<string, Dispatcher>();

  constructor(authorities: readonly string[], allowed: () => MayConnect) {
    this.tls = tlsWith(authorities);
    const connect = { ...this.tls, timeout: CONNECT_MS };
    this.free = new Agent({ ...COMMON, connections: MAX_FREE_CONNECTIONS, connect });
    this.paid = new Agent({ ...COMMON, connect: withoutContinues(buildConnector(connect)) });
    this.thirdParty = new Agent({ ...COMMON, connect: { ...connect, lookup: guardedLookup(allowed) } });
  }

  through(proxy: string, route: Route): Dispatcher {
    const name = `${route === 'paid' ? 'paid' : 'free'} ${proxy}`;
    const known = this.proxied.get(name);
    if (known) return known;
    const opened = poolThrough({
      uri: proxy,
      tls: this.tls,
      options: route === 'paid' ? COMMON : { ...COMMON, connections: MAX_FREE_CONNECTIONS },
      guard: route === 'paid' ? withoutContinues : (connect) => connect,
    });
    this.proxied.set(name, opened);
    const [oldest] = this.proxied;
    if (oldest && this.proxied.size > 2 * MAX_PROXIES) {
      this.proxied.delete(oldest[0]);
      void oldest[1].close();
    }
    return opened;
  }

  retire = (): Promise<void> => Promise.all(this.all().map((pool) => pool.close())).then(() => undefined);
  close = (): Promise<void> => Promise.all(this.all().map((pool) => pool.destroy())).then(() => undefined);
  private all = (): Dispatcher[] => [this.free, this.paid, this.thirdParty, ...this.proxied.values()];
}

/**
 * One context for all connections, because each would otherwise read every certificate again. Without extra authorities, the context of
 * Node is used.
 */
function tlsWith(authorities: readonly string[]): Tls {
  if (authorities.length === 0) return {};
  return {
    secureContext: createSecureContext({ ca: [...new Set([...getCACertificates('default'), ...authorities])] }),
  };
}

/** For paid requests, directly and through a proxy alike: their connections are new, so that their first bytes begin an answer. */
function withoutContinues(connect: buildConnector.connector): buildConnector.connector {
  return (target, callback) =>
    connect(target, (...[error, socket]) => (error ? callback(error, null) : callback(null, withoutContinue(socket))));
}
