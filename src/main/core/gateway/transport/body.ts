import { pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { BrokenBody, connectionFailure } from './failure.ts';

/** Undoes a content coding that nobody asked for; some proxies compress anyway. */
export function decoded(
  body: AsyncIterable<Uint8Array>,
  coding: string | undefined,
  host: string,
): AsyncIterable<Uint8Array> {
  const unpack = coding === undefined ? undefined : unpackerFor(coding.trim().toLowerCase());
  if (!unpack) return body;
  pipeline(Readable.from(body), unpack, () => undefined);
  return translated(unpack, host);
}

function unpackerFor(coding: string) {
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip();
  if (coding === 'br') return createBrotliDecompress();
  if (coding === 'deflate') return createInflate();
  return coding === 'zstd' ? createZstdDecompress() : undefined;
}

async function* translated(source: AsyncIterable<Uint8Array>, host: string): AsyncGenerator<Uint8Array> {
  try {
    yield* source;
  } catch (error) {
    throw error instanceof BrokenBody ? error : new BrokenBody(connectionFailure(error, host, true));
  }
}
