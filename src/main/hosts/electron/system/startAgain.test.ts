import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';

const { app } = vi.hoisted(() => ({ app: { on: (): void => undefined } }));
vi.mock('electron', () => ({ app }));
const { collectOpened } = await import('./openThings.ts');
const { startAgainBy } = await import('./startAgain.ts');

/** An ending run, and how it is restarted. */
function ending(installs: boolean, env: NodeJS.ProcessEnv = {}) {
  const events = new EventEmitter();
  Object.assign(app, { on: events.on.bind(events) });
  const relaunch = vi.fn();
  const argv = ['/opt/dailies', '--data-dir', '/films'];
  const heard = collectOpened(argv, '/');
  const again = startAgainBy({ argv, env, installs: async () => installs, relaunch });
  const begun: Promise<void>[] = [];
  heard.end((opened) => begun.push(again(opened)));
  return {
    relaunch,
    async second(...words: string[]) {
      events.emit('second-instance', {}, ['/opt/dailies', ...words], '/home');
      await Promise.all(begun);
    },
  };
}

const flags = ['--data-dir', '/films'];

test('a start that comes while this one ends is made up for once it is gone, with what it opens', async () => {
  const { second, relaunch } = ending(false);
  await second();
  await second();
  expect(relaunch.mock.calls).toEqual([[{ args: flags }]]);
  await second('ferry.dailies');
  await second('dailies://job/job_1');
  expect(relaunch.mock.calls.slice(1)).toEqual([
    [{ args: [...flags, '/home/ferry.dailies'] }],
    [{ args: [...flags, 'dailies://job/job_1'] }],
  ]);
});

test('an AppImage is started from its file, which this run has unpacked for itself', async () => {
  const { second, relaunch } = ending(false, { APPIMAGE: '/apps/Dailies.AppImage' });
  await second();
  expect(relaunch).toHaveBeenCalledExactlyOnceWith({ args: flags, execPath: '/apps/Dailies.AppImage' });
});

test('an update that is installed at the end finds the program closed', async () => {
  const { second, relaunch } = ending(true);
  await second('ferry.dailies');
  expect(relaunch).not.toHaveBeenCalled();
});
