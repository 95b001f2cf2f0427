import { expect, test } from 'vitest';
import { electronRuns, told } from '../helpers/electronRuns.ts';

/** Pages of the Electron host that crash. */

const { start } = electronRuns();

test('a page that crashes is reloaded three times in a minute, then the user is asked', async () => {
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

test('a page whose process is gone is reloaded, and reads everything again', async () => {
  const run = await start();
  await run.evaluate(({ BrowserWindow, ipcMain, double }) => {
    type Handler = (event: object, name: string, input: unknown) => unknown;
    const { handlers } = ipcMain as unknown as { handlers: Map<string, Handler> };
    const real = handlers.get('studio:call');
    handlers.set('studio:call', (event, name, input) => {
      double.tell('call', name);
      return real?.(event, name, input);
    });
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer();
  });
  await expect.poll(() => told(run, 'reload').length).toBe(1);
  await expect.poll(() => told(run, 'call')).toContainEqual(['app.info']);
});
