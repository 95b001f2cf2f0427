import { expect, test } from 'vitest';
import type { CallInput } from '../../../shared/contract/contract.ts';
import { libraryListSchema } from '../../../shared/library/asset.ts';
import { walksManyAssets } from './assetList.ts';

test.each<[CallInput<'library.list'>, boolean]>([
  [{}, false],
  [{ cursor: '500000', limit: 100, roles: [], sort: { by: 'made' } }, false],
  [{ offset: 500_000, upTo: 1 }, true],
  [{ roles: ['output'] }, true],
  [{ days: true }, true],
])('assets that walk many are read elsewhere: %j', (input, expected) => {
  expect(walksManyAssets(libraryListSchema.parse(input))).toBe(expected);
});
