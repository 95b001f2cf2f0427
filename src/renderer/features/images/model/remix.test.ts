import { expect, it } from 'vitest';
import { remixed } from './remix.ts';

it.each([
  ['Quay at night --ar 16:9 --seed 7 --q 2', 'Quay at night --ar 16:9 --q 2', '--ar 16:9 --seed 7 --q 2'],
  ['Quay', 'Quay', ''],
  ['Quay --seed 1 --seed 2', 'Quay', '--seed 1 --seed 2'],
])('%s is taken on without its seed, or without its words', (prompt, seedless, wordless) => {
  expect(remixed(prompt, 'seed')).toBe(seedless);
  expect(remixed(prompt, 'words')).toBe(wordless);
});
