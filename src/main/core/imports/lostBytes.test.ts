import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { framesOf, makeFilmFolder } from '../../../../test/helpers/filmStudio.ts';
import { testPng } from '../../../../test/helpers/png.ts';
import { tempDir } from '../../../../test/helpers/testPorts.ts';
import type { TestStudio } from '../../../../test/helpers/testStudio.ts';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';
import { databaseFile } from '../store/index.ts';

/** What is here and has lost its bytes has them again when a copy comes in. */

const openStudio = studiosOfThisFile();
const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const fileOf = ({ dataDir }: TestStudio, bytes: Uint8Array, extension = 'png') =>
  path.join(dataDir, 'library', sha(bytes).slice(0, 2), `${sha(bytes)}.${extension}`);

test('a copy that a page brings in is the asset that has lost its bytes, and what failed of that is tried anew', async () => {
  const opened = await openStudio();
  const { ask, events } = opened;
  const pictures = [testPng(8, 8), testPng(9, 9), testPng(10, 10)] as const;
  const [gone, rotten, whole] = pictures;
  const before = [];
  for (const bytes of pictures) before.push(await opened.upload('pier.png', bytes, { role: 'source' }));
  for (let { task } = await ask('media.claim'); task; { task } = await ask('media.claim'))
    await ask('media.finish', { taskId: task.id, error: 'it cannot be decoded.' });
  fs.rmSync(fileOf(opened, gone));
  fs.writeFileSync(fileOf(opened, rotten), Buffer.alloc(rotten.length));
  await ask('library.verify');
  const check = async () => (await ask('library.folder')).check;
  await expect.poll(check).toMatchObject({ state: 'done', missing: 1, damaged: 1 });
  const asked = { files: pictures.map((bytes, n) => ({ file: `${n}.png`, sha256: sha(bytes) })) };
  const states = async () => (await ask('library.checkImport', asked)).files.map(({ state }) => state);
  expect(await states()).toEqual(['new', 'new', 'known']);
  events.length = 0;
  const after = [];
  for (const bytes of pictures)
    after.push(await opened.upload('pier.png', bytes, { role: 'source', sha256: sha(bytes) }));
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  expect((await ask('library.list', {})).total).toBe(3);
  for (const bytes of [gone, rotten, whole]) expect(fs.readFileSync(fileOf(opened, bytes))).toEqual(bytes);
  await expect.poll(check).toMatchObject({ missing: 0, damaged: 0, faulty: [] });
  expect(await states()).toEqual(['known', 'known', 'known']);
  expect(events.flatMap((event) => (event.type === 'asset.changed' ? event.asset.id : []))).toEqual(
    before.slice(0, 2).map(({ id }) => id),
  );
  for (const id of [before[0]?.id, before[1]?.id, undefined]) expect((await ask('media.claim')).task?.assetId).toBe(id);
});

test.each(['from a folder', 'from a page'])(
  'a copy that comes in %s heals what is being fetched again',
  async (how) => {
    const clip = await framesOf({ frames: 24, rate: { num: 24, den: 1 } });
    const dataDir = makeFilmFolder([{ clip, prompt: 'A quay' }]);
    const db = new Database(databaseFile(dataDir));
    db.prepare(`UPDATE assets SET remote_uri = 'http://127.0.0.1:9/gone.mp4' WHERE id = 'a1'`).run();
    db.close();
    const opened = await openStudio({ dataDir });
    const { ask } = opened;
    fs.rmSync(fileOf(opened, clip, 'mp4'));
    expect(await ask('library.download', { id: 'a1' })).toMatchObject({ state: 'remote' });
    const checked = await ask('library.checkImport', { files: [{ file: 'quay.mp4', sha256: sha(clip) }] });
    expect(checked.files).toMatchObject([{ state: 'new', asset: { id: 'a1' } }]);
    const { total } = await ask('library.list', {});
    if (how === 'from a page') {
      const back = await opened.upload('quay.mp4', clip, { role: 'source', sha256: sha(clip) });
      expect(back.id).toBe('a1');
    } else {
      const folder = tempDir('coming');
      fs.writeFileSync(path.join(folder, 'quay.mp4'), clip);
      expect(await ask('library.importFolder', { path: folder })).toMatchObject({ imported: 1, known: 0, errors: [] });
    }
    const { assets, total: after } = await ask('library.list', {});
    expect(after).toBe(total);
    expect(assets.find(({ id }) => id === 'a1')).toMatchObject({ state: 'local', sha256: sha(clip) });
    expect(fs.readFileSync(fileOf(opened, clip, 'mp4'))).toEqual(clip);
  },
);

test.each([
  ['other bytes', sha(testPng(3, 3)), 'conflict'],
  ['no checksum', 'abc', 'invalid_input'],
])('%s named for a file are refused, and nothing comes in', async (_, sha256, code) => {
  const { studio, ask } = await openStudio();
  const put = await studio.media.upload({ name: 'a.png', body: Readable.from([testPng(8, 8)]), sha256 });
  expect(put).toMatchObject({ ok: false, error: { code } });
  expect((await ask('library.list', {})).total).toBe(0);
});
