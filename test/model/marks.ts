import { expect } from 'vitest';
import type { Drive } from './drive.ts';

/** Stars, tags, paints on, bins and restores a clip. */
export async function marks({ does, ask }: Drive, id: string): Promise<void> {
  const ids = [id];
  await does('library.star', { ids, starred: true });
  await does('library.tag', { ids, add: ['Quay'], remove: [] });
  await does('library.keepMaskDraft', { id, draft: 'painted' });
  expect(await ask('library.maskDraft', { id })).toMatchObject({ draft: 'painted' });
  const { total } = await ask('library.list', { starred: true, tags: ['quay'] });
  expect(total).toBe(1);
  const { bytes } = await does('library.bin', { ids });
  const { name } = await ask('library.get', { id });
  const found = async () => {
    const { hits } = await ask('search.all', { text: name, limit: 100 });
    return hits.some((hit) => hit.type === 'asset' && hit.id === id);
  };
  expect(await found()).toBe(false);
  expect((await ask('library.list', { starred: true })).total).toBe(0);
  expect((await ask('library.list', { binned: true })).assets.map((asset) => asset.id)).toContain(id);
  expect(await does('library.restore', { ids })).toEqual({ bytes });
  expect(await found()).toBe(true);
}

/** Deletes an unused file from the bin for good; the asset's row stays. */
export async function deleted({ does, ask }: Drive, id: string): Promise<void> {
  await does('library.bin', { ids: [id] });
  const figures = await ask('library.binFigures', { ids: [id] });
  expect(figures).toMatchObject({ items: 1, kept: [] });
  expect(await does('library.emptyBin', { ids: [id] })).toEqual(figures);
  expect(await ask('library.get', { id })).toMatchObject({ state: 'expired', deleted: true });
}
