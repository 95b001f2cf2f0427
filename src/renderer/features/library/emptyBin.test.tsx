import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { fail, type Result } from '../../../shared/contract/result.ts';
import type { Emptied } from '../../../shared/library/assetMarks.ts';
import { textOf } from '../../testing/find.ts';
import { figuresOf, freshLibrary, openLibrary } from '../../testing/libraryPage.tsx';
import { acting, anAsset, byText, click, clickOn, until } from '../../testing/page.tsx';
import { useBinnedLast } from './bulkActions.ts';
import { NEWEST_FIRST, narrow, setLibraryView } from './state.ts';

const assets = [0, 1].map((n) => anAsset({ id: `a${n}`, name: `Picture ${n}.`, bytes: 1_000_000, binnedAt: 5 }));
const told: Emptied = { files: 3, bytes: 2_000_000, items: 2, kept: [{ reason: 'board', count: 1 }] };

function openBin(answer: () => Result<Emptied> | Promise<Result<Emptied>>, going: Partial<Emptied> = {}) {
  narrow({ binned: true });
  return openLibrary(assets, {
    'library.chosen': ({ ids, filter }) => {
      const count = ids?.length ?? (filter?.roles ? 2 : 4);
      return figuresOf({ count, bytes: filter?.roles ? 1_000_000 : 2_000_000 });
    },
    'library.binFigures': ({ ids }) => ({ ...told, items: ids?.length ?? told.items, ...going }),
    'library.emptyBin': answer,
  });
}

beforeEach(() => {
  freshLibrary();
  useBinnedLast.setState({ ids: ['a0', 'a1'] });
  setLibraryView({ layout: 'table', sort: NEWEST_FIRST });
});

const dialog = () => textOf('[role="dialog"]') ?? '';
const row = (n: number) => byText(`Picture ${n}.`, 'tr');

it('says what goes and what stays before anything is deleted, and can be left', async () => {
  const studio = await openBin(() => ({ ok: true, data: told }));
  await until(() => byText(labels.emptyTheBin, 'button'));
  expect(byText(labels.itemsInBin(2, '2 MB'), '.bar .t3').textContent).toBe(labels.itemsInBin(2, '2 MB'));
  await click(byText(labels.emptyTheBin, 'button'));
  await until(() => expect(dialog()).toContain('This deletes 2 items and frees 2 MB in 3 files.'));
  expect(dialog()).toContain('Kept, still in use: 1 item (Board)');
  await click(byText(labels.cancel, 'button'));
  expect(studio.callsOf('library.emptyBin')).toEqual([]);
});

it('deletes once, however often it is pressed, and offers no way back afterwards', async () => {
  let answer: (result: Result<Emptied>) => void = () => undefined;
  const studio = await openBin(() => new Promise((done) => (answer = done)));
  await clickOn(labels.emptyTheBin, 'button');
  await clickOn(labels.deleteForEverN(2), 'button');
  await click(byText(labels.deleteForEverN(2), 'button'));
  await acting(() => answer({ ok: true, data: told }));
  await until(() => expect(dialog()).toBe(''));
  expect(studio.callsOf('library.emptyBin')).toEqual([{}]);
  expect(useBinnedLast.getState().ids).toEqual([]);
  expect(textOf('.drop .outcome')).toBe('2 items deleted for good, 2 MB freed');
});

it('deletes only what is chosen, and a refusal is said where it was asked for', async () => {
  const studio = await openBin(() => fail('not_found', 'ids.0: is not in the bin.'));
  await click(row(1));
  await clickOn(labels.deleteForEver, '.bulk button');
  await clickOn(labels.deleteForEverN(1), 'button');
  await until(() => expect(dialog()).toContain('ids.0: is not in the bin.'));
  expect(studio.callsOf('library.emptyBin')).toEqual([{ ids: ['a1'] }]);
  expect(useBinnedLast.getState().ids).toEqual(['a0', 'a1']);
});

it('what is all still used is not offered to be deleted', async () => {
  const studio = await openBin(() => ({ ok: true, data: told }), { items: 0, files: 0, bytes: 0 });
  await clickOn(labels.emptyTheBin, 'button');
  await until(() => byText(labels.deleteForEverN(0), 'button'));
  await until(() =>
    expect(byText(labels.deleteForEverN(0), 'button').getAttribute('aria-description')).toContain(
      'everything is still used',
    ),
  );
  await click(byText(labels.deleteForEverN(0), 'button'));
  expect(studio.callsOf('library.emptyBin')).toEqual([]);
});
