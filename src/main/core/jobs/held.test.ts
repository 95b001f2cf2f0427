import { expect, test } from 'vitest';
import { aVideo, lostAnswer } from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { nightsOfThisFile } from '../../../../test/helpers/nightHarness.ts';
import { settle } from '../../../../test/helpers/testPorts.ts';
import type { Scheduler } from './scheduler.ts';

const start = engineHarnesses();
const startNight = nightsOfThisFile();

test('jobs that are held in front of the queue do not keep those behind from being sent', async () => {
  const harness = start();
  harness.script.submit = Array.from({ length: 20 }, () => lostAnswer);
  await harness.engine.commands.setPaused(true);
  const ids: string[] = [];
  for (let n = 0; n < 12; n++) ids.push((await harness.enqueue(aVideo)).id);
  const scheduler = Reflect.get(harness.engine, 'scheduler') as Scheduler;
  const letGo = [ids.slice(0, 8), ids.slice(4, 10)].map((held) => scheduler.hold(held));
  await harness.engine.commands.setPaused(false);
  await harness.clock.advance(60_000);
  const sent = () => ids.filter((id) => harness.job(id).attempts.length > 0);
  expect(sent()).toEqual(ids.slice(10));
  letGo[0]?.();
  await harness.clock.advance(60_000);
  expect(sent()).toEqual([...ids.slice(0, 4), ...ids.slice(10)]);
});

test('jobs that a rule names are put into the night without one that left the queue meanwhile', async () => {
  const harness = startNight();
  harness.plan();
  await harness.engine.commands.setPaused(true);
  const ids: string[] = [];
  for (let n = 0; n < 30; n++) ids.push((await harness.enqueue(aVideo)).id);
  const assigned = harness.engine.many.assignNight({ filter: {}, night: true });
  expect(harness.engine.commands.cancel(ids[3] ?? '').ok).toBe(true);
  expect(await assigned).toEqual({ ok: true, data: null });
  await settle();
  const inNight = ids.filter((id) => harness.job(id).runId !== undefined);
  expect(inNight).toEqual(ids.filter((_, n) => n !== 3));
  const named = harness.engine.many.assignNight({ ids, night: true });
  expect(await named).toMatchObject({ ok: false, error: { code: 'wrong_state' } });
});
