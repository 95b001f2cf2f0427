import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { type ElectronOptions, type ElectronRun, startElectron } from './electron.ts';

/** The Electron host on the double, with actions of the system and the user. */
export interface ElectronRuns {
  /** The data folder of this test. */
  folder(): string;
  start(options?: ElectronOptions): Promise<ElectronRun>;
  /** The window's position in the settings file. */
  savedBounds(): unknown;
}

/** Gives each test its own data folder, and stops after it whatever it started. */
export function electronRuns(): ElectronRuns {
  let folder = '';
  const runs: ElectronRun[] = [];
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'dailies-')));
  });
  afterEach(async () => {
    for (const run of runs.splice(0)) await run.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    folder: () => folder,
    async start(options = {}) {
      const run = await startElectron({ dataDir: folder, onDouble: true, ...options });
      runs.push(run);
      return run;
    },
    savedBounds() {
      const settings = JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8')) as {
        window?: { bounds: unknown };
      };
      return settings.window?.bounds;
    },
  };
}

/** Calls the studio from the page. */
export const ask = async (run: ElectronRun, name: string, input: object = {}) => {
  const answer = await run.page.evaluate(([name, input]) => globalThis.dailies.call(name, input), [
    name,
    input,
  ] as const);
  if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`);
  return answer.data as never;
};

/** What the host reported to the double under this name, in order. The page may know of it earlier. */
export const told = (run: ElectronRun, name: string) =>
  run.told.filter((one) => one.name === name).map(({ args }) => args);

/** A local time of day this many hours from now. */
const hourIn = (hours: number) => {
  const time = new Date(Date.now() + hours * 3_600_000);
  return `${String(time.getHours()).padStart(2, '0')}:${String(time.getMinutes()).padStart(2, '0')}`;
};
export const armNight = (run: ElectronRun) =>
  ask(run, 'night.plan', { start: hourIn(2), end: hourIn(5), capNano: 1_000_000_000 });

/** Closes the main window as its user does. */
export const closeWindow = (run: ElectronRun) =>
  run.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
export const windows = (run: ElectronRun) => run.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
