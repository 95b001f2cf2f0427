import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { useStudio } from '../../app/index.ts';
import { freshLibrary, openLibrary } from '../../testing/libraryPage.tsx';
import { anAsset, byText, click, press, until } from '../../testing/page.tsx';
import { rememberedLook } from './remembered.ts';
import { NEWEST_FIRST, setLibraryView } from './state.ts';

const ferry = { id: 'p1', name: 'Last Ferry', createdAt: 1 };
const assets = [
  anAsset({ id: 'a', name: 'Harbour', model: 'imagine', projectId: 'p1', seed: 2841190 }),
  anAsset({ id: 'b', name: 'Pier', model: 'imagine' }),
];

beforeEach(async () => {
  freshLibrary();
  useStudio.setState({ profiles: [], projects: [ferry] });
  setLibraryView({ layout: 'table', sort: NEWEST_FIRST, hidden: [] });
  await openLibrary(assets);
  await until(() => byText('Harbour', 'tr'));
});

const heads = () => [...document.querySelectorAll('.lt-head th')].slice(2).map(({ textContent }) => textContent);
const cells = (id: string) => [...document.querySelectorAll(`#asset-${id} > td`)].map(({ textContent }) => textContent);
const widths = (row: string) => document.querySelector<HTMLElement>(row)?.style.gridTemplateColumns.split(' ').length;

it('names the project of each row, and a dash where it has none', () => {
  expect(heads()).toContain('Project');
  expect(cells('a')).toContain('Last Ferry');
  expect(cells('b')[3]).toBe('–');
});

it('tells the seed of each row, and a dash where it has none', () => {
  expect(heads()[6]).toBe(labels.seed);
  expect(cells('a')[8]).toBe('2841190');
  expect(cells('b')[8]).toBe('–');
});

it('leaves out what is not wanted, in the head and in the rows, and keeps the choice', async () => {
  await click(document.querySelector('button[aria-label="Columns"]') as HTMLElement);
  await until(() => byText(labels.model, '.lt-menu label'));
  const columns = [...document.querySelectorAll('.lt-menu label')].map(({ textContent }) => textContent);
  expect(columns).toEqual([
    'Project',
    labels.model,
    labels.made,
    labels.length,
    'Size',
    labels.seed,
    'Verdict',
    labels.cost,
    'Custody',
  ]);
  await click(byText(labels.model, '.lt-menu label'));
  await click(byText(labels.length, '.lt-menu label'));
  expect(heads()).toEqual([
    labels.name,
    'Project',
    labels.made,
    'Size',
    labels.seed,
    'Verdict',
    labels.cost,
    'Custody',
  ]);
  expect(cells('a')).toHaveLength(2 + 8);
  expect([widths('.lt-head .lt-row'), widths('#asset-a')]).toEqual([10, 10]);
  expect(rememberedLook()).toMatchObject({ layout: 'table', hidden: ['model', 'seconds'] });
  await click(byText(labels.model, '.lt-menu label'));
  expect(heads()).toContain(labels.model);
  await press('Escape');
  await until(() => expect(document.querySelector('.lt-menu')).toBeNull());
});

it('a look that an earlier version kept is read, and hides no column', () => {
  const kept = { layout: 'table', sort: NEWEST_FIRST, tile: 200 };
  window.localStorage.setItem('dailies.library', JSON.stringify(kept));
  expect(rememberedLook()).toEqual({ ...kept, hidden: [] });
});
