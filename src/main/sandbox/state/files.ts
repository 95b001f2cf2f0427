import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** The sandbox's files: results in `media/`, received data in `inputs/`. Each is written to a temporary file, flushed, then renamed. */
export class Files {
  readonly #media: string;
  readonly #inputs: string;

  constructor(folder: string) {
    this.#media = join(folder, 'media');
    this.#inputs = join(folder, 'inputs');
    mkdirSync(this.#media, { recursive: true });
    mkdirSync(this.#inputs, { recursive: true });
  }

  mediaPath(name: string): string {
    return join(this.#media, name);
  }

  /** Returns the strong entity tag of the bytes. */
  putMedia(name: string, bytes: Uint8Array): string {
    writeAtomically(this.mediaPath(name), bytes);
    return `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`;
  }

  readMedia(name: string): Buffer {
    return readFileSync(this.mediaPath(name));
  }

  removeMedia(name: string): void {
    rmSync(this.mediaPath(name), { force: true });
  }

  /** Stores a request's data until its work is done; returns the file's name. */
  putInput(bytes: Uint8Array): string {
    const name = createHash('sha256').update(bytes).digest('hex');
    const path = join(this.#inputs, name);
    if (!existsSync(path)) writeAtomically(path, bytes);
    return name;
  }

  /** Deletes data that no unfinished work needs. */
  keepInputs(names: ReadonlySet<string>): void {
    for (const name of readdirSync(this.#inputs)) {
      if (!names.has(name)) rmSync(join(this.#inputs, name), { force: true });
    }
  }

  readInput(name: string): Buffer {
    return readFileSync(join(this.#inputs, name));
  }
}

function writeAtomically(path: string, bytes: Uint8Array): void {
  const file = openSync(`${path}.part`, 'w');
  writeFileSync(file, bytes);
  fsyncSync(file);
  closeSync(file);
  renameSync(`${path}.part`, path);
}
