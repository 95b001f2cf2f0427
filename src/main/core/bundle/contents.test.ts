import { expect, test } from 'vitest';
import type { BundleJob } from '../../../shared/bundle/document.ts';
import { costOf } from './bundles.ts';

const jobs = (...elsewhere: BundleJob['elsewhere'][]) => elsewhere.map((one) => ({ elsewhere: one }) as BundleJob);

test('takes of unknown price are counted, and are in no sum', () => {
  const made = jobs({ costNano: 5, costLowNano: 4 }, {}, { costNano: 7, play: true }, {}, { costNano: 0 });
  expect(costOf(made)).toEqual({ nano: 5, lowNano: 4, playNano: 7, unpriced: 2 });
});
