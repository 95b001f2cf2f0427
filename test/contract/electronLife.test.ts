import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
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

/** The main window as its user closes it. */
const closeWindow = (run: ElectronRun) =>
  run.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
const pressQuit = (run: ElectronRun) =>
  run.evaluate(({ double }) => {
    type Item = { label?: string; submenu?: Item[]; click?(): void };
    const items = (double.menu as Item[]).flatMap(({ submenu = [] }) => submenu);
    items.find(({ label }) => label === 'Quit Dailies')?.click?.();
  });
const windows = (run: ElectronRun) => run.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);

describe('closing the window', () => {
  test('with nothing to do ends the program, a hidden media window with it, and keeps the place of the window', async () => {
    const run = await start();
    await run.evaluate(({ BrowserWindow }) => {
      const [main] = BrowserWindow.getAllWindows();
      main?.setBounds({ x: 40, y: 50, width: 1_000, height: 700 });
      new BrowserWindow({
        show: false,
        webPreferences: (main as unknown as { options: { webPreferences: object } }).options.webPreferences,
      });
    });
    await closeWindow(run);
    expect(await run.ended).toBe(0);
    expect(savedPlace()).toEqual({ x: 40, y: 50, width: 1_000, height: 700 });
  });

  test('with an armed night goes on in the tray, says so, and comes back from there', async () => {
    const run = await start();
    await armNight(run);
    await closeWindow(run);
    await expect.poll(() => told(run, 'tray').length).toBe(1);
    expect(await windows(run)).toBe(0);
    expect(told(run, 'notification')).toEqual([
      [{ title: 'Dailies goes on without its window', body: expect.stringContaining('Night 1 opens at') }],
    ]);
    expect(await run.evaluate(({ double }) => double.blockers.size)).toBe(1);
    await run.evaluate(({ double }) => {
      const [tray] = double.trays as { menu: { label?: string; click?(): void }[] }[];
      tray?.menu.find(({ label }) => label === 'Open Dailies')?.click?.();
    });
    await expect.poll(() => windows(run)).toBe(1);
    expect(told(run, 'tray.destroy')).toHaveLength(1);
  });
});

describe('quitting', () => {
  test('with nothing to do asks nothing', async () => {
    const run = await start();
    await pressQuit(run);
    expect(await run.ended).toBe(0);
    expect(told(run, 'showMessageBox')).toEqual([]);
  });

  test('with an armed night asks in its words; to stay changes nothing, to quit ends it in order', async () => {
    const run = await start();
    await armNight(run);
    await pressQuit(run);
    await expect
      .poll(() => told(run, 'showMessageBox'))
      .toEqual([
        [
          {
            message: 'Quit with Night 1 armed?',
            detail: expect.stringMatching(/^Night 1 opens at \d\d:\d\d only if Dailies runs[.]$/),
            buttons: ['Close the window, go on', 'Quit', 'Stay'],
          },
        ],
      ]);
    await run.evaluate(({ double }) => double.boxes[0]?.answer(2));
    expect(await windows(run)).toBe(1);
    await pressQuit(run);
    await expect.poll(() => told(run, 'showMessageBox').length).toBe(2);
    await run.evaluate(({ double }) => double.boxes[1]?.answer(1));
    expect(await run.ended).toBe(0);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s asks nobody, not even with a question open, and keeps the place',
    async (signal) => {
      const run = await start();
      await armNight(run);
      await run.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()[0]?.setBounds({ x: 1, y: 2, width: 950, height: 650 }),
      );
      await pressQuit(run);
      await expect.poll(() => told(run, 'showMessageBox').length).toBe(1);
      expect(await run.stop(signal)).toBe(0);
      expect(savedPlace()).toEqual({ x: 1, y: 2, width: 950, height: 650 });
    },
  );

  test('with the system asks nobody', async () => {
    const run = await start();
    await armNight(run);
    await run.evaluate(
      ({ powerMonitor }) => void (powerMonitor as NodeJS.EventEmitter).emit('shutdown', { preventDefault() {} }),
    );
    expect(await run.ended).toBe(0);
  });
});

function savedPlace(): unknown {
  const { window } = JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8')) as {
    window?: { bounds: unknown };
  };
  return window?.bounds;
}

test('a page that crashes is loaded again three times in a minute, then the user is asked', async () => {
  const run = await start();
  for (const times of [1, 2, 3]) {
    await run.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.emit('render-process-gone', {}, { reason: 'crashed' } as never),
    );
    await expect.poll(() => told(run, 'reload').length).toBe(times);
  }
  await run.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.emit('render-process-gone', {}, { reason: 'crashed' } as never),
  );
  await expect.poll(() => told(run, 'showMessageBox').length).toBe(1);
  expect(told(run, 'reload')).toHaveLength(3);
  await run.evaluate(({ double }) => double.boxes[0]?.answer(0));
  await expect.poll(() => told(run, 'reload').length).toBe(4);
});

test('a notification can be clicked after a long night', async () => {
  const run = await start();
  await armNight(run);
  await closeWindow(run);
  await expect.poll(() => told(run, 'notification').length).toBe(1);
  // What nobody refers to is collected here as it would be in a long night.
  await run.evaluate(async ({ double }) => {
    for (let round = 0; round < 5; round += 1) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      globalThis.gc?.();
    }
    const [kept] = double.notifications as WeakRef<NodeJS.EventEmitter>[];
    kept?.deref()?.emit('click', {});
  });
  await expect.poll(() => windows(run)).toBe(1);
});

test('a fault that nothing handles ends it in order, with a box that says so', async () => {
  const run = await start();
  await run.evaluate(() => void setImmediate(() => Promise.reject(new Error('only logged'))));
  await run.evaluate(
    () =>
      void setImmediate(() => {
        throw new Error('a bug');
      }),
  );
  expect(await run.ended).toBe(1);
  const words = 'Dailies had to stop: a bug. Nothing that was paid for is lost; start it again and it goes on.';
  expect(told(run, 'showErrorBox')).toEqual([['Dailies', words, { isShown: true }]]);
});
