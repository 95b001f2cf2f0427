import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { cacheAssets, useEntities } from '../../app/index.ts';
import { freshLibrary, openLibrary } from '../../testing/libraryPage.tsx';
import { acting, anAsset, byText, press, scroll, type, until } from '../../testing/page.tsx';
import { columnsFor, DAY_PX, tileRowPx } from './layout.ts';
import { useLibraryView } from './state.ts';

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

/** With so many pictures of today, of yesterday and so on, and of those that are searched for. */
function studioWith(counts: number[], found = counts) {
  const day = new Date().setHours(0, 0, 0, 0);
  const total = sumOf(counts);
  const all = Array.from({ length: total }, (_, n) => anAsset({ id: `p${n}`, name: `Picture ${n}.` }));
  return openLibrary(all, {
    'library.list': ({ offset = 0, limit = 100, text }) => {
      const days = text === undefined ? counts : found;
      return {
        assets: all.slice(0, sumOf(days)).slice(offset, offset + limit),
        total: sumOf(days),
        days: days.map((count, back) => ({ day: day - back * 86_400_000, count })),
      };
    },
  });
}

beforeEach(freshLibrary);
afterEach(() => void vi.useRealTimers());

it('has the height of the whole, and what it showed once it shows again', async () => {
  const studio = await studioWith([10_000, 2_000]);
  const list = document.querySelector('.lib') as HTMLElement;
  const height = Number.parseFloat(list.querySelector<HTMLElement>('.qspace')?.style.height ?? '');
  const { columns, tile } = columnsFor(872, useLibraryView.getState().tile);
  const rowPx = tileRowPx(tile);
  expect(height).toBe(2 * DAY_PX + (Math.ceil(10_000 / columns) + Math.ceil(2_000 / columns)) * rowPx);
  await scroll(list, height / 2);
  await until(() => byText(labels.pictureOf(60), '.tile'));
  await acting(() => cacheAssets(Array.from({ length: 6_000 }, (_, n) => anAsset({ id: `other ${n}` }))));
  await scroll(list, height);
  await until(() => byText('Picture 11999.', '.tile'));
  expect(useEntities.getState().assets.has('p0')).toBe(false);
  await press('End', {}, list);
  expect(useLibraryView.getState().selectedId).toBe('p11999');
  await scroll(list, 0);
  await until(() => byText('Picture 0.', '.tile'));
  await until(() => expect(list.querySelectorAll('.tile:not([role])')).toHaveLength(0));
  expect(studio.callsOf('library.list').length).toBeLessThan(40);
});

it('has other heights where another list has its headings elsewhere', async () => {
  await studioWith([400], [1, 1, 1]);
  await type(byText(labels.searchPromptsAndNames, 'input') as HTMLInputElement, 'Picture');
  const { tile } = columnsFor(872, useLibraryView.getState().tile);
  const height = () => document.querySelector<HTMLElement>('.lib .qspace')?.style.height;
  await until(() => expect(height()).toBe(`${3 * (DAY_PX + tileRowPx(tile))}px`));
  const tops = [...document.querySelectorAll<HTMLElement>('.lib .qitem')].map(({ style }) => style.transform);
  expect(tops[2]).toBe(`translateY(${DAY_PX + tileRowPx(tile)}px)`);
});

it('draws a tile once while its list is scrolled', async () => {
  await studioWith([400]);
  let drawn = 0;
  const counted = Object.defineProperty(anAsset({ id: 'p20' }), 'name', {
    get: () => {
      drawn++;
      return 'Picture 20.';
    },
  });
  await acting(() => useEntities.setState(({ assets }) => ({ assets: new Map(assets).set('p20', counted) })));
  expect(drawn).toBeGreaterThan(0);
  drawn = 0;
  const list = document.querySelector('.lib') as HTMLElement;
  for (const top of [100, 200, 300]) await scroll(list, top);
  byText('Picture 20.', '.tile');
  expect(drawn).toBe(0);
});

const FRAME_MS = 1_000 / 60;
let now = 0;

/** So many px from one frame to the next. */
async function scrollFrames(list: HTMLElement, px: number, frames: number): Promise<void> {
  for (let frame = 0; frame < frames; frame++) {
    await acting(() => {
      list.scrollTop += px;
      now += FRAME_MS;
      list.dispatchEvent(Object.defineProperty(new Event('scroll'), 'timeStamp', { value: now }));
    });
  }
}

async function showHistory() {
  const studio = await studioWith([10_000]);
  const list = document.querySelector('.lib') as HTMLElement;
  Object.defineProperty(list, 'clientHeight', { value: 800 });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  return {
    list,
    asked: () => studio.callsOf('library.list').length,
    drawn: () => list.querySelectorAll('.tile[role]'),
  };
}

it('leaves empty what passes faster than it is seen, and shows it once it stands still', async () => {
  const { list, asked, drawn } = await showHistory();
  await scrollFrames(list, 320, 30);
  const before = asked();
  await scrollFrames(list, 320, 60);
  expect(asked()).toBe(before);
  expect(drawn()).toHaveLength(0);
  expect(list.querySelectorAll('.tile').length).toBeGreaterThan(0);
  await until(() => expect(drawn().length).toBe(list.querySelectorAll('.tile').length));
  expect(asked()).toBeGreaterThan(before);
});

/** Draws frames until every tile in view is drawn, with the clock of the list's rest standing still. */
async function drawFrames({ list, drawn }: Pick<Awaited<ReturnType<typeof showHistory>>, 'list' | 'drawn'>) {
  const left = () => list.querySelectorAll('.tile').length - drawn().length;
  for (let frame = 0; frame < 60 && left() > 0; frame++)
    await acting(() => new Promise((done) => requestAnimationFrame(done)));
  return left();
}

it('shows every picture of a list that is scrolled as one looks at it, and after a jump', async () => {
  const history = await showHistory();
  await scrollFrames(history.list, 30, 100);
  expect(await drawFrames(history)).toBe(0);
  await vi.advanceTimersByTimeAsync(1_000);
  await scrollFrames(history.list, 60_000, 1);
  expect(await drawFrames(history)).toBe(0);
});

it('draws what a held key selects', async () => {
  const history = await showHistory();
  await press('Home', {}, history.list);
  for (let step = 0; step < 20; step++) {
    await press('ArrowDown', {}, history.list);
    await scrollFrames(history.list, 215, 1);
  }
  expect(await drawFrames(history)).toBe(0);
});

it('keeps what was drawn before the list began to pass', async () => {
  const { list, drawn } = await showHistory();
  const lowest = [...drawn()].at(-1);
  await scrollFrames(list, 200, 4);
  expect(lowest?.isConnected).toBe(true);
  expect(drawn().length).toBeLessThan(list.querySelectorAll('.tile').length);
});
