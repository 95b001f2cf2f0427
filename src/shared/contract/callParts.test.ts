import { expect, test } from 'vitest';
import { z } from 'zod';
import { maxCharactersOf } from './callParts.ts';
import { contract } from './contract.ts';

/** The most characters of a text anywhere in a schema. */
function longestText(schema: unknown): number {
  if (typeof schema !== 'object' || schema === null) return 0;
  const own = 'maxLength' in schema && typeof schema.maxLength === 'number' ? schema.maxLength : 0;
  return Math.max(own, ...Object.values(schema).map(longestText));
}

test.each(Object.entries(contract))('%s may carry the longest text that its rule allows', (name, { input }) => {
  const longest = longestText(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }));
  expect(maxCharactersOf(name)).toBeGreaterThanOrEqual(2 * longest);
});
