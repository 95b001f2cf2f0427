import { rmSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { testPng } from '../../../test/helpers/png.ts';
import { studiosOfThisFile } from '../../../test/helpers/testStudios.ts';

const openStudio = studiosOfThisFile();
let side = 8;

async function film() {
  const { ask, studio, dataDir, upload } = await openStudio();
  await ask('queue.pause');
  const { id: projectId } = await ask('projects.create', { name: 'Film' });
  const brought = async () => {
    side += 1;
    return upload(`${side}.png`, testPng(side, 16));
  };
  const [first, last, reference] = [await brought(), await brought(), await brought()];
  const base = { prompt: 'Sea', model: 'video-standard', config: { durationSeconds: 4 as const } };
  const image = { assetId: first.id };
  const shots = [
    { ...base, id: 'first', source: 'first' as const, image },
    { ...base, id: 'both', source: 'firstLast' as const, image, lastFrame: { assetId: last.id } },
    { ...base, id: 'refs', source: 'references' as const, referenceImages: [image, { assetId: reference.id }] },
    { ...base, id: 'text', image },
  ];
  await ask('storyboard.save', { projectId, revision: 0, shots });
  const remove = ({ sha256 }: { sha256: string }) =>
    rmSync(path.join(dataDir, 'library', sha256.slice(0, 2), `${sha256}.png`));
  const make = (shotId: string) => studio.call('storyboard.makeTake', { projectId, shotId });
  const gone = async () => (await ask('library.gone', { ids: [first.id, last.id, reference.id, 'nothing'] })).ids;
  return { ask, studio, projectId, first, last, reference, remove, make, gone };
}

const RULE = 'is not on this disk any more: bring it in again, or choose another.';

test('it is refused before it is queued, by the field of the picture, and nothing is set aside', async () => {
  const { ask, studio, projectId, first, last, reference, remove, make, gone } = await film();
  expect(await gone()).toEqual([]);
  remove(last);
  expect(await gone()).toEqual([last.id]);
  expect(await make('both')).toMatchObject({ ok: false, error: { message: `lastFrame: ${RULE}` } });
  remove(reference);
  expect(await make('refs')).toMatchObject({ ok: false, error: { message: `referenceImages.1: ${RULE}` } });
  const refused = await studio.call('storyboard.makeTakes', { projectId, shotIds: ['first', 'both'] });
  expect(refused).toMatchObject({ ok: false, error: { message: `Shot 2: lastFrame: ${RULE}` } });
  remove(first);
  expect(await make('first')).toMatchObject({ ok: false, error: { message: `image: ${RULE}` } });
  const { shots } = await ask('storyboard.get', { projectId });
  const request = { kind: 'video', model: 'video-standard', prompt: 'Sea', image: { assetId: first.id } };
  expect(await studio.call('jobs.enqueue', { requests: [request] })).toMatchObject({ ok: false });
  expect(shots.flatMap(({ takes }) => takes)).toEqual([]);
  expect((await ask('jobs.list', {})).total).toBe(0);
  expect((await ask('ledger.totals', { groupBy: 'project' })).sum).toMatchObject({ reservedNano: 0 });
});

test('what is not sent keeps nothing from being made: a frame that the source of the shot does not use', async () => {
  const { first, remove, make } = await film();
  remove(first);
  expect(await make('text')).toMatchObject({ ok: true });
});

test('a picture that is brought in again serves where it did', async () => {
  const { studio, first, remove, make } = await film();
  remove(first);
  expect(await make('first')).toMatchObject({ ok: false });
  const again = testPng(first.width, 16);
  expect(await studio.media.upload({ name: 'again.png', body: Readable.from([again]) })).toMatchObject({ ok: true });
  expect(await make('first')).toMatchObject({ ok: true });
});
