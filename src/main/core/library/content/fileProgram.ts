import { createHash } from 'node:crypto';
import { read } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { parentPort } from 'node:worker_threads';
import { type CopyMark, piecesOf } from '../media/markPieces.ts';
import { flushFolder, makeFolder } from './folders.ts';

/** The thread that copies, reads and removes files of the library. Its questions may overlap; each is answered by its number. */

export type FileQuestion =
  | { type: 'list'; folder: string }
  | { type: 'copy'; from: string; to: string }
  | { type: 'hash'; file: string; sha512: boolean }
  /** Of a file that the program has open and may still write into: see {@link GrowingLength}. */
  | { type: 'hashGrowing'; fd: number }
  | { type: 'pieces'; file: string; mark: CopyMark }
  | { type: 'remove'; folder: string; names: readonly string[] }
  | { type: 'tidy'; folder: string };
/** How much of a growing file can be read by now; the answer comes after the last one. `drop`: nobody waits for it any more. */
export interface GrowingLength {
  id: number;
  length: number;
  isLast: boolean;
  drop?: true;
}
export interface ListedFile {
  /** `ab/HASH.EXT`. */
  name: string;
  bytes: number;
}
export type FileAnswer = { id: number; answer: unknown } | { id: number; error: string; code: string };

const CHUNK_BYTES = 1024 * 1024;
const CONTENT = /^[0-9a-f]{64}\.[a-z0-9]{1,8}$/;
const FOLDER = /^[0-9a-f]{2}$/;
const LEFT = /^[0-9a-f]{64}\.[a-z0-9]{1,8}\.[0-9]{1,9}\.moving$/;

/** The files named by their content, below a folder of a library; throws if it cannot read all. What a killed copy left half written is removed. */
async function list({ folder }: { folder: string }): Promise<ListedFile[]> {
  const found: ListedFile[] = [];
  for (const sub of (await readdir(folder)).filter((name) => FOLDER.test(name)).sort()) {
    for (const name of await readdir(path.join(folder, sub)).catch(unless('ENOTDIR', []))) {
      const file = path.join(folder, sub, name);
      if (LEFT.test(name)) await rm(file, { force: true });
      if (!CONTENT.test(name) || !name.startsWith(sub)) continue;
      const known = await stat(file).catch(unless('ENOENT', undefined));
      if (known?.isFile()) found.push({ name: `${sub}/${name}`, bytes: known.size });
    }
  }
  return found;
}

const unless =
  <T>(code: string, instead: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code !== code) throw error;
    return instead;
  };

let copies = 0;

/** Copies through a name of its own, syncs, and gives the name last. The folder that holds the target's must be there: a disk may be gone. */
async function copy({ from, to }: { from: string; to: string }): Promise<{ bytes: number; sha256: string }> {
  const folder = path.dirname(to);
  if (await makeFolder(folder)) await flushFolder(path.dirname(folder));
  copies += 1;
  const part = `${to}.${copies}.moving`;
  const source = await open(from, 'r');
  try {
    const read = await written(source, part);
    await rename(part, to);
    await flushFolder(folder);
    return read;
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    await source.close();
  }
}

async function written(source: FileHandle, part: string): Promise<{ bytes: number; sha256: string }> {
  const target = await open(part, 'w', 0o600);
  try {
    const hash = createHash('sha256');
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let bytes = 0;
    for (;;) {
      const { bytesRead } = await source.read(chunk, 0, chunk.length, bytes);
      if (bytesRead === 0) break;
      hash.update(chunk.subarray(0, bytesRead));
      for (let done = 0; done < bytesRead; )
        done += (await target.write(chunk, done, bytesRead - done, bytes + done)).bytesWritten;
      bytes += bytesRead;
    }
    await target.datasync();
    return { bytes, sha256: hash.digest('hex') };
  } finally {
    await target.close();
  }
}

async function hash({ file, sha512 }: { file: string; sha512: boolean }) {
  // A pipe or a device, also behind a link, may have no end.
  if (!(await stat(file)).isFile()) throw Object.assign(new Error('it is no file'), { code: 'EISDIR' });
  const source = await open(file, 'r');
  try {
    const digest = createHash('sha256');
    const longer = sha512 ? createHash('sha512') : undefined;
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let bytes = 0;
    for (;;) {
      const { bytesRead } = await source.read(chunk, 0, chunk.length, bytes);
      if (bytesRead === 0)
        return { bytes, sha256: digest.digest('hex'), ...(longer && { sha512: longer.digest('hex') }) };
      digest.update(chunk.subarray(0, bytesRead));
      longer?.update(chunk.subarray(0, bytesRead));
      bytes += bytesRead;
    }
  } finally {
    await source.close();
  }
}

const readAt = promisify(read);

class GrowingFile {
  private readonly fd: number;
  private readonly answer: (sha256: string | Error) => void;
  private readonly digest = createHash('sha256');
  private readonly chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  private at = 0;
  private known: Omit<GrowingLength, 'id'> = { length: 0, isLast: false };
  private isReading = false;

  constructor(fd: number, answer: (sha256: string | Error) => void) {
    this.fd = fd;
    this.answer = answer;
  }

  upTo(known: Omit<GrowingLength, 'id'>): void {
    this.known = known;
    if (!this.isReading) void this.readOn();
  }

  /** It answers between two reads, since its file is closed after that. */
  private async readOn(): Promise<void> {
    this.isReading = true;
    try {
      let isShorter = false;
      while (this.at < this.known.length && !this.known.drop && !isShorter) {
        const most = Math.min(CHUNK_BYTES, this.known.length - this.at);
        const { bytesRead } = await readAt(this.fd, this.chunk, 0, most, this.at);
        this.digest.update(this.chunk.subarray(0, bytesRead));
        this.at += bytesRead;
        isShorter = bytesRead === 0;
      }
      if (this.known.isLast || this.known.drop) this.answer(this.digest.digest('hex'));
    } catch (error) {
      this.answer(error as Error);
    } finally {
      this.isReading = false;
    }
  }
}

const growing = new Map<number, GrowingFile>();

function hashGrowing({ fd, id }: { fd: number; id: number }): Promise<string> {
  return new Promise<string>((done, failed) => {
    const answer = (said: string | Error) => (typeof said === 'string' ? done(said) : failed(said));
    growing.set(id, new GrowingFile(fd, answer));
  }).finally(() => growing.delete(id));
}

async function remove({ folder, names }: { folder: string; names: readonly string[] }): Promise<null> {
  for (const name of names) await rm(path.join(folder, name), { force: true });
  return null;
}

/** Removes the folders that are empty now; what is somebody else's stays. */
async function tidy({ folder }: { folder: string }): Promise<null> {
  const subs = (await readdir(folder).catch(() => [])).filter((name) => FOLDER.test(name) || name === 'parts');
  for (const sub of subs) await rmdir(path.join(folder, sub)).catch(() => undefined);
  await rmdir(folder).catch(() => undefined);
  return null;
}

const WORK: { [Type in FileQuestion['type']]: (question: never) => Promise<unknown> } = {
  list,
  copy,
  hash,
  hashGrowing,
  pieces: ({ file, mark }: { file: string; mark: CopyMark }) => piecesOf(file, mark),
  remove,
  tidy,
};

/** Long bytes are moved to who asked, and not copied there. */
const movedWith = (answer: unknown): ArrayBuffer[] =>
  (Array.isArray(answer) ? answer : []).flatMap((one) =>
    one instanceof Uint8Array && one.buffer instanceof ArrayBuffer && one.byteLength === one.buffer.byteLength
      ? one.buffer
      : [],
  );

parentPort?.on('message', (question: (FileQuestion & { id: number }) | GrowingLength) => {
  if (!('type' in question)) return growing.get(question.id)?.upTo(question);
  const { id } = question;
  WORK[question.type](question as never).then(
    (answer) => parentPort?.postMessage({ id, answer } satisfies FileAnswer, movedWith(answer)),
    (error: NodeJS.ErrnoException) =>
      parentPort?.postMessage({ id, error: error.message, code: error.code ?? '' } satisfies FileAnswer),
  );
});
