import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ElectronOptions, type ElectronRun, startElectron } from '../helpers/electron.ts';

/** The Electron host among what the system and the user do to it, all of it played on the double. */

let folder: string;
const runs: ElectronRun[] = [];
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'dailies-')));
});
afterEach(async () => {
  for (const run of runs.splice(0)) await run.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(options: ElectronOptions = {}): Promise<ElectronRun> {
  const run = await startElectron({ dataDir: folder, onDouble: true, ...options });
  runs.push(run);
  return run;
}

const ask = async (run: ElectronRun, name: string, input: object = {}) => {
  const answer = await run.page.evaluate(([name, input]) => globalThis.dailies.call(name, input), [
    name,
    input,
  ] as const);
  if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`);
  return answer.data as never;
};

/** What it told the double of this kind, in order. */
const told = (run: ElectronRun, name: string) => run.told.filter((one) => one.name === name).map(({ args }) => args);

/** A local time of day so many hours from now. */
const hourIn = (hours: number) => {
  const time = new Date(Date.now() + hours * 3_600_000);
  return `${String(time.getHours()).padStart(2, '0')}:${String(time.getMinutes()).padStart(2, '0')}`;
};
const armNight = (run: ElectronRun) =>
  ask(run, 'night.plan', { start: hourIn(2), end: hourIn(5), capNano: 1_000_000_000 });

describe('the sleep of the machine', () => {
  test('is held off from the arming of a night until it is called off, and the page can tell', async () => {
    const run = await start();
    expect(told(run, 'powerSaveBlocker.start')).toEqual([]);
    await armNight(run);
    expect(await ask(run, 'app.info')).toMatchObject({ awake: 'held' });
    expect(told(run, 'powerSaveBlocker.start')).toEqual([['prevent-app-suspension']]);
    await ask(run, 'night.stop');
    await expect.poll(() => run.evaluate(({ double }) => double.blockers.size)).toBe(0);
  });

  test('after it, what came due runs at once: no timer waits for the time that it slept', async () => {
    const run = await start();
    await armNight(run);
    await run.page.evaluate(() => {
      Object.assign(globalThis, { opened: false });
      globalThis.dailies.subscribe((event) => {
        if (event.type === 'night.changed' && event.status.current?.state === 'open')
          Object.assign(globalThis, { opened: true });
      });
    });
    // The wall clock goes on by three hours while every timer stands still; then the system says that it is back.
    await run.evaluate(({ powerMonitor }) => {
      const now = Date.now;
      Date.now = () => now() + 3 * 3_600_000;
      powerMonitor.emit('resume');
    });
    await expect.poll(() => run.page.evaluate('opened')).toBe(true);
  });
});
