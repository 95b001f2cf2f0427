import { expect, test } from 'vitest';
import { releaseMemory } from './releaseMemory.ts';

test('what a busy moment took goes back to the system', () => {
  let pages: unknown[] | undefined = Array.from({ length: 300_000 }, (_, n) => ({ n, text: `row ${n}` }));
  const { heapTotal } = process.memoryUsage();
  expect(pages).toHaveLength(300_000);
  pages = undefined;
  releaseMemory();
  expect(process.memoryUsage().heapTotal).toBeLessThan(heapTotal - 10_000_000);
});
