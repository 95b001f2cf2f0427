import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { testPng } from '../../../test/helpers/png.ts';
import { tempDir } from '../../../test/helpers/testPorts.ts';
import { studiosOfThisFile } from '../../../test/helpers/testStudios.ts';
import { startInNode, startProgramsBy } from './programs/index.ts';

/** Files and folders that the user names may lie on a disk that never answers, or be none: nothing waits for them. */

const openStudio = studiosOfThisFile();
afterEach(() => {
  startProgramsBy(startInNode);
  vi.useRealTimers();
});

const NAMING = [
  ['library.move', (place: string) => ({ folder: place })],
  ['library.locate', (place: string) => ({ folder: place })],
  ['library.importFolder', (place: string) => ({ path: place })],
  ['library.import', (place: string) => ({ path: `${place}/a.png` })],
  ['backups.saveCopy', (place: string) => ({ id: 'x', folder: place })],
  ['library.export', (place: string) => ({ ids: ['as_1'], folder: place })],
  ['bundle.read', (place: string) => ({ path: `${place}/a.dailies` })],
  ['bundle.open', (place: string) => ({ path: `${place}/a.dailies` })],
] as const;

test.each(NAMING)('%s of a disk that does not answer is refused, and the studio goes on', async (name, input) => {
  const studio = await openStudio();
  const killed = vi.fn();
  const silent = { send: () => undefined, setBusy: () => undefined, end: () => undefined, kill: killed };
  startProgramsBy(() => silent);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const answer = studio.call(name, input(tempDir('share')));
  expect(await studio.call('projects.list', {})).toMatchObject({ ok: true });
  await vi.advanceTimersByTimeAsync(10_000);
  const refused = await answer;
  expect(refused).toMatchObject({ ok: false, error: { code: 'wrong_state' } });
  expect(refused.ok ? '' : refused.error.message).toContain('its disk does not answer');
  expect(killed).toHaveBeenCalled();
});

test.skipIf(!fs.existsSync('/proc/self'))('a folder in which nothing can be made is refused', async () => {
  const { call } = await openStudio();
  expect(await call('library.move', { folder: '/proc' })).toMatchObject({
    ok: false,
    error: { code: 'invalid_input', data: { field: 'folder' } },
  });
});

test.skipIf(!fs.existsSync('/proc/kmsg'))('a file that is no bytes on a disk is not read', async () => {
  const { call, ask } = await openStudio();
  for (let at = 0; at < 8; at += 1)
    expect(await call('library.import', { path: '/proc/kmsg' })).toMatchObject({
      ok: false,
      error: { message: 'The file is empty.' },
    });
  const picture = path.join(tempDir('pictures'), 'a.png');
  fs.writeFileSync(picture, testPng(8, 8));
  expect(await ask('library.import', { path: picture })).toMatchObject({ state: 'local' });
});

test.skipIf(process.platform === 'win32')('a pipe in the place of a file is not waited for', async () => {
  const pipe = path.join(tempDir('pipes'), 'a.png');
  execFileSync('mkfifo', [pipe]);
  const { call } = await openStudio();
  expect(await call('library.import', { path: pipe })).toMatchObject({ ok: false, error: { code: 'not_found' } });
});
