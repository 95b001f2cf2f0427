import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { openTestStore } from '../../../../test/helpers/emptyDatabase.ts';
import { PATIENCE_MS } from '../../../../test/helpers/patience.ts';
import { countingIds, silentLog, TestClock, tempDir } from '../../../../test/helpers/testPorts.ts';
import type { Export } from '../../../shared/filmExport.ts';
import { fail, ok } from '../../../shared/result.ts';
import type { ExportSink } from './exportSink.ts';
import { Exports } from './exports.ts';

/** Exports into a folder of the user's, who moves what is there, puts other things in its place, or takes its disk away. */

function rig(dataDir = tempDir('export-places')) {
  const clock = new TestClock();
  const store = openTestStore({ dataDir, clock });
  const deps = { store, clock, ids: countingIds(), log: silentLog, dataDir };
  const exports = new Exports({ ...deps, version: '9.9.9', emit: () => undefined, freeBytes: () => 1e12 });
  return { exports, store, dataDir };
}
type Rig = ReturnType<typeof rig>;

const writes =
  (...names: string[]) =>
  async (sink: ExportSink) => {
    for (const name of names) await sink.writeText(name, 'text/plain', `in ${name}`);
    return ok({});
  };

type Write = Parameters<Exports['start']>[1];

async function started({ exports }: Rig, place: string, write: Write): Promise<Export> {
  const result = await exports.start({ kind: 'csv', name: 'A film', bytes: 10, place }, write);
  if (!result.ok) throw new Error(result.error.message);
  return result.data;
}

function made({ exports }: Rig, { id }: Export): Promise<Export> {
  return vi.waitFor(
    () => {
      const now = exports.get(id);
      if (!now.ok || now.data.state === 'running') throw new Error('it still runs');
      return now.data;
    },
    { timeout: PATIENCE_MS, interval: 1 },
  );
}

const filesIn = (folder: string): string[] => (fs.readdirSync(folder, { recursive: true }) as string[]).sort();

test('a folder that an export has by its row is not made for another one', async () => {
  const one = rig();
  const place = tempDir('place');
  const first = await made(one, await started(one, place, writes('a.csv')));
  fs.renameSync(first.folder, path.join(tempDir('elsewhere'), 'A-film'));
  const second = await made(one, await started(one, place, writes('a.csv')));
  await one.exports.remove(first.id);
  expect(path.basename(second.folder)).toBe('A-film 2');
  expect(filesIn(place)).toEqual(['A-film 2', 'A-film 2/a.csv']);
});

test('the name of an export that has come to nothing is free again', async () => {
  const one = rig();
  const place = tempDir('place');
  const run = await started(one, place, async () => fail('internal', 'No.'));
  await made(one, run);
  expect((await started(one, place, writes('a.csv'))).folder).toBe(run.folder);
});

/** A file as the library keeps it: its name is its hash. */
function fileOfLibrary(folder: string): { path: string; bytes: number; sha256: string; mime: string } {
  const sha256 = createHash('sha256').update('clip').digest('hex');
  const file = path.join(folder, `${sha256}.mp4`);
  fs.writeFileSync(file, 'clip');
  return { path: file, bytes: 4, sha256, mime: 'video/mp4' };
}

test('what was put in the place of a file of an export stays when the export is removed', async () => {
  const one = rig();
  const clip = fileOfLibrary(one.dataDir);
  const run = await started(one, tempDir('place'), async (sink) => {
    for (const name of ['clip.mp4', 'mine.mp4']) await sink.link(name, clip);
    return writes('longer.csv', 'other.csv', 'folder.csv', 'link.csv', 'gone.csv', 'same.csv')(sink);
  });
  const { folder } = await made(one, run);
  const at = (name: string) => path.join(folder, name);
  for (const name of ['mine.mp4', 'folder.csv', 'link.csv', 'gone.csv']) fs.rmSync(at(name));
  fs.writeFileSync(at('longer.csv'), 'graded, and longer');
  fs.writeFileSync(at('other.csv'), 'IN other.csv');
  fs.mkdirSync(at('folder.csv'));
  for (const name of ['mine.mp4', 'link.csv']) fs.symlinkSync(path.join(one.dataDir, 'dailies.db'), at(name));
  expect(await one.exports.remove(run.id)).toEqual(ok(null));
  expect(filesIn(folder)).toEqual(['folder.csv', 'link.csv', 'longer.csv', 'mine.mp4', 'other.csv']);
  expect(fs.existsSync(clip.path)).toBe(true);
  expect(one.exports.get(run.id).ok).toBe(false);
});

test.each(['disk', 'folder'])(
  'killed, and started without its %s, an export says that what is half written may be there',
  async (what) => {
    const one = rig();
    const place = tempDir('place');
    const reached = Promise.withResolvers<void>();
    const run = await started(one, place, async (sink) => {
      await writes('a.csv')(sink);
      reached.resolve();
      return new Promise(() => {});
    });
    await reached.promise;
    one.store.close();
    const moved = what === 'disk' ? place : run.folder;
    fs.renameSync(moved, `${moved}-away`);
    const again = rig(one.dataDir);
    await again.exports.recover();
    expect(again.exports.get(run.id)).toMatchObject({
      data: {
        state: 'failed',
        error: expect.stringMatching(/closed before .* its folder is not there; .* may still be in it/),
      },
    });
    expect(filesIn(`${moved}-away`)).toEqual(what === 'disk' ? ['A-film', 'A-film/a.csv.part'] : ['a.csv.part']);
  },
);

test('the links of an export count while its folder is away, and its copies do not', async () => {
  const one = rig();
  const clip = fileOfLibrary(one.dataDir);
  const place = tempDir('place');
  const run = await started(one, place, async (sink) => {
    await sink.link('link.mp4', clip);
    await sink.copy('copy.mp4', clip);
    return writes('a.csv')(sink);
  });
  const done = await made(one, run);
  expect(Object.keys(done.files[0] ?? {}).sort()).toEqual(['bytes', 'mime', 'name', 'sha256']);
  expect(await one.exports.filesLinked()).toEqual([clip.sha256]);
  fs.renameSync(place, `${place}-away`);
  expect(await rig(one.dataDir).exports.filesLinked()).toEqual([clip.sha256]);
  fs.renameSync(`${place}-away`, place);
  fs.rmSync(run.folder, { recursive: true });
  expect(await one.exports.filesLinked()).toEqual([]);
});
