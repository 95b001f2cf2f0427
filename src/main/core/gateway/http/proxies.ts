import type { Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher, Pool, ProxyAgent, Socks5ProxyAgent } from 'undici';
import { PROXY_LOGIN } from './failure.ts';

type Connector = buildConnector.connector;

export interface ProxyPool {
  /** `http`, `https` or `socks5`. */
  uri: string;
  tls: buildConnector.BuildOptions;
  options: Omit<Agent.Options, 'connect' | 'factory'>;
  /** What every connection to a service goes through before it is used. */
  guard(connect: Connector): Connector;
}

/** A pool whose requests go through a proxy, with the limits and the guard that they have without one. */
export const poolThrough = (proxy: ProxyPool): Dispatcher =>
  proxy.uri.startsWith('socks5:') ? throughSocks(proxy) : throughHttp(proxy);

/** The library makes the pools inside by itself, and would leave the limits of plain requests at its own. */
function throughHttp({ uri, tls, options, guard }: ProxyPool): Dispatcher {
  const factory = (origin: string | URL, own: { connect?: Connector }) =>
    new Pool(origin, { ...options, ...(own.connect ? { connect: guard(own.connect) } : {}) });
  return new ProxyAgent({ ...options, uri, requestTls: tls, proxyTls: tls, factory }).compose(refusedByProxy);
}

/**
 * A plain request that the proxy answers with 407 went no further: it has not reached the service. The library reports it as an argument
 * that is invalid, after the request has begun and only then, and goes on with the answer.
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

/** The library's own pools behind SOCKS take neither limits nor a guard: of it, only the way through the proxy is used. */
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
