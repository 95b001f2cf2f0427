import { expect, test } from 'vitest';
import { correctionOf } from './syncPlayer.ts';

test('a clip that is ahead is slowed, one that is behind is hurried, and neither so much that it is heard', () => {
  expect(correctionOf(0.05, 1)).toEqual({ rate: 0.95 });
  expect(correctionOf(-0.05, 1)).toEqual({ rate: 1.05 });
  expect(correctionOf(0.2, 2)).toEqual({ rate: 1.84 });
});

test('within half a frame nothing is changed; far away it is sought', () => {
  expect(correctionOf(0.02, 2)).toEqual({ rate: 2 });
  expect(correctionOf(-0.3, 1)).toEqual({ seek: true });
  expect(correctionOf(0.3, 1)).toEqual({ seek: true });
});

test('corrected so, a drift dies away and does not swing', () => {
  for (const begin of [0.24, -0.24]) {
    let drift = begin;
    for (let frame = 0; frame < 240; frame++) {
      const correction = correctionOf(drift, 1);
      const next = 'rate' in correction ? drift + (correction.rate - 1) / 24 : 0;
      expect(Math.abs(next)).toBeLessThanOrEqual(Math.abs(drift));
      drift = next;
    }
    expect(Math.abs(drift)).toBeLessThan(0.5 / 24 + 0.001);
  }
});
