import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { useStudio } from '../../app/index.ts';
import { labelled, textsOf } from '../../testing/find.ts';
import { freshLibrary, openLibrary } from '../../testing/libraryPage.tsx';
import { anAsset, byText, click, clickOn, press, until } from '../../testing/page.tsx';
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
});

const heads = () => [...document.querySelectorAll('.head th')].slice(2).map(({ textContent }) => textContent);
const cells = (id: string) => textsOf(`#asset-${id} > td`);
const widths = (row: string) => document.querySelector<HTMLElement>(row)?.style.gridTemplateColumns.split(' ').length;

it('tells the project and the seed of each row, and a dash where it has none', () => {
  const shown = (id: string) => ['Project', labels.seed].map((head) => cells(id)[heads().indexOf(head) + 2]);
  expect([shown('a'), shown('b')]).toEqual([
    ['Last Ferry', '2841190'],
    ['–', '–'],
  ]);
});

it('leaves out what is not wanted, in the head and in the rows, and keeps the choice', async () => {
  await click(labelled('Columns'));
  await clickOn(labels.model, '.pop label');
  await click(byText(labels.length, '.pop label'));
  expect(heads()).not.toContain(labels.model);
  expect(heads()).not.toContain(labels.length);
  expect([heads().length, cells('a').length]).toEqual([8, 2 + 8]);
  expect([widths('.head .ltRow'), widths('#asset-a')]).toEqual([10, 10]);
  expect(rememberedLook()).toMatchObject({ layout: 'table', hidden: ['model', 'seconds'] });
  await click(byText(labels.model, '.pop label'));
  expect(heads()).toContain(labels.model);
  await press('Escape');
  await until(() => expect(document.querySelector('.pop')).toBeNull());
});

it('a look that an earlier version kept is read, and hides no column', () => {
  const kept = { layout: 'table', sort: NEWEST_FIRST, tile: 200 };
  window.localStorage.setItem('dailies.library', JSON.stringify(kept));
  expect(rememberedLook()).toEqual({ ...kept, hidden: [] });
});
