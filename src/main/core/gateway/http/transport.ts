import type { Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher, ProxyAgent } from 'undici';
import {
  type AddressScope,
  guardedLookup,
  literalAddress,
  type MayConnect,
  mayAskProxyFor,
  publicOnly,
  scopeOf,
} from './address.ts';
import { decodeBody } from './body.ts';
import { type AbortReason, abortFailure, BrokenBody, connectionFailure, type Failure } from './failure.ts';

/** One HTTP request. The transport never sends it twice and follows no redirect. */
export interface HttpRequest {
  method: 'GET' | 'POST';
  url: URL;
  headers: Record<string, string>;
  body?: string;
  /**
   * `paid`: on a connection of its own, so that "never connected" and "may have been sent" can be told apart for certain.
   * `free`: also to the profile's own origin, so the key may be sent, but on pooled connections.
   * `thirdParty`: to an address that the service named. It is checked before and while connecting, and no secret is sent.
   */
  route: 'paid' | 'free' | 'thirdParty';
  /** How long the service may take until its first byte, in milliseconds. */
  headerMs: number;
  signal?: AbortSignal;
}

export interface Response {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Throws `BrokenBody` where the answer breaks off. Must be read to its end or discarded. */
  body: AsyncIterable<Uint8Array>;
  /** Sets the longest silence between two bytes from now on. */
  allowIdle(ms: number): void;
  discard(): void;
}

export type HttpResult = { ok: true; response: Response } | { ok: false; failure: Failure };

export interface Transport {
  send(request: HttpRequest): Promise<HttpResult>;
  /** Which addresses `thirdParty` requests may connect to; public ones until this is called. */
  allow(mayConnect: MayConnect): void;
  /** Refuses further requests; running ones finish. */
  retire(): Promise<void>;
  close(): Promise<void>;
}

export const IDLE_MS = 120_000;
const CONNECT_MS = 10_000;
const TOTAL_MS = 65 * 60_000;
/** Connections per host for free requests: a thousand tasks are polled over a few. */
const MAX_FREE_CONNECTIONS = 8;
/** Bytes that are read ahead of a busy reader, so that a download's next write is ready when the last one is done. */
const READ_AHEAD = 1024 * 1024;

interface Clock {
  after(ms: number, run: () => void): () => void;
}

/** Headers without secrets; every other one is sent to the profile's own origin only. */
const PUBLIC_HEADERS: ReadonlySet<string> = new Set(['accept', 'accept-encoding', 'if-range', 'range', 'user-agent']);

/** `origin`: the profile's own; `headers` go with every request there, and with no other. */
export function createTransport(deps: Clock & TransportOptions): Transport {
  const extra = lowerCased(deps.headers ?? {});
  let allowed: MayConnect = publicOnly;
  const dispatchers = openDispatchers(deps.proxy, () => allowed);
  return {
    async send(request) {
      if (!maySend(request, deps.origin)) return refuseOrigin(request);
      const { hostname } = request.url;
      const address = literalAddress(hostname);
      if (request.route === 'thirdParty' && address !== undefined && !allowed(address))
        return refuseAddress(request, 'is');
      const dispatcher = dispatchers.of(request, address === undefined ? undefined : scopeOf(address));
      // The connection goes to the proxy, so the guarded look-up would check only the proxy's address.
      if (request.route === 'thirdParty' && dispatcher === dispatchers.proxied && address === undefined) {
        if (!(await mayAskProxyFor(hostname, allowed))) return refuseAddress(request, 'leads to');
      }
      const headers = request.url.origin === deps.origin ? { ...request.headers, ...extra } : request.headers;
      return sendOver(dispatcher, { ...request, headers }, deps);
    },
    allow(mayConnect) {
      allowed = mayConnect;
    },
    retire: () => dispatchers.retire(),
    close: () => dispatchers.close(),
  };
}

interface TransportOptions {
  origin: string;
  headers?: Readonly<Record<string, string>>;
  proxy?: string;
}

/** Our own header names are in lower case: `User-Agent` replaces `user-agent`. */
const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** The last check before a request is sent: secrets go to the profile's own origin or nowhere, whatever built the address. */
function maySend({ route, url, headers, body }: HttpRequest, origin: string): boolean {
  if (url.origin === origin) return true;
  return (
    route === 'thirdParty' &&
    body === undefined &&
    Object.keys(headers).every((name) => PUBLIC_HEADERS.has(name.toLowerCase()))
  );
}

function refuseOrigin({ url }: HttpRequest): HttpResult {
  const message = `Nothing was sent to ${url.host}: the key goes to the address of the profile only.`;
  return { ok: false, failure: { kind: 'network', message, sent: false, forbidden: true } };
}

function refuseAddress({ url }: HttpRequest, verb: 'is' | 'leads to'): HttpResult {
  const message = `${url.host} ${verb} a private address, which is not fetched.`;
  return { ok: false, failure: { kind: 'network', message, sent: false, forbidden: true } };
}

/** Our own clock times everything except connecting, because undici's limits would cut slow video answers. No retries, no HTTP/2. */
function openDispatchers(proxy: string | undefined, allowed: () => MayConnect) {
  const common = {
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: 65_536,
    connectTimeout: CONNECT_MS,
  };
  const direct = new Agent({ ...common, connections: MAX_FREE_CONNECTIONS, connect: { timeout: CONNECT_MS } });
  const fresh = new Agent({ ...common, connect: freshConnector() });
  const guarded = new Agent({ ...common, connect: { timeout: CONNECT_MS, lookup: guardedLookup(allowed) } });
  const proxied = proxy === undefined ? undefined : new ProxyAgent({ ...common, uri: proxy });
  const all: Dispatcher[] = [direct, fresh, guarded, ...(proxied ? [proxied] : [])];
  return {
    proxied,
    of(request: HttpRequest, scope: AddressScope | undefined): Dispatcher {
      if (proxied && (scope === undefined || scope === 'public')) return proxied;
      return request.route === 'paid' ? fresh : request.route === 'thirdParty' ? guarded : direct;
    },
    retire: () => Promise.all(all.map((dispatcher) => dispatcher.close())).then(() => undefined),
    close: () => Promise.all(all.map((dispatcher) => dispatcher.destroy())).then(() => undefined),
  };
}

function freshConnector(): buildConnector.connector {
  const connect = buildConnector({ timeout: CONNECT_MS });
  return (options, callback) =>
    connect(options, (...[error, socket]) => (error ? callback(error, null) : callback(null, withoutContinue(socket))));
}

async function sendOver(dispatcher: Dispatcher, request: HttpRequest, clock: Clock): Promise<HttpResult> {
  if (request.signal?.aborted) return { ok: false, failure: abortFailure('stopped', false) };
  const monitor = createMonitor(request, clock);
  try {
    const answer = await dispatcher.compose(markWhenSent(monitor)).request({
      origin: request.url.origin,
      path: request.url.pathname + request.url.search,
      method: request.method,
      headers: request.headers,
      body: request.body,
      signal: monitor.signal,
      reset: request.route === 'paid',
      highWaterMark: READ_AHEAD,
    });
    monitor.headersCame();
    return { ok: true, response: responseOf(answer, request, monitor) };
  } catch (error) {
    monitor.end();
    return { ok: false, failure: monitor.failureFor(error) };
  }
}

interface RequestMonitor {
  signal: AbortSignal;
  sent: boolean;
  idleMs: number;
  headersCame(): void;
  /** Starts the limit on silence; the returned function stops it. */
  startIdleTimer(): () => void;
  end(): void;
  failureFor(error: unknown): Failure;
}

/** Times one request, and records whether it may have been sent and why it was aborted. */
function createMonitor(request: HttpRequest, clock: Clock): RequestMonitor {
  const controller = new AbortController();
  let reason: AbortReason | undefined;
  const abort = (why: AbortReason): void => {
    reason ??= why;
    controller.abort();
  };
  const stop = (): void => abort('stopped');
  request.signal?.addEventListener('abort', stop, { once: true });
  const headerTimer = clock.after(request.headerMs, () => abort('header'));
  let totalTimer: () => void = () => undefined;
  const monitor: RequestMonitor = {
    signal: controller.signal,
    sent: false,
    idleMs: IDLE_MS,
    headersCame() {
      headerTimer();
      if (request.route !== 'thirdParty') totalTimer = clock.after(TOTAL_MS, () => abort('total'));
    },
    startIdleTimer: () => clock.after(monitor.idleMs, () => abort('idle')),
    end() {
      headerTimer();
      totalTimer();
      request.signal?.removeEventListener('abort', stop);
    },
    failureFor: (error) =>
      reason === undefined
        ? connectionFailure(error, request.url.host, monitor.sent)
        : abortFailure(reason, monitor.sent),
  };
  return monitor;
}

/** undici calls `onRequestStart` right before it writes the first byte of a request. */
function markWhenSent(monitor: RequestMonitor): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart(controller, context) {
        monitor.sent = true;
        handler.onRequestStart?.(controller, context);
      },
      onRequestUpgrade: (controller, status, headers, socket) =>
        handler.onRequestUpgrade?.(controller, status, headers, socket),
      onResponseStart: (controller, status, headers, text) =>
        handler.onResponseStart?.(controller, status, headers, text),
      onResponseData: (controller, chunk) => handler.onResponseData?.(controller, chunk),
      onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
      onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
    });
}

function responseOf(answer: Dispatcher.ResponseData, request: HttpRequest, monitor: RequestMonitor): Response {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value !== undefined) headers[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  answer.body.on('error', () => undefined);
  return {
    status: answer.statusCode,
    headers,
    body: decodeBody(withIdleLimit(answer.body, monitor), headers['content-encoding'], request.url.host),
    allowIdle(ms) {
      monitor.idleMs = ms;
    },
    discard() {
      monitor.end();
      answer.body.destroy();
    },
  };
}

/** The bytes, with a limit on silence that counts only while Dailies waits for them: a slow reader is not a silent service. */
async function* withIdleLimit(body: AsyncIterable<Uint8Array>, monitor: RequestMonitor): AsyncGenerator<Uint8Array> {
  const source = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const stopTimer = monitor.startIdleTimer();
      const step = await source.next().finally(stopTimer);
      if (step.done) return;
      yield step.value;
    }
  } catch (error) {
    throw error instanceof BrokenBody ? error : new BrokenBody(monitor.failureFor(error));
  } finally {
    monitor.end();
    await source.return?.();
  }
}

/**
 * Removes "100 Continue" from the beginning of the received bytes. Some proxies send it unasked, and the HTTP client would close the
 * connection, which would leave a paid request in doubt.
 */
export function withoutContinue<Connection extends Socket>(socket: Connection): Connection {
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
