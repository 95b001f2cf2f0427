import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import yazl from 'yazl';
import { hashOfHandle } from '../library/index.ts';
import type { MediaFile } from '../ports.ts';
import type { BundleText } from './collectBundle.ts';

interface ZipParts {
  texts: readonly BundleText[];
  media: readonly { name: string; file: MediaFile }[];
  /** Written into every entry, in milliseconds since 1970. */
  at: number;
  /** Media bytes so far. */
  onBytes(done: number): void;
}

const MODE = 0o100644;

/**
 * The bytes of a zip file: texts compressed, media stored, each hashed while it is written. Entries and files above 4 GB use zip64. A media
 * file that does not match its hash ends it with an error.
 */
export function zipOf({ texts, media, at, onBytes }: ZipParts): AsyncIterable<Uint8Array> {
  const zip = new yazl.ZipFile();
  const mtime = new Date(at);
  const out = zip.outputStream as unknown as Readable;
  zip.on('error', (error: Error) => out.destroy(error));
  for (const { name, pieces } of texts)
    zip.addReadStreamLazy(name, { mtime, mode: MODE, compress: true }, (give) =>
      give(null, Readable.from(bytesOf(pieces))),
    );
  let done = 0;
  const count = (bytes: number) => {
    done += bytes;
    onBytes(done);
  };
  for (const { name, file } of media)
    zip.addReadStreamLazy(name, { mtime, mode: MODE, compress: false, size: file.bytes }, (give) => {
      const body = Readable.from(checkedBytes(name, file, count));
      body.on('error', (error) => out.destroy(error));
      give(null, body);
    });
  zip.end();
  return out;
}

const PIECE = 256 * 1024;

/** In pieces of similar size, with turns of the event loop between them. */
async function* bytesOf(texts: Iterable<string>): AsyncGenerator<Buffer> {
  let held = '';
  for (const text of texts) {
    held += text;
    if (held.length < PIECE) continue;
    yield Buffer.from(held, 'utf8');
    held = '';
    await nextTurn();
  }
  yield Buffer.from(held, 'utf8');
}

async function* checkedBytes(name: string, file: MediaFile, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
  const handle = await open(file.path, 'r');
  const hash = hashOfHandle(handle, file.bytes);
  // Awaited once the last byte has left.
  hash.catch(() => undefined);
  try {
    const chunks = handle.createReadStream({ autoClose: false, start: 0, highWaterMark: 512 * 1024 });
    for await (const chunk of chunks as AsyncIterable<Buffer>) {
      onBytes(chunk.length);
      yield chunk;
    }
    if ((await hash) !== file.sha256) throw new Error(`${name} is damaged on this disk`);
  } finally {
    await hash.catch(() => undefined);
    await handle.close();
  }
}
