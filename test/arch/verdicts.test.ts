import { expect, test } from 'vitest';
import { knownVerdicts, patternsOfSource, verdictOf } from './patterns.ts';

/** The results that `patterns.test.ts` goes by are the checker's own: each pattern is checked anew, so none is written by hand. */

const known = knownVerdicts();
const patterns = new Map(patternsOfSource().literals.map((pattern) => [pattern.literal, pattern]));
/** The slowest takes ten seconds, and this machine may have other work. */
const PATIENCE_MS = 120_000;

test.each([...patterns])(
  'the checker still judges %s so',
  async (literal, pattern) => expect(await verdictOf(pattern), pattern.place).toBe(known[literal]),
  PATIENCE_MS,
);
