import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWallClock, systemClock } from './clock.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const DAY = 86_400_000;

test('a wait longer than one timer can hold is not over at once', () => {
  const run = vi.fn();
  systemClock.after(40 * DAY, run);
  vi.advanceTimersByTime(39 * DAY);
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(DAY);
  expect(run).toHaveBeenCalledOnce();
});

test('a wait that was canceled in its second part does not end', () => {
  const run = vi.fn();
  const cancel = systemClock.after(40 * DAY, run);
  vi.advanceTimersByTime(30 * DAY);
  cancel();
  vi.advanceTimersByTime(20 * DAY);
  expect(run).not.toHaveBeenCalled();
});

const HOUR = 3_600_000;

/** The wall clock goes on while timers stand still. */
const sleep = (ms: number) => vi.setSystemTime(Date.now() + ms);

test('what came due while the machine slept runs soon after it wakes, and what did not keeps its hour', () => {
  const clock = createWallClock();
  const [night, later] = [vi.fn(), vi.fn()];
  clock.after(3 * HOUR, night);
  clock.after(5 * HOUR, later);
  sleep(4 * HOUR);
  vi.advanceTimersByTime(7_000);
  expect([night.mock.calls.length, later.mock.calls.length]).toEqual([1, 0]);
  vi.advanceTimersByTime(HOUR - 14_000);
  expect(later).not.toHaveBeenCalled();
  vi.advanceTimersByTime(14_000);
  expect([night.mock.calls.length, later.mock.calls.length]).toEqual([1, 1]);
});

test('notified of the wake-up, it checks at once', () => {
  const clock = createWallClock();
  const run = vi.fn();
  clock.after(3 * HOUR, run);
  sleep(3 * HOUR);
  clock.recheck();
  vi.advanceTimersByTime(1_000);
  expect(run).toHaveBeenCalledOnce();
});

test('an answer that arrived during the sleep is read before the wait for it ends', () => {
  const clock = createWallClock();
  const givenUp = vi.fn();
  const answered = clock.after(60_000, givenUp);
  sleep(10 * 60_000);
  clock.recheck();
  setImmediate(answered);
  vi.advanceTimersByTime(10_000);
  expect(givenUp).not.toHaveBeenCalled();
});

test('a clock that is set back makes no wait longer, a later sleep included', () => {
  const clock = createWallClock();
  const [short, long] = [vi.fn(), vi.fn()];
  clock.after(15_000, short);
  clock.after(3 * HOUR, long);
  sleep(-HOUR);
  vi.advanceTimersByTime(15_000);
  expect(short).toHaveBeenCalledOnce();
  sleep(3 * HOUR - 15_000);
  vi.advanceTimersByTime(7_000);
  expect(long).toHaveBeenCalledOnce();
});

test('a wait that begins after the clock was set back is not over early, however often the machine sleeps and wakes', () => {
  const clock = createWallClock();
  const run = vi.fn();
  clock.after(5 * HOUR, () => {});
  sleep(-2 * HOUR);
  clock.after(3 * HOUR, run);
  clock.recheck();
  vi.advanceTimersByTime(2 * HOUR);
  clock.recheck();
  vi.advanceTimersByTime(HOUR - 1);
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(run).toHaveBeenCalledOnce();
});

test('a wait that has ended, or was canceled, leaves no timer', () => {
  const clock = createWallClock();
  const takeBack = clock.after(HOUR, () => {});
  clock.after(10, () => {});
  vi.advanceTimersByTime(10);
  takeBack();
  expect(vi.getTimerCount()).toBe(0);
});

test('a callback may start another wait', () => {
  const clock = createWallClock();
  const again = vi.fn();
  clock.after(HOUR, () => void clock.after(HOUR, again));
  sleep(HOUR);
  vi.advanceTimersByTime(7_000);
  expect(again).not.toHaveBeenCalled();
  vi.advanceTimersByTime(HOUR);
  expect(again).toHaveBeenCalledOnce();
});
