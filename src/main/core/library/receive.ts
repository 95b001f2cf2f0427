import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { open } from 'node:fs/promises';

import type { Gateway, MediaOutcome, MediaResponse } from '../gateway/index.ts';
import { asItCame, examine, isStored, type StoredFile, settleFile } from './files.ts';
import { forgetPart, type PartNote, partPath, partSize, readNote, writeNote } from './parts.ts';
import { MAX_FILE_BYTES, pour, Unfit } from './pour.ts';
import { isWhole, mediaClassOf, TELLING_BYTES } from './whole.ts';

/** A result that is to be brought here. */
interface Wanted {
  /** Names its part file, so that a later try goes on with it. */
  id: string;
  uri: string;
  /** As the service described it; empty where it did not. */
  mime: string;
  /** So many definite wrong answers came from its address before. */
  strikes: number;
}

interface ReceiveOptions {
  dataDir: string;
  gateway: Pick<Gateway, 'fetchMedia'>;
  signal: AbortSignal;
  /** Bytes that this disk can still take. */
  freeBytes(): number;
  /** Most bytes of a file. */
  cap?: number;
  /** Told how many bytes of the file are here, as they come. */
  onBytes?(length: number): void;
}

type Unfetched = Exclude<MediaOutcome, { type: 'ok' }>;

/** How a try ended. Nothing is under a final name unless it is `local`. */
export type Received =
  | { type: 'local'; file: StoredFile }
  /** No room for it now. */
  | { type: 'full'; needed: number }
  /** It broke off; with `further`, some of it came and is kept. */
  | { type: 'broken'; message: string; further: boolean }
  /** What came is not what was promised: no picture or clip, the other of the two, cut off, too large. */
  | { type: 'unfit'; message: string }
  | { type: 'unfetched'; outcome: Unfetched };

/** Left free, so that the database can go on writing. */
export const DISK_FLOOR = 32 * 1024 * 1024;

/**
 * Brings one result into the library: goes on with what is here, checks what comes (type, length, its own end), hashes it while it is
 * written, and moves it to its place. A kill at any point leaves the part, or the whole file.
 */
export async function receive(wanted: Wanted, options: ReceiveOptions): Promise<Received> {
  const part = partPath(options.dataDir, wanted.id);
  const note = readNote(part);
  const before = note.done && (await finishedBefore(options.dataDir, part, note.done));
  if (before) return { type: 'local', file: before };
  const size = partSize(part);
  if (size === 0 && options.freeBytes() < DISK_FLOOR) return { type: 'full', needed: 0 };
  const from = canGoOn(note) ? Math.max(0, size - OVERLAP) : 0;
  // An answer that is not read to its end is cut off, so that it holds no connection.
  const cut = new AbortController();
  const signal = AbortSignal.any([options.signal, cut.signal]);
  try {
    const outcome = await options.gateway.fetchMedia(wanted.uri, { from, ifRange: note.validator, signal });
    if (outcome.type !== 'ok') return { type: 'unfetched', outcome };
    return await take(wanted, options, { part, note, from, size }, outcome.media);
  } finally {
    cut.abort();
  }
}

/** Bytes that are asked for again when a download goes on: where they differ, it is another file. */
const OVERLAP = 4096;

const canGoOn = ({ validator, total }: PartNote): boolean => validator !== undefined || total !== undefined;

interface Begun {
  part: string;
  note: PartNote;
  from: number;
  size: number;
}

async function take(wanted: Wanted, options: ReceiveOptions, begun: Begun, media: MediaResponse): Promise<Received> {
  const { part } = begun;
  if (media.from > 0 && !continues(begun, media)) {
    forgetPart(part);
    return { type: 'broken', message: 'The file has changed in between; it is begun anew.', further: true };
  }
  const cap = options.cap ?? MAX_FILE_BYTES;
  if ((media.bytes ?? 0) > cap) {
    return { type: 'unfit', message: `The file is larger than ${Math.floor(cap / 1024 ** 2)} MB.` };
  }
  const missing = (media.bytes ?? 0) - media.from;
  if (missing > options.freeBytes() - DISK_FLOOR) return { type: 'full', needed: missing };
  const start = media.from > 0 ? begun.size : 0;
  if (start === 0) writeNote(part, noteOf(media));
  const body = start > 0 ? behind(await tailOf(part, media.from), media.body) : telling(wanted, media);
  const poured = await pour(part, body, { from: start, cap, onBytes: options.onBytes });
  if (!poured.ok) return afterBreak(part, start, media, poured.error);
  if (media.bytes !== undefined && poured.data.bytes !== media.bytes) {
    const message = `${poured.data.bytes} of ${media.bytes} bytes came.`;
    if (poured.data.bytes < media.bytes) return { type: 'broken', message, further: poured.data.bytes > start };
    forgetPart(part);
    return { type: 'unfit', message };
  }
  return keep(options.dataDir, part, poured.data, media, isGivenAgain(wanted, media));
}

/** The answer goes on with the very file whose beginning is here. */
function continues({ from, note }: Begun, media: MediaResponse): boolean {
  if (media.from !== from) return false;
  if (note.total !== undefined && media.bytes !== undefined && note.total !== media.bytes) return false;
  return note.validator === undefined || media.validator === undefined || note.validator === media.validator;
}

const noteOf = ({ validator, bytes }: MediaResponse): PartNote => ({
  ...(validator === undefined ? {} : { validator }),
  ...(bytes === undefined ? {} : { total: bytes }),
});

function afterBreak(
  part: string,
  start: number,
  media: MediaResponse,
  fault: { code: string; message: string },
): Received {
  const { code, message } = fault;
  if (code === 'disk_full') {
    const have = partSize(part);
    // What cannot be gone on with only takes the room that is missing.
    if (!canGoOn(noteOf(media))) forgetPart(part);
    return { type: 'full', needed: Math.max(1, (media.bytes ?? have + 1) - have) };
  }
  if (code === 'too_large' || code === 'unsupported_media') {
    forgetPart(part);
    // In the middle it only tells that the file has changed.
    return start > 0 && code === 'unsupported_media'
      ? { type: 'broken', message, further: false }
      : { type: 'unfit', message };
  }
  return { type: 'broken', message, further: partSize(part) > start };
}

/** The file's last bytes from `from` on. */
async function tailOf(part: string, from: number): Promise<Buffer> {
  const handle = await open(part, 'r');
  try {
    const tail = Buffer.alloc(partSize(part) - from);
    await handle.read(tail, 0, tail.length, from);
    return tail;
  } finally {
    await handle.close();
  }
}

/** What comes behind the bytes that are here already; these come once more, and have to be the same. */
async function* behind(known: Buffer, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let left = known;
  for await (const piece of body) {
    const again = Math.min(left.length, piece.byteLength);
    if (again > 0 && left.compare(piece, 0, again, 0, again) !== 0) {
      throw new Unfit('The file has changed in between; it is begun anew.');
    }
    left = left.subarray(again);
    if (again < piece.byteLength) yield piece.subarray(again);
  }
}

/** The body, once its first bytes have told that it is a picture or a clip, and the one that was promised. */
async function* telling(wanted: Wanted, media: MediaResponse): AsyncGenerator<Uint8Array> {
  let first: Uint8Array | undefined = new Uint8Array();
  for await (const piece of media.body) {
    if (first === undefined) {
      yield piece;
      continue;
    }
    first = first.byteLength === 0 ? piece : Buffer.concat([first, piece]);
    if (first.byteLength < TELLING_BYTES) continue;
    judgeStart(first, wanted, media);
    yield first;
    first = undefined;
  }
  if (first !== undefined) throw new Unfit('The address of the result gives a few bytes that are no file.');
}

function judgeStart(first: Uint8Array, wanted: Wanted, media: MediaResponse): void {
  const is = mediaClassOf(first);
  if (!is) throw new Unfit('The address of the result gives something that is neither a picture nor a video.');
  const promised = [media.mime ?? '', wanted.mime].map((mime) => /^(image|video)\//.exec(mime)?.[1]).find(Boolean);
  if (promised !== undefined && promised !== is) {
    throw new Unfit(`The address of the result promises ${NAMES[promised]} and gives ${NAMES[is]}.`);
  }
}

const NAMES: Record<string, string> = { image: 'a picture', video: 'a video' };

/** The address gives this file at its full length, again and again: another try will bring nothing else. */
const isGivenAgain = (wanted: Wanted, media: MediaResponse): boolean =>
  wanted.uri.startsWith('data:') || (media.bytes !== undefined && wanted.strikes >= 2);

/**
 * Everything came: is it what it should be, and all of it? Then it goes to its place. With `unread`, a file that calls itself a picture
 * or a clip is kept even if it cannot be read here: it was paid for, and another program may know it.
 */
async function keep(
  dataDir: string,
  part: string,
  poured: { bytes: number; sha256: string },
  media: MediaResponse,
  unread: boolean,
): Promise<Received> {
  const readable = await examine(part, poured);
  const examined = readable.ok || !unread ? readable : await asItCame(part, poured);
  const whole = examined.ok && (!readable.ok || (await isWhole(part, examined.data.mime)));
  if (!examined.ok || !whole) {
    forgetPart(part);
    const cut = 'The file that came has no end: it is cut off.';
    return { type: 'unfit', message: examined.ok ? cut : examined.error.message };
  }
  writeNote(part, { ...noteOf(media), done: examined.data });
  const settled = settleFile(dataDir, part, examined.data);
  if (settled.ok) return { type: 'local', file: settled.data };
  if (settled.error.code === 'disk_full') return { type: 'full', needed: 1 };
  return { type: 'broken', message: settled.error.message, further: false };
}

/** It was whole when Dailies ended: it lies in its place, or has only to be moved there. */
async function finishedBefore(dataDir: string, part: string, done: StoredFile): Promise<StoredFile | undefined> {
  if (isStored(dataDir, done)) return done;
  if (partSize(part) !== done.bytes || (await hashOf(part)) !== done.sha256) return undefined;
  const settled = settleFile(dataDir, part, done);
  return settled.ok ? settled.data : undefined;
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of fs.createReadStream(file, { highWaterMark: 1024 * 1024 })) hash.update(piece as Buffer);
  return hash.digest('hex');
}
