import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { sourceFiles } from './source.ts';

const MOST = 15;

test('src/shared has at most 15 folders, each of at most 15 files, and no file beside them', () => {
  const shared = sourceFiles().filter((file) => file.startsWith('src/shared/'));
  const folders = Object.groupBy(shared, dirname);
  expect(folders['src/shared']).toBeUndefined();
  expect(new Set(shared.map((file) => file.split('/')[2])).size).toBeLessThanOrEqual(MOST);
  expect(fullFolders(shared)).toEqual([]);
});

test('a folder of core has at most 15 files', () => {
  const core = sourceFiles().filter((file) => file.startsWith('src/main/core/'));
  expect(fullFolders(core)).toEqual([]);
});

const fullFolders = (files: readonly string[]): string[] =>
  Object.entries(Object.groupBy(files, dirname)).flatMap(([folder, inside = []]) =>
    inside.length > MOST ? [folder] : [],
  );
