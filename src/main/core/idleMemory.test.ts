import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { IdleMemory } from './idleMemory.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

test('memory is given back once in each pause of half a minute', () => {
  const release = vi.fn();
  const idle = new IdleMemory(release);
  for (let call = 0; call < 5; call++) {
    vi.advanceTimersByTime(29_000);
    idle.used();
  }
  expect(release).not.toHaveBeenCalled();
  vi.advanceTimersByTime(3_600_000);
  expect(release).toHaveBeenCalledTimes(1);
  idle.used();
  vi.advanceTimersByTime(30_000);
  expect(release).toHaveBeenCalledTimes(2);
});

test('nothing is given back of what is closed, whoever still asks', () => {
  const release = vi.fn();
  const idle = new IdleMemory(release);
  idle.close();
  idle.used();
  vi.advanceTimersByTime(60_000);
  expect(release).not.toHaveBeenCalled();
});
