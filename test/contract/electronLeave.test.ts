import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ElectronRun, startElectron } from '../helpers/electron.ts';

/** What becomes of the page when its window closes, and who is asked before Electron quits. */

let folder: string;
let run: ElectronRun;
beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'dailies-')));
  run = await startElectron({ dataDir: folder, onDouble: true });
});
afterEach(async () => {
  await run.stop();
  rmSync(folder, { recursive: true, force: true });
});

const told = (name: string) => run.told.filter((one) => one.name === name);
const armNight = () =>
  run.page.evaluate(async () => {
    const hour = (from: number) => new Date(Date.now() + from * 3_600_000).toTimeString().slice(0, 5);
    await globalThis.dailies.call('night.plan', { start: hour(2), end: hour(5), capNano: 1_000_000_000 });
  });
const closeWindow = () => run.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
const windows = () => run.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);

function projects(): string[] {
  const db = new Database(join(folder, 'dailies.db'), { readonly: true });
  const names = db.prepare<[], { name: string }>('SELECT name FROM projects').all();
  db.close();
  return names.map(({ name }) => name);
}

/** Bug: the window was destroyed, so its page heard nothing, and what was typed in the last 400 ms was gone. */
test.each([
  ['its window is closed', closeWindow],
  ['the program is ended by SIGTERM', () => run.stop('SIGTERM')],
  ['the system shuts down', () => run.evaluate(({ powerMonitor }) => void powerMonitor.emit('shutdown'))],
])('a page writes what is not written yet when %s', async (_, leave) => {
  await run.page.evaluate(
    `addEventListener('pagehide', () => void dailies.call('projects.create', { name: 'the last word' }))`,
  );
  await leave();
  expect(await run.ended).toBe(0);
  expect(projects()).toContain('the last word');
});

test('a page that hangs is not waited for', async () => {
  void run.page.evaluate('for (;;);').catch(() => {});
  await closeWindow();
  expect(await run.ended).toBe(0);
});

test('a window that closed for the tray opens again, and closes again the same way', async () => {
  await armNight();
  for (const times of [1, 2]) {
    await closeWindow();
    await expect.poll(() => told('tray').length).toBe(times);
    await expect.poll(windows).toBe(0);
    await run.evaluate(({ app }) => void app.emit('activate'));
    await expect.poll(windows).toBe(1);
  }
});

/** A quit that begins neither in the menu nor in the tray. */
const quitFromOutside = () => run.evaluate(({ app }) => app.quit());
const onPlatform = (platform: string) =>
  run.evaluate(`() => void Object.defineProperty(process, 'platform', { value: '${platform}' })`);

/** Bug: on Windows and Linux a quit from outside ended an armed night without a word. */
test.each(['win32', 'linux', 'darwin'])(
  'on %s a quit from outside asks once while a night is armed',
  async (platform) => {
    await onPlatform(platform);
    await armNight();
    await quitFromOutside();
    await quitFromOutside();
    await expect.poll(() => told('showMessageBox').length).toBe(1);
    expect(told('showMessageBox')[0]?.args).toMatchObject([{ message: 'Quit with Night 1 armed?' }]);
    await run.evaluate(({ double }) => double.boxes[0]?.answer(1));
    expect(await run.ended).toBe(0);
    expect(told('showMessageBox')).toHaveLength(1);
  },
);

test('on Linux one that nobody answers ends in order: it may be a signal', async () => {
  await onPlatform('linux');
  await armNight();
  await quitFromOutside();
  await expect.poll(() => told('showMessageBox').length).toBe(1);
  expect(await run.ended).toBe(0);
});

test('an answer holds: who stays is not ended later', async () => {
  await onPlatform('linux');
  await armNight();
  await quitFromOutside();
  await expect.poll(() => told('showMessageBox').length).toBe(1);
  await run.evaluate(({ double }) => double.boxes[0]?.answer(2));
  // A minute later, by the clock that its waits go by.
  await run.evaluate(({ powerMonitor }) => {
    const now = Date.now;
    Date.now = () => now() + 60_000;
    powerMonitor.emit('resume');
  });
  await expect.poll(() => run.evaluate(({ double }) => double.blockers.size)).toBe(1);
  expect(await windows()).toBe(1);
});

/** Bug: the words named a tray where there was none, and without one they were not said at all. */
test.each([
  ['darwin', '', 'from the Dock.'],
  ['linux', '', 'from the tray, or by starting it once more.'],
  ['linux', 'fails', 'again by starting it once more.'],
])('on %s with a tray that says "%s" the way back is %s', async (platform, tray, way) => {
  await run.evaluate(`() => { process.env.DOUBLE_TRAY = '${tray}'; }`);
  await onPlatform(platform);
  await armNight();
  await closeWindow();
  await expect.poll(() => told('notification').length).toBe(1);
  expect(told('notification')[0]?.args).toEqual([expect.objectContaining({ body: expect.stringContaining(way) })]);
  await expect.poll(windows).toBe(0);
});

/** Bug: a call of more than 256 KB was refused whatever it was; the board of a long film and a long chat message are larger. */
test('a call that is larger than one message comes in parts', async () => {
  const saved = await run.page.evaluate(`(async () => {
    const text = JSON.stringify({ name: 'Long' }) + ' '.repeat(300_000);
    const id = crypto.randomUUID();
    const answers = [];
    for (let at = 0; at < text.length; at += 100_000) {
      const part = { id, call: 'projects.create', at, of: text.length, text: text.slice(at, at + 100_000) };
      answers.push(await dailies.call('call.part', part));
    }
    return answers;
  })()`);
  const more = { ok: true, data: null };
  expect(saved).toEqual([more, more, more, { ok: true, data: expect.objectContaining({ name: 'Long' }) }]);
});
