import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { recordingLog, tempDir } from '../../../../../test/helpers/testPorts.ts';
import { fail, ok } from '../../../../shared/contract/result.ts';
import type { Clock } from '../../../core/ports.ts';
import { DraggedFiles } from './draggedFiles.ts';

/** Dragging out of the window never hands out the library's own file. */

const GB = 1024 ** 3;
const DAY_MS = 86_400_000;
let folder: string;
let own: string;
let bytes: number;
beforeEach(() => {
  folder = join(tempDir('dragged'), 'copies');
  own = join(tempDir('library'), 'abc');
  writeFileSync(own, 'a take');
  bytes = 6;
  free = 100 * GB;
});

const studio = {
  call: async (_: string, { id }: { id: string }) =>
    id === 'gone' ? fail('not_found', 'It is gone.') : ok({ id, name: 'Harbour: rain/1', mime: 'image/png' }),
  media: { open: () => ok({ path: own, bytes, name: 'x', mime: 'image/png', sha256: '' }) },
};
let free: number;
const open = (now = Date.now) =>
  new DraggedFiles(
    folder,
    async () => studio as never,
    { clock: { now } as Clock, log: recordingLog() },
    {
      clone: async () => false,
      freeAt: async () => free,
    },
  );
const namesIn = (name: string) => (existsSync(join(folder, name)) ? readdirSync(join(folder, name)) : []);

async function dragged(files: DraggedFiles, id: string): Promise<string> {
  const got: string[] = [];
  await files.start(id, (file) => got.push(file));
  return got.join();
}

test('each drag hands out a copy of its own, under the name of an export', async () => {
  const files = open();
  files.press('a');
  const first = await dragged(files, 'a');
  expect(first.endsWith('Harbour-rain-1.png')).toBe(true);
  expect(statSync(first).ino).not.toBe(statSync(own).ino);
  writeFileSync(first, 'edited in place');
  expect(readFileSync(own, 'utf8')).toBe('a take');
  expect(readFileSync(await dragged(files, 'a'), 'utf8')).toBe('a take');
  expect(existsSync(first)).toBe(true);
});

test('a pointer that is let go before the copy is there begins nothing', async () => {
  const files = open();
  const answer = dragged(files, 'a');
  files.end();
  expect(await answer).toBe('');
  expect(await dragged(files, 'a')).not.toBe('');
});

test('dragged again before its copy is there, a file gets another copy', async () => {
  const files = open();
  files.press('a');
  const first = dragged(files, 'a');
  files.end();
  await Promise.all([first, dragged(files, 'a')]);
  files.end();
  files.press('a');
  expect(readFileSync(await dragged(files, 'a'), 'utf8')).toBe('a take');
});

test('what is not there, or too large to be copied while it is dragged, is refused and leaves nothing', async () => {
  const files = open();
  expect(await files.start('gone', () => {})).toMatchObject({ ok: false, error: { code: 'not_found' } });
  bytes = 2 * GB;
  files.press('a');
  expect(await files.start('a', () => {})).toMatchObject({ ok: false, error: { code: 'too_large' } });
  expect([...namesIn('pressed'), ...namesIn('given')]).toEqual([]);
});

test('where the disk has no room for a copy, that is said', async () => {
  const files = open();
  free = GB;
  const message = expect.stringContaining('2 GB stay free');
  expect(await files.start('a', () => {})).toMatchObject({ ok: false, error: { code: 'disk_full', message } });
});

test('what was only pressed is kept for a few, and the next start removes all', async () => {
  const files = open();
  for (const id of 'abcdefgh') files.press(id);
  await expect.poll(() => namesIn('pressed').length).toBe(4);
  open();
  expect(namesIn('pressed')).toEqual([]);
});

test('what was dragged stays for a week, over the end of the program', async () => {
  const files = open();
  const file = await dragged(files, 'a');
  files.removePressed();
  open(() => Date.now() + 6 * DAY_MS);
  expect(readFileSync(file, 'utf8')).toBe('a take');
  open(() => Date.now() + 8 * DAY_MS);
  expect(namesIn('given')).toEqual([]);
});
