import { expect, test } from 'vitest';
import { BAD_SERVICE_CASES, playBadService } from './badService.ts';

/** A key that the gateway repeats in a good answer is never stored, shown or passed on. */
test.each(BAD_SERVICE_CASES)('%s, the key in the %s: %s', async (api, place, expected) => {
  const { happened, broken } = await playBadService(api, place);
  expect(happened).toBe(expected);
  expect(broken).toEqual([]);
});
