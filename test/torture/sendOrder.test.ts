import { expect, test } from 'vitest';
import { hasStrace } from './killPoints.ts';
import { run, tracers } from './sendOrder.ts';

const here = (Object.keys(tracers) as (keyof typeof tracers)[]).filter((way) => way !== 'systemCalls' || hasStrace());

test.each(here)('the claim is on disk before the first byte of a paid request (%s)', async (way) => {
  const [line] = await run({ short: true }, way);
  expect(line).toContain('24 of 24');
});
