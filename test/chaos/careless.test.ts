import { expect, test } from 'vitest';
import { playCareless, SCENES } from './careless.ts';

/** Catches: a key that a service repeats in a good answer and that is then kept, shown or sent on. */
test.each(SCENES)('%s, the key in the %s: %s', async (api, place, expected) => {
  const { happened, broken } = await playCareless(api, place);
  expect(happened).toBe(expected);
  expect(broken).toEqual([]);
});
