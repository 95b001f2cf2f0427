import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  ANY_EXPORT,
  type ExportsHarness,
  exportsIn,
  fileOfLibrary,
  namesIn,
  untilStopped,
  writes,
} from '../../../../test/helpers/exportsHarness.ts';
import { tempDir } from '../../../../test/helpers/testPorts.ts';
import { fail, ok } from '../../../shared/contract/result.ts';
import type { Export } from '../../../shared/film/filmExport.ts';
import { fileNameOf, uniqueName } from '../../../shared/library/fileNames.ts';
import { recordFiles } from './exportTable.ts';

const GONE = 'The folder of the export is gone. The folder may hold half-written files.';

test('each state is newer than the one before, and progress never falls', async () => {
  const one = exportsIn();
  const run = await one.start(async (sink) => {
    for (const share of [0.2, 0.1, 0.9, 2]) sink.progress(share);
    return writes('a.csv')(sink);
  });
  expect(await one.ended(run)).toMatchObject({ state: 'done', progress: 100 });
  const steps = one.told.map(({ revision, progress }) => [revision, progress]);
  expect(steps).toEqual(steps.toSorted(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d));
  expect(new Set(steps.map(([revision]) => revision)).size).toBe(steps.length);
});

test.each(['canceled', 'failed'])('the progress of an export that is %s stays where it came to', async (state) => {
  const one = exportsIn();
  const run = await one.start(async (sink) => {
    sink.progress(0.6);
    if (state === 'canceled') await untilStopped(sink);
    return fail('internal', 'It broke.');
  });
  await expect.poll(() => one.told.at(-1)?.progress).toBe(54);
  if (state === 'canceled') await one.exports.cancel(run.id);
  expect(await one.ended(run)).toMatchObject({ state, progress: 54 });
  expect(one.told.map(({ progress }) => progress)).toEqual([0, 54, 54]);
  expect(exportsIn(one.dataDir).exports.get(run.id)).toMatchObject({ data: { progress: 54 } });
});

test('no file has its name before all of them are whole', async () => {
  const one = exportsIn();
  const held = Promise.withResolvers<void>();
  const run = await one.start(async (sink) => {
    await writes('a.csv', 'media/b.txt')(sink);
    await held.promise;
    return ok({});
  });
  await expect.poll(() => namesIn(run.folder)).toEqual(['a.csv.part', 'media', 'media/b.txt.part']);
  expect((await one.exports.open(run.id, 'a.csv')).ok).toBe(false);
  held.resolve();
  const done = await one.ended(run);
  expect(namesIn(run.folder).filter((name) => !name.startsWith('ascmhl'))).toEqual(['a.csv', 'media', 'media/b.txt']);
  expect([done.hashList?.length, done.files.length]).toEqual([2, 2]);
  expect(await one.exports.open(run.id, 'media/b.txt')).toMatchObject({ ok: true, data: { bytes: 14 } });
  for (const name of ['../../dailies.db', 'media', '', 'c.csv', 'media/../a.csv'])
    expect((await one.exports.open(run.id, name)).ok).toBe(false);
});

test.each(['canceled', 'closed'])('%s while it runs, nothing is left of it, and it says so', async (how) => {
  const one = exportsIn();
  const run = await one.start(async (sink) => {
    await writes('a.csv')(sink);
    await untilStopped(sink);
    return writes('b.csv')(sink);
  });
  await expect.poll(() => namesIn(run.folder)).toEqual(['a.csv.part']);
  if (how === 'canceled') await one.exports.cancel(run.id);
  else await one.exports.close();
  const failed = { state: 'failed', error: expect.stringContaining('Dailies was closed') };
  const data = how === 'canceled' ? { state: 'canceled', files: [] } : failed;
  expect(one.exports.get(run.id)).toMatchObject({ data });
  expect(fs.existsSync(run.folder)).toBe(false);
  if (how === 'canceled')
    expect(await one.exports.cancel(run.id)).toMatchObject({ ok: false, error: { code: 'wrong_state' } });
});

const throwing = (code: string) => () => {
  throw Object.assign(new Error('x'), { code });
};

test.each<[string, (part: string) => unknown, unknown]>([
  ['the disk is full', throwing('ENOSPC'), 'The disk is full. Nothing was exported.'],
  ['the folder is gone', throwing('ENOENT'), 'The folder of the export is gone.'],
  ['the folder is locked', throwing('EACCES'), 'The folder of the export cannot be written to.'],
  ['a file was changed on the disk', (part) => fs.writeFileSync(part, 'x'), expect.stringContaining('a.csv')],
  ['its folder vanishes', (part) => fs.rmSync(path.dirname(part), { recursive: true }), GONE],
])('where %s, it failed with one sentence, and nothing is left', async (_, spoil, error) => {
  const one = exportsIn();
  const run = await one.start(async (sink) => {
    await writes('a.csv')(sink);
    spoil(path.join(sink.folder, 'a.csv.part'));
    return ok({});
  });
  expect(await one.ended(run)).toMatchObject({ state: 'failed', error, files: [] });
  expect(fs.existsSync(run.folder)).toBe(false);
});

test('a folder that vanishes while a maker writes in it is what the sentence says, not what the maker found', async () => {
  const one = exportsIn();
  const run = await one.start(async (sink) => {
    fs.rmSync(sink.folder, { recursive: true });
    return fail('internal', 'What was made is not the film: it cannot be read.');
  });
  expect(await one.ended(run)).toMatchObject({ state: 'failed', error: GONE });
});

test('its folder has its name, and a number where that is taken', async () => {
  const one = exportsIn();
  const folders = [await one.start(writes('a.csv')), await one.start(writes('a.csv'))].map(({ folder }) => folder);
  const named = path.join(one.dataDir, 'exports', fileNameOf(ANY_EXPORT.name));
  expect(folders).toEqual([named, `${named} 2`]);
});

test('more than the disk has is refused before anything is written', async () => {
  const one = exportsIn(undefined, 5_000_000);
  const refused = await one.exports.start({ ...ANY_EXPORT, bytes: 80_000_000 }, writes('a.csv'));
  expect(refused).toMatchObject({ ok: false, error: { code: 'disk_full' } });
  expect(namesIn(path.join(one.dataDir, 'exports'))).toEqual([]);
});

test('a library file that is not what it was fails the export', async () => {
  const one = exportsIn();
  const source = { ...fileOfLibrary(one.dataDir), sha256: '00' };
  const made = await one.made(async (sink) => {
    await sink.copy('clip.mp4', source);
    return ok({});
  });
  expect(made).toMatchObject({ state: 'failed' });
});

test('two exports of one name in one place keep out of each other, and of what was there', async () => {
  const one = exportsIn();
  const destination = tempDir('place');
  fs.mkdirSync(path.join(destination, 'A-film'));
  fs.writeFileSync(path.join(destination, 'A-film', 'mine.txt'), 'mine');
  const [first, second] = [await one.made(writes('a.csv'), destination), await one.made(writes('a.csv'), destination)];
  expect([first, second].map(({ folder }) => path.basename(folder))).toEqual(['A-film 2', 'A-film 3']);
  fs.writeFileSync(path.join(first.folder, 'note.txt'), 'mine too');
  expect(await one.exports.remove(first.id)).toEqual(ok(null));
  const left = ['A-film', 'A-film 2', 'A-film 2/note.txt', 'A-film 3', 'A-film 3/a.csv', 'A-film/mine.txt'];
  expect(namesIn(destination)).toEqual(left);
  expect(one.exports.list({ limit: 10 }).exports.map(({ id }) => id)).toEqual([second.id]);
});

test('a file of somebody else that has a name of the export stays, and nothing is renamed over it', async () => {
  const made = await exportsIn().made(async (sink) => {
    await writes('a.csv', 'b.csv')(sink);
    fs.writeFileSync(path.join(sink.folder, 'b.csv'), 'mine');
    return ok({});
  });
  expect(made).toMatchObject({ state: 'failed', error: expect.stringContaining('b.csv'), files: [] });
  expect(namesIn(made.folder)).toEqual(['b.csv']);
  expect(fs.readFileSync(path.join(made.folder, 'b.csv'), 'utf8')).toBe('mine');
});

test.each(['done', 'failed'])('of an export that is %s, only what it wrote is removed', async (state) => {
  const one = exportsIn();
  const made = await one.made(async (sink) => {
    await writes('a.csv', 'media/b.txt')(sink);
    fs.writeFileSync(path.join(sink.folder, 'film.part'), 'mine');
    fs.mkdirSync(path.join(sink.folder, 'empty'));
    return state === 'done' ? ok({}) : fail('internal', 'No.');
  });
  expect(made).toMatchObject({ state });
  await one.exports.remove(made.id);
  expect(namesIn(made.folder)).toEqual(['empty', 'film.part']);
});

test.each([
  ['relative', 'relative', 'invalid_input'],
  ['not there', path.join(tempDir('place'), 'nowhere'), 'not_found'],
  ['a file', import.meta.filename, 'not_found'],
  ['no path', '/no\0where', 'not_found'],
])('a place that is %s is refused with its field', async (_, destination, code) => {
  expect(await exportsIn().exports.start({ ...ANY_EXPORT, destination }, writes('a.csv'))).toMatchObject({
    error: { code, data: { field: 'folder' } },
  });
});

/** A studio that is killed once the parts of an export are on the disk; `before` is what it did until then. */
async function killed(before: (run: Export, one: ExportsHarness) => void = () => {}) {
  const one = exportsIn();
  const reached = Promise.withResolvers<void>();
  const run = await one.start(async (sink) => {
    await writes('a.csv', 'media/b.txt')(sink);
    reached.resolve();
    return new Promise(() => {});
  });
  await reached.promise;
  before(run, one);
  one.store.close();
  const again = exportsIn(one.dataDir);
  await again.exports.recover();
  const found = again.exports.get(run.id);
  return { folder: run.folder, found: found.ok ? found.data : undefined };
}

const fileAt = (name: string) => ({ name, bytes: 1, sha256: 'ab', mime: 'text/plain' });
const joinedWith = { mode: 'join', why: 'The clips are alike.' } as const;

/** All files are whole, and the first has its name. */
function naming({ id, folder }: Export, { store }: ExportsHarness): void {
  store.transaction((db) => recordFiles(db, id, [fileAt('a.csv'), fileAt('media/b.txt')], joinedWith));
  fs.renameSync(path.join(folder, 'a.csv.part'), path.join(folder, 'a.csv'));
}

test('killed while it was written, it has failed, and nothing half written is left', async () => {
  const { folder, found } = await killed();
  expect(found).toMatchObject({ state: 'failed', error: expect.stringContaining('Dailies was closed') });
  expect(fs.existsSync(folder)).toBe(false);
});

test('killed while it was written, it leaves the parts that it did not make', async () => {
  const theirs = ['film.part', 'media/a.csv.part', 'theirs/b.txt.part'];
  const { folder } = await killed((run) => {
    fs.mkdirSync(path.join(run.folder, 'theirs'));
    for (const name of theirs) fs.writeFileSync(path.join(run.folder, name), 'mine');
  });
  expect(namesIn(folder).filter((name) => name.includes('.'))).toEqual(theirs);
});

test('killed while its files got their names, it is finished by the next start', async () => {
  const { folder, found } = await killed(naming);
  const files = [{ name: 'a.csv' }, { name: 'media/b.txt' }];
  expect(found).toMatchObject({ ...joinedWith, state: 'done', progress: 100, files });
  expect(namesIn(folder)).toEqual(['a.csv', 'media', 'media/b.txt']);
});

test('where a whole file is gone after the kill, it has failed, and the others go too', async () => {
  const { folder, found } = await killed((run, one) => {
    naming(run, one);
    fs.rmSync(path.join(run.folder, 'media/b.txt.part'));
  });
  expect(found).toMatchObject({ state: 'failed', files: [] });
  expect(fs.existsSync(folder)).toBe(false);
});

test.each(['a copy', 'a link', 'a file of a maker'])('%s is not written over a part of somebody else', async (how) => {
  const one = exportsIn();
  const made = await one.made(async (sink) => {
    fs.writeFileSync(path.join(sink.folder, 'a.csv.part'), 'mine');
    if (how === 'a copy') await sink.writeText('a.csv', 'text/plain', 'ours');
    else if (how === 'a link') await sink.link('a.csv', fileOfLibrary(one.dataDir));
    else fs.writeFileSync(await sink.reserve('a.csv', 'text/plain'), 'ours');
    return ok({});
  });
  expect(made).toMatchObject({ state: 'failed', error: expect.stringContaining('a.csv.part') });
  expect(fs.readFileSync(path.join(made.folder, 'a.csv.part'), 'utf8')).toBe('mine');
});

test.each([
  ['Last Ferry', 'Last-Ferry'],
  ['Ünïcödé Straße', 'Unicode-Strasse'],
  ['ночной паром', 'film'],
  ['../../etc/passwd', 'etc-passwd'],
  ['CON', '_CON'],
  ['nul.txt', '_nul.txt'],
  ['com1', '_com1'],
  ['trailing dots...', 'trailing-dots'],
  ['a\u202eb\0c', 'abc'],
  ['-rf', 'rf'],
  ['', 'film'],
  ['x'.repeat(500), 'x'.repeat(80)],
])('%j is a file name everywhere: %s', (name, expected) => {
  expect(fileNameOf(name)).toBe(expected);
});

test('names that some systems take for one get numbers', () => {
  const taken = new Set<string>();
  const names = ['Shot', 'shot', 'SHOT'].map((name) => uniqueName(name, 'mp4', taken));
  expect(names).toEqual(['Shot.mp4', 'shot_2.mp4', 'SHOT_3.mp4']);
});
