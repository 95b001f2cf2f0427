import fs from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { openTestStore } from '../../../../test/helpers/emptyDatabase.ts';
import { PATIENCE_MS } from '../../../../test/helpers/patience.ts';
import { countingIds, recordingLog, TestClock, tempDir } from '../../../../test/helpers/testPorts.ts';
import type { StudioEvent } from '../../../shared/events.ts';
import { fileNameOf, uniqueName } from '../../../shared/fileNames.ts';
import type { Export } from '../../../shared/filmExport.ts';
import { fail, ok } from '../../../shared/result.ts';
import type { Store } from '../store/index.ts';
import type { ExportSink } from './exportSink.ts';
import { Exports } from './exports.ts';
import { recordFiles } from './exportTable.ts';

interface Rig {
  exports: Exports;
  store: Store;
  dataDir: string;
  told: Export[];
}

function rig({ dataDir = tempDir('exports'), free = 1e12 } = {}): Rig {
  const clock = new TestClock();
  const store = openTestStore({ dataDir, clock });
  const told: Export[] = [];
  const emit = (event: StudioEvent) => void (event.type === 'export.changed' && told.push(event.export));
  const deps = { store, clock, ids: countingIds(), log: recordingLog(), dataDir, emit };
  return {
    exports: new Exports({
      version: '9.9.9',
      ...deps,
      freeBytes: () => free,
    }),
    store,
    dataDir,
    told,
  };
}

const text = { kind: 'csv' as const, name: 'A film', bytes: 10 };
const writes =
  (...names: string[]) =>
  async (sink: ExportSink) => {
    for (const name of names) await sink.writeText(name, 'text/plain', `in ${name}`);
    return ok({});
  };
const filesIn = (folder: string): string[] =>
  fs.existsSync(folder) ? (fs.readdirSync(folder, { recursive: true }) as string[]).sort() : [];

async function started(starting: ReturnType<Exports['start']>): Promise<Export> {
  const result = await starting;
  if (!result.ok) throw new Error(result.error.message);
  return result.data;
}

const ended = ({ exports }: Rig, { id }: Export): Promise<Export> =>
  vi.waitFor(
    () => {
      const now = exports.get(id);
      if (!now.ok || now.data.state === 'running') throw new Error('it still runs');
      return now.data;
    },
    { timeout: PATIENCE_MS },
  );

test('each state is newer than the one before, and progress never falls', async () => {
  const one = rig();
  const run = await started(
    one.exports.start(text, async (sink) => {
      for (const share of [0.2, 0.1, 0.9, 2]) sink.progress(share);
      return writes('a.csv')(sink);
    }),
  );
  expect(await ended(one, run)).toMatchObject({ state: 'done', progress: 100 });
  const steps = one.told.map(({ revision, progress }) => [revision, progress]);
  expect(steps).toEqual(steps.toSorted(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d));
  expect(new Set(steps.map(([revision]) => revision)).size).toBe(steps.length);
});

test.each(['canceled', 'failed'])('the progress of an export that is %s stays where it came to', async (state) => {
  const one = rig();
  const run = await started(
    one.exports.start(text, async (sink) => {
      sink.progress(0.6);
      if (state === 'canceled') await new Promise((resolve) => sink.signal.addEventListener('abort', resolve));
      return fail('internal', 'It broke.');
    }),
  );
  await expect.poll(() => one.told.at(-1)?.progress).toBe(54);
  if (state === 'canceled') await one.exports.cancel(run.id);
  expect(await ended(one, run)).toMatchObject({ state, progress: 54 });
  expect(one.told.map(({ progress }) => progress)).toEqual([0, 54, 54]);
  expect(rig({ dataDir: one.dataDir }).exports.get(run.id)).toMatchObject({ data: { progress: 54 } });
});

test('no file has its name before all of them are whole', async () => {
  const one = rig();
  let go = () => {};
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  const run = await started(
    one.exports.start(text, async (sink) => {
      await writes('a.csv', 'media/b.txt')(sink);
      await held;
      return ok({});
    }),
  );
  await expect.poll(() => filesIn(run.folder)).toEqual(['a.csv.part', 'media', 'media/b.txt.part']);
  expect((await one.exports.open(run.id, 'a.csv')).ok).toBe(false);
  go();
  const done = await ended(one, run);
  expect(filesIn(run.folder).filter((name) => !name.startsWith('ascmhl'))).toEqual(['a.csv', 'media', 'media/b.txt']);
  expect(done.hashList).toHaveLength(2);
  expect(done.files).toHaveLength(2);
  expect(await one.exports.open(run.id, 'media/b.txt')).toMatchObject({ ok: true, data: { bytes: 14 } });
  for (const name of ['../../dailies.db', 'media', '', 'c.csv', 'media/../a.csv'])
    expect((await one.exports.open(run.id, name)).ok).toBe(false);
});

test('canceled, nothing is left of it, and it says so', async () => {
  const one = rig();
  const run = await started(
    one.exports.start(text, async (sink) => {
      await writes('a.csv')(sink);
      await new Promise((resolve) => sink.signal.addEventListener('abort', resolve));
      return writes('b.csv')(sink);
    }),
  );
  await expect.poll(() => filesIn(run.folder)).toEqual(['a.csv.part']);
  expect(await one.exports.cancel(run.id)).toMatchObject({ ok: true, data: { state: 'canceled', files: [] } });
  expect(fs.existsSync(run.folder)).toBe(false);
  expect(await one.exports.cancel(run.id)).toMatchObject({ ok: false, error: { code: 'wrong_state' } });
});

test.each([
  ['the disk is full', 'ENOSPC', 'The disk is full. Nothing was exported; make room and start it again.'],
  ['the folder is gone', 'ENOENT', 'The folder of the export, or a file in it, is not there any more.'],
  ['the folder is locked', 'EACCES', 'The folder of the export cannot be written to.'],
])('where %s, it failed with one sentence, and nothing is left', async (_, code, sentence) => {
  const one = rig();
  const run = await started(
    one.exports.start(text, async (sink) => {
      await writes('a.csv')(sink);
      throw Object.assign(new Error('x'), { code });
    }),
  );
  expect(await ended(one, run)).toMatchObject({ state: 'failed', error: sentence, files: [] });
  expect(fs.existsSync(run.folder)).toBe(false);
});

test('more than the disk has is refused before anything is written', async () => {
  const one = rig({ free: 5_000_000 });
  const refused = await one.exports.start({ ...text, bytes: 80_000_000 }, writes('a.csv'));
  expect(refused).toMatchObject({ ok: false, error: { code: 'disk_full' } });
  expect(filesIn(path.join(one.dataDir, 'exports'))).toEqual([]);
});

test('what is changed on the disk before it is read back fails the export', async () => {
  const one = rig();
  const run = await started(
    one.exports.start(text, async (sink) => {
      await writes('a.csv')(sink);
      fs.writeFileSync(path.join(sink.folder, 'a.csv.part'), 'other');
      return ok({});
    }),
  );
  expect(await ended(one, run)).toMatchObject({ state: 'failed', error: expect.stringContaining('a.csv') });
});

test('a folder that vanishes while a maker writes in it fails the export, and the sentence says so', async () => {
  const one = rig();
  const run = await started(
    one.exports.start(text, async (sink) => {
      fs.rmSync(sink.folder, { recursive: true });
      return fail('internal', 'What was made is not the film: it cannot be read.');
    }),
  );
  expect(await ended(one, run)).toMatchObject({
    state: 'failed',
    error:
      'The folder of the export, or a file in it, is not there any more. What was half written may still be in it.',
  });
  expect(fs.existsSync(run.folder)).toBe(false);
});

test('a library file that is not what it was fails the export', async () => {
  const one = rig();
  const file = path.join(one.dataDir, 'clip.mp4');
  fs.writeFileSync(file, 'damaged');
  const source = { path: file, bytes: 7, sha256: '00', mime: 'video/mp4' };
  const run = await started(
    one.exports.start(text, async (sink) => {
      await sink.copy('clip.mp4', source);
      return ok({});
    }),
  );
  expect(await ended(one, run)).toMatchObject({ state: 'failed' });
});

test('two exports of one name in one place keep out of each other, and of what was there', async () => {
  const one = rig();
  const place = tempDir('place');
  fs.mkdirSync(path.join(place, 'A-film'));
  fs.writeFileSync(path.join(place, 'A-film', 'mine.txt'), 'mine');
  const first = await started(one.exports.start({ ...text, place }, writes('a.csv')));
  const second = await started(one.exports.start({ ...text, place }, writes('a.csv')));
  expect([path.basename(first.folder), path.basename(second.folder)]).toEqual(['A-film 2', 'A-film 3']);
  await Promise.all([ended(one, first), ended(one, second)]);
  fs.writeFileSync(path.join(first.folder, 'note.txt'), 'mine too');
  expect(await one.exports.remove(first.id)).toEqual(ok(null));
  expect(filesIn(place)).toEqual([
    'A-film',
    'A-film 2',
    'A-film 2/note.txt',
    'A-film 3',
    'A-film 3/a.csv',
    'A-film/mine.txt',
  ]);
  expect(one.exports.list({ limit: 10 }).exports.map(({ id }) => id)).toEqual([second.id]);
});

test('a file of somebody else that has a name of the export stays, and nothing is renamed over it', async () => {
  const one = rig();
  const place = tempDir('place');
  const run = await started(
    one.exports.start({ ...text, place }, async (sink) => {
      await writes('a.csv', 'b.csv')(sink);
      fs.writeFileSync(path.join(sink.folder, 'b.csv'), 'mine');
      return ok({});
    }),
  );
  expect(await ended(one, run)).toMatchObject({ state: 'failed', error: expect.stringContaining('b.csv'), files: [] });
  expect(filesIn(run.folder)).toEqual(['b.csv']);
  expect(fs.readFileSync(path.join(run.folder, 'b.csv'), 'utf8')).toBe('mine');
});

test.each(['done', 'failed'])('of an export that is %s, only what it wrote is removed', async (state) => {
  const one = rig();
  const place = tempDir('place');
  const run = await started(
    one.exports.start({ ...text, place }, async (sink) => {
      await writes('a.csv', 'media/b.txt')(sink);
      fs.writeFileSync(path.join(sink.folder, 'film.part'), 'mine');
      fs.mkdirSync(path.join(sink.folder, 'empty'));
      return state === 'done' ? ok({}) : fail('internal', 'No.');
    }),
  );
  expect(await ended(one, run)).toMatchObject({ state });
  await one.exports.remove(run.id);
  expect(filesIn(run.folder)).toEqual(['empty', 'film.part']);
});

test('a place that is none is refused with its field', async () => {
  const one = rig();
  for (const [place, code] of [
    ['relative', 'invalid_input'],
    [path.join(one.dataDir, 'nowhere'), 'not_found'],
    [path.join(one.dataDir, 'dailies.db'), 'not_found'],
    [path.join(one.dataDir, 'no\0where'), 'not_found'],
  ] as const)
    expect(await one.exports.start({ ...text, place }, writes('a.csv'))).toMatchObject({
      error: { code, data: { field: 'folder' } },
    });
});

/** A studio that is killed once the parts of an export are on the disk; `before` is what it did until then. */
async function killed(before: (one: Rig, run: Export) => void = () => {}) {
  const one = rig();
  let reached = () => {};
  const there = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const run = await started(
    one.exports.start(text, async (sink) => {
      await writes('a.csv', 'media/b.txt')(sink);
      reached();
      return new Promise(() => {});
    }),
  );
  await there;
  before(one, run);
  one.store.close();
  const again = rig({ dataDir: one.dataDir });
  await again.exports.recover();
  const found = again.exports.get(run.id);
  return { folder: run.folder, found: found.ok ? found.data : undefined };
}

test('killed while it was written, it has failed, and nothing half written is left', async () => {
  const { folder, found } = await killed();
  expect(found).toMatchObject({ state: 'failed', error: expect.stringContaining('Dailies was closed') });
  expect(fs.existsSync(folder)).toBe(false);
});

test('killed while it was written, it leaves the parts that it did not make', async () => {
  const { folder } = await killed((_, run) => {
    fs.writeFileSync(path.join(run.folder, 'film.part'), 'mine');
    fs.writeFileSync(path.join(run.folder, 'media', 'a.csv.part'), 'mine');
    fs.mkdirSync(path.join(run.folder, 'theirs'));
    fs.writeFileSync(path.join(run.folder, 'theirs', 'b.txt.part'), 'mine');
  });
  expect(filesIn(folder)).toEqual(['film.part', 'media', 'media/a.csv.part', 'theirs', 'theirs/b.txt.part']);
});

test.each(['a copy', 'a link', 'a file of a maker'])('%s is not written over a part of somebody else', async (how) => {
  const one = rig();
  const source = { path: path.join(one.dataDir, 'dailies.db'), bytes: 1, sha256: 'ab', mime: 'text/plain' };
  const run = await started(
    one.exports.start({ ...text, place: tempDir('place') }, async (sink) => {
      fs.writeFileSync(path.join(sink.folder, 'a.csv.part'), 'mine');
      if (how === 'a copy') await sink.writeText('a.csv', 'text/plain', 'ours');
      else if (how === 'a link') await sink.link('a.csv', source);
      else fs.writeFileSync(await sink.reserve('a.csv', 'text/plain'), 'ours');
      return ok({});
    }),
  );
  expect(await ended(one, run)).toMatchObject({ state: 'failed', error: expect.stringContaining('a.csv.part') });
  expect(fs.readFileSync(path.join(run.folder, 'a.csv.part'), 'utf8')).toBe('mine');
});

const fileAt = (name: string) => ({ name, bytes: 1, sha256: 'ab', mime: 'text/plain' });

test('killed while its files got their names, it is finished by the next start', async () => {
  const made = { mode: 'join', why: 'The clips are alike.' } as const;
  const { folder, found } = await killed((one, run) => {
    one.store.transaction((db) => recordFiles(db, run.id, [fileAt('a.csv'), fileAt('media/b.txt')], made));
    fs.renameSync(path.join(run.folder, 'a.csv.part'), path.join(run.folder, 'a.csv'));
  });
  expect(found).toMatchObject({
    ...made,
    state: 'done',
    progress: 100,
    files: [{ name: 'a.csv' }, { name: 'media/b.txt' }],
  });
  expect(filesIn(folder)).toEqual(['a.csv', 'media', 'media/b.txt']);
});

test('where a whole file is gone after the kill, it has failed, and the others go too', async () => {
  const { folder, found } = await killed((one, run) => {
    one.store.transaction((db) => recordFiles(db, run.id, [fileAt('a.csv'), fileAt('media/b.txt')], {}));
    fs.renameSync(path.join(run.folder, 'a.csv.part'), path.join(run.folder, 'a.csv'));
    fs.rmSync(path.join(run.folder, 'media/b.txt.part'));
  });
  expect(found).toMatchObject({ state: 'failed', files: [] });
  expect(fs.existsSync(folder)).toBe(false);
});

test('closed while it runs, it has failed with the same sentence', async () => {
  const one = rig();
  const run = await started(
    one.exports.start(text, async (sink) => {
      await writes('a.csv')(sink);
      await new Promise((resolve) => sink.signal.addEventListener('abort', resolve));
      return ok({});
    }),
  );
  await expect.poll(() => filesIn(run.folder)).toEqual(['a.csv.part']);
  await one.exports.close();
  expect(one.exports.get(run.id)).toMatchObject({
    data: { state: 'failed', error: expect.stringContaining('Dailies was closed') },
  });
  expect(fs.existsSync(run.folder)).toBe(false);
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
  expect(['Shot', 'shot', 'SHOT'].map((name) => uniqueName(name, 'mp4', taken))).toEqual([
    'Shot.mp4',
    'shot_2.mp4',
    'SHOT_3.mp4',
  ]);
});
