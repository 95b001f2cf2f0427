import fs from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { sha256Schema } from '../../../shared/library/sidecar.ts';
import { syncFolder, writeSynced } from '../dataFolder.ts';

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
    writeSynced(this.fileOf(NOTE), JSON.stringify(storing));
    syncFolder(this.path);
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}

const NOTE = 'storing.json';

/** The folders of the run before, in which something is half unpacked. */
export function leftFolders(dataDir: string): string[] {
  const folder = folderOf(dataDir);
  return fs.existsSync(folder) ? fs.readdirSync(folder).map((name) => path.join(folder, name)) : [];
}

/** What was being stored when the program was killed. */
export const leftStoring = (folders: readonly string[]): Storing[] =>
  folders.flatMap((folder) => storingIn(path.join(folder, NOTE)));

function storingIn(note: string): Storing[] {
  try {
    const noted = JSON.parse(fs.readFileSync(note, 'utf8')) as Storing[];
    return noted.filter(({ sha256, mime }) => sha256Schema.safeParse(sha256).success && typeof mime === 'string');
  } catch {
    return [];
  }
}

export async function removeFolders(folders: readonly string[]): Promise<void> {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
}
