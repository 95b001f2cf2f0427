import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { app, crashReporter } from 'electron';
import type { Logger } from '../../../core/ports.ts';
import { readRegularFile } from '../../common/regularFile.ts';
import { crashFacts, pruneCrashReports } from './crashReports.ts';
import { crashesIn, drawsWithoutGpu, withCrash } from './gpuCrashes.ts';

/** Crash handling and its diagnostics. */
export interface Survival {
  /** Records crashes from now on, and removes surplus reports. */
  watch(log: Logger): void;
  /** Lines for the diagnostics. */
  facts(): Promise<string[]>;
}

/**
 * Keeps crash reports in the data folder, and does without a GPU that crashes repeatedly. Reports contain program memory, so none is ever
 * sent. Must be called before the app is ready.
 */
export function surviveCrashes(dataDir: string, windowFolder: string, now: () => number): Survival {
  const reports = join(dataDir, 'crashes');
  mkdirSync(reports, { recursive: true, mode: 0o700 });
  app.setPath('crashDumps', reports);
  crashReporter.start({ uploadToServer: false });
  const file = join(windowFolder, 'gpu.json');
  let crashes = crashesIn(readCrashes(file));
  const isWithoutGpu = drawsWithoutGpu(crashes, now());
  if (isWithoutGpu) app.disableHardwareAcceleration();
  return {
    watch(log) {
      if (isWithoutGpu) log.warn({}, 'the GPU crashed several times: drawing goes on without it for a day');
      app.on('child-process-gone', (_, { type, reason, name, exitCode }) => {
        if (reason === 'clean-exit' || reason === 'killed') return;
        log.error({ type, reason, name, exitCode }, 'a process of Electron crashed');
        if (type !== 'GPU') return;
        crashes = withCrash(crashes, now());
        // At once: Chromium may end the program at the next crash.
        writeCrashes(file, crashes, log);
      });
      void pruneCrashReports(reports).catch((error: unknown) =>
        log.warn({ error: String(error) }, 'old crash reports could not be removed'),
      );
    },
    facts: async () => [
      `GPU: ${isWithoutGpu ? 'not used, it crashed several times' : 'used'}`,
      await crashFacts(reports),
    ],
  };
}

function readCrashes(file: string): string | undefined {
  try {
    return readRegularFile(file);
  } catch {
    return undefined;
  }
}

function writeCrashes(file: string, crashes: readonly number[], log: Logger): void {
  try {
    writeFileSync(file, JSON.stringify(crashes), { mode: 0o600 });
  } catch (error) {
    log.warn({ error: String(error) }, 'a crash of the GPU could not be noted');
  }
}
