import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { sourceFiles } from './source.ts';

const MOST = 15;

test('src/shared has at most 15 folders, each of at most 15 files, and no file beside them', () => {
  const shared = sourceFiles().filter((file) => file.startsWith('src/shared/'));
  const folders = Object.groupBy(shared, dirname);
  expect(folders['src/shared']).toBeUndefined();
  expect(new Set(shared.map((file) => file.split('/')[2])).size).toBeLessThanOrEqual(MOST);
  const full = Object.entries(folders).flatMap(([folder, files]) => ((files?.length ?? 0) > MOST ? [folder] : []));
  expect(full).toEqual([]);
});
