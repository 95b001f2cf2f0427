import { setImmediate as nextTurn } from 'node:timers/promises';
import { isSvgStart } from '../../../../shared/library/mediaFormats.ts';
import { t } from '../../../../shared/text/texts.ts';
import { gatewayError } from '../errors/gatewayError.ts';
import { type Answer, readAnswer } from '../exchange/answer.ts';
import { prepended } from '../http/body.ts';
import { BrokenBody } from '../http/failure.ts';
import type { Response } from '../http/transport.ts';
import type { Service } from '../service.ts';
import type { MediaOutcome, MediaResponse } from '../types.ts';

/** In characters of the text; four of them are three bytes. */
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

/** The bytes and the type of a `data:` address; undefined if it is empty or cannot be read. */
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

export type Opened =
  | { type: 'media'; media: MediaResponse }
  | { type: 'broken'; message: string }
  | { type: 'note'; answer: Answer };

const NOTE_LIMIT = 1024 * 1024;

/** Checks the first bytes: a page or a text instead of a picture or clip is recognized by its content, not by its content type. */
export async function openMedia(response: Response, asked: number): Promise<Opened> {
  const source = response.body[Symbol.asyncIterator]();
  try {
    const first = await source.next();
    if (first.done)
      return {
        type: 'note',
        answer: await readAnswer({ ...response, body: prepended(undefined, source) }, { limit: NOTE_LIMIT }),
      };
    const range = /^bytes (\d+)-\d*\/(\d+|\*)/.exec(response.headers['content-range'] ?? '');
    const from = response.status === 206 ? Number(range?.[1] ?? asked) : 0;
    if (from > 0 && isCompressed(response)) {
      response.discard();
      return { type: 'broken', message: t`The gateway resumed in the middle of a compressed file.` };
    }
    if (from === 0 && looksLikeText(first.value, response.headers['content-type'])) {
      return {
        type: 'note',
        answer: await readAnswer({ ...response, body: prepended(first.value, source) }, { limit: NOTE_LIMIT }),
      };
    }
    return { type: 'media', media: mediaOf(response, prepended(first.value, source), from, range?.[2]) };
  } catch (error) {
    response.discard();
    return {
      type: 'broken',
      message: error instanceof BrokenBody ? error.failure.message : t`The result could not be read.`,
    };
  }
}

function mediaOf(
  response: Response,
  body: AsyncIterable<Uint8Array>,
  from: number,
  total: string | undefined,
): MediaResponse {
  const { headers } = response;
  const mime = /^[\w.+-]+\/[\w.+-]+/.exec(headers['content-type'] ?? '')?.[0]?.toLowerCase();
  const coded = isCompressed(response);
  const validator = coded ? undefined : validatorOf(headers);
  const length = coded || headers['content-length'] === undefined ? Number.NaN : Number(headers['content-length']);
  const bytes = /^\d+$/.test(total ?? '') ? Number(total) : from + length;
  return {
    body,
    from,
    ...(mime ? { mime } : {}),
    ...(Number.isSafeInteger(bytes) ? { bytes } : {}),
    ...(validator === undefined ? {} : { validator }),
  };
}

const isCompressed = ({ headers }: Response): boolean =>
  !/^(identity)?$/i.test(headers['content-encoding']?.trim() ?? '');

/** `If-Range` takes a strong entity tag or a date (RFC 9110 13.1.5). */
function validatorOf(headers: Response['headers']): string | undefined {
  const { etag } = headers;
  return etag !== undefined && /^"[^"]*"$/.test(etag) ? etag : headers['last-modified'];
}

/** Text written for people or programs. SVG is a picture that is text. */
function looksLikeText(bytes: Uint8Array, type = ''): boolean {
  const start = new TextDecoder()
    .decode(bytes.subarray(0, 512))
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (/^image\/svg/i.test(type) || isSvgStart(start)) return false;
  if (/^<(!doctype|html|head|body|\?xml|!--|error)/i.test(start)) return true;
  if (/^[{[]\s*("|\{|\[|\}|\])/.test(start)) return true;
  return (
    /^text\/html|^application\/(problem\+)?json|^application\/xml|^text\/plain/i.test(type) &&
    /^[\t\n\r -~]*$/.test(start)
  );
}

/** A result whose bytes are in its address. It always starts at the first byte, even if some of it was stored before. */
export function dataMedia(service: Service, uri: string): MediaOutcome {
  const found = bytesInAddress(uri);
  if (found) return { type: 'ok', media: { body: found.bytes, from: 0, ...(found.mime ? { mime: found.mime } : {}) } };
  const message = t`The bytes in the answer cannot be read.`;
  return {
    type: 'refused',
    error: gatewayError(service, { kind: 'invalid', message, accepted: 'yes', retryable: false }),
  };
}
