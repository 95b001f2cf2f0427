import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { exportsIn, fileOfLibrary, namesIn, writes } from '../../../../test/helpers/exportsHarness.ts';
import { tempDir } from '../../../../test/helpers/testPorts.ts';
import { fail, ok } from '../../../shared/contract/result.ts';

/** Exports into a user's folder whose content is moved, replaced or disconnected. */

test('a folder that an export has by its row is not made for another one', async () => {
  const one = exportsIn();
  const destination = tempDir('place');
  const first = await one.made(writes('a.csv'), destination);
  fs.renameSync(first.folder, path.join(tempDir('elsewhere'), 'A-film'));
  const second = await one.made(writes('a.csv'), destination);
  await one.exports.remove(first.id);
  expect(path.basename(second.folder)).toBe('A-film 2');
  expect(namesIn(destination)).toEqual(['A-film 2', 'A-film 2/a.csv']);
});

test('the name of an export that has come to nothing is free again', async () => {
  const one = exportsIn();
  const destination = tempDir('place');
  const { folder } = await one.made(async () => fail('internal', 'No.'), destination);
  expect((await one.made(writes('a.csv'), destination)).folder).toBe(folder);
});

test('what was put in the place of a file of an export stays when the export is removed', async () => {
  const one = exportsIn();
  const clip = fileOfLibrary(one.dataDir);
  const { id, folder } = await one.made(async (sink) => {
    for (const name of ['clip.mp4', 'mine.mp4']) await sink.link(name, clip);
    return writes('longer.csv', 'other.csv', 'folder.csv', 'link.csv', 'gone.csv', 'same.csv')(sink);
  });
  const at = (name: string) => path.join(folder, name);
  for (const name of ['mine.mp4', 'folder.csv', 'link.csv', 'gone.csv']) fs.rmSync(at(name));
  fs.writeFileSync(at('longer.csv'), 'graded, and longer');
  fs.writeFileSync(at('other.csv'), 'IN other.csv');
  fs.mkdirSync(at('folder.csv'));
  for (const name of ['mine.mp4', 'link.csv']) fs.symlinkSync(path.join(one.dataDir, 'dailies.db'), at(name));
  expect(await one.exports.remove(id)).toEqual(ok(null));
  expect(namesIn(folder)).toEqual(['folder.csv', 'link.csv', 'longer.csv', 'mine.mp4', 'other.csv']);
  expect(fs.existsSync(clip.path)).toBe(true);
  expect(one.exports.get(id).ok).toBe(false);
});

test.each(['disk', 'folder'])(
  'killed, and started without its %s, an export says that what is half written may be there',
  async (what) => {
    const one = exportsIn();
    const destination = tempDir('place');
    const reached = Promise.withResolvers<void>();
    const run = await one.start(
      async (sink) => {
        await writes('a.csv')(sink);
        reached.resolve();
        return new Promise(() => {});
      },
      { destination },
    );
    await reached.promise;
    one.store.close();
    const moved = what === 'disk' ? destination : run.folder;
    fs.renameSync(moved, `${moved}-away`);
    const again = exportsIn(one.dataDir);
    await again.exports.recover();
    const error = expect.stringMatching(/closed before .* may hold half-written files/);
    expect(again.exports.get(run.id)).toMatchObject({ data: { state: 'failed', error } });
    expect(namesIn(`${moved}-away`)).toEqual(what === 'disk' ? ['A-film', 'A-film/a.csv.part'] : ['a.csv.part']);
  },
);

test('the links of an export count while its folder is away, and its copies do not', async () => {
  const one = exportsIn();
  const clip = fileOfLibrary(one.dataDir);
  const destination = tempDir('place');
  const done = await one.made(async (sink) => {
    await sink.link('link.mp4', clip);
    await sink.copy('copy.mp4', clip);
    return writes('a.csv')(sink);
  }, destination);
  expect(Object.keys(done.files[0] ?? {}).sort()).toEqual(['bytes', 'mime', 'name', 'sha256']);
  expect(await one.exports.filesLinked()).toEqual([clip.sha256]);
  fs.renameSync(destination, `${destination}-away`);
  expect(await exportsIn(one.dataDir).exports.filesLinked()).toEqual([clip.sha256]);
  fs.renameSync(`${destination}-away`, destination);
  fs.rmSync(done.folder, { recursive: true });
  expect(await one.exports.filesLinked()).toEqual([]);
});
