import { randomBytes } from 'node:crypto';
import { closeSync, lstatSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Searches everything that a run left behind for a key. A canary key occurs nowhere else, so any hit is a leak. Long keys are searched in
 * pieces: databases split long values over pages, messages cut them off, and a piece is a leak too.
 */

/** A key that looks real and occurs nowhere else. */
export const canaryKey = (): string => `sk-canary-${randomBytes(24).toString('base64url')}`;

export interface CanaryHit {
  /** A file (or its name), or the name of a given text. */
  where: string;
  /** Its encoding: `plain`, `base64 +1`, `utf-16le`, … */
  form: string;
  /** Offset of its first byte. */
  at: number;
}

export interface CanaryScan {
  hits: CanaryHit[];
  /** The number of bytes read, so that a scan of nothing is not taken for a clean one. */
  files: number;
  bytes: number;
}

export interface Places {
  /** Files and folders with their contents, names and link targets included. */
  paths?: readonly string[];
  /** Other texts by name: the page's DOM, a process's arguments, printed output. */
  texts?: Readonly<Record<string, string | Uint8Array>>;
}

/** One hit per place and encoding. Throws for a key too short to be distinguished from chance. */
export function findCanary(key: string, places: Places): CanaryScan {
  const needles = needlesOf(key);
  const scan: CanaryScan = { hits: [], files: 0, bytes: 0 };
  for (const path of places.paths ?? []) scanPath(path, needles, scan);
  for (const [name, text] of Object.entries(places.texts ?? {})) {
    const bytes = Buffer.from(text);
    scan.bytes += bytes.length;
    search(name, bytes, 0, needles, scan);
  }
  return scan;
}

interface Needle {
  form: string;
  bytes: Buffer;
}

const MIN_KEY_LENGTH = 12;
/** Eleven random characters do not occur by chance in any amount of data on a disk. */
const MIN_PIECE_LENGTH = 12;

function needlesOf(key: string): Needle[] {
  if (key.length < MIN_KEY_LENGTH) throw new Error(`a canary of ${key.length} characters would be met by chance`);
  const count = Math.min(3, Math.max(1, Math.floor(key.length / MIN_PIECE_LENGTH)));
  const length = Math.ceil(key.length / count);
  const pieces = Array.from({ length: count }, (_, index) => key.slice(index * length, (index + 1) * length));
  const all = pieces.flatMap((piece) => Object.entries(formsOf(piece)).map(([form, bytes]) => ({ form, bytes })));
  return all.filter(
    ({ bytes }, index) => bytes.length > 0 && all.findIndex((other) => other.bytes.equals(bytes)) === index,
  );
}

/** Every encoding of a piece, as bytes. */
function formsOf(piece: string): Record<string, Buffer> {
  const utf8 = Buffer.from(piece);
  const utf16 = Buffer.from(piece, 'utf16le');
  const utf16be = Buffer.from(utf16).swap16();
  const hex = utf8.toString('hex');
  const percent = hex.replace(/../g, '%$&');
  const text = {
    plain: piece,
    reversed: [...piece].reverse().join(''),
    'in JSON': JSON.stringify(piece).slice(1, -1),
    'in an address': encodeURIComponent(piece),
    hex,
    HEX: hex.toUpperCase(),
    percent,
    PERCENT: percent.toUpperCase(),
    'unicode escapes': utf16be.toString('hex').replace(/..../g, '\\u$&'),
  };
  return {
    ...Object.fromEntries(Object.entries(text).map(([form, spelling]) => [form, Buffer.from(spelling)])),
    'utf-16le': utf16,
    'utf-16be': utf16be,
    ...base64Forms('base64', utf8),
    ...base64Forms('base64 of utf-16le', utf16),
    ...base64Forms('base64 of base64 +0', digitsOf(utf8, 0)),
    ...base64Forms('base64 of base64 +1', digitsOf(utf8, 1)),
    ...base64Forms('base64 of base64 +2', digitsOf(utf8, 2)),
  };
}

function base64Forms(form: string, bytes: Buffer): Record<string, Buffer> {
  const offsets = [0, 1, 2].map((offset) => [`${form} +${offset}`, digitsOf(bytes, offset)] as const);
  const url = offsets.map(([name, digits]) => [`${name}, url`, inUrl(digits)] as const);
  return Object.fromEntries([...offsets, ...url]);
}

/** The base64 digits that depend on `bytes` alone when they begin `offset` bytes into a group of three. */
function digitsOf(bytes: Buffer, offset: number): Buffer {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  return Buffer.from(text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6)));
}

const inUrl = (digits: Buffer): Buffer =>
  Buffer.from(digits.toString('latin1').replaceAll('+', '-').replaceAll('/', '_'));

const BLOCK = 4 * 1024 * 1024;

function scanPath(path: string, needles: Needle[], scan: CanaryScan): void {
  search(`name of ${path}`, Buffer.from(path), 0, needles, scan);
  const stat = present(() => lstatSync(path));
  if (stat?.isDirectory()) {
    for (const name of present(() => readdirSync(path)) ?? []) scanPath(join(path, name), needles, scan);
  } else if (stat?.isSymbolicLink()) {
    search(`target of ${path}`, Buffer.from(readlinkSync(path)), 0, needles, scan);
  } else if (stat?.isFile()) {
    scanFile(path, needles, scan);
  }
}

/** Blocks overlap by the longest needle, so that nothing between two blocks is missed. */
function scanFile(path: string, needles: Needle[], scan: CanaryScan): void {
  const file = present(() => openSync(path, 'r'));
  if (file === undefined) return;
  const overlap = Math.max(...needles.map(({ bytes }) => bytes.length));
  const buffer = Buffer.alloc(BLOCK + overlap);
  scan.files += 1;
  let kept = 0;
  for (let at = 0; ; ) {
    const read = readSync(file, buffer, kept, BLOCK, at);
    if (read === 0) break;
    search(path, buffer.subarray(0, kept + read), at - kept, needles, scan);
    at += read;
    scan.bytes += read;
    const next = Math.min(overlap, kept + read);
    buffer.copyWithin(0, kept + read - next, kept + read);
    kept = next;
  }
  closeSync(file);
}

function search(where: string, bytes: Buffer, start: number, needles: Needle[], scan: CanaryScan): void {
  for (const { form, bytes: needle } of needles) {
    const at = bytes.indexOf(needle);
    if (at < 0 || scan.hits.some((hit) => hit.where === where && hit.form === form)) continue;
    scan.hits.push({ where, form, at: start + at });
  }
}

/** A running program's file may be deleted before it is read: then it left nothing on the disk. */
function present<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
