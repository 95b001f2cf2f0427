import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openKeptFolder } from '../fixtures/keptFolder.ts';
import { multiplyFolder } from '../fixtures/large/multiply.ts';
import { tempDir } from '../helpers/testPorts.ts';
import type { Figure } from './figures.ts';
import { type ReadFigures, readHistory } from './historyCalls.ts';
import { type HostFigures, hostOn } from './historyHost.ts';
import { benchImport } from './historyImport.ts';

/**
 * Histories of 10,000 and 100,000 jobs: each call that reads them, compared with the bare statement for the same rows; and a host on them,
 * compared with one on an empty folder.
 */

const SIZES = [10_000, 100_000];
const THUMBNAILS = 100_000;

export async function benchHistory(): Promise<Figure[]> {
  const empty = await hostOn(tempDir('bench-empty'));
  const figures: Figure[] = [];
  let smaller: { size: number; reads: ReadFigures[] } | undefined;
  for (const size of SIZES) {
    const dataDir = await folderOf(size);
    const reads = await readHistory(dataDir);
    const title = `${size.toLocaleString('en-US')} jobs`;
    for (const read of reads) figures.push(...figuresOf(title, read, smaller));
    figures.push(...hostFigures(title, await hostOn(dataDir), empty));
    smaller = { size, reads };
  }
  return [...figures, ...(await benchImport())];
}

function figuresOf(
  title: string,
  { what, wall, hold, bare }: ReadFigures,
  smaller: { size: number; reads: ReadFigures[] } | undefined,
): Figure[] {
  const before = smaller?.reads.find((read) => read.what === what);
  return [
    { name: `${title}: ${what}`, value: wall, unit: 'ms' },
    { name: '  holds the thread of the studio for', value: hold, unit: 'ms' },
    ...(bare === undefined
      ? []
      : [{ name: '  beside the bare statement for its rows', value: hold / bare, unit: '×' }]),
    ...(before && smaller
      ? [{ name: `  beside itself at ${smaller.size.toLocaleString('en-US')}`, value: wall / before.wall, unit: '×' }]
      : []),
  ];
}

const hostFigures = (title: string, host: HostFigures, empty: HostFigures): Figure[] => [
  { name: `${title}: start → the first pages are answered`, value: host.start, unit: 'ms' },
  { name: '  beside an empty folder', value: host.start / empty.start, unit: '×' },
  { name: '  idle host', value: host.idleMb, unit: 'MB' },
  { name: '  on an empty folder', value: empty.idleMb, unit: 'MB' },
  { name: '  longest time without an answer during check and backup', value: host.gap, unit: 'ms' },
  { name: '  on an empty folder', value: empty.gap, unit: 'ms' },
  { name: '  check and backup take', value: host.check, unit: 's' },
];

/** A new folder; with `DAILIES_BENCH_FOLDERS` it is kept there for the next run. */
async function folderOf(jobs: number): Promise<string> {
  const into = tempDir('bench-history');
  const kept = process.env.DAILIES_BENCH_FOLDERS;
  if (kept === undefined) {
    await fill(into, jobs);
    return into;
  }
  const place = join(kept, String(jobs));
  if (!existsSync(place)) {
    mkdirSync(place, { recursive: true });
    await fill(place, jobs);
  }
  cpSync(place, into, { recursive: true });
  return into;
}

async function fill(into: string, jobs: number): Promise<void> {
  const oldest = await openKeptFolder('0.1.0');
  await oldest.close();
  cpSync(oldest.dataDir, into, { recursive: true });
  multiplyFolder(into, { jobs, thumbnails: THUMBNAILS, until: Date.now() });
  // An existing backup would prevent the one to be measured.
  rmSync(join(into, 'backups'), { recursive: true, force: true });
}
