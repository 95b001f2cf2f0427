import { createHash, type Hash } from 'node:crypto';
import { read } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { makeFolder, syncFolder } from '../../durableFiles.ts';
import { answerQuestions } from '../../workers/index.ts';
import { type CopyMetadata, piecesOf } from '../media/metadataPieces.ts';

/** The thread that copies, reads and removes files of the library. Its questions may overlap; each is answered by its number. */

export type FileQuestion =
  | { type: 'list'; folder: string }
  | { type: 'copy'; from: string; to: string }
  | { type: 'hash'; file: string; sha512: boolean }
  /** Of a file that the program has open, so many bytes. */
  | { type: 'hashOpen'; fd: number; bytes: number }
  | { type: 'pieces'; file: string; metadata: CopyMetadata }
  | { type: 'remove'; folder: string; names: readonly string[] }
  | { type: 'tidy'; folder: string };
export interface ListedFile {
  /** `ab/HASH.EXT`. */
  name: string;
  bytes: number;
}

const CHUNK_BYTES = 1024 * 1024;
const CONTENT = /^[0-9a-f]{64}\.[a-z0-9]{1,8}$/;
const FOLDER = /^[0-9a-f]{2}$/;
const LEFT = /^[0-9a-f]{64}\.[a-z0-9]{1,8}\.[0-9]{1,9}\.moving$/;

/** The files of a library's folder, named by their content; throws if it cannot read all. Removes half-written files of a killed copy. */
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

/** Copies to a temporary name, syncs, and renames last. The parent of the target's folder must exist, because a disk may be gone. */
async function copy({ from, to }: { from: string; to: string }): Promise<{ bytes: number; sha256: string }> {
  const folder = path.dirname(to);
  if (await makeFolder(folder)) await syncFolder(path.dirname(folder));
  copies += 1;
  const part = `${to}.${copies}.moving`;
  const source = await open(from, 'r');
  try {
    const read = await written(source, part);
    await rename(part, to);
    await syncFolder(folder);
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
  // A pipe or a device, even behind a link, may have no end.
  if (!(await stat(file)).isFile()) throw Object.assign(new Error('it is no file'), { code: 'EISDIR' });
  const source = await open(file, 'r');
  const longer = sha512 ? createHash('sha512') : undefined;
  try {
    const read = await hashOpen({ fd: source.fd, bytes: Infinity }, longer);
    return { ...read, ...(longer && { sha512: longer.digest('hex') }) };
  } finally {
    await source.close();
  }
}

const readAt = promisify(read);

async function hashOpen({ fd, bytes: most }: { fd: number; bytes: number }, longer?: Hash) {
  const digest = createHash('sha256');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let bytes = 0; ; ) {
    const { bytesRead } = await readAt(fd, chunk, 0, Math.min(CHUNK_BYTES, most - bytes), bytes);
    if (bytesRead === 0) return { bytes, sha256: digest.digest('hex') };
    digest.update(chunk.subarray(0, bytesRead));
    longer?.update(chunk.subarray(0, bytesRead));
    bytes += bytesRead;
  }
}

async function remove({ folder, names }: { folder: string; names: readonly string[] }): Promise<null> {
  for (const name of names) await rm(path.join(folder, name), { force: true });
  return null;
}

/** Removes folders that are now empty; foreign files stay. */
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
  hashOpen: (asked: { fd: number; bytes: number }) => hashOpen(asked),
  pieces: ({ file, metadata }: { file: string; metadata: CopyMetadata }) => piecesOf(file, metadata),
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

answerQuestions((question: FileQuestion) => WORK[question.type](question as never), movedWith);
