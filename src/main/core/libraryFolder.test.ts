import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { filesOf } from '../../../test/helpers/files.ts';
import { exportEnded } from '../../../test/helpers/filmStudio.ts';
import { PATIENCE_MS } from '../../../test/helpers/patience.ts';
import { testPng } from '../../../test/helpers/png.ts';
import { tempDir } from '../../../test/helpers/testPorts.ts';
import type { TestStudio } from '../../../test/helpers/testStudio.ts';
import { studiosOfThisFile } from '../../../test/helpers/testStudios.ts';
import type { Clock } from './ports.ts';

const openStudio = studiosOfThisFile();
const put = filesOf('library-folder');
/** Files are read and copied in their own time. */
const systemClock: Clock = {
  now: Date.now,
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
const WAIT = { timeout: PATIENCE_MS, interval: 5 };

async function withPictures(count: number): Promise<{ film: TestStudio; ids: string[] }> {
  const film = await openStudio({ ports: { clock: systemClock } });
  const ids: string[] = [];
  for (let n = 1; n <= count; n++)
    ids.push((await film.ask('library.import', { path: put(`p${n}.png`, testPng(8 + n, 8)) })).id);
  return { film, ids };
}

function pathOf(film: TestStudio, id: string): string {
  const file = film.studio.media.open(id);
  if (!file.ok) throw new Error(file.error.message);
  return file.data.path;
}

const shaOf = (file: string): string => createHash('sha256').update(fs.readFileSync(file)).digest('hex');

const moveEnded = async (film: TestStudio, id: string) => {
  await vi.waitFor(async () => expect((await film.ask('exports.get', { id })).state).not.toBe('running'), WAIT);
  return film.ask('exports.get', { id });
};

test('a move is followed like an export; files, links of exports and what comes after it lie in the new place', async () => {
  const { film, ids } = await withPictures(3);
  const links = await exportEnded(film, await film.ask('library.export', { ids, media: 'links', provenance: false }));
  const folder = path.join(tempDir('other-disk'), 'Dailies');
  const move = await film.ask('library.move', { folder });
  expect(move).toMatchObject({ kind: 'move', state: 'running', folder, files: [] });
  expect(await moveEnded(film, move.id)).toMatchObject({ state: 'done', progress: 100 });
  for (const id of ids) {
    const file = pathOf(film, id);
    expect([file.startsWith(folder), shaOf(file)]).toEqual([true, (await film.ask('library.get', { id })).sha256]);
  }
  for (const { name, sha256 } of links.files.filter(({ mime }) => mime === 'image/png'))
    expect(shaOf(path.join(links.folder, name))).toBe(sha256);
  const after = await film.ask('library.import', { path: put('after.png', testPng(30, 8)) });
  expect(pathOf(film, after.id).startsWith(folder)).toBe(true);
  expect(fs.existsSync(path.join(film.dataDir, 'library'))).toBe(false);
  expect(await film.ask('library.folder')).toMatchObject({ home: folder, isUsual: false, move: { id: move.id } });
  expect(film.events.some((event) => event.type === 'export.changed' && event.export.id === move.id)).toBe(true);
  await film.close();
  const again = await openStudio({ dataDir: film.dataDir });
  expect(ids.map((id) => again.studio.media.open(id).ok)).toEqual([true, true, true]);
});

test('while the disk of the library is away nothing is stored, reads say so, and all is there when it is back', async () => {
  const { film, ids } = await withPictures(1);
  const folder = path.join(tempDir('unplugged'), 'Dailies');
  await moveEnded(film, (await film.ask('library.move', { folder })).id);
  fs.renameSync(folder, `${folder}-away`);
  const [id = ''] = ids;
  const away = {
    ok: false,
    error: { code: 'store_unavailable', message: expect.stringContaining('Connect its disk') },
  };
  expect(await film.call('library.import', { path: put('b.png', testPng(40, 8)) })).toMatchObject(away);
  expect(film.studio.media.open(id)).toMatchObject(away);
  expect(await film.call('library.verify')).toMatchObject(away);
  expect(await film.ask('library.gone', { ids })).toEqual({ ids: [] });
  expect((await film.ask('library.folder')).fault).toContain('Connect its disk');
  // Its thumbnail waits too: no page is given what it cannot read.
  expect(await film.ask('media.claim')).toEqual({ task: null });
  expect(fs.existsSync(folder)).toBe(false);
  fs.renameSync(`${folder}-away`, folder);
  expect((await film.ask('library.folder')).fault).toBeUndefined();
  expect(film.studio.media.open(id).ok).toBe(true);
  expect(await film.ask('media.claim')).toMatchObject({ task: { assetId: id } });
});

test('every file is read: what is missing or damaged is told with its asset, and what is in the bin too', async () => {
  const { film, ids } = await withPictures(4);
  const [whole = '', missing = '', damaged = '', binned = ''] = ids;
  await film.ask('library.bin', { ids: [binned] });
  const before = fs.readFileSync(pathOf(film, damaged));
  const rotten = Buffer.from(before);
  rotten[20] = (rotten[20] ?? 0) ^ 1;
  fs.writeFileSync(pathOf(film, damaged), rotten);
  fs.rmSync(pathOf(film, missing));
  expect(await film.ask('library.verify')).toMatchObject({ state: 'running' });
  expect(await film.call('library.verify')).toMatchObject({ error: { code: 'wrong_state' } });
  await vi.waitFor(async () => expect((await film.ask('library.folder')).check?.state).toBe('done'), WAIT);
  const check = (await film.ask('library.folder')).check;
  expect(check).toMatchObject({ files: 4, missing: 1, damaged: 1, progress: 100 });
  expect(check?.faulty.map(({ assetId, fault, canFetch }) => [assetId, fault, canFetch]).sort()).toEqual(
    [
      [missing, 'missing', false],
      [damaged, 'damaged', false],
    ].sort(),
  );
  expect(whole).not.toBe('');
  const space = await film.ask('library.space');
  expect(space.parts.filter(({ files }) => files > 0).map(({ part, files }) => [part, files])).toEqual([
    ['images', 3],
    ['bin', 1],
  ]);
  await film.close();
  const again = await openStudio({ dataDir: film.dataDir });
  expect((await again.ask('library.folder')).check).toEqual(check);
});

test('a folder, or a link to a device, in the place of a file is a damaged file', async () => {
  const { film, ids } = await withPictures(3);
  const [folder = '', endless = ''] = ids;
  for (const id of [folder, endless]) fs.rmSync(pathOf(film, id));
  fs.mkdirSync(pathOf(film, folder));
  fs.symlinkSync('/dev/zero', pathOf(film, endless));
  await film.ask('library.verify');
  await vi.waitFor(async () => expect((await film.ask('library.folder')).check?.state).toBe('done'), WAIT);
  expect((await film.ask('library.folder')).check).toMatchObject({ files: 3, missing: 0, damaged: 2 });
});

test('below the floor of its disk nothing new that makes files is sent, and the user is told once', async () => {
  let free = 1e12;
  const film = await openStudio({ ports: { clock: systemClock, freeBytes: () => free } });
  await film.ask('settings.set', { library: { floorBytes: 5_000_000_000, warnBytes: 0 } });
  free = 4_000_000_000;
  await film.ask('profiles.setKey', { id: 'sandbox', apiKey: 'sk-test-of-the-floor' }).catch(() => undefined);
  const { jobs } = await film.ask('jobs.enqueue', {
    requests: [{ kind: 'video', model: 'video-standard', prompt: 'A quay', config: { durationSeconds: 4 } }],
  });
  const told = () =>
    film.events.filter(
      (event) => event.type === 'notice' && event.text.includes('less than the minimum of 5 GB. New jobs are not sent'),
    );
  await vi.waitFor(() => expect(told()).toHaveLength(1), WAIT);
  expect(await film.ask('jobs.get', { id: jobs[0]?.id ?? '' })).toMatchObject({ state: 'queued' });
});
