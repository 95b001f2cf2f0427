import { open } from 'node:fs/promises';
import { t } from '../../../../shared/text/texts.ts';
import type { Gateway, MediaOutcome, MediaResponse } from '../../gateway/index.ts';
import {
  type ContentInUse,
  describeUnreadable,
  inspectFile,
  isStored,
  type StoredFile,
  storeFile,
} from '../content/contentStore.ts';
import { hashFile } from '../content/fileThread.ts';
import { MAX_FILE_BYTES, RejectedContent, writeStream } from '../content/writeStream.ts';
import { isComplete, isMediaStart, SNIFF_BYTES } from '../media/integrity.ts';
import {
  deletePartial,
  type PartialMetadata,
  partialPath,
  partialSize,
  readMetadata,
  writeMetadata,
} from './partialDownload.ts';

/** A result to download. */
interface DownloadTarget {
  /** Names the partial file, so that a later attempt resumes it. */
  id: string;
  uri: string;
  /** How often the address has answered with something other than the file. */
  badResponses: number;
}

interface DownloadOptions {
  /** Where the library is ({@link LibraryLocation}). */
  home: string;
  inUse: Pick<ContentInUse, 'inTurn'>;
  gateway: Pick<Gateway, 'fetchMedia'>;
  signal: AbortSignal;
  /** Free bytes on the disk. */
  freeBytes(): number;
  /** Largest accepted file, in bytes. */
  cap?: number;
  /** Called with the length of the partial file as bytes arrive. */
  onBytes?(length: number): void;
}

type FailedFetch = Exclude<MediaOutcome, { type: 'ok' }>;

/** The result of one attempt. Nothing has a final name unless it is `local`. */
export type DownloadResult =
  | { type: 'local'; file: StoredFile }
  /** The disk has no space for the file now. */
  | { type: 'diskFull'; needed: number }
  /** The transfer broke off; with `madeProgress`, new bytes arrived and are kept. */
  | { type: 'interrupted'; message: string; madeProgress: boolean }
  /** The content is no picture, clip or sound, or is cut. `isLasting`: the file is too large, which will not change. */
  | { type: 'rejected'; message: string; isLasting?: boolean }
  | { type: 'requestFailed'; outcome: FailedFetch };

/** Space that the database needs for further writes. */
export const MIN_FREE_BYTES = 32 * 1024 * 1024;

/**
 * Downloads one result into the library: resumes a partial file, checks type, length and end of the content, hashes it while writing, and
 * moves it to its place. A kill at any point leaves the partial file or the complete one.
 */
export async function download(target: DownloadTarget, options: DownloadOptions): Promise<DownloadResult> {
  const part = await partialPath(options.home, target.id);
  const metadata = await readMetadata(part);
  const recovered = metadata.stored && (await recoverFinished(options, part, metadata.stored));
  if (recovered) return { type: 'local', file: recovered };
  const size = await partialSize(part);
  if (size === 0 && options.freeBytes() < MIN_FREE_BYTES) return { type: 'diskFull', needed: 0 };
  const from = canResume(metadata) ? Math.max(0, size - RESUME_OVERLAP_BYTES) : 0;
  // An answer that is not read to its end is aborted, so that it holds no connection.
  const abort = new AbortController();
  const signal = AbortSignal.any([options.signal, abort.signal]);
  try {
    const outcome = await options.gateway.fetchMedia(target.uri, { from, ifRange: metadata.validator, signal });
    if (outcome.type !== 'ok') return { type: 'requestFailed', outcome };
    return await saveResponse(target, options, { part, metadata, from, size }, outcome.media);
  } finally {
    abort.abort();
  }
}

/** Bytes that are requested again when a download resumes: where they differ, the file has changed. */
const RESUME_OVERLAP_BYTES = 4096;

const canResume = ({ validator, total }: PartialMetadata): boolean => validator !== undefined || total !== undefined;

interface Resume {
  part: string;
  metadata: PartialMetadata;
  from: number;
  size: number;
}

async function saveResponse(
  target: DownloadTarget,
  options: DownloadOptions,
  resume: Resume,
  media: MediaResponse,
): Promise<DownloadResult> {
  const { part } = resume;
  if (media.from > 0 && !isContinuation(resume, media)) {
    await deletePartial(part);
    return {
      type: 'interrupted',
      message: t`The file changed meanwhile, so it is downloaded again from the start.`,
      madeProgress: false,
    };
  }
  const cap = options.cap ?? MAX_FILE_BYTES;
  if ((media.bytes ?? 0) > cap) {
    return {
      type: 'rejected',
      message: t`The file is larger than ${Math.floor(cap / 1024 ** 2)} MB.`,
      isLasting: true,
    };
  }
  const missing = (media.bytes ?? 0) - media.from;
  if (missing > options.freeBytes() - MIN_FREE_BYTES) return { type: 'diskFull', needed: missing };
  const start = media.from > 0 ? resume.size : 0;
  if (start === 0) await writeMetadata(part, metadataOf(media));
  const body = start > 0 ? skipKnownBytes(await readTail(part, media.from), media.body) : checkedFromStart(media.body);
  const written = await writeStream(part, body, { from: start, cap, onBytes: options.onBytes });
  if (!written.ok) return resultOfWriteError(part, start, media, written.error);
  if (media.bytes !== undefined && written.data.bytes !== media.bytes) {
    const message = t`Only ${written.data.bytes} of ${media.bytes} bytes arrived.`;
    if (written.data.bytes < media.bytes)
      return { type: 'interrupted', message, madeProgress: written.data.bytes > start };
    await deletePartial(part);
    return { type: 'rejected', message };
  }
  return verifyAndStore(options, part, written.data, media, isReturnedRepeatedly(target, media));
}

/** Whether the answer continues the file of which a part is here. */
function isContinuation({ from, metadata }: Resume, media: MediaResponse): boolean {
  if (media.from !== from) return false;
  if (metadata.total !== undefined && media.bytes !== undefined && metadata.total !== media.bytes) return false;
  return metadata.validator === undefined || media.validator === undefined || metadata.validator === media.validator;
}

const metadataOf = ({ validator, bytes }: MediaResponse): PartialMetadata => ({
  ...(validator === undefined ? {} : { validator }),
  ...(bytes === undefined ? {} : { total: bytes }),
});

async function resultOfWriteError(
  part: string,
  start: number,
  media: MediaResponse,
  fault: { code: string; message: string },
): Promise<DownloadResult> {
  const { code, message } = fault;
  if (code === 'disk_full') {
    const received = await partialSize(part);
    // A partial file that cannot be resumed only takes up the space that is missing.
    if (!canResume(metadataOf(media))) await deletePartial(part);
    return { type: 'diskFull', needed: Math.max(1, (media.bytes ?? received + 1) - received) };
  }
  if (code === 'too_large' || code === 'unsupported_media') {
    await deletePartial(part);
    // In the middle of a file, this error only means that the file has changed.
    return start > 0 && code === 'unsupported_media'
      ? { type: 'interrupted', message, madeProgress: false }
      : { type: 'rejected', message, isLasting: code === 'too_large' };
  }
  // Without a way to resume, the next attempt starts at the first byte, so nothing is kept.
  const isResumable = start > 0 || canResume(metadataOf(media));
  return { type: 'interrupted', message, madeProgress: isResumable && (await partialSize(part)) > start };
}

/** The bytes of the partial file from `from` to its end. */
async function readTail(part: string, from: number): Promise<Buffer> {
  const handle = await open(part, 'r');
  try {
    const tail = Buffer.alloc((await partialSize(part)) - from);
    await handle.read(tail, 0, tail.length, from);
    return tail;
  } finally {
    await handle.close();
  }
}

/** The new part of the body. The known bytes arrive once more and must be identical. */
async function* skipKnownBytes(known: Buffer, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let left = known;
  for await (const piece of body) {
    const again = Math.min(left.length, piece.byteLength);
    if (again > 0 && left.compare(piece, 0, again, 0, again) !== 0) {
      throw new RejectedContent('The file changed meanwhile, so it is downloaded again from the start.');
    }
    left = left.subarray(again);
    if (again < piece.byteLength) yield piece.subarray(again);
  }
}

/** The body, once its first bytes show that it may be a result. Its type is compared with the request later. */
async function* checkedFromStart(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let first: Uint8Array | undefined = new Uint8Array();
  for await (const piece of body) {
    if (first === undefined) {
      yield piece;
      continue;
    }
    first = first.byteLength === 0 ? piece : Buffer.concat([first, piece]);
    if (first.byteLength < SNIFF_BYTES) continue;
    yield checkedStart(first);
    first = undefined;
  }
  if (first !== undefined) yield checkedStart(first);
}

function checkedStart(first: Uint8Array): Uint8Array {
  if (isMediaStart(first)) return first;
  throw new RejectedContent('The result’s address returns no picture, video or sound.');
}

/** Whether the address has returned the same complete file repeatedly, so that another attempt would change nothing. */
const isReturnedRepeatedly = (target: DownloadTarget, media: MediaResponse): boolean =>
  target.uri.startsWith('data:') || (media.bytes !== undefined && target.badResponses >= 2);

/**
 * Everything has arrived: stores the file if it is intact and of a known type. A file that cannot be displayed here is kept too: it was
 * paid for, and another program may know it. A file without a proper end is kept if its address gives nothing else (`isRepeated`).
 */
async function verifyAndStore(
  { home, inUse }: Pick<DownloadOptions, 'home' | 'inUse'>,
  part: string,
  file: { bytes: number; sha256: string },
  media: MediaResponse,
  isRepeated: boolean,
): Promise<DownloadResult> {
  const readable = await inspectFile(part, file, { sound: true });
  const examined = readable.ok ? readable : await describeUnreadable(part, file);
  const isIntact = examined.ok && ((!readable.ok && isRepeated) || (await isComplete(part, examined.data.mime)));
  if (!examined.ok || !isIntact) {
    await deletePartial(part);
    const cutOff = t`The downloaded file is cut off.`;
    return { type: 'rejected', message: examined.ok ? cutOff : examined.error.message };
  }
  await writeMetadata(part, { ...metadataOf(media), stored: examined.data });
  const stored = await storeFile(home, part, examined.data, inUse);
  if (stored.ok) return { type: 'local', file: stored.data };
  if (stored.error.code === 'disk_full') return { type: 'diskFull', needed: 1 };
  return { type: 'interrupted', message: stored.error.message, madeProgress: false };
}

/** Finishes a file that was complete when Dailies ended: it is stored already, or only has to be moved. */
async function recoverFinished(
  { home, inUse }: Pick<DownloadOptions, 'home' | 'inUse'>,
  part: string,
  done: StoredFile,
): Promise<StoredFile | undefined> {
  if (await isStored(home, done)) return done;
  if ((await partialSize(part)) !== done.bytes || (await hashFile(part)).sha256 !== done.sha256) return undefined;
  const stored = await storeFile(home, part, done, inUse);
  return stored.ok ? stored.data : undefined;
}
