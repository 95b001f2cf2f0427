import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DueHeap } from './pollTimes.ts';

test('after any additions, changes and removals, the earliest is first', () => {
  const change = fc.record({ name: fc.integer({ min: 0, max: 20 }).map(String), at: fc.option(fc.integer()) });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 200 }), (changes) => {
      const heap = new DueHeap();
      const model = new Map<string, number>();
      for (const { name, at } of changes) {
        if (at === null) {
          heap.delete(name);
          model.delete(name);
        } else {
          heap.set(name, at);
          model.set(name, at);
        }
        expect(heap.size).toBe(model.size);
        const first = heap.peek();
        expect(first?.at).toBe(model.size === 0 ? undefined : Math.min(...model.values()));
        if (first) expect(model.get(first.name)).toBe(first.at);
      }
    }),
  );
});
