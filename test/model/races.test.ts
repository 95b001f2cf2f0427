import { expect, test } from 'vitest';
import { raceMany } from './races.ts';

const seed = Number(process.env.RACE_SEED ?? 20261121);

test('a picture is charged once, however webhooks, look-ups, answers, a cancel and a restart coincide', async () => {
  const schedules = Number(process.env.RACES ?? (process.env.SHORT ? 100 : 300));
  const raced = await raceMany({ seed, schedules });
  expect(raced).toMatchObject({ schedules });
  expect(raced.charged).toBeGreaterThan(schedules / 3);
  expect(raced.repeated).toBeGreaterThan(schedules / 40);
  expect(raced.restarts).toBeGreaterThan(schedules / 5);
});
