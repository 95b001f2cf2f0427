import { expect, test } from 'vitest';
import { createReloadLimit } from './reloadLimit.ts';

test('three reloads in a minute, then none until the minute has passed', () => {
  let now = 0;
  const mayReload = createReloadLimit(() => now);
  const tries = [0, 10_000, 20_000, 30_000, 59_999, 60_000, 61_000, 70_000].map((at) => {
    now = at;
    return mayReload();
  });
  expect(tries).toEqual([true, true, true, false, false, true, false, true]);
});
