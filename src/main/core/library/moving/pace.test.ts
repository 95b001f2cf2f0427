import { expect, test } from 'vitest';
import { Pace } from './pace.ts';

test('nothing is told before there is something to tell', () => {
  const pace = new Pace(0, 0);
  expect(pace.leftMs(10_000, 0, 100)).toBeUndefined();
  pace.passed(1_000, 50);
  expect(pace.leftMs(1_000, 50, 100)).toBeUndefined();
  expect(pace.leftMs(2_000, 50, 100)).toBe(4_000);
});

test('what went through at once at the beginning is forgotten after half a minute', () => {
  const pace = new Pace(0, 0);
  pace.passed(600, 1_000_000);
  for (let at = 1_000; at <= 60_000; at += 1_000) pace.passed(at, 1_000_000 + at);
  expect(pace.leftMs(60_000, 1_060_000, 30_000)).toBe(30_000);
});

test('a disk that stands still is slow', () => {
  const pace = new Pace(0, 0);
  for (let at = 1_000; at <= 10_000; at += 1_000) pace.passed(at, at);
  expect(pace.leftMs(10_000, 10_000, 10_000)).toBe(10_000);
  expect(pace.leftMs(40_000, 10_000, 10_000)).toBe(40_000);
});
