import { existsSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { FILM, framesOf, makeFilmFolder } from '../../../test/helpers/filmStudio.ts';
import { testPng } from '../../../test/helpers/png.ts';
import { TestClock } from '../../../test/helpers/testPorts.ts';
import { studiosOfThisFile } from '../../../test/helpers/testStudios.ts';
import type { Asset } from '../../shared/library/asset.ts';
import { databaseFile } from './store/index.ts';

const openStudio = studiosOfThisFile();

async function studioWithFiles(given: Parameters<typeof openStudio>[0] = {}) {
  const one = await openStudio(given);
  const { ask, dataDir } = one;
  await ask('queue.pause');
  const bring = (side: number): Promise<Asset> => one.upload(`${side}.png`, testPng(side, 16));
  const bringAll = async (from: number, to: number): Promise<Asset[]> => {
    const all: Asset[] = [];
    for (let side = from; side < to; side++) all.push(await bring(side));
    return all;
  };
  const isHere = ({ sha256 }: Asset) => existsSync(path.join(dataDir, 'library', sha256.slice(0, 2), `${sha256}.png`));
  const bin = (...assets: Asset[]) => ask('library.bin', { ids: assets.map(({ id }) => id) });
  const board = async (shot: object) => {
    const { id: projectId } = await ask('projects.create', { name: 'Film' });
    const base = { prompt: 'Sea', model: 'video-standard', config: { durationSeconds: 4 as const } };
    const save = (shots: object[], revision: number) =>
      ask('storyboard.save', { projectId, revision, shots: shots as never });
    const saved = await save([{ ...base, id: 'a', ...shot }], 0);
    return { projectId, save, saved };
  };
  return { ...one, bring, bringAll, isHere, bin, board };
}

test('what is in the bin is deleted for ever, shared content once and only with its last asset', async () => {
  const { ask, call, bring, bin, isHere } = await studioWithFiles();
  const [single, shared, other] = [await bring(8), await bring(9), await bring(9)];
  const [twice, again] = [await bring(10), await bring(10)];
  await bin(single, shared, twice, again);
  const told = { files: 2, bytes: single.bytes + twice.bytes, items: 4, kept: [] };
  expect(await ask('library.binFigures')).toEqual(told);
  expect(await ask('library.emptyBin')).toEqual(told);
  expect([single, shared, twice].map(isHere)).toEqual([false, true, false]);
  expect((await ask('library.list', { binned: true })).total).toBe(0);
  expect((await ask('library.get', { id: other.id })).state).toBe('local');
  const row = await ask('library.get', { id: single.id });
  expect(row).toMatchObject({ state: 'expired', deleted: true, fault: 'Deleted from the bin.', sha256: '' });
  expect(await call('library.download', { id: single.id })).toMatchObject({
    error: { code: 'wrong_state', message: 'It was deleted from the bin and cannot be fetched again.' },
  });
  expect(await call('library.restore', { ids: [single.id] })).toMatchObject({ error: { code: 'not_found' } });
  expect(await ask('library.gone', { ids: [single.id] })).toEqual({ ids: [] });
  expect(await ask('library.stats')).toMatchObject({ expired: 0 });
  const anew = await bring(8);
  expect([anew.state, isHere(anew)]).toEqual(['local', true]);
  expect(await ask('library.emptyBin')).toEqual({ files: 0, bytes: 0, items: 0, kept: [] });
  expect(isHere(anew)).toBe(true);
});

test('of the bin also a few alone; what is not in it is refused by its place', async () => {
  const { ask, call, bring, bin, isHere } = await studioWithFiles();
  const [one, two, three] = [await bring(8), await bring(9), await bring(10)];
  await bin(one, two);
  expect(await call('library.emptyBin', { ids: [one.id, three.id] })).toMatchObject({
    error: { code: 'not_found', message: 'ids.1: is not in the bin.' },
  });
  expect(await ask('library.emptyBin', { ids: [one.id] })).toMatchObject({ files: 1, items: 1, bytes: one.bytes });
  expect([one, two, three].map(isHere)).toEqual([false, true, true]);
});

test('what a board shows, or can show again, stays and is counted', async () => {
  const { ask, bringAll, bin, board, isHere } = await studioWithFiles();
  const [frame, undone, removed, cast, loose] = (await bringAll(8, 13)) as [Asset, Asset, Asset, Asset, Asset];
  const first = (asset: Asset) => ({ source: 'first', image: { assetId: asset.id } });
  const { save, saved } = await board(first(undone));
  const [shot] = saved.shots;
  const gone = { ...shot, id: 'b', title: 'Lost', image: { assetId: removed.id } };
  const second = await save([{ ...shot, image: { assetId: frame.id } }, gone], saved.revision);
  await save([second.shots[0] ?? {}], second.revision);
  const member = { id: 'm', name: 'Ada', sheets: [{ assetId: cast.id }] };
  const { projectId } = await board({});
  const known = await ask('storyboard.get', { projectId });
  const withCast = await ask('storyboard.save', { ...known, cast: [member] as never });
  expect(JSON.stringify(withCast)).toContain(cast.id);
  await bin(frame, undone, removed, cast, loose);
  await ask('projects.remove', { id: projectId });
  const told = { files: 1, bytes: loose.bytes, items: 1, kept: [{ reason: 'board', count: 4 }] };
  expect(await ask('library.binFigures')).toEqual(told);
  expect(await ask('library.emptyBin')).toEqual(told);
  expect([frame, undone, removed, cast, loose].map(isHere)).toEqual([true, true, true, true, false]);
  expect((await ask('library.list', { binned: true })).total).toBe(4);
});

test('what plays instead of a chosen take that was not made stays, also where an undo brings that choice back', async () => {
  const clips = await Promise.all([1, 2, 3].map((frames) => framesOf({ frames, rate: { num: 24, den: 1 } })));
  const none = { takes: [], activeTake: undefined };
  const folder = makeFilmFolder([
    { clip: clips[0], shot: { takes: ['j1', 'j2', 'j3'], activeTake: 'j1' } },
    { clip: clips[1], shot: none },
    { clip: clips[2], shot: none },
  ]);
  const db = new Database(databaseFile(folder));
  db.prepare(`UPDATE jobs SET state = 'failed' WHERE id = 'j1'`).run();
  db.close();
  const { ask } = await openStudio({ dataDir: folder });
  await ask('library.bin', { ids: ['a2', 'a3'] });
  const kept = { files: 0, bytes: 0, items: 0, kept: [{ reason: 'board', count: 2 }] };
  expect(await ask('library.binFigures')).toEqual(kept);
  const known = await ask('storyboard.get', { projectId: FILM });
  const shots = known.shots.map((shot) => (shot.id === 's1' ? { ...shot, activeTake: 'j2' } : shot));
  await ask('storyboard.save', { ...known, shots });
  expect(await ask('library.emptyBin')).toEqual(kept);
  expect((await ask('board.undo', { projectId: FILM })).board.shots[0]).toMatchObject({ activeTake: 'j1' });
});

test('what a job waits for stays until it has ended', async () => {
  const { ask, bring, bin, isHere } = await studioWithFiles();
  const picture = await bring(64);
  const request = { kind: 'video' as const, model: 'video-standard', prompt: 'Sea', image: { assetId: picture.id } };
  const { jobs } = await ask('jobs.enqueue', { requests: [request] });
  await bin(picture);
  expect(await ask('library.emptyBin')).toMatchObject({ items: 0, kept: [{ reason: 'job', count: 1 }] });
  await ask('jobs.cancel', { id: jobs[0]?.id ?? '' });
  expect(await ask('library.emptyBin')).toMatchObject({ items: 1, files: 1, kept: [] });
  expect(isHere(picture)).toBe(false);
});

test('what is named while the bin is being emptied stays', async () => {
  const { ask, bringAll, bin, board, isHere } = await studioWithFiles();
  const all = await bringAll(8, 40);
  await bin(...all);
  const { saved, save } = await board({});
  const last = all.at(-1) as Asset;
  const emptied = ask('library.emptyBin');
  await save([{ ...saved.shots[0], source: 'first', image: { assetId: last.id } }], saved.revision);
  expect(await emptied).toMatchObject({ items: 31, kept: [{ reason: 'board', count: 1 }] });
  expect(isHere(last)).toBe(true);
});

test('what is put into the bin while it is being emptied stays', async () => {
  const clock = new TestClock();
  const { ask, call, bringAll, bin, isHere } = await studioWithFiles({ ports: { clock } });
  const all = await bringAll(8, 72);
  const [first, late, last] = [all[0] as Asset, all.at(-2) as Asset, all.at(-1) as Asset];
  await bin(...all.slice(0, -2), last);
  await clock.advance(1_000);
  const emptied = ask('library.emptyBin');
  await bin(late);
  while (!(await ask('library.get', { id: first.id })).deleted) await new Promise((turn) => setImmediate(turn));
  expect(await emptied).toMatchObject({ items: 63 });
  expect([late, last].map(isHere)).toEqual([true, false]);
  expect(await call('library.restore', { ids: [late.id] })).toMatchObject({ ok: true });
});

test('what a batch that is being enqueued uses stays', async () => {
  const { ask, bringAll, bin, isHere } = await studioWithFiles();
  const all = await bringAll(64, 104);
  await bin(...all);
  const [first, last] = [all[0] as Asset, all.at(-1) as Asset];
  const lines = Array.from({ length: 2_000 }, (_, n) => `video,Prompt ${n},video-standard,${n === 0 ? last.id : ''}`);
  const { readId } = await ask('batch.read', { text: ['kind,prompt,model,image', ...lines].join('\n'), format: 'csv' });
  const emptied = ask('library.emptyBin');
  // From here on, what was ordered before is known, and the last is still to be judged.
  while (!(await ask('library.get', { id: first.id })).deleted) await new Promise((turn) => setImmediate(turn));
  expect(await ask('batch.enqueue', { readId })).toMatchObject({ count: 2_000 });
  expect(await emptied).toMatchObject({ items: 39, kept: [{ reason: 'job', count: 1 }] });
  expect(isHere(last)).toBe(true);
});

test('what a finished export holds a link to stays until the export is removed', async () => {
  const { ask, events, bring, bin, isHere } = await studioWithFiles();
  const linked = await bring(8);
  const { id } = await ask('library.export', { ids: [linked.id], media: 'links' });
  await expect
    .poll(() => events.some((one) => one.type === 'export.changed' && one.export.state === 'done'))
    .toBe(true);
  await bin(linked);
  expect(await ask('library.emptyBin')).toMatchObject({ items: 0, kept: [{ reason: 'export', count: 1 }] });
  await ask('exports.remove', { id });
  expect(await ask('library.emptyBin')).toMatchObject({ items: 1, files: 1 });
  expect(isHere(linked)).toBe(false);
});

test('switched on, the bin lets go by itself what is old and nothing uses; never what is younger', async () => {
  const clock = new TestClock();
  const { ask, bring, bin, board, isHere } = await studioWithFiles({ ports: { clock } });
  await ask('settings.set', { library: { floorBytes: 0, warnBytes: 0, binDays: 30 } });
  const hours = async (count: number) => {
    for (let n = 0; n < count; n++) await clock.advance(3_600_000);
  };
  await hours(1);
  const [old, used, young] = [await bring(8), await bring(9), await bring(10)];
  await board({ source: 'first', image: { assetId: used.id } });
  await bin(old, used);
  await hours(29 * 24);
  await bin(young);
  expect([old, used, young].map(isHere)).toEqual([true, true, true]);
  await hours(2 * 24);
  await expect.poll(() => isHere(old)).toBe(false);
  expect([used, young].map(isHere)).toEqual([true, true]);
  expect((await ask('library.list', { binned: true })).total).toBe(2);
  expect(await ask('library.folder')).toMatchObject({ binEmptied: { items: 1, files: 1, bytes: old.bytes } });
});
