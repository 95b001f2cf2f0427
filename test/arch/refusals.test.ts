import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './tools.ts';

/** Bug: who sees the page is not told why nothing happened: `announce` is heard by screen readers alone. */
test('a refusal is shown, and not only spoken', () => {
  const folder = join(root, 'src', 'renderer');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  const spoken = files.flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => line.includes('announce(') && line.includes('error.message'))
      .map((line) => `${name}: ${line.trim()}`),
  );
  expect(spoken).toEqual([]);
});
