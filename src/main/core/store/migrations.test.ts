import { expect, test } from 'vitest';
import { MIGRATIONS } from './migrations.ts';

/** A file is migrated from its own version on: a number that is left out and given later would never be run where the next one was. */
test('versions are counted without a gap', () => {
  expect(MIGRATIONS.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, index) => index + 1));
});
