import { setImmediate as nextTurn } from 'node:timers/promises';

/** Of the text, in characters; four of them are three bytes. */
const PIECE = 1024 * 1024;
const OTHERS = /[^A-Za-z0-9+/=_-]/g;

/** The bytes of a text in base64, which may be of many megabytes: a piece in each turn of the event loop. */
async function* base64Bytes(text: string): AsyncGenerator<Uint8Array> {
  let held = '';
  for (let at = 0; at < text.length; at += PIECE) {
    if (at > 0) await nextTurn();
    const signs = held + text.slice(at, at + PIECE).replace(OTHERS, '');
    const whole = at + PIECE < text.length ? signs.length - (signs.length % 4) : signs.length;
    held = signs.slice(whole);
    if (whole > 0) yield Buffer.from(signs.slice(0, whole), 'base64');
  }
}

/** What a `data:` address holds and says of its type; undefined if that is nothing, or cannot be read. */
export function bytesInAddress(uri: string): { mime?: string; bytes: AsyncIterable<Uint8Array> } | undefined {
  const [whole, head = ''] = /^data:([^,]{0,200}),(?=.)/is.exec(uri) ?? [];
  const payload = whole === undefined ? undefined : plain(uri.slice(whole.length));
  if (payload === undefined) return undefined;
  const mime = /^[\w.+-]+\/[\w.+-]+/.exec(head)?.[0];
  const bytes = /;base64$/i.test(head) ? base64Bytes(payload) : oneChunk(Buffer.from(payload, 'utf8'));
  return { ...(mime ? { mime } : {}), bytes };
}

function plain(payload: string): string | undefined {
  try {
    return payload.includes('%') ? decodeURIComponent(payload) : payload;
  } catch {
    return undefined;
  }
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
