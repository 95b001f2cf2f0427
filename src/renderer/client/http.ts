import type { Asset } from '../../shared/asset.ts';
import type { StudioEvent } from '../../shared/events.ts';
import { fail, type Result } from '../../shared/result.ts';
import { pageKey, signIn, takeTicket } from './pageKeys.ts';
import type { LinkState, Transport } from './transport.ts';

const LOST = 'The studio does not answer. It may have been closed; start it again and this page goes on.';
const SIGNED_OUT = 'This page is no longer signed in to the studio. Open it again from the start line.';
/** Between two tries to reach the studio again. */
const RETRY_MS = 1_000;

/** The browser host: calls by POST, events by server-sent events, media by address. */
export function httpTransport(): Transport {
  const ticket = takeTicket();
  // A studio that does not answer now is told by the first call.
  const signedIn = ticket === undefined ? Promise.resolve() : signIn(ticket).catch(() => undefined);
  const send = async <T>(path: string, init: RequestInit): Promise<Sent<T>> => {
    await signedIn;
    return request<T>(path, init);
  };
  return {
    host: 'browser',
    call: async (name, input) => {
      const headers = { 'content-type': 'application/json' };
      return (await send(`/rpc/${name}`, { method: 'POST', headers, body: JSON.stringify(input ?? {}) })).result;
    },
    subscribe: (onEvent, onLink) => {
      const stream = new EventStream(() => send<{ ticket: string }>('/events', { method: 'POST' }), onEvent, onLink);
      void stream.open();
      return () => stream.close();
    },
    mediaUrl: (assetId) => `/media/${encodeURIComponent(assetId)}`,
    upload: async (body, name, purpose) => {
      const query = new URLSearchParams({ name, ...purpose });
      return (await send<Asset>(`/media?${query}`, { method: 'PUT', body })).result;
    },
  };
}

interface Sent<T> {
  result: Result<T>;
  link: LinkState;
}

/** The key goes as a header: unlike a cookie, no other port of this machine ever sees it. */
async function request<T>(path: string, init: RequestInit): Promise<Sent<T>> {
  const key = pageKey();
  const headers = { ...init.headers, ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) };
  let response: Response;
  try {
    response = await fetch(path, { ...init, headers, credentials: 'same-origin' });
  } catch {
    return { result: fail('unreachable', LOST), link: 'lost' };
  }
  if (response.status === 401 || response.status === 403) {
    return { result: fail('unreachable', SIGNED_OUT), link: 'signedOut' };
  }
  try {
    return { result: (await response.json()) as Result<T>, link: 'up' };
  } catch {
    const message = `The studio sent an answer that is not JSON (status ${response.status}).`;
    return { result: fail('internal', message), link: 'lost' };
  }
}

/**
 * The one stream of events, opened again for as long as the page lives. `EventSource` sends no headers, so a call with the key asks
 * for a ticket that opens it once.
 */
class EventStream {
  private readonly ask: () => Promise<Sent<{ ticket: string }>>;
  private readonly onEvent: (event: StudioEvent) => void;
  private readonly onLink: (state: LinkState) => void;
  private source: EventSource | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private closed = false;

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
    if (this.closed) return;
    if (!result.ok) return this.again(link);
    const source = new EventSource(`/events?ticket=${result.data.ticket}`);
    this.source = source;
    source.onopen = () => this.onLink('up');
    source.onmessage = (message) => this.onEvent(JSON.parse(message.data) as StudioEvent);
    source.onerror = () => {
      source.close();
      this.again('lost');
    };
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.source?.close();
  }

  private again(link: LinkState): void {
    this.onLink(link);
    this.timer = setTimeout(() => void this.open(), RETRY_MS);
  }
}
