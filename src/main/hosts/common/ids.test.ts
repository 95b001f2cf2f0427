import { expect, test } from 'vitest';
import { createIds } from './ids.ts';

test('ids made within one millisecond, and after the clock was set back, still sort as they were made', () => {
  const times = [1_000, 1_000, 1_000, 1_001, 900, 1_002];
  let at = 0;
  const ids = createIds(() => times[at++] ?? 0);
  const made = times.map(() => ids.id('job'));
  expect([...made].sort()).toEqual(made);
  expect(new Set(made).size).toBe(made.length);
});

test('an id has its prefix and 26 digits, a secret 128 bits as hex', () => {
  const ids = createIds(() => Date.UTC(2026, 0, 1));
  expect(ids.id('job')).toMatch(/^job_[0-9a-hjkmnp-tv-z]{26}$/);
  expect(ids.secret()).toMatch(/^[0-9a-f]{32}$/);
});
