import type { StudioEvent } from '../../shared/contract/events.ts';
import { fail, ok, type Result } from '../../shared/contract/result.ts';
import { t } from '../../shared/text/texts.ts';
import { hostAddress } from './hostAddress.ts';
import { refusedLongCall } from './longCall.ts';
import { openSession, pageKey, type Session, signIn, takeTicket } from './pageKeys.ts';
import type { LinkState, Transport, UploadPurpose } from './transport.ts';

const LOST = t`Dailies does not answer. It may be closed: start it again and this page continues.`;
const SIGNED_OUT = t`This page is no longer signed in. Open the address that Dailies prints when it starts.`;
/** Delay between two attempts to reach the studio again. */
const RETRY_MS = 1_000;

/** Calls that carry secrets: before each, a new session proves that the host is ours. */
const SECRET_CALLS: readonly string[] = ['profiles.setKey', 'profiles.save'];

/** The browser host: calls by POST, events by server-sent events, media by address. */
export function httpTransport(): Transport {
  const begun = takeTicket();
  // If the studio does not answer now, the first call reports that.
  const signedIn = begun === undefined ? Promise.resolve() : signIn(begun).catch(() => undefined);
  const sessions = new Sessions();
  let stream: EventStream | undefined;
  const send = async <T>(path: string, init: RequestInit, isSecret = false): Promise<Sent<T>> => {
    await signedIn;
    if (isSecret) sessions.forget();
    return request<T>(sessions, path, init);
  };
  return {
    host: 'browser',
    call: async (name, input, { isLeaving = false } = {}) => {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify(input ?? {});
      const init = { method: 'POST', headers, body };
      if (isLeaving) return leaving(sessions, hostAddress(`rpc/${name}`), init);
      const refusal = await refusedLongCall(name, input ?? {}, body);
      if (refusal) return refusal;
      const { result, link } = await send(hostAddress(`rpc/${name}`), init, SECRET_CALLS.includes(name));
      // The lost answer may have brought changes: once the event stream is open again, the page reads everything again.
      if (!result.ok && result.error.code === 'unreachable') stream?.reopen(link);
      return result;
    },
    subscribe: (onEvent, onLink) => {
      const ask = () => send<{ ticket: string }>(hostAddress('events'), { method: 'POST' });
      stream = new EventStream(ask, onEvent, (link) => {
        // The next host that answers must prove itself first.
        if (link !== 'up') sessions.forget();
        onLink(link);
      });
      void stream.open();
    },
    mediaUrl: (assetId) => hostAddress(`media/${encodeURIComponent(assetId)}?shown`),
    upload: async <T>(body: Blob, name: string, purpose: UploadPurpose) => {
      const query = new URLSearchParams({ name, ...purpose });
      return (await send<T>(hostAddress(`media?${query}`), { method: 'PUT', body })).result;
    },
    writeFilm: async (taskId, at, piece) => {
      const query = new URLSearchParams({ film: taskId, at: String(at) });
      return (await send<null>(hostAddress(`media?${query}`), { method: 'PUT', body: piece })).result;
    },
  };
}

interface Sent<T> {
  result: Result<T>;
  link: LinkState;
}

/** The session with the current host. Nothing is sent to a host that has not proved itself. */
class Sessions {
  private known: { key: string; session: Promise<Session> } | undefined;
  /**
   * Secret of the last session, for a call while the page unloads: a reload closes the stream first and so ends the session. Another
   * process that answers on this port by then learns nothing useful: the secret is valid only for that run of the host, which holds the
   * port while it runs.
   */
  private last: string | undefined;

  get lastSecret(): string | undefined {
    return this.last;
  }

  /** Undefined if this page was never signed in. Rejects if nothing answers. */
  async get(): Promise<Session | undefined> {
    const key = pageKey();
    if (key === undefined) return undefined;
    if (this.known?.key !== key) this.known = { key, session: openSession(key) };
    const { session } = this.known;
    const found = await session.catch(() => undefined);
    if (found === undefined || found === 'unauthorized') this.forget(session);
    else this.last = found.secret;
    return session;
  }

  forget(session = this.known?.session): void {
    if (this.known?.session === session) this.known = undefined;
  }
}

/** The request is sent before this returns, and in full: nothing runs in a page that has unloaded. */
function leaving(sessions: Sessions, path: string, init: RequestInit): Result<null> {
  const secret = sessions.lastSecret;
  if (secret === undefined) return fail('unreachable', LOST);
  const headers = { ...init.headers, authorization: `Bearer ${secret}` };
  void fetch(path, { ...init, headers, credentials: 'same-origin', keepalive: true }).catch(() => undefined);
  return ok(null);
}

const signedOut = <T>(): Sent<T> => ({ result: fail('unreachable', SIGNED_OUT), link: 'signedOut' });

/** The session's secret is sent as a header: unlike a cookie, no other port of this machine ever sees it. */
async function request<T>(sessions: Sessions, path: string, init: RequestInit, isAgain = false): Promise<Sent<T>> {
  let response: Response;
  try {
    const session = await sessions.get();
    if (session === undefined || session === 'unauthorized') return signedOut();
    const headers = { ...init.headers, authorization: `Bearer ${session.secret}` };
    response = await fetch(path, { ...init, headers, credentials: 'same-origin' });
  } catch {
    sessions.forget();
    return { result: fail('unreachable', LOST), link: 'lost' };
  }
  if (response.status === 401 && !isAgain) {
    // The host was restarted. It did nothing with this call, so the call can be made once more.
    sessions.forget();
    return request(sessions, path, init, true);
  }
  if (response.status === 401 || response.status === 403) return signedOut();
  try {
    return { result: (await response.json()) as Result<T>, link: 'up' };
  } catch {
    const message = t`Dailies sent an answer that is not JSON (status ${response.status}).`;
    return { result: fail('internal', message), link: 'lost' };
  }
}

/**
 * The one event stream, reopened for as long as the page lives. `EventSource` cannot send headers, so a call with the key gets a ticket
 * that opens the stream once.
 */
class EventStream {
  private readonly ask: () => Promise<Sent<{ ticket: string }>>;
  private readonly onEvent: (event: StudioEvent) => void;
  private readonly onLink: (state: LinkState) => void;
  private source: EventSource | undefined;

  constructor(
    ask: () => Promise<Sent<{ ticket: string }>>,
    onEvent: (event: StudioEvent) => void,
    onLink: (state: LinkState) => void,
  ) {
    this.ask = ask;
    this.onEvent = onEvent;
    this.onLink = onLink;
  }

  async open(): Promise<void> {
    const { result, link } = await this.ask();
    if (!result.ok) return this.again(link);
    const source = new EventSource(hostAddress(`events?ticket=${result.data.ticket}`));
    this.source = source;
    source.onopen = () => this.onLink('up');
    source.onmessage = (message) => this.onEvent(JSON.parse(message.data) as StudioEvent);
    source.onerror = () => this.reopen('lost');
  }

  /** A stream that is not open is already being opened. */
  reopen(link: LinkState): void {
    if (!this.source) return;
    this.source.close();
    this.source = undefined;
    this.again(link);
  }

  private again(link: LinkState): void {
    this.onLink(link);
    setTimeout(() => void this.open(), RETRY_MS);
  }
}
