import { expect, test } from 'vitest';
import { TestClock } from '../../../../test/helpers/testPorts.ts';
import { throttled } from './throttled.ts';

test('a thousand calls make two runs: the first at once, the last after all of them', async () => {
  const clock = new TestClock();
  const begun: number[] = [];
  let calls = 0;
  const tell = throttled(clock, 10_000, async () => void begun.push(calls));
  for (; calls < 1_000; calls += 1) {
    tell();
    if (calls % 100 === 0) await clock.advance(10);
  }
  await clock.advance(60_000);
  expect(begun).toEqual([0, 1_000]);
});

test('while it runs no other begins, and one that fails keeps nothing from the next', async () => {
  const clock = new TestClock();
  const runs: (() => void)[] = [];
  const tell = throttled(clock, 10_000, () => new Promise((_, reject) => runs.push(() => reject(new Error('busy')))));
  tell();
  tell();
  await clock.advance(60_000);
  expect(runs).toHaveLength(1);
  runs[0]?.();
  await clock.advance(10_000);
  expect(runs).toHaveLength(2);
});
