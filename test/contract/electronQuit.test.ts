import { describe, expect, test } from 'vitest';
import type { ElectronRun } from '../helpers/electron.ts';
import { armNight, ask, closeWindow, electronRuns, told, windows } from '../helpers/electronRuns.ts';

/** How the Electron host sleeps, hides and quits while there is work. */

const { start, savedBounds } = electronRuns();

describe('the sleep of the machine', () => {
  test('is prevented while an overnight run is scheduled, and the page knows', async () => {
    const run = await start();
    expect(told(run, 'powerSaveBlocker.start')).toEqual([]);
    await armNight(run);
    expect(await ask(run, 'app.info')).toMatchObject({ awake: 'held' });
    await expect.poll(() => told(run, 'powerSaveBlocker.start')).toEqual([['prevent-app-suspension']]);
    await ask(run, 'night.stop');
    await expect.poll(() => run.evaluate(({ double }) => double.blockers.size)).toBe(0);
  });

  test('is followed at once by overdue timers: none waits for the time that the machine slept', async () => {
    const run = await start();
    await armNight(run);
    await run.page.evaluate(() => {
      Object.assign(globalThis, { opened: false });
      globalThis.dailies.subscribe((event) => {
        if (event.type === 'night.changed' && event.status.current?.state === 'open')
          Object.assign(globalThis, { opened: true });
      });
    });
    // The clock advances three hours while timers stand still; then the system reports that it woke up.
    await run.evaluate(({ powerMonitor }) => {
      const now = Date.now;
      Date.now = () => now() + 3 * 3_600_000;
      powerMonitor.emit('resume');
    });
    await expect.poll(() => run.page.evaluate('opened')).toBe(true);
  });
});

const pressQuit = (run: ElectronRun) =>
  run.evaluate(({ double }) => {
    type Item = { label?: string; submenu?: Item[]; click?(): void };
    const items = (double.menu as Item[]).flatMap(({ submenu = [] }) => submenu);
    items.find(({ label }) => label === 'Quit Dailies')?.click?.();
  });

describe('closing the window', () => {
  test("with nothing to do ends the program and a hidden media window, and saves the window's position", async () => {
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
    expect(savedBounds()).toEqual({ x: 40, y: 50, width: 1_000, height: 700 });
  });

  test('with a scheduled overnight run continues in the tray, says so, and can be reopened from there', async () => {
    const run = await start();
    await armNight(run);
    await closeWindow(run);
    await expect.poll(() => told(run, 'tray').length).toBe(1);
    await expect.poll(() => windows(run)).toBe(0);
    await expect
      .poll(() => told(run, 'notification'))
      .toEqual([
        [
          {
            title: 'Dailies keeps running without its window',
            body: expect.stringContaining('overnight run 1 starts at'),
            actions: [{ type: 'button', text: 'Open Dailies' }],
          },
        ],
      ]);
    expect(await run.evaluate(({ double }) => double.blockers.size)).toBe(1);
    await run.evaluate(({ double }) => {
      const [tray] = double.trays as { menu: { label?: string; click?(): void }[] }[];
      tray?.menu.find(({ label }) => label === 'Open Dailies')?.click?.();
    });
    await expect.poll(() => windows(run)).toBe(1);
    await expect.poll(() => told(run, 'tray.destroy')).toHaveLength(1);
  });
});

describe('quitting', () => {
  test('with a scheduled overnight run asks first; staying changes nothing, quitting shuts down in order', async () => {
    const run = await start();
    await armNight(run);
    await pressQuit(run);
    await expect
      .poll(() => told(run, 'showMessageBox'))
      .toEqual([
        [
          {
            message: 'Quit with overnight run 1 scheduled?',
            detail: expect.stringMatching(/^Overnight run 1 starts at \d\d:\d\d, only if Dailies runs[.]$/),
            buttons: ['Close window, keep running', 'Quit', 'Stay'],
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
    'by %s asks nothing, even with a question open, and keeps the page',
    async (signal) => {
      const run = await start();
      await armNight(run);
      await run.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()[0]?.setBounds({ x: 1, y: 2, width: 950, height: 650 }),
      );
      await pressQuit(run);
      await expect.poll(() => told(run, 'showMessageBox').length).toBe(1);
      expect(await run.stop(signal)).toBe(0);
      expect(savedBounds()).toEqual({ x: 1, y: 2, width: 950, height: 650 });
    },
  );
});

test('an unhandled error shuts it down in order, with a dialog that says so', async () => {
  const run = await start();
  await run.evaluate(() => void setImmediate(() => Promise.reject(new Error('only logged'))));
  await run.evaluate(
    () =>
      void setImmediate(() => {
        throw new Error('a bug');
      }),
  );
  expect(await run.ended).toBe(1);
  const words =
    'Dailies had to stop: a bug. Start it again. Jobs that the gateway accepted are fetched; jobs without a reply are unconfirmed.';
  expect(told(run, 'showErrorBox')).toEqual([['Dailies', words, { isShown: true }]]);
});
