import { expect, test } from 'vitest';
import { repeatedNames, repeatedNamesOfSource } from './fileNames.ts';

test('no module has two files of one name', () => {
  expect(repeatedNamesOfSource()).toEqual([]);
});

test.each([
  ['two folders', ['src/main/core/jobs/limits.ts', 'src/main/core/jobs/limits/limits.ts'], 1],
  ['two endings', ['src/renderer/features/queue/rows.ts', 'src/renderer/features/queue/rows.tsx'], 1],
  ['capitals', ['src/renderer/ui/money.ts', 'src/renderer/ui/Money.tsx'], 1],
  ['two modules', ['src/main/core/jobs/row.ts', 'src/main/core/chat/row.ts'], 0],
  ['two pages', ['src/renderer/features/queue/state.ts', 'src/renderer/features/chat/state.ts'], 0],
  ['a file beside the modules', ['src/main/core/studio.ts', 'src/main/core/jobs/studio.ts'], 0],
  ['the index of each folder', ['src/main/core/gateway/index.ts', 'src/main/core/gateway/chat/index.ts'], 0],
])('of one name by %s', (_, files, found) => {
  expect(repeatedNames(files)).toHaveLength(found);
});
