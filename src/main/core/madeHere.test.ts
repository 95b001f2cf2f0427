import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { testPng } from '../../../test/helpers/png.ts';
import { studiosOfThisFile } from '../../../test/helpers/testStudios.ts';
import type { Result } from '../../shared/contract/result.ts';
import type { Asset } from '../../shared/library/asset.ts';

/** A picture made here by the user, such as an edit with the original restored outside the mask, is an asset with its origin. */

const openStudio = studiosOfThisFile();

const dataOf = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.error.message);
  return result.data;
};

async function withPicture() {
  const { ask, call, studio } = await openStudio();
  const upload = (side: number, parentId?: string) =>
    studio.media.upload({
      name: `${side}.png`,
      body: Readable.from([testPng(side, 16)]),
      ...(parentId === undefined ? {} : { parentId }),
    });
  return { ask, call, upload, edit: dataOf(await upload(8)) };
}

const idsOf = (steps: { field: string; asset?: Asset }[]) => steps.map(({ field, asset }) => `${field} ${asset?.id}`);

test('it is in the library under its own name, and leads to what it was made from and back', async () => {
  const { ask, upload, edit } = await withPicture();
  const made = dataOf(await upload(9, edit.id));
  expect(made).toMatchObject({ role: 'source', state: 'local', name: '9.png', parentId: edit.id, mime: 'image/png' });
  expect(made).not.toHaveProperty('jobId');
  expect((await ask('library.list', { roles: ['source'] })).assets.map(({ id }) => id)).toEqual([made.id, edit.id]);
  expect(idsOf((await ask('library.ancestry', { id: made.id })).from)).toEqual([`putBack ${edit.id}`]);
  expect(idsOf((await ask('library.ancestry', { id: edit.id })).made)).toEqual([`putBack ${made.id}`]);
  expect((await ask('jobs.list', { limit: 10 })).total).toBe(0);
});

test('it stays when what it was made from goes into the bin and is deleted', async () => {
  const { ask, upload, edit } = await withPicture();
  const made = dataOf(await upload(9, edit.id));
  expect(await ask('library.bin', { ids: [edit.id] })).toMatchObject({ bytes: edit.bytes });
  expect(await ask('library.get', { id: made.id })).not.toHaveProperty('binnedAt');
  expect(await ask('library.emptyBin')).toMatchObject({ files: 1, kept: [] });
  expect(await ask('library.get', { id: made.id })).toMatchObject({ state: 'local' });
});

test('nothing is made from what is not there, or is in the bin', async () => {
  const { ask, upload, edit } = await withPicture();
  expect(await upload(9, 'as_none')).toMatchObject({ error: { code: 'not_found', data: { field: 'parent' } } });
  await ask('library.bin', { ids: [edit.id] });
  expect(await upload(9, edit.id)).toMatchObject({
    error: { code: 'wrong_state', message: 'parent: it is in the bin. Take it out of the bin first.' },
  });
  expect((await ask('library.list', {})).total).toBe(0);
});
