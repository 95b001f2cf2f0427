import { expect, test } from 'vitest';
import { runModel } from './model.ts';

/** Seed and number of runs can be set. A failure prints the seed and the smallest failing run. */
const seed = Number(process.env.MODEL_SEED ?? 20261121);
const runs = Number(process.env.MODEL_RUNS ?? 150);

test('nothing is lost or sent twice, money adds up, and final states stay final, in any order of events', async () => {
  const told = await runModel({ seed, runs });
  expect(told.lives).toBeGreaterThan(runs);
  expect(told.sends).toBeGreaterThan(runs);
  expect(told.doubts).toBeGreaterThan(runs / 10);
  expect(told.asked).toBeGreaterThan(runs / 20);
});
