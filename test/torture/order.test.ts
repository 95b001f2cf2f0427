import { expect, test } from 'vitest';
import { run, ways } from './order.ts';

test.each(Object.keys(ways) as (keyof typeof ways)[])(
  'the intent is on disk before the first byte of a paid request (%s)',
  async (way) => {
    const [line] = await run({ short: true }, way);
    expect(line).toContain('24 of 24');
  },
);
