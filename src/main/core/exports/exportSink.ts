import { open, symlink } from 'node:fs/promises';
import path from 'node:path';
import { t } from '../../../shared/text/texts.ts';
import { codeOf } from '../faults.ts';
import { c4OfHex, hashListOf } from '../hashList/index.ts';
import { bytesOf, hashesOfFile, hashFile, writeStream } from '../library/index.ts';
import { PART, pathIn, preparePart } from './exportFolder.ts';
import type { RecordedFile } from './exportTable.ts';

/** A source file of an export. */
export interface SourceFile {
  path: string;
  bytes: number;
  sha256: string;
  mime: string;
}

/** An error that ends an export, with its sentence for the user. */
export class ExportFault extends Error {}

/** The part of a file sink that a writer of an export uses. */
export type ExportSink = Pick<
  FileSink,
  'folder' | 'signal' | 'progress' | 'writeText' | 'writePieces' | 'copy' | 'link' | 'reserve'
>;

export interface WrittenFile {
  bytes: number;
  sha256: string;
}

interface WrittenPart {
  name: string;
  mime: string;
  /** The hash of the written bytes; unknown if a maker wrote the file. */
  sha256?: string;
  isLink?: true;
}

/** The share of the progress left for verification. */
const READ_BACK_SHARE = 0.1;

/** Writes the files of an export. Everything is `.part` until the whole export is verified. */
export class FileSink {
  /** The folder of the files. */
  readonly folder: string;
  /** Aborted when the user cancels. */
  readonly signal: AbortSignal;
  private readonly parts: WrittenPart[] = [];
  private readonly begun = new Set<string>();
  private readonly onProgress: (share: number) => void;
  private readonly onBegin: (name: string) => void;

  /** `onBegin` records a name before its part is created, so that leftovers of a crash are known. */
  constructor(
    folder: string,
    signal: AbortSignal,
    { onProgress, onBegin }: { onProgress(share: number): void; onBegin(name: string): void },
  ) {
    this.folder = folder;
    this.signal = signal;
    this.onProgress = onProgress;
    this.onBegin = onBegin;
  }

  /** The names of all started files. */
  get names(): string[] {
    return [...this.begun];
  }

  /** The written share, 0 to 1. */
  progress(share: number): void {
    this.onProgress(Math.min(1, Math.max(0, share)) * (1 - READ_BACK_SHARE));
  }

  async writeText(name: string, mime: string, text: string): Promise<void> {
    await this.write(name, mime, once(Buffer.from(text, 'utf8')));
  }

  /** A generated file. */
  async writePieces(name: string, mime: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
    await this.write(name, mime, pieces);
  }

  /** A copy, or `body` made from it. A source that differs from the library's record ends the export in both cases. */
  async copy(name: string, source: SourceFile, body?: AsyncIterable<Uint8Array>): Promise<WrittenFile> {
    // A generated file has another hash, so its source is verified first.
    if (body && (await hashFile(source.path, this.signal)).sha256 !== source.sha256)
      throw new ExportFault(damaged(name));
    const bytes = body ?? bytesOf(source.path);
    return this.write(name, source.mime, bytes, body ? undefined : source.sha256);
  }

  /** A link, where the system has them; else a copy. */
  async link(name: string, source: SourceFile): Promise<WrittenFile> {
    try {
      await this.begin(name, (part) => symlink(source.path, part));
    } catch (error) {
      if (codeOf(error) === 'EEXIST') throw error;
      return this.copy(name, source);
    }
    this.parts.push({ name, mime: source.mime, sha256: source.sha256, isLink: true });
    return { bytes: source.bytes, sha256: source.sha256 };
  }

  /** The path for a maker that writes the file itself. */
  async reserve(name: string, mime: string): Promise<string> {
    const part = await this.partFor(name);
    this.parts.push({ name, mime });
    return part;
  }

  private partFor(name: string): Promise<string> {
    return this.begin(name, async (part) => (await open(part, 'wx', 0o600)).close());
  }

  /** Creates the part of a file; rejects if the name exists. */
  private async begin(name: string, make: (part: string) => Promise<void>): Promise<string> {
    const part = await preparePart(this.folder, name);
    this.onBegin(name);
    await make(part);
    this.begun.add(name);
    return part;
  }

  private async write(
    name: string,
    mime: string,
    body: AsyncIterable<Uint8Array>,
    expected?: string,
  ): Promise<WrittenFile> {
    const part = await this.partFor(name);
    const written = await writeStream(part, abortable(body, this.signal), { from: 0, cap: Number.MAX_SAFE_INTEGER });
    this.signal.throwIfAborted();
    if (!written.ok) throw new ExportFault(faultOf(name, written.error));
    if (expected !== undefined && written.data.sha256 !== expected) throw new ExportFault(damaged(name));
    this.parts.push({ name, mime, sha256: written.data.sha256 });
    return written.data;
  }

  /** Verifies every file on the disk: the export lists what was read back. Several files get a verified hash list. */
  async readBack(made: { version: string; at: number }): Promise<RecordedFile[]> {
    const read = await this.readParts(0);
    const files = read.map(({ sha512: _, ...file }) => file);
    if (read.length < 2) return files;
    const hashed = read.map(({ name, bytes, sha512 }) => ({ name, bytes, c4: c4OfHex(sha512) }));
    for (const { name, text } of hashListOf({ ...made, name: path.basename(this.folder), files: hashed }))
      await this.writeText(name, 'application/xml', text);
    const list = await this.readParts(read.length);
    return [...files, ...list.map(({ sha512: _, ...file }) => file)];
  }

  /** Reads back the parts from this index on. */
  private async readParts(from: number): Promise<(RecordedFile & { sha512: string })[]> {
    const files: (RecordedFile & { sha512: string })[] = [];
    for (const [index, { name, mime, sha256, isLink }] of this.parts.entries()) {
      if (index < from) continue;
      this.signal.throwIfAborted();
      const read = await hashesOfFile(`${pathIn(this.folder, name)}${PART}`, this.signal);
      if (read.bytes === 0) throw new ExportFault(`${name} is empty on the disk.`);
      if (sha256 !== undefined && read.sha256 !== sha256) throw new ExportFault(damaged(name));
      files.push({ name, mime, ...read, ...(isLink ? { isLink } : {}) });
      this.onProgress(1 - READ_BACK_SHARE + (READ_BACK_SHARE * (index + 1)) / this.parts.length);
    }
    return files;
  }
}

const damaged = (name: string): string => t`${name} is damaged on this disk. Nothing was exported.`;

function faultOf(name: string, { code, message }: { code: string; message: string }): string {
  return code === 'disk_full' ? DISK_FULL : `${name} could not be written: ${message}`;
}

export const DISK_FULL = t`The disk is full. Nothing was exported.`;

async function* abortable(body: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    signal.throwIfAborted();
    yield chunk;
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
