import { field, isObject, type Json, type JsonObject, wordsOf } from './json.ts';

/** How a decoder tells an address from other text, and which fields can hold a result at all. */

/** Where relative addresses start from, and what is not to be taken for a result. */
export interface Reading {
  base: string;
  isEcho(uri: string): boolean;
}

/** Fields that hold what was sent, or pages and pictures about the result instead of the result itself. */
const NOT_A_RESULT = new Set(
  (
    'request input inputs instances parameters params param prompt messages extra reference references mask init source payload body ' +
    'config settings options args arguments properties actions buttons components log logs trace debug usage ' +
    'hook webhook callback notify notification poll polling status cancel progress queue page dashboard docs doc self next ' +
    'share sharing embed embedded web webpage website player citation citations annotation annotations sources upload delete ' +
    'thumbnail thumbnails thumb thumbs cover poster preview previews frame avatar logo icon favicon subtitle subtitles audio watermark watermarked ' +
    'terms help support error'
  ).split(' '),
);

/** Whether a field of this name may hold a result. `alsoNot` adds words of the other medium. */
export function mayHoldResult(name: string, alsoNot: ReadonlySet<string>): boolean {
  return !wordsOf(name).some((word) => NOT_A_RESULT.has(word) || alsoNot.has(word));
}

const ADDRESS_WORDS = new Set(
  'url urls uri uris link links href src download file files video videos image images output outputs result results cdn path grid sheet'.split(
    ' ',
  ),
);

/** Whether a field of this name holds addresses: its last word says so. */
export function namesAddress(name: string): boolean {
  const last = wordsOf(name).at(-1);
  return last !== undefined && ADDRESS_WORDS.has(last);
}

/** No server takes a longer one. */
const LONGEST_ADDRESS = 16_384;

/** The absolute address that this text is, or nothing if it is none or is our own. */
export function addressIn(value: Json | undefined, reading: Reading): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/\s/.test(text.slice(0, 4_096)) || reading.isEcho(text)) return undefined;
  if (/^data:[\w.+-]+\/[\w.+-]+[;,]/i.test(text.slice(0, 200))) return text;
  if (text.length > LONGEST_ADDRESS) return undefined;
  if (/^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(text)) return text;
  const relative =
    /^\/{1,2}[\w%~.-]+[/?.]/.test(text) || /^[\w%~-][\w%~./-]*\/[\w%~.-]+\.[a-z][a-z0-9]{2,3}$/i.test(text);
  return relative ? URL.parse(text, `${reading.base}/`)?.href : undefined;
}

/** Bytes that stand in the answer itself, as a `data:` address. */
export function inlineBytes(node: JsonObject, fallbackMime: string): string | undefined {
  const mime = field(node, 'mimeType', 'contentType', 'mime', 'encoding');
  const type = typeof mime === 'string' && /^[\w.+-]+\/[\w.+-]+$/.test(mime) ? mime : fallbackMime;
  const names = [
    'bytesBase64Encoded',
    'videoBytes',
    'imageBytes',
    'encodedVideo',
    'b64Json',
    'base64',
    'imageBase64',
    'videoBase64',
    'base64Data',
  ];
  const bytes = field(node, ...names, ...(mime === undefined ? [] : ['data']));
  if (typeof bytes !== 'string' || bytes.length < 16) return undefined;
  if (bytes.startsWith('data:')) return bytes;
  return /^[A-Za-z0-9+/_=\s-]+$/.test(bytes.slice(0, 256)) ? `data:${type};base64,${bytes}` : undefined;
}

/** The address to take of several for the same thing: one that can be downloaded before one that cannot. */
export function easiest(addresses: string[]): string | undefined {
  return [...addresses].sort((one, other) => effort(one) - effort(other))[0];
}

function effort(address: string): number {
  if (/^data:/i.test(address)) return 1;
  if (!/^https?:/i.test(address)) return 3;
  return /\.(m3u8|mpd)(?=$|[?#])/i.test(address) ? 2 : 0;
}

const SIGNATURE =
  /^(x-(amz|goog|oss|tos|cos|bce)-.*|expires?|exp|signature|sign|sig|token|policy|key-pair-id|googleaccessid|ossaccesskeyid|se|sp|sr|st|sv|auth_key|hdnts|ts?|_)$/i;

/** An address without its signature: the same file signed twice is one file. */
export function unsigned(address: string): string {
  const url = /^https?:/i.test(address) ? URL.parse(address) : null;
  if (!url) return address;
  // Taken out one by one, each would be looked for among all the others.
  const kept = [...url.searchParams].filter(([name]) => !SIGNATURE.test(name));
  if (kept.length < url.searchParams.size) url.search = new URLSearchParams(kept).toString();
  return url.href;
}

export function mimeBeside(node: Json | undefined): string | undefined {
  const mime = field(node, 'mimeType', 'contentType', 'mime');
  return isObject(node) && typeof mime === 'string' && /^[\w.+-]+\/[\w.+-]+$/.test(mime) ? mime : undefined;
}
