import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { exportEnded, framesOf, makeFilmFolder } from '../../../../test/helpers/filmStudio.ts';
import { testPng } from '../../../../test/helpers/png.ts';
import { stallFiles } from '../../../../test/helpers/stalledFiles.ts';
import { countingIds, memoryKeys, tempDir } from '../../../../test/helpers/testPorts.ts';
import type { TestStudio } from '../../../../test/helpers/testStudio.ts';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';
import type { Export } from '../../../shared/film/filmExport.ts';

const openStudio = studiosOfThisFile();
const MONEY = { charged: 3_200_000_000, low: 400_000_000, doubt: 0 };
const NOTHING = { settledNano: 0, reservedNano: 0, uncertainNano: 0 };
const SIGNED = 'https://bucket.example/quay.png?X-Amz-Signature=S3CR3T';

let clip: Buffer;
beforeAll(async () => {
  clip = await framesOf({ frames: 24, rate: { num: 24, den: 1 } });
});

const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const filmFolder = () =>
  makeFilmFolder([{ clip, uri: SIGNED, prompt: 'A quay at dawn', seed: 7, verdict: 'keep', money: MONEY }]);

async function exported(studio: TestStudio, ids: string[], more: object = {}): Promise<Export> {
  const done = await exportEnded(studio, await studio.ask('library.export', { ids, ...more }));
  expect(done.state).toBe('done');
  return done;
}

/** A folder with these files; an object becomes the JSON of a sidecar. */
function folderOf(files: Record<string, Uint8Array | string | object>): string {
  const folder = tempDir('coming');
  for (const [name, content] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    const isBytes = content instanceof Uint8Array || typeof content === 'string';
    fs.writeFileSync(path.join(folder, name), isBytes ? content : JSON.stringify(content));
  }
  return folder;
}

const sidecarFor = (bytes: Uint8Array, more: object = {}) => ({ dailies: 1, sha256: sha(bytes), made: {}, ...more });
const PNG = testPng(5, 4);

describe('what leaves one folder', () => {
  test('comes into another one whole, is found by its words, and costs nothing there', async () => {
    const first = await openStudio({ dataDir: filmFolder() });
    const leaving = await exported(first, ['a1']);
    expect((await first.ask('library.list', {})).assets.find(({ id }) => id === 'a1')).toMatchObject({ seed: 7 });
    const other = await openStudio();
    const imported = await other.ask('library.importFolder', { path: leaving.folder });
    expect(imported).toEqual({ imported: 1, known: 0, errors: [] });
    const { assets } = await other.ask('library.list', {});
    expect(assets).toMatchObject([
      {
        ...{ name: 'a1', model: 'film-1', seed: 7, verdict: 'keep', role: 'source', state: 'local' },
        sha256: leaving.files[0]?.sha256,
        elsewhere: { costNano: MONEY.charged, play: true, project: 'Last Ferry', kind: 'video', madeAt: 1 },
      },
    ]);
    expect(assets[0]).not.toHaveProperty('costNano');
    const { hits } = await other.ask('search.all', { text: 'quay dawn' });
    expect(hits).toMatchObject([{ type: 'asset', id: assets[0]?.id, snippet: 'A quay at dawn' }]);
    expect((await other.ask('library.list', { text: 'quay', verdict: ['keep'] })).total).toBe(1);
    const { elsewhere } = await other.ask('library.found', { id: assets[0]?.id ?? '' });
    expect(elsewhere).toMatchObject({
      prompt: 'A quay at dawn',
      seed: 7,
      request: { kind: 'video', config: { durationSeconds: 4, seed: 7 } },
      sha256: sha(clip),
      ancestry: [{ field: 'image', uri: 'https://bucket.example/quay.png' }],
    });
    for (const play of [true, false])
      expect((await other.ask('ledger.totals', { groupBy: 'model', play })).sum).toMatchObject(NOTHING);
    expect((await other.ask('jobs.list', {})).total).toBe(0);
  });

  test('again and again is known, also where it was made, and by another name', async () => {
    const first = await openStudio({ dataDir: filmFolder() });
    const { folder } = await exported(first, ['a1']);
    const other = await openStudio();
    await other.ask('library.importFolder', { path: folder });
    const before = await other.ask('library.list', {});
    fs.copyFileSync(path.join(folder, 'a1.mp4'), path.join(folder, 'copy.mp4'));
    expect(await other.ask('library.importFolder', { path: folder })).toEqual({ imported: 0, known: 2, errors: [] });
    expect(await other.ask('library.list', {})).toEqual(before);
    fs.rmSync(path.join(folder, 'copy.mp4'));
    // The copy has other bytes than the file it was made of: it carries its marks.
    expect(await first.ask('library.importFolder', { path: folder })).toEqual({ imported: 0, known: 1, errors: [] });
    expect((await first.ask('library.list', {})).total).toBe(1);
  });

  test('what was brought in leaves again with all that is known of it', async () => {
    const first = await openStudio({ dataDir: filmFolder() });
    const { folder } = await exported(first, ['a1']);
    const second = await openStudio();
    await second.ask('library.importFolder', { path: folder });
    const [asset] = (await second.ask('library.list', {})).assets;
    const again = await exported(second, [asset?.id ?? '']);
    const third = await openStudio();
    await third.ask('library.importFolder', { path: again.folder });
    const [last] = (await third.ask('library.list', {})).assets;
    expect(last).toMatchObject({ name: 'a1', verdict: 'keep', elsewhere: asset?.elsewhere, sha256: asset?.sha256 });
    expect((await third.ask('library.found', { id: last?.id ?? '' })).elsewhere).toEqual(
      (await second.ask('library.found', { id: asset?.id ?? '' })).elsewhere,
    );
  });

  test('stars and tags come along; a tag that could not be given here does not', async () => {
    const first = await openStudio({ dataDir: filmFolder() });
    await first.ask('library.star', { ids: ['a1'], starred: true });
    await first.ask('library.tag', { ids: ['a1'], add: ['Quay', 'At dawn'] });
    const { folder } = await exported(first, ['a1']);
    const other = await openStudio();
    await other.ask('library.importFolder', { path: folder });
    const { assets } = await other.ask('library.list', { starred: true, tags: ['quay'] });
    expect(assets).toMatchObject([{ name: 'a1', starred: true, tags: ['At dawn', 'Quay'] }]);
    const { id } = await other.upload('pier.png', PNG);
    const many = Array.from({ length: 40 }, (_, n) => `t${n + 10}`);
    const tags = ['quay', 'a\u202eb', ' ', ...many];
    const described = await other.ask('library.describe', { id, sidecar: JSON.stringify(sidecarFor(PNG, { tags })) });
    expect(described.tags).toHaveLength(30);
    expect(described.tags).toEqual(expect.arrayContaining(['Quay', 't10']));
    expect(described).not.toHaveProperty('starred');
  });

  test('two of the same bytes in a folder become one', async () => {
    const { ask } = await openStudio();
    const folder = folderOf({ 'pier.png': PNG, 'in/pier copy.png': PNG });
    expect(await ask('library.importFolder', { path: folder })).toEqual({ imported: 1, known: 1, errors: [] });
  });

  test('a page brings a file in with its sidecar, and nothing changes when it does so twice', async () => {
    const { upload, ask, call } = await openStudio();
    const sidecar = JSON.stringify(sidecarFor(PNG, { name: 'Pier', verdict: 'no', made: { prompt: 'A pier' } }));
    const check = { files: [{ file: 'pier.png', sha256: sha(PNG), sidecar }] };
    expect(await ask('library.checkImport', check)).toEqual({
      files: [{ file: 'pier.png', state: 'new', prompt: 'A pier' }],
    });
    const { id } = await upload('pier.png', PNG);
    expect((await ask('library.checkImport', check)).files[0]).toMatchObject({ state: 'known', undescribed: true });
    const described = await ask('library.describe', { id, sidecar });
    expect(described).toMatchObject({ name: 'Pier', verdict: 'no', elsewhere: {} });
    expect((await ask('search.all', { text: 'a pier' })).hits.map((hit) => hit.id)).toEqual([id]);
    expect(await ask('library.describe', { id, sidecar })).toEqual(described);
    const other = JSON.stringify(sidecarFor(testPng(6, 6), { made: { prompt: 'Other' } }));
    expect(await call('library.describe', { id, sidecar: other })).toMatchObject({
      ok: false,
      error: { code: 'invalid_input', data: { field: 'sidecar' } },
    });
    expect((await ask('library.checkImport', check)).files[0]).not.toHaveProperty('undescribed');
  });
});

describe('what is wrong is said, file by file, and the rest comes in', () => {
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const many = Object.fromEntries(Array.from({ length: 200_000 }, (_, n) => [`f${n}`, n]));
  const cases: [what: string, sidecar: string | object, sentence: RegExp][] = [
    ['no JSON', '{"dailies":1,', /is not JSON/],
    ['NUL', '{"dailies":1\0}', /is not JSON/],
    ['another program’s JSON', { name: 'package' }, /not written by Dailies/],
    ['a newer form', { dailies: 2 }, /newer Dailies/],
    ['another file’s hash', { dailies: 1, sha256: sha(Buffer.from('other')) }, /Its bytes are not those/],
    ['no hash', { dailies: 1 }, /sha256/],
    ['deep nesting', `{"dailies":1,"made":{"request":${deep(5_000)}}}`, /nest/],
    ['a negative cost', sidecarFor(PNG, { made: { costNano: -1 } }), /made\.costNano/],
    ['a verdict that is none', sidecarFor(PNG, { verdict: 'splendid' }), /verdict/],
    ['a picture that claims to be a video', sidecarFor(PNG, { mime: 'video/mp4' }), /calls it video\/mp4/],
    ['far too much', ' '.repeat(7_000_000), /too long/],
    ['too many words', { dailies: 1, more: 'x'.repeat(2_000_001) }, /longer than 2,000,000/],
  ];
  test.each(cases)('%s', async (_, sidecar, sentence) => {
    const { ask } = await openStudio();
    const good = testPng(9, 9);
    const folder = folderOf({ 'bad.png': PNG, 'bad.png.json': sidecar, 'good.png': good });
    const errors = [{ file: 'bad.png', message: expect.stringMatching(sentence) }];
    expect(await ask('library.importFolder', { path: folder })).toEqual({ imported: 1, known: 0, errors });
    expect((await ask('library.list', {})).assets.map(({ sha256 }) => sha256)).toEqual([sha(good)]);
  });

  test('a sidecar of 200,000 fields is read for those that are known', async () => {
    const { ask } = await openStudio();
    const folder = folderOf({ 'a.png': PNG, 'a.png.json': { ...many, ...sidecarFor(PNG, { name: 'Pier' }) } });
    expect(await ask('library.importFolder', { path: folder })).toMatchObject({ errors: [{ file: 'a.png' }] });
    const fewer = Object.fromEntries(Object.entries(many).slice(0, 100_000));
    fs.writeFileSync(
      path.join(folder, 'a.png.json'),
      JSON.stringify({ ...fewer, ...sidecarFor(PNG, { name: 'Pier' }) }),
    );
    expect(await ask('library.importFolder', { path: folder })).toMatchObject({ imported: 1, errors: [] });
  });

  test('what is no media, empty, alone or a link is named and left', async () => {
    const { ask } = await openStudio();
    const outside = folderOf({ 'secret.png': PNG });
    const folder = folderOf({
      'words.txt': 'hello',
      'empty.png': '',
      'clip.mp4': 'no clip at all',
      'gone.png.json': sidecarFor(PNG),
      '.DS_Store': 'x',
      'good.png': testPng(3, 3),
    });
    fs.symlinkSync(path.join(outside, 'secret.png'), path.join(folder, 'link.png'));
    fs.symlinkSync(outside, path.join(folder, 'linked'));
    const { imported, errors } = await ask('library.importFolder', { path: folder });
    expect(imported).toBe(1);
    expect(errors.map(({ file, message }) => `${file}: ${message.split(' ').slice(0, 4).join(' ')}`)).toEqual([
      'clip.mp4: The file is not',
      'empty.png: The file is empty.',
      'gone.png.json: gone.png is not in',
      'link.png: Links are not followed.',
      'linked: Links are not followed.',
      'words.txt: The file is not',
    ]);
  });

  test('names and words of a sidecar are text, not places', async () => {
    const { ask, dataDir } = await openStudio();
    const hostile = sidecarFor(PNG, {
      file: '../../etc/passwd',
      name: '../../../evil\u0000\u202e.png',
      tags: ['../x'],
      made: { prompt: 'turned\u202e', project: '\u0000', model: 'm\u0000' },
    });
    const folder = folderOf({ 'a.png': PNG, 'a.png.json': hostile });
    expect(await ask('library.importFolder', { path: folder })).toMatchObject({ imported: 1, errors: [] });
    const [asset] = (await ask('library.list', {})).assets;
    expect(asset?.name).toBe('evil‹U+0000›‹U+202E›.png');
    expect(JSON.stringify(await ask('library.found', { id: asset?.id ?? '' }))).not.toMatch(/\\u0000|\u202e/);
    expect(fs.existsSync(path.join(dataDir, '..', 'evil.png'))).toBe(false);
  });

  test('a file that only claims to be a copy of one that is here is taken as what it is', async () => {
    const first = await openStudio({ dataDir: filmFolder() });
    const { folder } = await exported(first, ['a1']);
    const truth = JSON.parse(fs.readFileSync(path.join(folder, 'a1.mp4.json'), 'utf8'));
    const claim = { ...truth, sha256: sha(PNG), mime: 'image/png' };
    const claiming = folderOf({ 'other.png': PNG, 'other.png.json': claim });
    expect(await first.ask('library.importFolder', { path: claiming })).toEqual({ imported: 1, known: 0, errors: [] });
  });

  test.each([
    ['relative', 'some/folder', 'invalid_input'],
    ['nowhere', path.join(tempDir('none'), 'gone'), 'not_found'],
    ['a file', import.meta.filename, 'not_found'],
  ])('a folder that is %s is refused', async (_, folder, code) => {
    const { call } = await openStudio();
    expect(await call('library.importFolder', { path: folder })).toMatchObject({ ok: false, error: { code } });
  });

  test('a key in a sidecar is not saved', async () => {
    const key = 'sk-0123456789abcdef';
    const { ask, call, upload } = await openStudio({ ports: { keys: memoryKeys({ sandbox: key }) } });
    const sidecar = sidecarFor(PNG, { made: { prompt: `Use ${key}` } });
    const folder = folderOf({ 'a.png': PNG, 'a.png.json': sidecar });
    expect(await ask('library.importFolder', { path: folder })).toMatchObject({
      imported: 0,
      errors: [{ message: expect.stringContaining('API key') }],
    });
    const { id } = await upload('a.png', PNG);
    const refused = { ok: false, error: { data: { field: 'sidecar' } } };
    expect(await call('library.describe', { id, sidecar: JSON.stringify(sidecar) })).toMatchObject(refused);
  });
});

test('where the disk has no room, nothing comes in, in one sentence', async () => {
  let free = 1_000;
  const { call, ask } = await openStudio({ ports: { freeBytes: () => free } });
  const folder = folderOf({ 'a.png': PNG, 'big.png': Buffer.concat([testPng(8, 8), Buffer.alloc(5_000)]) });
  expect(await call('library.importFolder', { path: folder })).toMatchObject({
    ok: false,
    error: { code: 'disk_full', message: expect.stringContaining('Nothing was brought in.') },
  });
  expect((await ask('library.list', {})).total).toBe(0);
  free = 1e9;
  expect(await ask('library.importFolder', { path: folder })).toMatchObject({ imported: 2 });
});

test('what is gone or damaged here comes back with a copy of it, as the asset that it was', async () => {
  const { ask, dataDir } = await openStudio();
  const files = { 'a.png': testPng(8, 8), 'b.png': testPng(9, 9), 'c.png': testPng(10, 10) };
  const folder = folderOf(files);
  await ask('library.importFolder', { path: folder });
  const fileOf = (bytes: Buffer) => path.join(dataDir, 'library', sha(bytes).slice(0, 2), `${sha(bytes)}.png`);
  const [gone, rotten] = [fileOf(files['a.png']), fileOf(files['b.png'])];
  fs.rmSync(gone);
  fs.writeFileSync(rotten, Buffer.alloc(files['b.png'].length));
  await ask('library.verify');
  const check = async () => (await ask('library.folder')).check;
  await expect.poll(check).toMatchObject({ state: 'done', missing: 1, damaged: 1 });
  const asked = Object.entries(files).map(([file, bytes]) => ({ file, sha256: sha(bytes) }));
  const states = (await ask('library.checkImport', { files: asked })).files.map(({ state }) => state);
  expect(states).toEqual(['new', 'new', 'known']);
  expect(await ask('library.importFolder', { path: folder })).toMatchObject({ imported: 2, known: 1, errors: [] });
  expect([gone, rotten].map((file) => sha(fs.readFileSync(file)))).toEqual([sha(files['a.png']), sha(files['b.png'])]);
  expect((await ask('library.list', {})).total).toBe(3);
  await expect.poll(check).toMatchObject({ missing: 0, damaged: 0, faulty: [] });
});

test('after a kill in the middle, the next try brings in the rest', async () => {
  const dataDir = tempDir('killed');
  const files: Record<string, Uint8Array | object> = {};
  for (let size = 3; size < 15; size++) {
    const png = testPng(size, size);
    files[`${size}.png`] = png;
    files[`${size}.png.json`] = sidecarFor(png, { made: { prompt: `Size ${size}` } });
  }
  const folder = folderOf(files);
  const ports = { ids: countingIds() };
  const first = await openStudio({ dataDir, ports });
  // The first file is in, and a few more are being copied.
  first.studio.subscribe((event) => event.type === 'media.work' && void first.close());
  const broken = await first.call('library.importFolder', { path: folder });
  expect(broken).toMatchObject({ ok: false, error: { code: 'wrong_state' } });
  await first.close();
  const second = await openStudio({ dataDir, ports });
  const before = (await second.ask('library.list', {})).total;
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(12);
  const rest = { imported: 12 - before, known: before, errors: [] };
  expect(await second.ask('library.importFolder', { path: folder })).toEqual(rest);
  expect((await second.ask('search.all', { text: 'size' })).hits.length).toBe(12);
});

test('closed in the middle of a file, an import is over at once, and nothing of that file is left', async () => {
  const studio = await openStudio();
  const folder = folderOf({ 'a.png': PNG });
  const stalled = stallFiles();
  const imported = studio.call('library.importFolder', { path: folder });
  await stalled;
  await studio.close();
  expect(await imported).toMatchObject({ ok: false, error: { code: 'wrong_state' } });
  vi.restoreAllMocks();
  const left = fs.readdirSync(path.join(studio.dataDir, 'library'), { recursive: true, withFileTypes: true });
  expect(left.filter((entry) => entry.isFile())).toEqual([]);
  const again = await openStudio({ dataDir: studio.dataDir });
  expect(await again.ask('library.importFolder', { path: folder })).toMatchObject({ imported: 1 });
});
