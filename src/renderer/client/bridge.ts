import { type CallPart, PART_CALL, PART_CHARACTERS } from '../../shared/contract/callParts.ts';
import { DRAG_CALLS } from '../../shared/contract/hostEvents.ts';
import { fail, type Result } from '../../shared/contract/result.ts';
import { t } from '../../shared/text/texts.ts';
import { refusedLongCall } from './longCall.ts';
import type { DailiesBridge, Transport, UploadPurpose } from './transport.ts';

/**
 * Size of one piece. Electron buffers the whole body of a request, so a film is sent in pieces. Its path is not passed instead: a
 * compromised page could then read any file of the user.
 */
const PIECE_BYTES = 4 * 1024 * 1024;

async function put<T>(query: URLSearchParams, body: Blob): Promise<Result<T>> {
  const response = await fetch(`studio-media://upload/?${query}`, { method: 'PUT', body });
  return (await response.json()) as Result<T>;
}

/** Pieces are sent in turn. The last one answers with the result of the whole; an earlier answer matters only if it is a refusal. */
async function sendPieces<T>(body: Blob, query: URLSearchParams): Promise<Result<T>> {
  query.set('upload', crypto.randomUUID());
  query.set('of', String(body.size));
  for (let at = 0; ; at += PIECE_BYTES) {
    query.set('at', String(at));
    const answer = await put<T | null>(query, body.slice(at, at + PIECE_BYTES));
    if (!answer.ok || answer.data) return answer as Result<T>;
  }
}

/** Sends the input whole, or in parts if it exceeds the size of one message. */
async function send(bridge: DailiesBridge, name: string, input: unknown): Promise<Result<unknown>> {
  const text = JSON.stringify(input);
  if (text.length <= PART_CHARACTERS) return bridge.call(name, input);
  const refusal = await refusedLongCall(name, input, text);
  if (refusal) return refusal;
  const id = crypto.randomUUID();
  for (let at = 0; ; at += PART_CHARACTERS) {
    const part: CallPart = { id, call: name, at, of: text.length, text: text.slice(at, at + PART_CHARACTERS) };
    const answer = await bridge.call(PART_CALL, part);
    if (!answer.ok || at + PART_CHARACTERS >= text.length) return answer;
  }
}

/** Electron: calls and events over the preload's bridge, bytes over the `studio-media` scheme. */
export function bridgeTransport(bridge: DailiesBridge): Transport {
  return {
    host: 'electron',
    call: async (name, input) => {
      try {
        return await send(bridge, name, input ?? {});
      } catch {
        return fail('unreachable', t`Dailies does not answer. Restart it; nothing you wrote is lost.`);
      }
    },
    subscribe(onEvent, onLink) {
      onLink('up');
      bridge.subscribe(onEvent);
    },
    mediaUrl: (assetId) => `studio-media://asset/${encodeURIComponent(assetId)}?shown`,
    upload: async <T>(body: Blob, name: string, purpose: UploadPurpose): Promise<Result<T>> => {
      const query = new URLSearchParams({ name, ...purpose });
      try {
        return body.size > PIECE_BYTES ? await sendPieces<T>(body, query) : await put<T>(query, body);
      } catch {
        return fail('unreachable', t`The file could not be passed to Dailies.`);
      }
    },
    drag: (step, id) =>
      bridge
        .call(DRAG_CALLS[step], { id })
        .catch(() => fail('unreachable', t`Dailies does not answer. Restart it; nothing you wrote is lost.`)),
    writeFilm: async (taskId, at, piece) => {
      try {
        return await put<null>(new URLSearchParams({ film: taskId, at: String(at) }), new Blob([piece]));
      } catch {
        return fail('unreachable', t`The film could not be passed to Dailies.`);
      }
    },
  };
}
