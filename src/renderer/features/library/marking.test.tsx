import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import type { Result } from '../../../shared/contract/result.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import type { AssetFilter } from '../../app/index.ts';
import { cacheAssets } from '../../app/index.ts';
import { isOff, textOf, textsOf } from '../../testing/find.ts';
import { figuresOf, freshLibrary, openLibrary } from '../../testing/libraryPage.tsx';
import { acting, anAsset, byText, click, clickOn, type fakeStudio, press, type, until } from '../../testing/page.tsx';
import { useBinnedLast } from './bulkActions.ts';
import { NEWEST_FIRST, narrow, selectAsset, setLibraryView } from './state.ts';

function openPage(more: Parameters<typeof fakeStudio>[0] = {}) {
  let assets: Asset[] = [0, 1, 2].map((n) => anAsset({ id: `a${n}`, name: `Picture ${n}.`, bytes: 1_000_000 }));
  const change = (ids: string[], to: (asset: Asset) => Asset) => {
    assets = assets.map((asset) => (ids.includes(asset.id) ? { ...to(asset), revision: asset.revision + 1 } : asset));
    cacheAssets(assets);
  };
  const inBin = ({ binned = false }: AssetFilter) =>
    assets.filter(({ binnedAt }) => (binnedAt !== undefined) === binned);
  return openLibrary(assets, {
    'library.list': (filter) => ({ assets: inBin(filter), total: inBin(filter).length }),
    'library.get': ({ id }) => assets.find((asset) => asset.id === id) as Asset,
    'library.facets': () => ({
      ...{ type: [], state: [], verdict: [], model: [], project: [] },
      tag: [{ value: 'plate', count: 2 }],
      starred: [{ value: 'true', count: 1 }],
    }),
    'library.chosen': ({ ids, filter }) => {
      const found = ids ? assets.filter(({ id }) => ids.includes(id)) : inBin(filter ?? {});
      return figuresOf({ count: ids?.length ?? found.length, bytes: found.length * 1_000_000 });
    },
    'library.star': ({ ids, starred }) => {
      change(ids, ({ starred: _, ...asset }) => (starred ? { ...asset, starred } : asset));
      return null;
    },
    'library.tag': ({ ids, add = [], remove = [] }) => {
      change(ids, (asset) => ({
        ...asset,
        tags: [...(asset.tags ?? []).filter((tag) => !remove.includes(tag)), ...add],
      }));
      return null;
    },
    'library.bin': ({ ids }) => {
      change(ids, (asset) => ({ ...asset, binnedAt: 5 }));
      return { bytes: ids.length * 1_000_000 };
    },
    'library.restore': ({ ids }) => {
      change(ids, ({ binnedAt: _, ...asset }) => asset);
      return { bytes: ids.length * 1_000_000 };
    },
    ...more,
  });
}

beforeEach(() => {
  freshLibrary();
  useBinnedLast.setState({ ids: [] });
  setLibraryView({ layout: 'table', sort: NEWEST_FIRST });
});

const row = (n: number) => byText(`Picture ${n}.`, 'tr');
const chooseTwo = async () => {
  await click(row(0));
  await click(row(1), { ctrlKey: true });
  await until(() => expect(textOf('.bulk')).toContain('2 selected 2 MB'));
};

it('a key gives all that are chosen a star, and takes it away where all have one', async () => {
  const studio = await openPage();
  await chooseTwo();
  await press('s');
  await until(() => expect(document.querySelectorAll('.starMark')).toHaveLength(2));
  await press('s');
  await until(() => expect(document.querySelectorAll('.starMark')).toHaveLength(0));
  expect(studio.callsOf('library.star')).toEqual([
    { ids: ['a0', 'a1'], starred: true },
    { ids: ['a0', 'a1'], starred: false },
  ]);
});

const field = () => byText('', '.dlg input') as HTMLInputElement;
/** Writes a tag into the dialog, and adds it. */
async function addTag(tag: string): Promise<void> {
  await until(field);
  await type(field(), tag);
  await acting(() => field().form?.requestSubmit());
}

it('tags are added and removed at once, new ones and those in use', async () => {
  const studio = await openPage();
  await chooseTwo();
  await press('t');
  await addTag('harbour');
  await until(() => expect(studio.callsOf('library.tag')).toEqual([{ ids: ['a0', 'a1'], add: ['harbour'] }]));
  await until(() => expect(field().value).toBe(''));
  await click(byText('plate', '.dlg .chip'));
  await until(() => expect(studio.callsOf('library.tag')).toHaveLength(2));
  await clickOn(labels.removeOf('harbour'));
  await until(() => expect(studio.callsOf('library.tag').at(-1)).toEqual({ ids: ['a0', 'a1'], remove: ['harbour'] }));
  await until(() => expect(textOf('.dlg')).not.toContain('harbour'));
});

it('the tags of all are those that they have', async () => {
  const tags = [{ value: 'night', count: 1 }];
  const studio = await openPage({ 'library.chosen': () => figuresOf({ tags, count: 3 }) });
  await press('a', { ctrlKey: true });
  await press('t');
  await until(() => expect(textOf('.dlg')).toContain('night 1'));
  expect(byText('plate', '.dlg .chip')?.textContent).not.toContain('2');
  expect(studio.callsOf('library.chosen').at(-1)).toMatchObject({ filter: {} });
});

it('what is tagged or deleted for ever is what was chosen when that was asked for', async () => {
  const studio = await openPage({ 'library.binFigures': () => ({ items: 1, files: 1, bytes: 1, kept: [] }) });
  await click(row(0));
  await press('t');
  await until(field);
  await type(field(), 'harbour');
  await acting(() => selectAsset('a1'));
  await acting(() => field().form?.requestSubmit());
  await until(() => expect(studio.callsOf('library.tag')).toEqual([{ ids: ['a0'], add: ['harbour'] }]));
  await until(() => byText(labels.removeOf('harbour')));
  await click(byText(labels.done));
  await acting(() => narrow({ binned: true }));
  await acting(() => selectAsset('a0'));
  await click(byText(labels.deleteForEver));
  await acting(() => selectAsset('a1'));
  await until(() => expect(isOff(byText(labels.deleteForEverN(1)))).toBe(false));
  await click(byText(labels.deleteForEverN(1)));
  await until(() => expect(studio.callsOf('library.emptyBin')).toEqual([{ ids: ['a0'] }]));
});

it('what is put into the bin is taken back by a key, and is chosen no more', async () => {
  const studio = await openPage();
  await chooseTwo();
  await press('Delete');
  await until(() => expect(studio.callsOf('library.bin')).toEqual([{ ids: ['a0', 'a1'] }]));
  await until(() => expect(document.querySelector('.bulk')).toBeNull());
  await press('z', { ctrlKey: true });
  await until(() => expect(studio.callsOf('library.restore')).toEqual([{ ids: ['a0', 'a1'] }]));
  await press('z', { ctrlKey: true });
  expect(studio.callsOf('library.restore')).toHaveLength(1);
});

it('what is just going into the bin is taken back by a key as well', async () => {
  const { promise: isThere, resolve: letGo } = Promise.withResolvers<void>();
  const studio = await openPage({
    'library.bin': async ({ ids }) => {
      await isThere;
      return { bytes: ids.length };
    },
  });
  await chooseTwo();
  await press('Delete');
  await press('z', { ctrlKey: true });
  letGo();
  await until(() => expect(studio.callsOf('library.restore')).toEqual([{ ids: ['a0', 'a1'] }]));
});

it('the offer to take back what was put into the bin goes with it', async () => {
  const studio = await openPage();
  const offers = () => textsOf('.outcome .t2');
  await click(row(0));
  await press('Delete');
  await until(() => expect(offers()).toEqual([labels.itemsPutIntoTheBin(1, '1 MB')]));
  await press('z', { ctrlKey: true });
  await until(() => expect(offers()).toEqual([]));
  expect(studio.callsOf('library.restore')).toHaveLength(1);
  await click(row(0));
  await press('Delete');
  await until(() => expect(offers()).toEqual([labels.itemsPutIntoTheBin(1, '1 MB')]));
});

it('the bin says what it holds, puts back what is chosen in it, and Escape leads back', async () => {
  const studio = await openPage();
  await chooseTwo();
  await press('Delete');
  await until(() => expect(useBinnedLast.getState().ids).toHaveLength(2));
  await studio.emit({ type: 'asset.changed', asset: anAsset({ id: 'a0', binnedAt: 5, revision: 9 }) });
  await clickOn('Bin, 2 MB');
  await until(() => expect(studio.callsOf('library.list').at(-1)).toMatchObject({ binned: true }));
  await until(() => expect(textOf('.drop')).toContain(labels.itemsInBin(2, '2 MB')));
  await until(() => expect(document.querySelectorAll('.table tbody tr')).toHaveLength(2));
  await click(row(1));
  await press('u');
  await until(() => expect(studio.callsOf('library.restore')).toEqual([{ ids: ['a1'] }]));
  await until(() => expect(document.querySelector('.bulk')).toBeNull());
  await press('Escape');
  await until(() => expect(studio.callsOf('library.list').at(-1)).not.toHaveProperty('binned'));
});

it('many are told of while they go into the bin, and what went in before a refusal can be taken back', async () => {
  const answers: ((result: Result<{ bytes: number }>) => void)[] = [];
  const studio = await openPage({
    'library.bin': () => new Promise((resolve) => answers.push(resolve)),
    'library.get': ({ id }) => anAsset({ id }),
  });
  const ids = Array.from({ length: 2_500 }, (_, n) => `m${n}`);
  await acting(() => setLibraryView({ choice: { ids: new Set(ids) } }));
  await press('Delete');
  const told = () => textOf('.bulk [role="status"]');
  await until(() => expect(told()).toBe('0 of 2,500'));
  await press('Delete');
  await acting(() => answers[0]?.({ ok: true, data: { bytes: 5_000_000 } }));
  await until(() => expect(told()).toBe('1,000 of 2,500'));
  await acting(() => answers[1]?.({ ok: false, error: { code: 'internal', message: 'The disk is full.' } }));
  await until(() => expect(textOf('.bulk')).toContain('The disk is full.'));
  expect(told()).toContain('1,500 selected');
  expect(answers).toHaveLength(2);
  await press('z', { ctrlKey: true });
  await until(() => expect(studio.callsOf('library.restore')).toEqual([{ ids: ids.slice(0, 1_000) }]));
});

it('a tag that is typed while another is being added stays', async () => {
  const added = Promise.withResolvers<null>();
  await openPage({ 'library.tag': () => added.promise });
  await chooseTwo();
  await press('t');
  await addTag('harbour');
  await type(field(), 'night');
  await acting(() => added.resolve(null));
  expect(field().value).toBe('night');
});
