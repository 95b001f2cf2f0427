import { expect, test } from 'vitest';
import { acceptance, aVideo, finished, lostAnswer, refusal } from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses, jobsOfThisFile } from '../../../../test/helpers/engineHarnesses.ts';
import { TestClock } from '../../../../test/helpers/testPorts.ts';
import { jobsListSchema } from '../../../shared/jobs/lists.ts';

const start = engineHarnesses();
const aJob = jobsOfThisFile(start);
const NONE = { made: 0, kept: 0, failed: 0, refused: 0, inDoubt: 0 };

test('while jobs go on changing, the sums are counted four times a second, the first and the last are told', async () => {
  const { clock, engine, events, enqueue } = start();
  const sums = () => events.flatMap((event) => (event.type === 'queue.changed' ? event.status : []));
  engine.commands.setPaused(true);
  await clock.advance(1_000);
  const before = sums().length;
  for (let n = 0; n < 40; n++) {
    await enqueue(aVideo);
    await clock.advance(25);
    if (n === 0) expect(sums().at(-1), 'at once after a while').toMatchObject({ waiting: 1 });
  }
  expect(sums().length - before).toBeLessThanOrEqual(1_000 / 250 + 1);
  await clock.advance(250);
  expect(sums().at(-1)).toMatchObject({ waiting: 40 });
});

test('a video tells pages of itself ten times: once in a moment, and of sums only where they changed', async () => {
  const { clock, events, enqueue, script, untilEnd } = start();
  await clock.advance(1_000);
  script.submit = [acceptance(clock)];
  script.poll = [{ type: 'running', progress: 40 }, finished()];
  const before = events.length;
  const { id } = await enqueue(aVideo);
  await untilEnd(id);
  await clock.advance(1_000);
  const told = events.slice(before).map((event) => (event.type === 'job.changed' ? event.job.state : event.type));
  const sums = ['queue.changed', 'ledger.changed'];
  const kept = ['asset.changed', 'asset.changed', 'media.work', 'succeeded'];
  expect(told).toEqual(['running', ...sums, 'running', ...kept, ...sums]);
});

test('what changed just before the end is told before it', async () => {
  const { clock, engine, events, enqueue } = start();
  engine.commands.setPaused(true);
  await clock.advance(1_000);
  const before = events.length;
  const { id } = await enqueue(aVideo);
  expect(events.slice(before)).toEqual([]);
  await engine.close();
  expect(events.slice(before)).toMatchObject([
    { type: 'job.changed', job: { id } },
    { type: 'queue.changed', status: { waiting: 1 } },
    { type: 'ledger.changed' },
  ]);
});

test('the next due time is that of the first job that waits for a time, in whatever order they were enqueued', async () => {
  const { clock, engine, enqueue } = start();
  const now = clock.now();
  expect(engine.queries.nextDueAt()).toBeUndefined();
  for (const notBefore of [now + 3_600_000, now + 60_000]) await enqueue(aVideo, { notBefore });
  expect(engine.queries.nextDueAt()).toBe(now + 60_000);
  engine.commands.setPaused(true);
  expect(engine.queries.nextDueAt()).toBeUndefined();
});

test('jobs that ended since a time are all counted, by outcome and by real or play money', async () => {
  const { script, engine, many, job, untilEnd } = start();
  script.submit = [refusal({ kind: 'moderation' })];
  const ids = await many(130, { kind: 'imagine', prompt: 'a hill' });
  for (const id of ids) await untilEnd(id);
  const times = ids.map((id) => job(id).finishedAt ?? 0);
  const [firstAt, lastAt] = [Math.min(...times), Math.max(...times)];
  const ended = (since: number, play?: boolean) => engine.queries.ended({ since, ...(play ? { play } : {}) }, false);
  expect(ended(0)).toEqual({ ...NONE, failed: 129, refused: 1, firstAt, lastAt });
  expect(ended(0, true)).toEqual(NONE);
  expect(ended(lastAt + 1)).toEqual(NONE);
});

test('of what is in doubt only what was sent since then is counted', async () => {
  const { script, clock, engine, enqueue } = await aJob({ state: 'uncertain', clock: new TestClock(1_000_000) });
  await clock.advance(60_000);
  const now = clock.now();
  const inDoubt = (since: number, play = false) => engine.queries.ended({ since }, play).inDoubt;
  expect(inDoubt(now)).toBe(0);
  script.submit = [lostAnswer, acceptance(clock)];
  for (let n = 0; n < 2; n++) await enqueue(aVideo);
  expect([inDoubt(0), inDoubt(now), inDoubt(now, true)]).toEqual([2, 1, 0]);
});

test('all open jobs that wait for a job, directly or through others, are found', async () => {
  const { id: first, engine, enqueue, many, commands } = await aJob({ state: 'paused' });
  await many(150);
  const { id: second } = await enqueue(aVideo, { dependsOn: [first] });
  const { id: third } = await enqueue(aVideo, { dependsOn: [second] });
  const waitsFor = (id: string, limit = 100) => {
    const { jobs, total } = engine.queries.list(jobsListSchema.parse({ waitsFor: id, limit }), false);
    return [jobs.map((job) => job.id).sort(), total];
  };
  expect(waitsFor(first)).toEqual([[second, third].sort(), 2]);
  expect(waitsFor(first, 1)[1]).toBe(2);
  expect(waitsFor(third)).toEqual([[], 0]);
  commands.cancel(third);
  expect(waitsFor(first)).toEqual([[second], 1]);
});
