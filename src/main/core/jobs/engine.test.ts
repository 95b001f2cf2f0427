import { describe, expect, test } from 'vitest';
import {
  acceptance,
  aVideo,
  type EngineHarness,
  error,
  finished,
  lostAnswer,
  refusal,
  VIDEO_NANO,
} from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses, jobsOfThisFile } from '../../../../test/helpers/engineHarnesses.ts';
import { noticesOf } from '../../../../test/helpers/limitedService.ts';
import { settle, TestClock } from '../../../../test/helpers/testPorts.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';
import { setBudget, totals } from '../ledger/index.ts';
import { sql } from '../store/index.ts';

const start = engineHarnesses();
const aJob = jobsOfThisFile(start);
const FREE = { reservedNano: 0, chargedNano: 0, uncertainNano: 0 };
const LOW_NANO = 400_000_000;
const lastFrameOf = (jobId: string) => ({ ...aVideo, image: { jobId, frame: 'last' } }) as StudioRequest;
const cap = ({ store }: EngineHarness, caps: { hardNano: number } | { softNano: number }) =>
  store.transaction((db) => setBudget(db, { scope: 'day', ...caps }));

describe('from request to result', () => {
  test('enqueue reserves the dearer reading, success charges it, and all figures agree', async () => {
    const { harness, script, clock, now, sums, commands, ends } = await aJob({ state: 'paused' });
    expect(now()).toMatchObject({ state: 'blocked', reason: 'paused' });
    expect(now().money).toMatchObject({
      estimateNano: VIDEO_NANO,
      estimateLowNano: LOW_NANO,
      reservedNano: VIDEO_NANO,
    });
    expect(sums()).toMatchObject({ reservedNano: VIDEO_NANO, settledNano: 0 });
    script.submit = [acceptance(clock)];
    script.poll = [{ type: 'running', progress: 40 }, finished()];
    commands.setPaused(false);
    await settle();
    expect(now()).toMatchObject({ state: 'running', remoteId: 'task-1' });
    const done = await ends();
    expect(done).toMatchObject({ state: 'succeeded', progress: 100 });
    expect(done.outputs).toMatchObject([{ state: 'local', mime: 'image/png', width: 1, height: 1, bytes: 70 }]);
    expect(done.money).toMatchObject({ ...FREE, chargedNano: VIDEO_NANO, chargedLowNano: LOW_NANO });
    const settled = { settledNano: VIDEO_NANO, settledLowNano: LOW_NANO };
    expect(sums()).toEqual({ ...settled, reservedNano: 0, uncertainNano: 0, unpriced: 0 });
    expect(harness.script.sent).toBe(1);
  });

  test('the intent is in the table before the request is sent', async () => {
    let seen: string | undefined;
    const submitVideo = async () => {
      seen = harness.store.read.one<{ state: string }>(sql('test.state', 'SELECT state FROM jobs'))?.state;
      return refusal();
    };
    const harness = start({ script: { gateway: { submitVideo } } });
    await harness.enqueue(aVideo);
    expect(seen).toBe('sending');
  });

  test('without a key a job waits, unsent, and goes on when there is one', async () => {
    let hasKey = false;
    const { script, clock, coreEvents, now } = await aJob({ hasKey: () => hasKey });
    expect(now()).toMatchObject({ state: 'blocked', reason: 'key' });
    expect(script.sent).toBe(0);
    hasKey = true;
    script.submit = [acceptance(clock)];
    coreEvents.emit('profile.changed', 'p');
    await settle();
    expect(now().state).toBe('running');
  });

  test('a lane has no more jobs in flight than its limit, in queue order', async () => {
    const harness = start({ profile: { limits: { videosAtOnce: 2 } } });
    harness.script.submit = [1, 2, 3].map((n) => acceptance(harness.clock, `task-${n}`));
    const ids = await harness.many(3);
    expect(ids.map((id) => harness.job(id).state)).toEqual(['running', 'running', 'queued']);
  });
});

describe('a definite refusal', () => {
  test('fails, releases its money, and is not sent again', async () => {
    const said = { kind: 'moderation', message: 'Not this prompt.' } as const;
    const { script, clock, now } = await aJob({ submit: [refusal({ ...said, status: 400 })] });
    await clock.advance(600_000);
    expect(now()).toMatchObject({ state: 'failed', error: said, money: FREE });
    expect(script.sent).toBe(1);
  });

  test('a refused key waits for the user and is not retried automatically', async () => {
    const submit = [refusal({ kind: 'auth', status: 401 }), acceptance(new TestClock())];
    const { script, clock, coreEvents, now } = await aJob({ submit });
    await clock.advance(3_600_000);
    expect(now()).toMatchObject({ state: 'blocked', reason: 'auth', error: { kind: 'auth' } });
    expect(script.sent).toBe(1);
    coreEvents.emit('profile.changed', 'p');
    await settle();
    expect(now().state).toBe('running');
  });

  test.each([
    ['filtered after acceptance, fails with the reason', { kind: 'moderation' as const }, undefined, 'failed'],
    ['canceled there, is canceled, even if nobody here canceled it', { message: 'Gone.' }, true as const, 'canceled'],
  ])('a video that is %s, and nothing is charged', async (_, fields, canceled, state) => {
    const failed = { type: 'failed' as const, error: error({ ...fields, accepted: 'yes' }), billed: 'no' as const };
    const { ends } = await aJob({ state: 'running', poll: [{ ...failed, ...(canceled ? { canceled } : {}) }] });
    expect(await ends()).toMatchObject({ state, error: fields, money: FREE });
  });
});

describe('retried as new', () => {
  const refused = { submit: [refusal({ kind: 'invalid' })] };

  test('a double click on "try again" enqueues one new job, and the old one stays as it was', async () => {
    const { id, script, clock, commands, ends, now } = await aJob(refused);
    await ends();
    script.submit = [acceptance(clock)];
    const [one, two] = await Promise.all([commands.retry({ id }), commands.retry({ id })]);
    expect(one).toMatchObject({ ok: true });
    expect(two).toEqual(one);
    await settle();
    expect([script.sent, now().state]).toEqual([2, 'failed']);
  });

  test('a document that cannot name the new job undoes the retry: nothing is written or sent', async () => {
    const { id, script, engine, coreEvents, commands, ends } = await aJob(refused);
    await ends();
    coreEvents.on('job.retriedAsNew', () => {
      throw new Error('the board cannot be written');
    });
    await expect(commands.retry({ id })).rejects.toThrow('the board cannot be written');
    await settle();
    expect([script.sent, engine.queries.list({ limit: 10 }, false).total]).toEqual([1, 1]);
  });
});

describe('jobs that depend on another', () => {
  test('fail unsent when it is canceled before it was sent, and all their money is released', async () => {
    const { id, script, enqueue, job, now, cancel } = await aJob({ state: 'paused' });
    const next = await enqueue(lastFrameOf(id));
    expect(job(next.id)).toMatchObject({ state: 'blocked', reason: 'dependency', dependsOn: [id] });
    cancel();
    expect(now()).toMatchObject({ state: 'canceled', money: FREE });
    expect(job(next.id)).toMatchObject({ state: 'failed', money: { reservedNano: 0 } });
    expect(script.sent).toBe(0);
  });

  test('fail at once where they come behind one that has ended without a result', async () => {
    const { id, script, enqueue, job, cancel } = await aJob({ state: 'paused' });
    cancel();
    const behind = await enqueue(aVideo, { dependsOn: [id] });
    expect(job(behind.id)).toMatchObject({ state: 'failed', error: { kind: 'invalid' }, money: { reservedNano: 0 } });
    expect(script.sent).toBe(0);
  });

  test('fail, instead of waiting forever, where a last frame cannot be taken', async () => {
    const { id, script, enqueue, job, ends } = await aJob({ state: 'running' });
    const next = await enqueue(lastFrameOf(id));
    script.poll = [finished()];
    expect((await ends()).outputs).toMatchObject([{ mime: 'image/png' }]);
    const message = expect.stringContaining('last frame');
    expect(job(next.id)).toMatchObject({
      state: 'failed',
      error: { kind: 'invalid', message },
      money: { reservedNano: 0 },
    });
    expect(script.sent).toBe(1);
  });
});

describe('budgets', () => {
  test('a job that does not fit is blocked with its estimate and no reservation, and goes on when it fits', async () => {
    const { harness, script, clock, commands, enqueue, job, now } = await aJob({ state: 'paused' });
    cap(harness, { hardNano: VIDEO_NANO + 1 });
    const { id } = await enqueue(aVideo);
    const money = { estimateNano: VIDEO_NANO, reservedNano: 0 };
    expect(job(id)).toMatchObject({ state: 'blocked', reason: 'budget', money });
    script.submit = [refusal(), acceptance(clock)];
    commands.setPaused(false);
    await settle();
    expect(now().state).toBe('failed');
    expect(job(id)).toMatchObject({ state: 'running', money: { reservedNano: VIDEO_NANO } });
  });

  test('a cost in doubt counts against the cap, since it may be billed', async () => {
    const { harness, script, enqueue, job } = await aJob({ submit: [lostAnswer] });
    cap(harness, { hardNano: VIDEO_NANO });
    expect(job((await enqueue(aVideo)).id)).toMatchObject({ state: 'blocked', reason: 'budget' });
    expect(script.sent).toBe(1);
  });

  test('a job that was queued under a higher cap is checked again in the moment it is to be sent', async () => {
    const { harness, script, clock, enqueue, job, ends } = await aJob({
      state: 'running',
      profile: { limits: { videosAtOnce: 1 } },
    });
    const { id } = await enqueue(aVideo);
    expect(job(id).state).toBe('queued');
    cap(harness, { hardNano: VIDEO_NANO });
    script.poll = [finished()];
    script.submit = [acceptance(clock, 'next')];
    await ends();
    await clock.advance(5_000);
    expect(job(id)).toMatchObject({ state: 'blocked', reason: 'budget', money: { reservedNano: 0 } });
    expect(script.sent).toBe(1);
  });

  test('a soft cap warns once, when it is exceeded, and stops nothing', async () => {
    const harness = start();
    cap(harness, { softNano: VIDEO_NANO });
    harness.coreEvents.emit('budgets.changed');
    harness.script.submit = [1, 2, 3].map((n) => acceptance(harness.clock, `task-${n}`));
    await harness.many(3);
    await harness.clock.advance(1_000);
    expect(noticesOf(harness.events)).toEqual([expect.stringContaining('Over budget (Day, $1.60)')]);
    expect(harness.script.sent).toBe(3);
  });
});

describe('midnight', () => {
  const MINUTE_MS = 60_000;
  const justBefore = () => ({ clock: new TestClock(new Date(2026, 10, 21, 23, 59).getTime()) });
  const days = ({ store }: EngineHarness) =>
    totals(store.read, 'day', {}).rows.map(({ key, settledNano }) => [key, settledNano]);

  test('money reserved yesterday has to fit under the cap of the day on which the job is sent', async () => {
    const { harness, script, clock, commands, enqueue, job, now } = await aJob({ state: 'paused', ...justBefore() });
    cap(harness, { hardNano: VIDEO_NANO });
    await clock.advance(2 * MINUTE_MS);
    const { id } = await enqueue(aVideo);
    expect(job(id)).toMatchObject({ reason: 'paused', money: { reservedNano: VIDEO_NANO } });
    script.submit = [acceptance(clock)];
    script.poll = [finished()];
    commands.setPaused(false);
    await harness.untilEnd(id);
    expect(script.sent).toBe(1);
    expect(now()).toMatchObject({ state: 'blocked', reason: 'budget', money: { reservedNano: 0 } });
    expect(days(harness).at(-1)).toEqual(['2026-11-22', VIDEO_NANO]);
  });

  test('a job above the whole budget of a day does not wait for midnight, and says what helps', async () => {
    const { harness, clock, enqueue, job } = await aJob({ state: 'succeeded', ...justBefore() });
    cap(harness, { hardNano: VIDEO_NANO - 1 });
    const { id } = await enqueue(aVideo);
    await clock.advance(2 * MINUTE_MS);
    const message = expect.stringContaining('more than the whole budget (Day, $1.60). Change the budget');
    expect(job(id)).toMatchObject({ state: 'blocked', reason: 'budget', error: { message } });
  });

  test('an answer after midnight counts against the day whose cap allowed the job', async () => {
    const { harness, script, clock, ends } = await aJob({ state: 'running', ...justBefore() });
    await clock.advance(2 * MINUTE_MS);
    script.poll = [finished()];
    await ends();
    expect(days(harness)).toEqual([['2026-11-21', VIDEO_NANO]]);
  });
});

describe('refused before anything is written', () => {
  const none = 'there is no such asset or job in the library.';
  const nope = { ...aVideo, image: { assetId: 'nope' } };
  test.each<[unknown[], string]>([
    [[nope], `image: ${none}`],
    // A batch is accepted whole or not at all.
    [[aVideo, nope], `requests.1: image: ${none}`],
  ])('%j', async (requests, sentence) => {
    const { engine, script } = start();
    const result = await engine.commands.enqueue({ requests: requests as StudioRequest[] });
    expect(result.ok ? '' : result.error.message).toBe(sentence);
    expect([engine.queries.list({ limit: 10 }, false).total, script.sent]).toEqual([0, 0]);
  });

  test('an extension from another model', async () => {
    const { id, commands } = await aJob({
      state: 'running',
      request: { ...aVideo, model: 'video-pro' } as StudioRequest,
    });
    const request: StudioRequest = { kind: 'video', model: 'video-standard', prompt: 'On', video: { jobId: id } };
    const result = await commands.enqueue({ requests: [request] });
    expect(result.ok ? '' : result.error.message).toContain('only the same model can extend it');
  });
});
