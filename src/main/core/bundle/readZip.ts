import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import * as zlib from 'node:zlib';
import yauzl from 'yauzl';
import type { BundleFault } from '../../../shared/bundle/calls.ts';
import { BUNDLE_ENTRIES, BUNDLE_LIMITS, CHAT_ENTRY, MEDIA_ENTRY } from '../../../shared/bundle/document.ts';
import { fail, type Result } from '../../../shared/contract/result.ts';
import { shownBeginning } from '../../../shared/text/safeText.ts';
import { en, formatCount, t } from '../../../shared/text/texts.ts';

/**
 * An untrusted zip file: its list of entries is validated as a whole before any entry is read, and no entry yields more than the list says.
 */

export interface ZipEntry {
  name: string;
  /** Uncompressed and compressed size. */
  bytes: number;
  packed: number;
  crc: number;
  isStored: boolean;
  /** The offset of its compressed bytes. */
  start: number;
}

export interface ZipBytes {
  /** The uncompressed bytes; throws at the end if size or checksum differ from the list. */
  read(entry: ZipEntry): AsyncGenerator<Buffer>;
  close(): Promise<void>;
}

export interface ZipFile extends ZipBytes {
  entries: ReadonlyMap<string, ZipEntry>;
}

type Listed = Omit<ZipEntry, 'start'> & { header: number; raw: Uint8Array; method: number; flags: number };

const NO_ZIP = t`The file is no bundle, or a part of it is missing.`;
const MOST_FAULTS = 20;

/** Opens a regular file. Throws {@link BundleError}. */
export async function openZip(file: string): Promise<ZipFile> {
  const handle = await openFile(file);
  try {
    const { listed, directory } = await listOf(handle);
    return { ...bytesIn(handle), entries: await offsetsOf(handle, listed, directory) };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Opens the file again, for entries with known offsets. */
export const openZipBytes = async (file: string): Promise<ZipBytes> => bytesIn(await openFile(file));

const bytesIn = (handle: FileHandle): ZipBytes => ({
  read: (entry) => bodyOf(handle, entry),
  close: () => handle.close(),
});

async function openFile(file: string): Promise<FileHandle> {
  // Opening a pipe would block.
  const found = await stat(file).catch(() => undefined);
  if (!found) throw bundleError('', 'There is no such file, or it cannot be read.');
  if (!found.isFile()) throw bundleError('', 'It is no file.');
  const handle = await open(file, constants.O_RDONLY).catch(() => undefined);
  if (!handle) throw bundleError('', 'The file cannot be read.');
  return handle;
}

async function listOf(handle: FileHandle): Promise<{ listed: Listed[]; directory: number }> {
  const zip = await directoryOf(handle);
  if (zip.entryCount > BUNDLE_LIMITS.entries) {
    const most = formatCount(BUNDLE_LIMITS.entries);
    throw bundleError('', `It has ${formatCount(zip.entryCount)} entries; a bundle has at most ${most}.`);
  }
  const directory = (zip as unknown as { readEntryCursor: number }).readEntryCursor;
  const listed: Listed[] = [];
  const faults: BundleFault[] = [];
  const names = new Map<string, string>();
  for await (const entry of entriesOf(zip)) {
    const { name, rule } = nameOfEntry(entry.fileNameRaw as Uint8Array);
    const found = rule ?? ruleOfSame(names, name) ?? ruleOfEntry(entry);
    if (found !== undefined) faults.push(faultOf(name, found));
    if (faults.length >= MOST_FAULTS) break;
    names.set(foldedName(name), name);
    listed.push(listedAs(name, entry));
  }
  const [first, ...more] = faults;
  if (first) throw new BundleError(first, ...more);
  return { listed, directory };
}

function directoryOf(handle: FileHandle): Promise<yauzl.ZipFile> {
  const options = { lazyEntries: true, autoClose: false, decodeStrings: false, validateEntrySizes: false };
  return new Promise((resolve, reject) => {
    yauzl.fromFd(handle.fd, options, (error, zip) => (error || !zip ? reject(bundleError('', NO_ZIP)) : resolve(zip)));
  });
}

/** One at a time, with turns of the event loop between them. */
async function* entriesOf(zip: yauzl.ZipFile): AsyncGenerator<yauzl.Entry> {
  let settle: { resolve(entry: yauzl.Entry | undefined): void; reject(error: unknown): void } | undefined;
  zip.on('entry', (entry) => settle?.resolve(entry));
  zip.on('end', () => settle?.resolve(undefined));
  zip.on('error', (error) => {
    const isEncrypted = error.message.includes('encryption');
    settle?.reject(bundleError('', isEncrypted ? t`The file has an encrypted entry. Bundles never do.` : NO_ZIP));
  });
  for (;;) {
    const entry = await new Promise<yauzl.Entry | undefined>((resolve, reject) => {
      settle = { resolve, reject };
      zip.readEntry();
    });
    if (!entry) return;
    yield entry;
  }
}

function ruleOfSame(names: ReadonlyMap<string, string>, name: string): string | undefined {
  const other = names.get(foldedName(name));
  if (other === undefined) return undefined;
  return other === name
    ? 'stands there twice.'
    : 'differs from another entry only by case or by the form of its letters, so some systems take them for one.';
}

const STORED = 0;
const DEFLATED = 8;
/** The file type in the Unix mode, the upper half of the attributes. */
const TYPE_BITS = 0o170000;
const REGULAR = 0o100000;
const LINK = 0o120000;
const FOLDER = 0o040000;
const DOS_FOLDER = 0x10;

function ruleOfEntry(entry: yauzl.Entry): string | undefined {
  const type = (entry.externalFileAttributes >>> 16) & TYPE_BITS;
  if ((entry.generalPurposeBitFlag & 1) !== 0) return 'is encrypted.';
  if (type === LINK) return 'is a link; a bundle holds files alone.';
  if (type === FOLDER || (entry.externalFileAttributes & DOS_FOLDER) !== 0)
    return 'is a folder; a bundle holds files alone.';
  if (type !== 0 && type !== REGULAR) return 'is a special file; a bundle holds files alone.';
  return ruleOfSizes(entry);
}

function ruleOfSizes({ compressionMethod, compressedSize, uncompressedSize }: yauzl.Entry): string | undefined {
  if (compressionMethod === STORED)
    return compressedSize === uncompressedSize ? undefined : 'is stored, and its two sizes are not the same.';
  if (compressionMethod !== DEFLATED) return 'is packed in a way that no bundle is.';
  const { ratio, ratioFrom } = BUNDLE_LIMITS;
  if (uncompressedSize > ratioFrom && uncompressedSize > compressedSize * ratio)
    return `would become more than ${ratio} times as large when it is unpacked.`;
  return undefined;
}

const listedAs = (name: string, entry: yauzl.Entry): Listed => ({
  name,
  bytes: entry.uncompressedSize,
  packed: entry.compressedSize,
  crc: entry.crc32,
  isStored: entry.compressionMethod === STORED,
  header: entry.relativeOffsetOfLocalHeader,
  raw: entry.fileNameRaw as Uint8Array,
  method: entry.compressionMethod,
  flags: entry.generalPurposeBitFlag,
});

const HEADER_BYTES = 30;
const HEADER_SIGNATURE = 0x04034b50;
/** Sizes and checksum follow the bytes. */
const SIZES_LATER = 8;
const IN_ZIP64 = 0xffffffff;

/** The offset of each entry, after a local header that agrees with the list; entries must not overlap. */
async function offsetsOf(
  handle: FileHandle,
  listed: readonly Listed[],
  directory: number,
): Promise<ReadonlyMap<string, ZipEntry>> {
  const entries = new Map<string, ZipEntry>();
  let end = 0;
  for (const one of listed.toSorted((a, b) => a.header - b.header)) {
    if (one.header < end) throw bundleError(one.name, 'its bytes are also those of another entry.');
    const start = await startOf(handle, one);
    end = start + one.packed;
    if (end > directory) throw bundleError(one.name, 'its bytes reach into the list of entries.');
    const { name, bytes, packed, crc, isStored } = one;
    entries.set(name, { name, bytes, packed, crc, isStored, start });
  }
  return entries;
}

async function startOf(handle: FileHandle, one: Listed): Promise<number> {
  const header = await bytesAt(handle, one.header, HEADER_BYTES + one.raw.length);
  const isHeader = header.length === HEADER_BYTES + one.raw.length && header.readUInt32LE(0) === HEADER_SIGNATURE;
  if (!isHeader) throw bundleError(one.name, 'has no header where the list says.');
  const flags = header.readUInt16LE(6);
  const [crc, packed, bytes] = [14, 18, 22].map((at) => header.readUInt32LE(at)) as [number, number, number];
  const isLater = (flags & SIZES_LATER) !== 0;
  const isSame = (said: number, listed: number) => said === listed || said === IN_ZIP64 || (isLater && said === 0);
  const isAsListed =
    flags === one.flags &&
    header.readUInt16LE(8) === one.method &&
    header.readUInt16LE(26) === one.raw.length &&
    header.subarray(HEADER_BYTES).equals(one.raw) &&
    (crc === one.crc || (isLater && crc === 0)) &&
    isSame(packed, one.packed) &&
    isSame(bytes, one.bytes);
  if (!isAsListed) throw bundleError(one.name, 'its header says something else than the list of entries.');
  return one.header + HEADER_BYTES + one.raw.length + header.readUInt16LE(28);
}

async function bytesAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}

const CHUNK = 256 * 1024;

async function* bodyOf(handle: FileHandle, entry: ZipEntry): AsyncGenerator<Buffer> {
  let [bytes, crc] = [0, 0];
  for await (const chunk of entry.isStored ? packedOf(handle, entry) : unpackedOf(handle, entry)) {
    bytes += chunk.length;
    if (bytes > entry.bytes) throw bundleError(entry.name, 'holds more bytes than the list of entries says.');
    crc = zlib.crc32(chunk, crc);
    yield chunk;
  }
  if (bytes < entry.bytes) throw bundleError(entry.name, 'holds fewer bytes than the list of entries says.');
  if (crc !== entry.crc) throw bundleError(entry.name, 'its bytes are not those that its checksum (CRC-32) names.');
}

async function* packedOf(handle: FileHandle, { start, packed }: ZipEntry): AsyncGenerator<Buffer> {
  for (let done = 0; done < packed; ) {
    const chunk = await bytesAt(handle, start + done, Math.min(CHUNK, packed - done));
    if (chunk.length === 0) return;
    done += chunk.length;
    yield chunk;
  }
}

async function* unpackedOf(handle: FileHandle, entry: ZipEntry): AsyncGenerator<Buffer> {
  const inflate = zlib.createInflateRaw();
  const feed = async () => {
    for await (const chunk of packedOf(handle, entry))
      if (!inflate.destroyed && !inflate.write(chunk)) await drained(inflate);
    inflate.end();
  };
  const fed = feed().catch((error: Error) => void inflate.destroy(error));
  try {
    yield* inflate as AsyncIterable<Buffer>;
  } catch {
    throw bundleError(entry.name, 'cannot be unpacked.');
  } finally {
    inflate.destroy();
    await fed;
  }
}

const drained = (stream: NodeJS.EventEmitter & { destroyed: boolean }): Promise<void> =>
  new Promise((resolve) => {
    if (stream.destroyed) return resolve();
    const done = () => resolve();
    stream.once('drain', done).once('close', done).once('error', done);
  });

/** The names of entries. Every valid name is one of ours; the rules say what is wrong with another. */

const MOST_BYTES = 255;
const decoder = new TextDecoder('utf-8', { fatal: true });

/** The name, or the rule it breaks with a printable form. */
function nameOfEntry(raw: Uint8Array): { name: string; rule?: string } {
  const plain = Buffer.from(raw).toString('latin1');
  if (raw.length > MOST_BYTES)
    return { name: plain.slice(0, 80), rule: `its name is longer than ${MOST_BYTES} bytes.` };
  const name = decoded(raw);
  if (name === undefined) return { name: plain, rule: 'its name is no UTF-8.' };
  const rule = ruleOfName(name);
  return rule === undefined ? { name } : { name, rule };
}

function decoded(raw: Uint8Array): string | undefined {
  try {
    return decoder.decode(raw);
  } catch {
    return undefined;
  }
}

function ruleOfName(name: string): string | undefined {
  if (name === '') return 'an entry has no name.';
  if ([...name].some((sign) => sign < ' ' || sign === '\x7f')) return 'its name holds a control character.';
  if (name.includes('\\')) return 'its name holds a backslash; folders are separated by /.';
  if (name.startsWith('/')) return 'its name is an absolute path.';
  if (/^[A-Za-z]:/.test(name)) return 'its name begins with a drive letter.';
  if (name.split('/').some((part) => part === '..' || part === '.')) return 'its name leads out of its folder.';
  return undefined;
}

/** Names that some systems treat as equal: by case, or by Unicode composition. */
const foldedName = (name: string): string => name.normalize('NFKC').toLowerCase();

const FIXED: ReadonlySet<string> = new Set(Object.values(BUNDLE_ENTRIES));

export const isOfBundle = (name: string): boolean => FIXED.has(name) || CHAT_ENTRY.test(name) || MEDIA_ENTRY.test(name);

/** Ends the reading of a bundle; its rule continues the name of an entry. */
export class BundleError extends Error {
  readonly faults: readonly [BundleFault, ...BundleFault[]];

  constructor(first: BundleFault, ...more: BundleFault[]) {
    super(first.message);
    this.faults = [first, ...more];
  }
}

/** The printable name of an entry: it is untrusted. */
const shownEntry = (entry: string): string => shownBeginning(entry, 200);

/** `media/….mp4: its bytes are not those …`; for the whole file, the rule alone. */
function faultOf(entry: string, rule: string): BundleFault {
  const shown = shownEntry(entry);
  return { entry: shown, message: shown === '' ? rule : `${shown}: ${rule}` };
}

export const bundleError = (entry: string, rule: string): BundleError => new BundleError(faultOf(entry, rule));

const NOTHING_CHANGED = en`Nothing was opened.`;

/** Turns an error of the bundle into a refusal; any other is rethrown. */
export async function refusing<T>(read: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    const [first] = error.faults;
    const data = { entry: first.entry, errors: error.faults.map((one) => ({ ...one })) };
    return fail('invalid_input', `${first.message} ${NOTHING_CHANGED}`, data);
  }
}
