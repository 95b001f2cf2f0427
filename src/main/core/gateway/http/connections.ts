import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import type { Network } from '../../ports.ts';
import { guardedLookup, type MayConnect } from './address.ts';
import { withoutContinue } from './continueBytes.ts';
import { poolThrough } from './proxies.ts';

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

export type Tls = { secureContext?: SecureContext };

/**
 * The pools of connections of one profile. When the authorities that the system trusts change, new requests go over new pools, and those
 * that run end on theirs.
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

  /** To be used at once: a later change replaces it. */
  of(route: Route, proxy: string | undefined): Dispatcher {
    return proxy === undefined ? this.pools[route] : this.pools.through(proxy, route);
  }

  tls(): Tls {
    return this.pools.tls;
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
  readonly tls: Tls;
  /** Paid requests have connections of their own there too, which end with them. */
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

/** One context for all connections: each would otherwise read every certificate again. Without further ones Node's own is used. */
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
