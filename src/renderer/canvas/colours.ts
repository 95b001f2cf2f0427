import { chunk, deflate, joined, PNG_SIGNATURE } from './png.ts';

/**
 * How the pixel values of a picture are to be read: as sRGB (also where the file names no colours), by an ICC profile of the file, or in a
 * way that cannot be copied to another file here, such as the colours of an AVIF.
 */
export type Colours = { type: 'plain' } | { type: 'profile'; profile: Uint8Array<ArrayBuffer> } | { type: 'other' };

type Bytes = Uint8Array<ArrayBuffer>;

const PLAIN: Colours = { type: 'plain' };
const OTHER: Colours = { type: 'other' };
const MAX_PROFILE_BYTES = 4 * 1024 * 1024;
/** Most chunks or segments that are read of one file, so that a file built to have very many cannot stall the page. */
const MAX_PARTS = 10_000;

export async function coloursOf(file: Blob): Promise<Colours> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    if (text(bytes, 0, 4) === '\x89PNG') return await coloursOfPng(bytes);
    if (text(bytes, 0, 2) === '\xff\xd8') return coloursOfJpeg(bytes);
    if (text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 12) === 'WEBP') return coloursOfWebp(bytes);
    return text(bytes, 0, 4) === 'GIF8' ? PLAIN : OTHER;
  } catch {
    return OTHER;
  }
}

/** Whether equal values mean equal colours in both. */
export const areSameColours = (one: Colours, other: Colours): boolean =>
  (one.type === 'plain' && other.type === 'plain') ||
  (one.type === 'profile' &&
    other.type === 'profile' &&
    one.profile.length === other.profile.length &&
    one.profile.every((byte, at) => byte === other.profile[at]));

/** The PNG with this profile, which replaces its own colour information. */
export async function withProfile(png: Blob, profile: Bytes): Promise<Blob> {
  const bytes = new Uint8Array(await png.arrayBuffer());
  const parts: Bytes[] = [PNG_SIGNATURE];
  for (const { type, start, end } of chunksOf(bytes)) {
    if (!COLOUR_CHUNKS.includes(type)) parts.push(bytes.subarray(start - 8, end + 4));
    if (type === 'IHDR') parts.push(chunk('iCCP', joined([NAME, await deflate(profile)])));
  }
  return new Blob(parts, { type: 'image/png' });
}

const COLOUR_CHUNKS: readonly string[] = ['cICP', 'iCCP', 'sRGB', 'gAMA', 'cHRM'];
/** A name, its end, and zlib's method (PNG 3rd edition, 11.3.2.3). */
const NAME = new TextEncoder().encode('profile\0\0');
const MAX_NAME = 80;

/** The first of these that a PNG has decides its colours, as in Chromium (`ReadColorProfile`): cICP, sRGB, iCCP, gAMA with cHRM. */
async function coloursOfPng(bytes: Bytes): Promise<Colours> {
  const found = new Map<string, Bytes>();
  let count = 0;
  for (const { type, start, end } of chunksOf(bytes)) {
    count += 1;
    if (type === 'IDAT' || count > MAX_PARTS) break;
    if (COLOUR_CHUNKS.includes(type)) found.set(type, bytes.subarray(start, end));
  }
  if (found.has('cICP')) return OTHER;
  if (found.has('sRGB')) return PLAIN;
  const icc = found.get('iCCP');
  if (icc) {
    const name = icc.subarray(0, MAX_NAME).indexOf(0);
    return name < 1 ? OTHER : ofProfile(await inflateProfile(icc.subarray(name + 2)));
  }
  const isPlain = [...found].every(([type, body]) => SRGB_VALUES[type] === numbersIn(body));
  return isPlain ? PLAIN : OTHER;
}

/** The chunks that describe sRGB (PNG 3rd edition, 11.3.2.5). */
const SRGB_VALUES: Readonly<Record<string, string>> = {
  gAMA: '45455',
  cHRM: '31270 32900 64000 33000 30000 60000 15000 6000',
};

function numbersIn(body: Bytes): string {
  const view = viewOf(body);
  return Array.from({ length: Math.min(8, body.length >> 2) }, (_, at) => view.getUint32(at * 4)).join(' ');
}

/** The chunks of a PNG. `start` and `end` delimit the content. */
function* chunksOf(bytes: Bytes): Generator<{ type: string; start: number; end: number }> {
  const view = viewOf(bytes);
  for (let at = PNG_SIGNATURE.length; at + 12 <= bytes.length; ) {
    const [start, end] = [at + 8, at + 8 + view.getUint32(at)];
    if (end + 4 > bytes.length) return;
    yield { type: text(bytes, at + 4, at + 8), start, end };
    at = end + 4;
  }
}

const ICC_HEADER = 'ICC_PROFILE\0';

/** A profile is split into numbered APP2 segments (ICC.1:2022, B.4). */
function coloursOfJpeg(bytes: Bytes): Colours {
  const view = viewOf(bytes);
  const parts: { number: number; body: Bytes }[] = [];
  for (let at = 2, count = 0; at + 4 <= bytes.length && count < MAX_PARTS; count++) {
    const marker = bytes[at + 1];
    if (bytes[at] !== 0xff || marker === 0xda) break;
    // Fill bytes may precede a marker (ITU-T T.81, B.1.1.2).
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const [start, end] = [at + 4, at + 2 + view.getUint16(at + 2)];
    const body = start + ICC_HEADER.length;
    if (marker === 0xe2 && text(bytes, start, body) === ICC_HEADER)
      parts.push({ number: bytes[body] ?? 0, body: bytes.subarray(body + 2, end) });
    at = end;
  }
  if (parts.length === 0) return PLAIN;
  return ofProfile(joined(parts.sort((one, other) => one.number - other.number).map(({ body }) => body)));
}

/** The profile has a chunk of its own (RFC 9649, 2.7.1.4). */
function coloursOfWebp(bytes: Bytes): Colours {
  const view = viewOf(bytes);
  for (let at = 12, count = 0; at + 8 <= bytes.length && count < MAX_PARTS; count++) {
    const length = view.getUint32(at + 4, true);
    if (text(bytes, at, at + 4) === 'ICCP') return ofProfile(bytes.slice(at + 8, at + 8 + length));
    at += 8 + length + (length % 2);
  }
  return PLAIN;
}

/** Decoded pixels are RGB, so only an RGB profile can be attached to another file (ICC.1:2022, 7.2.6). */
function ofProfile(profile: Bytes | undefined): Colours {
  if (!profile || profile.length < 128 || profile.length > MAX_PROFILE_BYTES) return OTHER;
  return text(profile, 16, 20) === 'RGB ' ? { type: 'profile', profile } : OTHER;
}

/** Undefined if the result is longer than a profile may be. */
async function inflateProfile(packed: Bytes): Promise<Bytes | undefined> {
  const parts: Bytes[] = [];
  let length = 0;
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate')).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.length;
    parts.push(part.value);
    if (length <= MAX_PROFILE_BYTES) continue;
    await reader.cancel();
    return undefined;
  }
  return joined(parts);
}

const text = (bytes: Bytes, from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to));
const viewOf = (bytes: Bytes): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
