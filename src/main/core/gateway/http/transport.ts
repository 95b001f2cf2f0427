import type { Dispatcher } from 'undici';
import { t } from '../../../../shared/text/texts.ts';
import type { Network, ProxySetting } from '../../ports.ts';
import { decodeBody } from './body.ts';
import { Connections, type Route } from './connections.ts';
import { type AbortReason, abortFailure, BrokenBody, connectionFailure, type Failure } from './failure.ts';
import { literalAddress, type MayConnect, mayAskProxyFor, publicOnly, scopeOf } from './origin.ts';

/** One HTTP request. The transport never sends it twice and follows no redirect. */
export interface HttpRequest {
  method: 'GET' | 'POST';
  url: URL;
  headers: Record<string, string>;
  body?: string | Uint8Array;
  /**
   * `paid`: on a connection of its own, so that "never connected" and "may have been sent" can be told apart for certain.
   * `free`: also to the profile's own origin, so the key may be sent, but on pooled connections.
   * `thirdParty`: to an address that the service named. It is checked before and while connecting, and no secret is sent.
   */
  route: Route;
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

type HttpResult = { ok: true; response: Response } | { ok: false; failure: Failure };

export type Transport = ReturnType<typeof createTransport>;

const IDLE_MS = 120_000;
const TOTAL_MS = 65 * 60_000;
/** Bytes that are read ahead of a busy reader, so that a download's next write is ready when the last one is done. */
const READ_AHEAD = 1024 * 1024;

interface Clock {
  after(ms: number, run: () => void): () => void;
}

/** If it is unknown whether there is a proxy, nothing is sent: a direct connection might bypass it. */
const UNKNOWN_WAY = { unusable: t`This system does not say whether there is a proxy. Nothing was sent.` };

/** Headers without secrets; every other one is sent to the profile's own origin only. */
const PUBLIC_HEADERS: ReadonlySet<string> = new Set(['accept', 'accept-encoding', 'if-range', 'range', 'user-agent']);

/** `origin` is the profile's own. `headers` are sent with every request to that origin, and with no other request. */
export function createTransport(deps: Clock & TransportOptions) {
  const extra = lowerCased(deps.headers ?? {});
  let allowed: MayConnect = publicOnly;
  const connections = new Connections(deps.network, () => allowed);
  const proxyFor = async (url: URL): Promise<ProxySetting> => {
    const address = literalAddress(url.hostname);
    // This machine and its own network are reached directly, whatever the rules say.
    if (address !== undefined && scopeOf(address) !== 'public') return undefined;
    return deps.network?.proxyFor(url).catch(() => UNKNOWN_WAY);
  };
  return {
    async send(request: HttpRequest): Promise<HttpResult> {
      if (!maySend(request, deps.origin)) return refuseOrigin();
      const { hostname } = request.url;
      const address = literalAddress(hostname);
      if (request.route === 'thirdParty' && address !== undefined && !allowed(address)) return refuseAddress(request);
      const proxy = await proxyFor(request.url);
      if (typeof proxy === 'object') return unsent({ message: proxy.unusable });
      // The connection goes to the proxy, so the guarded look-up would check only the proxy's address.
      if (request.route === 'thirdParty' && proxy !== undefined && address === undefined) {
        if (!(await mayAskProxyFor(hostname, allowed))) return refuseAddress(request);
      }
      const headers = request.url.origin === deps.origin ? { ...request.headers, ...extra } : request.headers;
      return sendOver(() => deps.dispatcher ?? connections.of(request.route, proxy), { ...request, headers }, deps);
    },
    /** Which addresses `thirdParty` requests may connect to; public ones until this is called. */
    allow(mayConnect: MayConnect): void {
      allowed = mayConnect;
    },
    /** The proxy for requests to this address. The proxy looks the name up by itself. */
    proxyOf: proxyFor,
    /** Refuses further requests; running ones finish. */
    retire: (): Promise<void> => connections.retire(),
    close: (): Promise<void> => connections.close(),
  };
}

interface TransportOptions {
  origin: string;
  headers?: Readonly<Record<string, string>>;
  network?: Network;
  dispatcher?: Dispatcher;
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

function refuseOrigin(): HttpResult {
  const message = t`The key is sent only to the gateway’s own address. Nothing was sent.`;
  return unsent({ message, forbidden: true });
}

function refuseAddress({ url }: HttpRequest): HttpResult {
  const message = t`${url.host} is a private address and is not fetched.`;
  return unsent({ message, forbidden: true });
}

const unsent = (why: Pick<Failure, 'message' | 'forbidden'>): HttpResult => ({
  ok: false,
  failure: { kind: 'network', sent: false, ...why },
});

/** The pool is chosen right before sending, so that it cannot be replaced while something is awaited. */
async function sendOver(pool: () => Dispatcher, request: HttpRequest, clock: Clock): Promise<HttpResult> {
  if (request.signal?.aborted) return { ok: false, failure: abortFailure('stopped', false) };
  const monitor = createMonitor(request, clock);
  try {
    const answer = await pool()
      .compose(markWhenSent(monitor))
      .request({
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

/**
 * undici calls `onRequestStart` right before it writes the first byte of a request, and writes nothing of a request that was aborted
 * before.
 */
function markWhenSent(monitor: RequestMonitor): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart(controller, context) {
        monitor.sent ||= !monitor.signal.aborted;
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
