import fs from 'node:fs';

/**
 * The bytes of a file. It is opened once they are read: before that nobody would hear that it cannot be, which would end the program, and
 * what is refused first would stay open.
 */
export async function* bytesOf(
  file: string,
  options: Parameters<typeof fs.createReadStream>[1] = { highWaterMark: 1024 * 1024 },
): AsyncGenerator<Uint8Array> {
  yield* fs.createReadStream(file, options);
}
