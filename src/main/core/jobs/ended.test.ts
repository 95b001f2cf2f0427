import { expect, test } from 'vitest';
import { acceptance, aVideo, type EngineHarness, lostAnswer, refusal } from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { settle, TestClock } from '../../../../test/helpers/testPorts.ts';
import { jobsListSchema } from '../../../shared/lists.ts';

const start = engineHarnesses();
const anImage = { kind: 'imagine', prompt: 'a hill' } as const;

test('jobs that ended since a time are all counted, by outcome and by real or play money', async () => {
  const harness = start();
  harness.script.submit = [refusal({ kind: 'moderation' })];
  const many = await harness.engine.commands.enqueue({ requests: Array.from({ length: 130 }, () => anImage) });
  if (!many.ok) throw new Error(many.error.message);
  for (const { id } of many.data.jobs) await harness.untilEnd(id);
  const ended = harness.engine.queries.ended({ since: 0 }, harness.isPlay());
  expect(ended).toMatchObject({ made: 0, kept: 0, failed: 129, refused: 1 });
  expect(harness.engine.queries.ended({ since: 0, play: true }, harness.isPlay())).toEqual({
    made: 0,
    kept: 0,
    failed: 0,
    refused: 0,
    inDoubt: 0,
  });
  const last = ended.lastAt ?? 0;
  const times = many.data.jobs.map(({ id }) => harness.job(id).finishedAt ?? 0);
  expect([ended.firstAt, last]).toEqual([Math.min(...times), Math.max(...times)]);
  expect(harness.engine.queries.ended({ since: last + 1 }, harness.isPlay())).toEqual({
    made: 0,
    kept: 0,
    failed: 0,
    refused: 0,
    inDoubt: 0,
  });
});

test('of what is in doubt only what was sent since then is counted', async () => {
  const harness = start({ clock: new TestClock(1_000_000) });
  harness.script.submit = [lostAnswer, lostAnswer, acceptance(harness.clock)];
  await harness.enqueue(aVideo);
  await settle();
  await harness.clock.advance(60_000);
  const since = harness.clock.now();
  const inDoubt = (play: boolean) => harness.engine.queries.ended({ since }, play).inDoubt;
  expect(inDoubt(false)).toBe(0);
  await harness.enqueue(aVideo);
  await harness.enqueue(aVideo);
  await settle();
  expect(harness.engine.queries.ended({ since: 0 }, false).inDoubt).toBe(2);
  expect([inDoubt(false), inDoubt(true)]).toEqual([1, 0]);
});

const waitsFor = (harness: EngineHarness, id: string, limit = 100) => {
  const { jobs, total } = harness.engine.queries.list(jobsListSchema.parse({ waitsFor: id, limit }), harness.isPlay());
  return { ids: jobs.map((job) => job.id).sort(), total };
};

test('all open jobs that wait for a job, directly or through others, are found', async () => {
  const harness = start();
  harness.engine.commands.setPaused(true);
  const first = await harness.enqueue(aVideo);
  for (let n = 0; n < 150; n++) await harness.enqueue(aVideo);
  const second = await harness.enqueue(aVideo, { dependsOn: [first.id] });
  const third = await harness.enqueue(aVideo, { dependsOn: [second.id] });
  expect(waitsFor(harness, first.id)).toEqual({ ids: [second.id, third.id].sort(), total: 2 });
  expect(waitsFor(harness, first.id, 1).total).toBe(2);
  expect(waitsFor(harness, third.id)).toEqual({ ids: [], total: 0 });
  harness.engine.commands.cancel(third.id);
  expect(waitsFor(harness, first.id)).toEqual({ ids: [second.id], total: 1 });
});
