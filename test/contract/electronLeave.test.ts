import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, expect, test } from 'vitest';
import type { ElectronRun } from '../helpers/electron.ts';
import { armNight, closeWindow, electronRuns, told } from '../helpers/electronRuns.ts';

/** How the page ends when its window closes, and the question before Electron quits. */

const runs = electronRuns();
let run: ElectronRun;
beforeEach(async () => {
  run = await runs.start();
});

function projects(): string[] {
  const db = new Database(join(runs.folder(), 'dailies.db'), { readonly: true });
  const names = db.prepare<[], { name: string }>('SELECT name FROM projects').all();
  db.close();
  return names.map(({ name }) => name);
}

/** A hundred times the usual timeouts: on a busy machine other work may be slow too. */
const holdLimits = () =>
  run.evaluate(() => {
    globalThis.setTimeout = new Proxy(setTimeout, {
      apply: (start, self, [act, ms, ...more]) =>
        Reflect.apply(start, self, [act, ms < 2_000 ? ms : ms * 100, ...more]),
    });
  });

test.each([
  ['its window is closed', () => closeWindow(run)],
  ['the program is ended by SIGTERM', () => run.stop('SIGTERM')],
  ['the system shuts down', () => run.evaluate(({ powerMonitor }) => void powerMonitor.emit('shutdown'))],
])('a page saves unsaved text when %s', async (_, leave) => {
  await run.page.evaluate(
    `addEventListener('pagehide', () => void dailies.call('projects.create', { name: 'the last word' }))`,
  );
  await holdLimits();
  await leave();
  expect(await run.ended).toBe(0);
  expect(projects()).toContain('the last word');
});

test('a page that hangs is not waited for', async () => {
  void run.page.evaluate('for (;;);').catch(() => {});
  await closeWindow(run);
  expect(await run.ended).toBe(0);
});

/** A quit that comes neither from the menu nor from the tray. */
const quitFromOutside = () => run.evaluate(({ app }) => app.quit());
const onPlatform = (platform: string) =>
  run.evaluate(`() => void Object.defineProperty(process, 'platform', { value: '${platform}' })`);

test('on Linux an unanswered one shuts down in order: it may be a signal', async () => {
  await onPlatform('linux');
  await armNight(run);
  await quitFromOutside();
  await expect.poll(() => told(run, 'showMessageBox').length).toBe(1);
  expect(await run.ended).toBe(0);
});
