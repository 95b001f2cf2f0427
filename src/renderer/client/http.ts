import type { Asset } from '../../shared/asset.ts';
import type { StudioEvent } from '../../shared/events.ts';
import { fail, type Result } from '../../shared/result.ts';
import type { Transport } from './transport.ts';

const LOST = 'The studio does not answer. It may have been closed; start it again and this page goes on.';

async function answerOf<T>(response: Response): Promise<Result<T>> {
  if (response.status === 401 || response.status === 403) {
    return fail('unreachable', 'This page is no longer signed in to the studio. Open it again from the start line.');
  }
  try {
    return (await response.json()) as Result<T>;
  } catch {
    return fail('internal', `The studio sent an answer that is not JSON (status ${response.status}).`);
  }
}

async function send<T>(path: string, init: RequestInit): Promise<Result<T>> {
  try {
    return await answerOf<T>(await fetch(path, { ...init, credentials: 'same-origin' }));
  } catch {
    return fail('unreachable', LOST);
  }
}

/** The browser host: calls by POST, events by server-sent events (which reconnect by themselves), media by address. */
export function httpTransport(): Transport {
  return {
    host: 'browser',
    call: (name, input) =>
      send(`/rpc/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(input ?? {}),
      }),
    subscribe(onEvent, onLink) {
      const source = new EventSource('/events');
      source.onopen = () => onLink('up');
      source.onerror = () => onLink('lost');
      source.onmessage = (message) => onEvent(JSON.parse(message.data) as StudioEvent);
      return () => source.close();
    },
    mediaUrl: (assetId) => `/media/${encodeURIComponent(assetId)}`,
    upload: (body, name, taskId) => {
      const query = new URLSearchParams(taskId ? { name, task: taskId } : { name });
      return send<Asset>(`/media?${query}`, { method: 'PUT', body });
    },
  };
}
