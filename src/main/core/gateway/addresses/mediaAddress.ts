import { uniqueBy } from '../../../../shared/contract/values.ts';
import { field, firstOf, isObject, someOf, textOf, wordsOf } from '../json/fields.ts';
import { type Json, type JsonObject, unwrapText } from '../json/parse.ts';
import type { RemoteOutput } from '../types.ts';

/** Recognizes addresses of results, and the fields that can hold a result. */

/** The base of relative addresses, and the addresses that are no result. */
export interface AddressContext {
  base: string;
  isEcho(uri: string): boolean;
  /** Whether a picture counts as a clip, because nothing else came in its place. */
  takesPictures?: boolean;
}

/** Words in the names of fields that hold the request, or pages and pictures about the result instead of the result. */
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
  const words = bareWords(name);
  return !isPollAddress(words) && !words.some((word) => NOT_A_RESULT.has(word) || alsoNot.has(word));
}

const WATERMARKS = new Set(['watermark', 'watermarked']);
const WITHOUT = new Set(['no', 'non', 'without', 'un', 'remove', 'removed']);
/**
 * Whether the words say "without watermark": `resource_without_watermark` (PiAPI), `noWatermarkUrl`, `watermark_free_url`. The user paid
 * for that copy.
 */
const isWithout = (words: readonly string[], at: number): boolean =>
  WATERMARKS.has(words[at] ?? '') &&
  (WITHOUT.has(words[at - 1] ?? '') || ['free', 'removed'].includes(words[at + 1] ?? ''));

/** Whether the name says that its copy has no watermark. */
export function namesCleanCopy(name: string): boolean {
  const words = wordsOf(name);
  return words.includes('unwatermarked') || words.some((_, at) => isWithout(words, at));
}

/** Orders names: those of clean copies come first. */
export const cleanFirst = (one: string, other: string): number =>
  Number(namesCleanCopy(other)) - Number(namesCleanCopy(one));

/** The words of a name, without those that say "no watermark". */
function bareWords(name: string): string[] {
  const words = wordsOf(name).filter((word) => word !== 'unwatermarked');
  const clean = words.findIndex((_, at) => isWithout(words, at));
  if (clean < 0) return words;
  const first = WITHOUT.has(words[clean - 1] ?? '') ? clean - 1 : clean;
  return words.toSpliced(first, 2);
}

const ADDRESS_ENDINGS = new Set(['url', 'uri', 'link', 'href', 'endpoint', 'path']);
const POLL_WORDS = new Set(
  'get fetch retrieve query check track response task job operation request prediction api'.split(' '),
);
const MEDIA_WORDS = new Set('video videos image images clip output file download media cdn asset'.split(' '));

/** Whether the field holds an address to poll: `urls.get`, `response_url`, `fetch_url`. `result_url` may be either. */
function isPollAddress(words: readonly string[]): boolean {
  if (words.length === 1) return words[0] === 'get' || words[0] === 'endpoint';
  if (!ADDRESS_ENDINGS.has(words.at(-1) ?? '') || words.some((word) => MEDIA_WORDS.has(word))) return false;
  return words.some((word) => POLL_WORDS.has(word));
}

/**
 * Whether the address is a file of pictures or clips, whatever field has it: by its extension, or as the known endpoint of a clip's
 * bytes.
 */
export function isPlainlyMedia(uri: string): boolean {
  const path = URL.parse(uri)?.pathname ?? '';
  return (
    /^data:(video|image)\//i.test(uri) ||
    /\.(mp4|mov|webm|m4v|mkv|avi|m3u8|mpd|png|jpe?g|webp|gif|avif)$/i.test(path) ||
    path.endsWith('/content')
  );
}

const ADDRESS_WORDS = new Set(
  'url urls uri uris link links href src download file files video videos image images output outputs result results cdn path grid sheet'.split(
    ' ',
  ),
);

/** Whether a field of this name holds addresses: its last word says so. */
export function namesAddress(name: string): boolean {
  const last = bareWords(name).at(-1);
  return last !== undefined && ADDRESS_WORDS.has(last);
}

/** No server accepts a longer address. */
const MAX_ADDRESS_LENGTH = 16_384;

/** The text as an absolute address; undefined if it is no address or repeats one of our own. */
export function addressIn(value: Json | undefined, context: AddressContext): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/\s/.test(text.slice(0, 4_096)) || context.isEcho(text)) return undefined;
  if (/^data:[\w.+-]+\/[\w.+-]+[;,]/i.test(text.slice(0, 200))) return text;
  // A JPEG in base64 begins with `/9j/`, like a path.
  if (text.length > MAX_ADDRESS_LENGTH || (mediaBytes(text, 'image') ?? mediaBytes(text, 'video'))) return undefined;
  if (/^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(text)) return atOwnOrigin(text, context.base);
  const relative =
    /^\/{1,2}[\w%~.-]+[/?.]/.test(text) || /^[\w%~-][\w%~./-]*\/[\w%~.-]+\.[a-z][a-z0-9]{2,3}$/i.test(text);
  return relative ? URL.parse(text, `${context.base}/`)?.href : undefined;
}

/** The same for a picture, which may also be its bytes in base64. */
export function pictureAddress(value: Json | undefined, context: AddressContext): string | undefined {
  const uri = mediaBytes(value, 'image') ?? addressIn(value, context);
  if (uri === undefined) return undefined;
  if (uri.startsWith('data:')) return /^data:(image|application\/octet-stream)/i.test(uri) ? uri : undefined;
  const path = URL.parse(uri)?.pathname ?? '';
  return /\.(mp4|webm|mov|html?|json)$/i.test(path) || /\/(fetch|status)$/i.test(path) ? undefined : uri;
}

const LOOPBACK = /^https?:\/\/(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?=[:/?#]|$)/i;
/**
 * Paths at which new-api serves results. Their addresses begin with `http://localhost:3000` until the gateway's own address is set
 * (`ServerAddress`).
 */
const HANDED_ON = /^\/(mj\/image\/[^/]+|v1\/videos\/[^/]+\/content)$/;

/** Corrects the address of a result that a remote gateway names at "localhost": the result is at the gateway itself. */
function atOwnOrigin(text: string, base: string): string {
  if (!LOOPBACK.test(text) || LOOPBACK.test(base)) return text;
  const [url, own] = [URL.parse(text), URL.parse(base)];
  return url && own && HANDED_ON.test(url.pathname) ? own.origin + url.pathname + url.search : text;
}

/** Enough of a base64 text to recognize the file's format. */
const HEAD_LENGTH = 24;

/** The base64 bytes of a picture or clip as a `data:` address, recognized by their first bytes, whatever the field's name is. */
export function mediaBytes(value: Json | undefined, medium: 'video' | 'image'): string | undefined {
  if (typeof value !== 'string' || value.length < HEAD_LENGTH) return undefined;
  const letters = value.slice(0, HEAD_LENGTH);
  if (!/^[A-Za-z0-9+/_-]+$/.test(letters)) return undefined;
  const mime = mimeOfFirstBytes(Buffer.from(letters, 'base64'));
  return mime?.startsWith(`${medium}/`) ? dataAddress(mime, value) : undefined;
}

/** Kept for one turn of the event loop: an answer is searched many times, and each new address would copy the file. */
let latest: { mime: string; base64: string; address: string } | undefined;

function dataAddress(mime: string, base64: string): string {
  if (latest?.mime === mime && latest.base64 === base64) return latest.address;
  if (latest === undefined)
    setImmediate(() => {
      latest = undefined;
    });
  latest = { mime, base64, address: `data:${mime};base64,${base64}` };
  return latest.address;
}

function mimeOfFirstBytes(head: Buffer): string | undefined {
  const text = head.toString('latin1');
  if (text.slice(4, 8) === 'ftyp') return /^(avif|heic|mif1)/.test(text.slice(8)) ? 'image/avif' : 'video/mp4';
  if (text.startsWith('\x1aE\xdf\xa3')) return 'video/webm';
  if (text.startsWith('\x89PNG')) return 'image/png';
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (text.startsWith('GIF8')) return 'image/gif';
  if (text.startsWith('RIFF'))
    return text.slice(8, 12) === 'WEBP' ? 'image/webp' : text.slice(8, 12) === 'AVI ' ? 'video/x-msvideo' : undefined;
  return undefined;
}

const BYTE_FIELDS =
  'bytesBase64Encoded videoBytes imageBytes encodedVideo b64Json base64 imageBase64 videoBase64 base64Data'.split(' ');

/** Bytes in the answer itself, as a `data:` address. */
export function inlineBytes(node: JsonObject, fallbackMime: string): string | undefined {
  const mime = field(node, 'mimeType', 'contentType', 'mime', 'encoding', 'format');
  const type = typeof mime === 'string' && /^[\w.+-]+\/[\w.+-]+$/.test(mime) ? mime : fallbackMime;
  const bytes = field(node, ...BYTE_FIELDS, ...(mime === undefined ? [] : ['data']));
  if (typeof bytes !== 'string' || bytes.length < 16) return undefined;
  if (bytes.startsWith('data:')) return bytes;
  return /^[A-Za-z0-9+/_=\s-]+$/.test(bytes.slice(0, 256)) ? dataAddress(type, bytes) : undefined;
}

/** The best of several addresses for the same thing: one that can be downloaded before one that cannot. */
export function mostReachable(addresses: string[]): string | undefined {
  return [...addresses].sort((one, other) => difficulty(one) - difficulty(other))[0];
}

function difficulty(address: string): number {
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
  // Removing them one by one would search all the others each time.
  const kept = [...url.searchParams].filter(([name]) => !SIGNATURE.test(name));
  if (kept.length < url.searchParams.size) url.search = new URLSearchParams(kept).toString();
  return url.href;
}

/**
 * The address among these of the same file in full, where this one asks for it in another size: Discord resizes by `width` and `height`
 * (docs.acedata.cloud, Midjourney: `image_url` is the thumbnail, `raw_image_url` the original).
 */
export function originalOf(address: string, others: readonly string[]): string {
  if (!isResized(address)) return address;
  const file = withoutSize(address);
  return others.find((other) => !isResized(other) && withoutSize(other) === file) ?? address;
}

const isResized = (address: string): boolean => /^https?:/i.test(address) && /[?&](width|height)=\d/.test(address);

function withoutSize(address: string): string {
  const url = /^https?:/i.test(address) ? URL.parse(address) : null;
  if (!url) return address;
  const kept = [...url.searchParams].filter(([name]) => name !== 'width' && name !== 'height');
  return `${url.origin}${url.pathname}?${new URLSearchParams(kept)}`;
}

function mimeBeside(node: Json | undefined): string | undefined {
  const mime = field(node, 'mimeType', 'contentType', 'mime');
  return isObject(node) && typeof mime === 'string' && /^[\w.+-]+\/[\w.+-]+$/.test(mime) ? mime : undefined;
}

/** When a link expires, in milliseconds since 1970: by a field beside it, or by its own signature. */
export function expiryOf(uri: string, beside: Json | undefined): number | undefined {
  return (
    timestampOf(field(beside, 'expiresAt', 'expireAt', 'expireTime', 'expirationTime', 'expiry')) ?? signedUntil(uri)
  );
}

/** A result at this address, with the facts from the fields beside it or from its signature. */
export function outputAt(uri: string, beside?: Json, role: RemoteOutput['role'] = 'output'): RemoteOutput {
  const [mime, expiresAt] = [mimeBeside(beside), expiryOf(uri, beside)];
  return { uri, role, ...(mime ? { mime } : {}), ...(expiresAt ? { expiresAt } : {}) };
}

function timestampOf(value: Json | undefined): number | undefined {
  const text = textOf(value);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!Number.isFinite(number)) return Number.isNaN(Date.parse(text)) ? undefined : Date.parse(text);
  if (number > 1e12) return number;
  return number > 1e9 ? number * 1000 : undefined;
}

function signedUntil(uri: string): number | undefined {
  if (!uri.startsWith('http')) return undefined;
  const query = new Map([...(URL.parse(uri)?.searchParams ?? [])].map(([name, value]) => [name.toLowerCase(), value]));
  const lifetime = Number(query.get('x-amz-expires') ?? query.get('x-goog-expires') ?? Number.NaN);
  const signedAt = compactDate(query.get('x-amz-date') ?? query.get('x-goog-date') ?? '');
  if (Number.isFinite(lifetime) && signedAt !== undefined) return signedAt + lifetime * 1000;
  return timestampOf(query.get('expires') ?? query.get('x-oss-expires') ?? query.get('se') ?? null);
}

/** `20250131T120000Z`. */
function compactDate(text: string): number | undefined {
  const iso = text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
  const at = Date.parse(iso);
  return Number.isNaN(at) ? undefined : at;
}

/** No service makes more results at once. Further results are ignored, because each becomes a row. */
export const MAX_RESULTS = 200;

/** No object has this many fields that may hold a result, and splitting each name into words costs time. */
const MAX_FIELDS = 2_000;
export const fieldsOf = (node: JsonObject): [string, Json][] => Object.entries(node).slice(0, MAX_FIELDS);

const MAX_OBJECTS = 200;
const NOTHING_ELSE: ReadonlySet<string> = new Set();

/** The objects of an answer with unknown wrappers, outermost first, without those that repeat the request. */
export function nestedObjects(body: Json): JsonObject[] {
  const found: JsonObject[] = [];
  let row: Json[] = [body];
  while (row.length > 0 && found.length < MAX_OBJECTS) {
    const objects = row.flatMap((node) => (Array.isArray(node) ? node : [node])).filter(isObject);
    const few = objects.slice(0, MAX_OBJECTS - found.length);
    found.push(...few);
    row = few.flatMap(insideOf);
  }
  return found;
}

function insideOf(node: JsonObject): Json[] {
  return fieldsOf(node).flatMap(([name, value]) => {
    const inner = unwrapText(value);
    return typeof inner === 'object' && inner !== null && mayHoldResult(name, NOTHING_ELSE) ? [inner] : [];
  });
}

/** Words in the names of lists that hold one result several times. */
const SAME_RESULT = new Set(
  (
    'quality qualities rendition renditions format formats resolution resolutions variant variants version versions mirror mirrors backup ' +
    'backups fallback fallbacks alternative alternatives size sizes'
  ).split(' '),
);
export const holdsOneResult = (name: string): boolean => wordsOf(name).some((word) => SAME_RESULT.has(word));

/**
 * The first web address in any field of a finished task's answer, or all addresses of the list that contains it. Some services put results
 * into a field made for something else, such as `fail_reason`, or name their list differently (`unsigned_urls` of OpenRouter).
 */
export function findAnyUrls(
  body: Json,
  alsoNot: ReadonlySet<string>,
  accept: (text: string) => string | undefined,
): string[] {
  const inside = (node: Json, name: string, depth: number): string[] => {
    if (typeof node === 'string')
      return [/^https?:\/\//i.test(node.trim()) ? accept(node) : undefined].flatMap((uri) => uri ?? []);
    if (depth > MAX_DEPTH || typeof node !== 'object' || node === null) return [];
    if (Array.isArray(node)) {
      const each = node.slice(0, MAX_RESULTS).flatMap((entry) => inside(entry, name, depth + 1).slice(0, 1));
      return holdsOneResult(name) ? each.slice(0, 1) : uniqueBy(each, unsigned);
    }
    const entries = fieldsOf(node).toSorted(([one], [other]) => cleanFirst(one, other));
    const held = entries.filter(([key]) => mayHoldResult(key, alsoNot));
    return firstOf(held, ([key, value]) => someOf(inside(value, key, depth + 1))) ?? [];
  };
  return inside(body, '', 0);
}

const MAX_DEPTH = 16;

/** How to rewrite the lists and objects of an answer. An unchanged one must be returned itself, not as a copy. */
interface Rewriting {
  list(entries: Json[]): Json[];
  object?(node: JsonObject): JsonObject;
}

/** An answer with its lists and objects rewritten, outermost first; the same value where nothing changes. */
export function rewritten(node: Json, by: Rewriting, depth = 0): Json {
  if (typeof node !== 'object' || node === null || depth > MAX_DEPTH) return node;
  if (Array.isArray(node)) {
    const list = by.list(node);
    const entries = list.map((entry) => rewritten(entry, by, depth + 1));
    return entries.some((entry, at) => entry !== list[at]) ? entries : list;
  }
  const object = by.object?.(node) ?? node;
  const fields = Object.entries(object).map(([name, value]) => [name, rewritten(value, by, depth + 1)] as const);
  return fields.some(([name, value]) => value !== object[name]) ? Object.fromEntries(fields) : object;
}

/**
 * Leaves out drafts and copies in a lower quality if the answer also has the full result, by the field names of each service. If the full
 * result cannot be downloaded, both stay. An unchanged answer is returned itself.
 */
export const withoutPreviews = (answer: Json): Json =>
  rewritten(answer, { list: withoutDrafts, object: (node) => wholeOf(node) ?? withoutLesser(node) });

function withoutDrafts(list: Json[]): Json[] {
  const final = list.filter((entry) => !isDraft(entry));
  return final.length < list.length && final.some(hasBytes) ? final : list;
}

/** A picture that Gemini draws as it thinks (ai.google.dev/gemini-api/docs/image-generation: thinking). */
const isDraft = (entry: Json): boolean => isObject(entry) && entry.thought === true && hasBytes(entry);
const hasBytes = (entry: Json): boolean =>
  isObject(entry) && isObject(entry.inlineData ?? entry.inline_data ?? entry.fileData ?? entry.file_data);

/** `{ raw, min }`: the whole file and its small preview (github.com/higgsfield-ai/higgsfield-js: `results`). */
function wholeOf({ raw, min, ...others }: JsonObject): JsonObject | undefined {
  return isObject(raw) && isObject(min) && Object.keys(others).length === 0 && isFileAt(raw.url) ? raw : undefined;
}

/** Leaves out the clip that was upsampled, if the better one is there too (Veo of api.vectorengine.ai). */
function withoutLesser(node: JsonObject): JsonObject {
  const { video_url: url, upsample_video_url: better } = node;
  if (typeof url !== 'string' || !isFileAt(better)) return node;
  return Object.fromEntries(Object.entries(node).filter(([name]) => name !== 'video_url'));
}

/** At a web address; a playlist is no file. */
const isFileAt = (uri: Json | undefined): boolean =>
  typeof uri === 'string' && /^https?:\/\//i.test(uri) && !/\.(m3u8|mpd)(?=$|[?#])/i.test(uri);
