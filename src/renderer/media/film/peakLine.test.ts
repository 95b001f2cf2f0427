import fc from 'fast-check';
import { expect, test } from 'vitest';
import { peakLine } from './peakLine.ts';

const SLOPES = { down: 0.5, up: 0.01 };

test('no block passes the ceiling at either of its ends, and the gain never jumps', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 8, noNaN: true }), { maxLength: 60 }), (peaks) => {
      const line = peakLine(peaks, 0.9, SLOPES);
      expect(line).toHaveLength(peaks.length + 1);
      for (const [block, peak] of peaks.entries()) {
        for (const node of [line[block] ?? 0, line[block + 1] ?? 0]) {
          expect(node * peak).toBeLessThanOrEqual(Math.max(0.9, 0) + 1e-6);
          expect(node).toBeLessThanOrEqual(1);
        }
        const step = (line[block + 1] ?? 0) - (line[block] ?? 0);
        expect(step).toBeLessThanOrEqual(SLOPES.up + 1e-6);
        expect(-step).toBeLessThanOrEqual(SLOPES.down + 1e-6);
      }
    }),
  );
});

test('what stays below the ceiling is not touched', () => {
  expect([...peakLine([0.1, 0.9, 0.5], 0.9, SLOPES)]).toEqual([1, 1, 1, 1]);
});
