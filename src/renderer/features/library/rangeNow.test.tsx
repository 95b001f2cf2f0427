import { beforeEach, expect, it } from 'vitest';
import type { Asset } from '../../../shared/library/asset.ts';
import { freshLibrary, openLibrary } from '../../testing/libraryPage.tsx';
import { anAsset, click, scroll, until } from '../../testing/page.tsx';
import { NEWEST_FIRST, setLibraryView, useLibraryView } from './state.ts';

const assetsOf = (name: string, count: number): Asset[] =>
  Array.from({ length: count }, (_, n) => anAsset({ id: `${name}${n}`, name: `${name} ${n}.` }));

beforeEach(() => {
  freshLibrary();
  setLibraryView({ layout: 'table', sort: NEWEST_FIRST });
});

it('the range has what stands between its ends now, though others have come since they were read', async () => {
  let assets = assetsOf('old', 300);
  const studio = await openLibrary(assets, {
    'library.list': ({ offset = 0, limit = 100 }) => ({
      assets: assets.slice(offset, offset + limit),
      total: assets.length,
    }),
  });
  const item = (id: string) => document.getElementById(`asset-${id}`) ?? expect.fail(`${id} is not in view`);
  const list = document.querySelector('.table') as HTMLElement;
  for (const top of [3_000, 6_000, 100_000]) await scroll(list, top);
  await until(() => item('old299'));
  await click(item('old299'));
  await scroll(list, 0);
  const come = assetsOf('new', 50);
  assets = [...come, ...assets];
  await studio.emit({ type: 'asset.changed', asset: come[0] as Asset });
  await until(() => item('new0'));
  await click(item('new0'), { shiftKey: true });
  await until(() => expect(useLibraryView.getState().choice.ids.size).toBe(350));
});
