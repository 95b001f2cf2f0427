import type { Dirent } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { formatBytes } from '../../../../shared/text/bytes.ts';

const MOST_REPORTS = 10;
const MOST_BYTES = 100_000_000;
/** Crashpad's report folders on each system. */
const FOLDERS = ['', 'new', 'pending', 'completed', 'reports'];

export interface CrashReport {
  path: string;
  at: number;
  bytes: number;
}

/** The reports in the folder, newest first. */
export async function crashReportsIn(folder: string): Promise<CrashReport[]> {
  const reports: CrashReport[] = [];
  for (const name of FOLDERS) {
    const entries: Dirent[] = await readdir(join(folder, name), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (!entry.isFile() || !entry.name.endsWith('.dmp')) continue;
      const path = join(folder, name, entry.name);
      const found = await stat(path).catch(() => undefined);
      if (found) reports.push({ path, at: found.mtimeMs, bytes: found.size });
    }
  }
  return reports.sort((a, b) => b.at - a.at);
}

/** Those beyond the newest ten, and beyond 100 MB in all. */
export function surplusReports(newestFirst: readonly CrashReport[]): CrashReport[] {
  let bytes = 0;
  return newestFirst.filter((report, at) => {
    bytes += report.bytes;
    return at >= MOST_REPORTS || bytes > MOST_BYTES;
  });
}

/** Removes surplus reports with Crashpad's files beside them. */
export async function pruneCrashReports(folder: string): Promise<void> {
  for (const { path } of surplusReports(await crashReportsIn(folder))) {
    await rm(path, { force: true });
    await rm(`${path.slice(0, -'.dmp'.length)}.meta`, { force: true });
  }
}

/** One line for the diagnostics. */
export async function crashFacts(folder: string): Promise<string> {
  const reports = await crashReportsIn(folder);
  const [newest] = reports;
  if (!newest) return 'crash reports: none';
  const bytes = reports.reduce((sum, report) => sum + report.bytes, 0);
  const last = new Date(newest.at).toISOString();
  return `crash reports: ${reports.length}, ${formatBytes(bytes)}, the last of ${last}, in ${folder}; none is sent`;
}
