import fs from 'node:fs';
import path from 'node:path';
import { tempDir } from './testPorts.ts';

/** Files of a temporary folder: writes one, and answers its path. */
export function filesOf(what: string): (name: string, bytes: Uint8Array) => string {
  const folder = tempDir(what);
  return (name, bytes) => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, bytes);
    return file;
  };
}

/** All the bytes of a stream. */
export async function joined(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces);
}
