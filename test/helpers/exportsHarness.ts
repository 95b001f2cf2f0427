import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { vi } from 'vitest';
import type { ExportSink } from '../../src/main/core/exports/exportSink.ts';
import { Exports } from '../../src/main/core/exports/exports.ts';
import type { Store } from '../../src/main/core/store/index.ts';
import { ok } from '../../src/shared/contract/result.ts';
import type { Export } from '../../src/shared/film/filmExport.ts';
import { openTestStore } from './emptyDatabase.ts';
import { PATIENCE_MS } from './patience.ts';
import { countingIds, silentLog, TestClock, tempDir } from './testPorts.ts';

/** The exports of a data folder, without a studio. */

type Write = Parameters<Exports['start']>[1];

export interface ExportsHarness {
  exports: Exports;
  store: Store;
  dataDir: string;
  clock: TestClock;
  /** Every announced state, oldest first. */
  told: Export[];
  start(write: Write, more?: { destination?: string; uses?: string[] }): Promise<Export>;
  ended(run: Pick<Export, 'id'>): Promise<Export>;
  /** Starts an export and waits for its end. */
  made(write: Write, destination?: string): Promise<Export>;
}

export const ANY_EXPORT = { kind: 'csv' as const, name: 'A film', bytes: 10 };

export function exportsIn(dataDir = tempDir('exports'), free = 1e12): ExportsHarness {
  const clock = new TestClock();
  const store = openTestStore({ dataDir, clock });
  const told: Export[] = [];
  const exports = new Exports({
    ...{ store, clock, ids: countingIds(), log: silentLog, dataDir, version: '9.9.9', freeBytes: () => free },
    emit: (event) => void (event.type === 'export.changed' && told.push(event.export as Export)),
  });
  const start: ExportsHarness['start'] = async (write, more) => {
    const started = await exports.start({ ...ANY_EXPORT, ...more }, write);
    if (!started.ok) throw new Error(started.error.message);
    return started.data;
  };
  const now = (id: string): Export => {
    const found = exports.get(id);
    if (!found.ok || found.data.state === 'running') throw new Error('it still runs');
    return found.data;
  };
  const ended: ExportsHarness['ended'] = ({ id }) => vi.waitFor(() => now(id), { timeout: PATIENCE_MS, interval: 1 });
  const made = async (write: Write, destination = tempDir('place')) => ended(await start(write, { destination }));
  return { exports, store, dataDir, clock, told, start, ended, made };
}

/** Writes these files and succeeds. */
export const writes =
  (...names: string[]): Write =>
  async (sink) => {
    for (const name of names) await sink.writeText(name, 'text/plain', `in ${name}`);
    return ok({});
  };

/** Runs until the user cancels or Dailies closes. */
export const untilStopped = ({ signal }: ExportSink): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener('abort', resolve));

export const namesIn = (folder: string): string[] =>
  fs.existsSync(folder) ? (fs.readdirSync(folder, { recursive: true }) as string[]).sort() : [];

/** A file of the library, whose name is its hash. */
export function fileOfLibrary(folder: string): { path: string; bytes: number; sha256: string; mime: string } {
  const sha256 = createHash('sha256').update('clip').digest('hex');
  const file = path.join(folder, `${sha256}.mp4`);
  fs.writeFileSync(file, 'clip');
  return { path: file, bytes: 4, sha256, mime: 'video/mp4' };
}
