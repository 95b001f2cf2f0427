import { beforeEach, describe, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import type { ChosenAssetFigures } from '../../../shared/library/chosenAssets.ts';
import { useExportShown } from '../../media/ExportNote.tsx';
import { textOf } from '../../testing/find.ts';
import { figuresOf, freshLibrary, openLibrary } from '../../testing/libraryPage.tsx';
import { acting, anAsset, byText, click, fakeStudio, press, scroll, type, until } from '../../testing/page.tsx';
import { chooseAll } from './choosing.ts';
import { NEWEST_FIRST, setLibraryView, useLibraryView } from './state.ts';

const assets = Array.from({ length: 300 }, (_, n) => {
  const of = { jobId: `j${n}`, costNano: 50_000_000, model: 'imagine' };
  return anAsset({ id: `a${n}`, name: `Picture ${n}.`, bytes: 1_000 * n, ...of });
});

const figures = (given: Partial<ChosenAssetFigures> = {}) =>
  figuresOf({
    ...{ count: 3, bytes: 86_700_000, seconds: 22, costNano: 8_800_000_000, costLowNano: 1_200_000_000, ofJobs: 3 },
    ...{ local: 3, firstAt: new Date('2026-11-20T19:40').getTime(), lastAt: new Date('2026-11-21T02:09').getTime() },
    types: [{ value: 'video', count: 3 }],
    models: ['video-pro', 'video-standard'].map((value, at) => ({ value, count: 2 - at })),
    verdicts: (['keep', 'none'] as const).map((value, at) => ({ value, count: 2 - at })),
    sizes: [{ value: '1920 × 1080', count: 3 }],
    ...given,
  });

const anExport = {
  ...{ id: 'e1', revision: 1, kind: 'files' as const, state: 'done' as const, progress: 100, name: 'Files' },
  files: [{ name: 'Picture 0.png', bytes: 5_000, sha256: 'ab', mime: 'image/png' }],
  ...{ folder: '/exports/Files', createdAt: 1 },
};

/** The page over the assets; `leave` takes one out of the list, as the bin does. */
async function openPage(given: Partial<ChosenAssetFigures> | Promise<ChosenAssetFigures> = {}) {
  const gone = new Set<string>();
  const studio = await openLibrary(assets, {
    'library.list': ({ offset = 0, limit = 100, cursor, text = '' }) => {
      const from = cursor === undefined ? offset : Number(cursor);
      const found = assets.filter(({ id, name }) => name.includes(text) && !gone.has(id));
      const more = from + limit < found.length ? { nextCursor: `${from + limit}` } : {};
      return { assets: found.slice(from, from + limit), total: found.length, ...more };
    },
    'library.chosen': () => (given instanceof Promise ? given : figures(given)),
    'library.judge': ({ ids }) => ({ judged: ids.length }),
    'library.export': () => ({ ...anExport, state: 'running', progress: 40, files: [] }),
    'exports.get': () => anExport,
    'exports.reveal': () => null,
  });
  const leave = (id: string) => {
    gone.add(id);
    const asset = { ...(assets.find((one) => one.id === id) as Asset), revision: 2, binnedAt: 1 };
    return studio.emit({ type: 'asset.changed', asset });
  };
  return { ...studio, leave };
}

beforeEach(() => {
  freshLibrary();
  useExportShown.setState({ id: undefined });
  setLibraryView({ layout: 'table', sort: NEWEST_FIRST });
});

const list = () => document.querySelector('.table, .lib') as HTMLElement;
const item = (n: number) => {
  const found = document.getElementById(`asset-a${n}`);
  if (!found) throw new Error(`picture ${n} is not in view`);
  return found;
};
const chosen = () =>
  [...document.querySelectorAll('[id^="asset-"][aria-selected="true"]')].map(({ id }) => id.slice('asset-a'.length));
const bar = () => textOf('.bulk');
const chooseTwo = async () => {
  await click(item(0));
  await click(item(1), { ctrlKey: true });
};
/** What has just been drawn listens to its keys once its effects have run. */
const keysAreHeard = () => press('Shift');

describe.each(['grid', 'table'] as const)('in the %s', (layout) => {
  beforeEach(() => setLibraryView({ layout }));

  it('a click chooses one, with Ctrl one more, with Shift all between; Escape lets go', async () => {
    await openPage();
    await click(item(1));
    expect(bar()).toContain('1 selected');
    await click(item(3), { ctrlKey: true });
    expect(chosen()).toEqual(['1', '3']);
    await click(item(5), { shiftKey: true });
    await until(() => expect(chosen()).toEqual(['3', '4', '5']));
    await keysAreHeard();
    await press('Escape');
    expect(chosen()).toEqual([]);
    expect(bar()).toBeUndefined();
    await click(item(2));
    expect(chosen()).toEqual(['2']);
  });

  it('keys choose: Shift with arrows, Ctrl with arrows and Space, Home and End', async () => {
    await openPage();
    const [next, back] = layout === 'grid' ? ['ArrowRight', 'ArrowLeft'] : ['ArrowDown', 'ArrowUp'];
    await press('Home', {}, list());
    await press(next, { shiftKey: true }, list());
    await press(next, { shiftKey: true }, list());
    await until(() => expect(chosen()).toEqual(['0', '1', '2']));
    await press(back, { shiftKey: true }, list());
    await until(() => expect(chosen()).toEqual(['0', '1']));
    await press(next, { ctrlKey: true }, list());
    await press(next, { ctrlKey: true }, list());
    await press(' ', {}, list());
    expect(chosen()).toEqual(['0', '1', '3']);
    await scroll(list(), 100_000);
    await until(() => item(299));
    await press('End', {}, list());
    await until(() => expect(useLibraryView.getState().selectedId).toBe('a299'));
    await press('Home', {}, list());
    await until(() => expect(useLibraryView.getState().selectedId).toBe('a0'));
    await press('End', {}, list());
    await until(() => expect(chosen()).toEqual(['299']));
  });

  it('keys go on from where one stood that has left the list', async () => {
    const { leave } = await openPage();
    await click(item(7));
    await leave('a7');
    await until(() => expect(document.getElementById('asset-a7')).toBe(null));
    await press(' ', {}, list());
    expect(chosen()).toEqual([]);
    await press('ArrowDown', {}, list());
    await until(() => expect(chosen()).toEqual(['8']));
    await leave('a8');
    await until(() => expect(document.getElementById('asset-a8')).toBe(null));
    await press(layout === 'grid' ? 'ArrowLeft' : 'ArrowUp', {}, list());
    await until(() => expect(chosen()).toEqual(['6']));
    await scroll(list(), 100_000);
    await until(() => item(299));
    await press('End', {}, list());
    await until(() => expect(useLibraryView.getState().selectedId).toBe('a299'));
    await leave('a299');
    await until(() => expect(document.getElementById('asset-a299')).toBe(null));
    await press('ArrowUp', {}, list());
    await until(() => expect(useLibraryView.getState().selectedId).toBe('a298'));
  });

  it('keys begin at the top of another list', async () => {
    await openPage();
    await click(item(7));
    await keysAreHeard();
    await type(byText(labels.searchPromptsAndNames, 'input') as HTMLInputElement, '1.');
    await until(() => expect(document.getElementById('asset-a7')).toBe(null));
    await press('ArrowDown', {}, list());
    await until(() => expect(useLibraryView.getState().selectedId).toBe('a1'));
  });

  it('Ctrl A chooses all that the filter finds, as a rule; one of them can be let go', async () => {
    const studio = await openPage({ count: 299 });
    await press('a', { ctrlKey: true });
    expect(chosen().length).toBeGreaterThan(10);
    await click(item(4), { ctrlKey: true });
    expect(chosen()).not.toContain('4');
    const filter = { roles: ['output', 'grid', 'source'] };
    await until(() => expect(studio.callsOf('library.chosen').at(-1)).toEqual({ filter, except: ['a4'] }));
    await until(() => expect(bar()).toContain('299 selected'));
    await press('y');
    await until(() => expect(studio.callsOf('library.judge')).toHaveLength(1));
    const [{ ids }] = studio.callsOf('library.judge') as [{ ids: string[] }];
    expect(ids).toHaveLength(299);
    expect(ids).not.toContain('a4');
  });
});

it('the range reaches over what has not been read', async () => {
  const studio = await openPage({ count: 250 });
  await click(item(0));
  await scroll(list(), 100_000);
  await until(() => item(299));
  await click(item(299), { shiftKey: true });
  await until(() => expect(useLibraryView.getState().choice.ids.size).toBe(300));
  expect(studio.callsOf('library.list')).toContainEqual(expect.objectContaining({ offset: 0, limit: 500 }));
});

it('the inspector of many says what they share, test money and no price apart', async () => {
  await openPage({ playNano: 800_000_000, playLowNano: 800_000_000, unpriced: 2 });
  await chooseTwo();
  const told = () => textOf('aside[aria-label=Details]') ?? '';
  await until(() => expect(told()).toContain('3 selected'));
  const shared = ['3 clips', '22 s', '86.7 MB', '2 models', '1920 × 1080', 'Keep 2, Not rated 1'];
  const money = ['≤ $8.80', '$1.20', labels.testMoney, '$0.80', 'No price set', '2 items'];
  for (const words of [...shared, ...money, 'Fri 20 Nov 19:40 to Sat 21 Nov 02:09']) expect(told()).toContain(words);
  expect(bar()).toContain('86.7 MB, 22 s');
});

it('of many no size is said until their sum is known', async () => {
  let answer = (_: ChosenAssetFigures): void => undefined;
  await openPage(new Promise((done) => (answer = done)));
  await click(item(1));
  expect(bar()).toContain('1 kB');
  await click(item(2), { ctrlKey: true });
  expect(bar()).toContain('2 selected');
  expect(bar()).not.toContain('kB');
  answer(figures());
  await until(() => expect(bar()).toContain('86.7 MB'));
});

it('many are judged by a key, and judged no more where all of them are', async () => {
  const studio = await openPage({ verdicts: [{ value: 'keep', count: 2 }] });
  await chooseTwo();
  await until(() => expect(bar()).toContain('3 selected'));
  await keysAreHeard();
  await press('n');
  await until(() => expect(studio.callsOf('library.judge')).toEqual([{ ids: ['a0', 'a1'], verdict: 'no' }]));
  await press('y');
  await until(() => expect(studio.callsOf('library.judge').at(-1)).toEqual({ ids: ['a0', 'a1'], verdict: null }));
});

it('what is chosen is exported, and the page says where it went', async () => {
  const studio = await openPage();
  await chooseTwo();
  await keysAreHeard();
  await press('e');
  await until(() => expect(studio.callsOf('library.export')).toEqual([{ ids: ['a0', 'a1'] }]));
  await until(() => expect(textOf('.exportNote')).toContain('1 file exported'));
  expect(textOf('.exportNote')).toContain('/exports/Files');
  await click(byText(labels.showInFolder));
  expect(studio.callsOf('exports.reveal')).toEqual([{ id: 'e1' }]);
  await click(byText(labels.dismissTheExport));
  expect(document.querySelector('.exportNote')).toBeNull();
});

it('more than an export takes are not exported, and the button says why', async () => {
  const studio = await openPage({ count: 1_200 });
  await press('a', { ctrlKey: true });
  await until(() => expect(bar()).toContain('1,200 selected'));
  expect(byText(labels.export).getAttribute('aria-description')).toBe('Select at most 1,000 items.');
  await click(byText(labels.export));
  expect(studio.callsOf('library.export')).toEqual([]);
});

it('all that are being counted are not chosen once something else is', async () => {
  await openPage();
  const { promise: isCounted, resolve: count } = Promise.withResolvers<void>();
  const counting = async () => {
    await isCounted;
    return { assets: [], total: 300 };
  };
  fakeStudio({ 'library.list': counting });
  const done = chooseAll({ list: { isMore: true, total: 100 } as never, filter: {}, sort: NEWEST_FIRST });
  await click(item(2));
  count();
  await acting(() => done);
  expect(chosen()).toEqual(['2']);
});

it('another filter forgets what is chosen', async () => {
  await openPage();
  await chooseTwo();
  await type(document.querySelector('.libFind input') as HTMLInputElement, 'Picture 2');
  await until(() => expect(bar()).toBeUndefined());
});

describe('the table', () => {
  it('sorts by the head of a column, again the other way round, and says so', async () => {
    const studio = await openPage();
    const head = (label: string) => byText(label, 'th');
    expect(head(labels.made).getAttribute('aria-sort')).toBe('descending');
    await click(byText(labels.cost, 'th button'));
    await until(() =>
      expect(studio.callsOf('library.list').at(-1)).toMatchObject({ sort: { by: 'cost', order: 'desc' } }),
    );
    expect(head(labels.cost).getAttribute('aria-sort')).toBe('descending');
    expect(head(labels.made).getAttribute('aria-sort')).toBeNull();
    await click(byText(labels.cost, 'th button'));
    await until(() =>
      expect(studio.callsOf('library.list').at(-1)).toMatchObject({ sort: { by: 'cost', order: 'asc' } }),
    );
    await click(byText(labels.name, 'th button'));
    await until(() =>
      expect(studio.callsOf('library.list').at(-1)).toMatchObject({ sort: { by: 'name', order: 'asc' } }),
    );
  });

  it('draws what is in view of thousands, says how many rows there are, and its head chooses all', async () => {
    await openPage({ count: 300 });
    expect(list().getAttribute('aria-rowcount')).toBe('301');
    expect(document.querySelectorAll('.table tbody tr').length).toBeLessThan(60);
    expect(item(0).getAttribute('aria-rowindex')).toBe('2');
    expect(item(0).textContent).toContain('$0.05');
    await click(byText(labels.chooseAll(300)));
    await until(() => expect(bar()).toContain('300 selected'));
    await click(byText(labels.chooseNone));
    expect(bar()).toBeUndefined();
    await click(item(2).querySelector('.check') as HTMLElement);
    await click(item(3).querySelector('.check') as HTMLElement);
    expect(chosen()).toEqual(['2', '3']);
  });

  it('is the same list as the grid: a key changes between them, which is remembered with the order', async () => {
    await openPage();
    await click(item(3));
    await press('g');
    expect(document.querySelector('.lib')).not.toBeNull();
    expect(chosen()).toEqual(['3']);
    setLibraryView({ sort: { by: 'bytes', order: 'asc' } });
    expect(JSON.parse(window.localStorage.getItem('dailies.library') ?? '')).toMatchObject({
      layout: 'grid',
      sort: { by: 'bytes', order: 'asc' },
    });
  });
});

it('in another order than by time the grid has no days, and says the order', async () => {
  await openPage();
  setLibraryView({ layout: 'grid', sort: { by: 'bytes', order: 'desc' } });
  await until(() => expect(document.querySelectorAll('.tile').length).toBeGreaterThan(0));
  await until(() => expect(document.querySelector('.day')).toBeNull());
  expect(byText(labels.largestFirst, '.sort').querySelector('[role="combobox"]')).not.toBeNull();
});
