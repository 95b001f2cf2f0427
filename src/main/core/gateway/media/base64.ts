import { setImmediate as nextTurn } from 'node:timers/promises';

/** Of the text, in characters; four of them are three bytes. */
const PIECE = 1024 * 1024;
const OTHERS = /[^A-Za-z0-9+/=_-]/g;

/** The bytes of a text in base64, which may be of many megabytes: a piece in each turn of the event loop. */
export async function* base64Bytes(text: string): AsyncGenerator<Uint8Array> {
  let held = '';
  for (let at = 0; at < text.length; at += PIECE) {
    if (at > 0) await nextTurn();
    const signs = held + text.slice(at, at + PIECE).replace(OTHERS, '');
    const whole = at + PIECE < text.length ? signs.length - (signs.length % 4) : signs.length;
    held = signs.slice(whole);
    if (whole > 0) yield Buffer.from(signs.slice(0, whole), 'base64');
  }
}
