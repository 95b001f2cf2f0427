import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { filesOf, joined } from '../../../../test/helpers/files.ts';
import { exportEnded, FILM, framesOf, makeFilmFolder } from '../../../../test/helpers/filmStudio.ts';
import { packetsOf } from '../../../../test/helpers/packets.ts';
import { testPng } from '../../../../test/helpers/png.ts';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';
import { PROVENANCE_KEY } from '../../../shared/film/filmTask.ts';
import { PARAMETERS_KEY, provenanceOfFilm } from '../../../shared/library/provenance.ts';
import { withTexts } from '../library/index.ts';

const openStudio = studiosOfThisFile();
const put = filesOf('provenance');
let clip: Buffer;
beforeAll(async () => {
  clip = await framesOf({ frames: 24, rate: { num: 24, den: 1 } });
});

test('files of the library leave with a sidecar; the copy says what it is, the library file does not change', async () => {
  const dataDir = makeFilmFolder([{ clip, prompt: 'A quay at dawn', seed: 7 }]);
  const film = await openStudio({ dataDir });
  const done = await exportEnded(film, await film.ask('library.export', { ids: ['a1'] }));
  expect(done).toMatchObject({ state: 'done', kind: 'files' });
  expect(done.files.map(({ name }) => name)).toEqual(['a1.mp4', 'a1.mp4.json']);
  const copy = fs.readFileSync(path.join(done.folder, 'a1.mp4'));
  expect(await packetsOf(copy)).toEqual(await packetsOf(clip));
  expect(copy.toString('utf8')).toContain('digitalsourcetype/trainedAlgorithmicMedia');
  const asset = await film.ask('library.get', { id: 'a1' });
  expect(asset.sha256).toBe(createHash('sha256').update(clip).digest('hex'));
  const sidecar = JSON.parse(fs.readFileSync(path.join(done.folder, 'a1.mp4.json'), 'utf8'));
  expect(sidecar).toMatchObject({
    asset: { id: 'a1', sha256: asset.sha256 },
    job: { id: 'j1', request: { prompt: 'A quay at dawn', config: { seed: 7 } }, money: { chargedNano: 0 } },
    provenance: { prompt: 'A quay at dawn', seed: 7, sourceType: 'trainedAlgorithmicMedia' },
    ancestry: [],
  });
  const plain = await exportEnded(film, await film.ask('library.export', { ids: ['a1'], provenance: false }));
  expect(plain.files[0]?.sha256).toBe(asset.sha256);
  const links = await exportEnded(film, await film.ask('library.export', { ids: ['a1'], media: 'links' }));
  expect([links.files[0]?.sha256, fs.lstatSync(path.join(links.folder, 'a1.mp4')).isSymbolicLink()]).toEqual([
    asset.sha256,
    true,
  ]);
  await film.ask('exports.remove', { id: links.id });
  expect(fs.existsSync(links.folder)).toBe(false);
  expect((await film.call('film.preflight', { projectId: FILM })).ok).toBe(true);
});

test('a sidecar never has the name of another file', async () => {
  const film = await openStudio({ dataDir: makeFilmFolder([]) });
  const bytes = ['a.png', 'a.png.json.png', 'a.PNG'].map((name, index) => [name, testPng(3 + index, 2)] as const);
  const ids: string[] = [];
  for (const [name, png] of bytes) ids.push((await film.ask('library.import', { path: put(name, png) })).id);
  const { state, files } = await exportEnded(film, await film.ask('library.export', { ids }));
  expect(state).toBe('done');
  const names = files.map(({ name }) => name.toLowerCase());
  expect([names.length, new Set(names).size]).toEqual([6, 6]);
});

test('a file of the library that is not what it was ends the export, also where its copy would be marked', async () => {
  const dataDir = makeFilmFolder([{ clip, prompt: 'A quay at dawn' }]);
  const film = await openStudio({ dataDir });
  const links = await exportEnded(film, await film.ask('library.export', { ids: ['a1'], media: 'links' }));
  const original = fs.readlinkSync(path.join(links.folder, 'a1.mp4'));
  const rotten = Buffer.from(clip);
  rotten[rotten.length - 1] = (rotten.at(-1) ?? 0) ^ 1;
  fs.writeFileSync(original, rotten);
  const ended = await exportEnded(film, await film.ask('library.export', { ids: ['a1'] }));
  expect(ended).toMatchObject({ state: 'failed', error: expect.stringContaining('a1.mp4'), files: [] });
  expect(fs.existsSync(ended.folder)).toBe(false);
});

test('what comes back is offered as untrusted text', async () => {
  const film = await openStudio({ dataDir: makeFilmFolder([]) });
  const said = { version: 1, kind: 'imagine', prompt: 'turned\u202e', sourceType: 'trainedAlgorithmicMedia', more: 1 };
  const texts = [
    { keyword: PARAMETERS_KEY, text: 'a cat\nSeed: 7' },
    { keyword: PROVENANCE_KEY, text: JSON.stringify(said) },
  ];
  const png = put('theirs.png', await joined(await withTexts(put('plain.png', testPng(9, 5)), texts)));
  const { id } = await film.ask('library.import', { path: png });
  expect(await film.ask('library.found', { id })).toEqual({
    c2pa: false,
    parameters: 'a cat\nSeed: 7',
    provenance: { version: 1, kind: 'imagine', prompt: 'turned‹U+202E›', sourceType: 'trainedAlgorithmicMedia' },
  });
  const lies = await joined(
    await withTexts(put('p.png', testPng(8, 5)), [{ keyword: PROVENANCE_KEY, text: '{"version":1' }]),
  );
  const other = await film.ask('library.import', { path: put('lies.png', lies) });
  expect(await film.ask('library.found', { id: other.id })).toEqual({ c2pa: false });
});

test('a film says of each shot how it was made, and that a part of it is no machine’s where that is so', () => {
  const made = {
    version: 1,
    kind: 'video',
    prompt: 'A quay',
    sourceType: 'trainedAlgorithmicMedia',
    request: { long: 1 },
  } as const;
  const all = provenanceOfFilm([{ number: 1, made }]);
  expect(JSON.parse(all?.json ?? '')).toEqual({
    version: 1,
    kind: 'film',
    prompt: '',
    sourceType: 'trainedAlgorithmicMedia',
    shots: [{ number: 1, version: 1, kind: 'video', prompt: 'A quay', sourceType: 'trainedAlgorithmicMedia' }],
  });
  const part = provenanceOfFilm([
    { number: 1, made },
    { number: 2, made: undefined },
  ]);
  expect(part?.xmp).toContain('digitalsourcetype/compositeWithTrainedAlgorithmicMedia"');
  expect(provenanceOfFilm([{ number: 1, made: undefined }])).toBeUndefined();
});
