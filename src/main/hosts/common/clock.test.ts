import { afterEach, expect, test, vi } from 'vitest';
import { systemClock } from './clock.ts';

afterEach(() => void vi.useRealTimers());

const DAY = 86_400_000;

test('a wait longer than one timer can hold is not over at once', () => {
  vi.useFakeTimers();
  const run = vi.fn();
  systemClock.after(40 * DAY, run);
  vi.advanceTimersByTime(39 * DAY);
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(DAY);
  expect(run).toHaveBeenCalledOnce();
});

test('a wait that was taken back in its second part does not end', () => {
  vi.useFakeTimers();
  const run = vi.fn();
  const cancel = systemClock.after(40 * DAY, run);
  vi.advanceTimersByTime(30 * DAY);
  cancel();
  vi.advanceTimersByTime(20 * DAY);
  expect(run).not.toHaveBeenCalled();
});
