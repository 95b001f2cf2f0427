import { gatewayError, type Service } from '../service.ts';
import type { MediaOutcome } from '../types.ts';

/** A result whose bytes stand in its address. */
export function dataMedia(service: Service, uri: string, from: number): MediaOutcome {
  const comma = uri.indexOf(',');
  const head = uri.slice('data:'.length, Math.max(comma, 0));
  const bytes = comma < 0 ? undefined : bytesOf(head, uri.slice(comma + 1));
  if (!bytes || bytes.length === 0) {
    const message = 'The bytes in the answer cannot be read.';
    return {
      type: 'refused',
      error: gatewayError(service, { kind: 'invalid', message, accepted: 'yes', retryable: false }),
    };
  }
  const mime = /^[\w.+-]+\/[\w.+-]+/.exec(head)?.[0];
  const start = from <= bytes.length ? from : 0;
  return {
    type: 'ok',
    media: { body: once(bytes.subarray(start)), bytes: bytes.length, from: start, ...(mime ? { mime } : {}) },
  };
}

function bytesOf(head: string, payload: string): Uint8Array | undefined {
  try {
    const text = payload.includes('%') ? decodeURIComponent(payload) : payload;
    return /;base64$/i.test(head) ? Buffer.from(text, 'base64') : Buffer.from(text, 'utf8');
  } catch {
    return undefined;
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
