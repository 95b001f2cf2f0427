import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ElectronRun } from '../helpers/electron.ts';
import { ask, electronRuns, told } from '../helpers/electronRuns.ts';
import { makeTake } from '../helpers/oneTake.ts';

/** The Electron host and the desktop: links, files, menus, the Dock, crashes. */

const { folder, start } = electronRuns();

const hash = (run: ElectronRun) => run.page.evaluate<string>('location.hash');
const dialog = (run: ElectronRun) => run.page.getByRole('dialog');
const welcome = (run: ElectronRun) => ask(run, 'settings.set', { welcomed: true });
const secondStart = (run: ElectronRun, word: string) =>
  run.evaluate(`({ app }) => void app.emit('second-instance', {}, ['dailies', ${JSON.stringify(word)}], '/')`);

test('a link that starts the program is shown first, and is followed only if the user agrees', async () => {
  const first = await start();
  await welcome(first);
  const { id } = (await ask(first, 'projects.create', { name: 'Last Ferry' })) as { id: string };
  await first.stop();
  const run = await start({ args: [`dailies://project/${id}`] });
  await dialog(run).getByText('Project: Last Ferry').waitFor();
  const { projectId } = (await ask(run, 'settings.get')) as { projectId?: string };
  expect(projectId).not.toBe(id);
  await run.page.keyboard.press('Escape');
  await dialog(run).waitFor({ state: 'detached' });
  const before = await hash(run);

  await secondStart(run, 'dailies://project/prj_none');
  await run.page.getByText('The linked item was not found').waitFor();
  await secondStart(run, 'dailies://retry/job_1');
  await secondStart(run, `dailies://project/${id}`);
  await dialog(run).getByText('Project: Last Ferry').waitFor();
  expect(await hash(run)).toBe(before);
  await run.page.getByRole('button', { name: 'Show it' }).press('Enter');
  await expect.poll(() => hash(run)).toBe('#/storyboard');
  expect(await ask(run, 'settings.get')).toMatchObject({ projectId: id });
});

test('the program reads a bundle that the system opens, and no other file', async () => {
  const run = await start();
  await welcome(run);
  const garbage = join(folder(), 'Ferry.dailies');
  writeFileSync(garbage, 'no zip');
  mkdirSync(join(folder(), 'pipe.dailies'));
  await run.evaluate(
    `({ app }) => void app.emit('open-file', { preventDefault() {} }, ${JSON.stringify(join(folder(), 'pipe.dailies'))})`,
  );
  await dialog(run).getByText('pipe.dailies could not be read. Nothing was opened.').waitFor();
  await secondStart(run, garbage);
  await expect.poll(() => told(run, 'addRecentDocument')).toEqual([[garbage]]);
  // Replaced by the next refusal.
  await dialog(run).getByText('pipe.dailies could not be read').waitFor({ state: 'detached' });
  await dialog(run).getByRole('alert').waitFor();
  expect(await ask(run, 'projects.list')).toMatchObject({ projects: [] });
});

test('menus lead to the pages, a right click acts on what is under it, and the Dock counts', async () => {
  const run = await start();
  await welcome(run);
  await run.page.getByRole('navigation').first().waitFor();
  await run.evaluate(({ double }) => {
    type Item = { label?: string; submenu?: Item[]; click?(): void };
    const items = (double.menu as Item[]).flatMap(({ submenu = [] }) => submenu);
    items.find(({ label }) => label === 'Keyboard shortcuts')?.click?.();
  });
  await expect.poll(() => hash(run)).toBe('#/settings?section=shortcuts');
  const { outputs } = await makeTake((name, input) => ask(run, name, input));
  const id = (outputs[0] as { id: string }).id;
  await run.evaluate(`({ BrowserWindow, double }) => {
    const editFlags = {};
    const on = { mediaType: 'image', srcURL: 'studio-media://asset/${id}', linkURL: '', selectionText: '', misspelledWord: '', editFlags };
    BrowserWindow.getAllWindows()[0].webContents.emit('context-menu', {}, on);
    double.saveTo = ${JSON.stringify(join(folder(), 'saved'))};
    for (const name of ['Save as…', 'Show in folder']) double.popup.find(({ label }) => label === name).click();
  }`);
  await expect
    .poll(() => told(run, 'menu.popup'))
    .toEqual([['Copy picture', 'Save as…', 'Show in folder']].map((items) => [items]));
  const [[shown]] = told(run, 'showItemInFolder') as [[string]];
  expect(realpathSync(shown).startsWith(join(folder(), 'library'))).toBe(true);
  await expect.poll(() => readFileSync(join(folder(), 'saved')).equals(readFileSync(shown))).toBe(true);
  await expect.poll(() => told(run, 'setBadgeCount')).toContainEqual([1]);
  await expect.poll(() => told(run, 'setBadgeCount').at(-1)).toEqual([0]);
  await expect.poll(() => told(run, 'setProgressBar').at(-1)).toEqual([-1, { mode: 'normal' }]);
});

test('crash reports stay in this folder, and a GPU that keeps crashing is no longer used', async () => {
  const run = await start();
  expect(told(run, 'crashReporter.start')).toEqual([
    [{ uploadToServer: false }, { isReady: false, folder: join(folder(), 'crashes') }],
  ]);
  expect(told(run, 'disableHardwareAcceleration')).toEqual([]);
  await run.evaluate(({ app }) => {
    for (let times = 0; times < 3; times += 1) app.emit('child-process-gone', {}, { type: 'GPU', reason: 'crashed' });
  });
  expect(await ask(run, 'diagnostics.read')).toMatchObject({ text: expect.stringContaining('crash reports: none') });
  await run.stop();
  const again = await start();
  expect(told(again, 'disableHardwareAcceleration')).toHaveLength(1);
  expect(await ask(again, 'diagnostics.read')).toMatchObject({ text: expect.stringContaining('GPU: not used') });
});

test('opened at login, it works in the tray and opens its window on request', async () => {
  const run = await start({
    args: ['--at-login'],
    async whileHidden(hidden) {
      await expect.poll(() => hidden.told.filter(({ name }) => name === 'tray')).toHaveLength(1);
      expect(await hidden.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(0);
      await hidden.evaluate(({ app }) => void app.emit('second-instance', {}, ['dailies'], '/'));
    },
  });
  await run.page.getByRole('main').first().waitFor();
  expect(await ask(run, 'login.get')).toEqual({ state: 'none' });
});

test('a page whose process crashed is reloaded and reads everything again', async () => {
  const run = await start();
  // Chromium's protocol does not always reload a page that is gone before it has loaded.
  await run.page.getByRole('main').first().waitFor();
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
