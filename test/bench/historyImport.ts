import { closeSync, cpSync, fsyncSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { thumbnailStore } from '../fixtures/large/thumbnails.ts';
import { tempDir } from '../helpers/testPorts.ts';
import { openStudio } from '../helpers/testStudio.ts';
import { type Figure, realClock } from './figures.ts';
import { longest, measured } from './turns.ts';

/** Imports a folder of small pictures, compared with copying the same files, with and without a sync. */

const FILES = 10_000;

export async function benchImport(): Promise<Figure[]> {
  const from = pictures();
  const plain = await timed(from, false);
  const synced = await timed(from, true);
  const program = await openStudio({ dataDir: tempDir('bench-import'), ports: { clock: realClock } });
  const { ms, turns, value } = await measured(() => program.ask('library.importFolder', { path: from }), 0);
  await program.close();
  if (value.imported !== FILES) throw new Error(`${value.imported} of ${FILES} files came in`);
  return [
    { name: `import of ${FILES.toLocaleString('en-US')} pictures`, value: ms / 1_000, unit: 's' },
    { name: '  beside a plain copy of each', value: ms / plain, unit: '×' },
    { name: '  beside a copy of each that is on the disk', value: ms / synced, unit: '×' },
    { name: '  holds the thread of the studio for', value: longest(turns), unit: 'ms' },
  ];
}

/** Creates the pictures in one folder. */
function pictures(): string {
  const store = tempDir('bench-pictures');
  const { store: write } = thumbnailStore(store);
  for (let n = 0; n < FILES; n++) write(n);
  const flat = tempDir('bench-from');
  const files = readdirSync(store, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  for (const file of files) cpSync(join(file.parentPath, file.name), join(flat, file.name));
  return flat;
}

async function timed(from: string, isSynced: boolean): Promise<number> {
  const into = join(tempDir('bench-copy'), 'files');
  mkdirSync(into);
  const start = performance.now();
  for (const name of readdirSync(from)) {
    await copyFile(join(from, name), join(into, name));
    if (!isSynced) continue;
    const file = openSync(join(into, name), 'r+');
    fsyncSync(file);
    closeSync(file);
  }
  return performance.now() - start;
}
