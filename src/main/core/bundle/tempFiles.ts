import fs from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { sha256Schema } from '../../../shared/sidecar.ts';
import { syncFolder } from '../library/index.ts';

/** The one folder that bundles are unpacked and received in. All of it is removed at the next start, whatever ended the last one. */

const folderOf = (dataDir: string): string => path.join(dataDir, 'bundles');

/** Content that is being stored for a bundle: after a kill, what no asset names of it is removed. */
export interface Storing {
  sha256: string;
  mime: string;
}

export class TempFolder {
  readonly path: string;

  constructor(dataDir: string, name: string) {
    this.path = path.join(folderOf(dataDir), name);
    fs.mkdirSync(this.path, { recursive: true, mode: 0o700 });
  }

  fileOf(name: string): string {
    return path.join(this.path, name);
  }

  /** On the disk before the first of them is stored. */
  note(storing: readonly Storing[]): void {
    const handle = fs.openSync(this.fileOf(NOTE), 'w', 0o600);
    try {
      fs.writeSync(handle, JSON.stringify(storing));
      fs.fsyncSync(handle);
    } finally {
      fs.closeSync(handle);
    }
    syncFolder(this.path);
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}

const NOTE = 'storing.json';

/** What was being stored when the program was killed. */
export function leftStoring(dataDir: string): Storing[] {
  const folder = folderOf(dataDir);
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  return names.flatMap((name) => storingIn(path.join(folder, name, NOTE)));
}

function storingIn(note: string): Storing[] {
  try {
    const noted = JSON.parse(fs.readFileSync(note, 'utf8')) as Storing[];
    return noted.filter(({ sha256, mime }) => sha256Schema.safeParse(sha256).success && typeof mime === 'string');
  } catch {
    return [];
  }
}

export const removeLeft = (dataDir: string): void => fs.rmSync(folderOf(dataDir), { recursive: true, force: true });
