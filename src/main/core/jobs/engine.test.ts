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
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { settle } from '../../../../test/helpers/testPorts.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';
import { listBudgets, setBudget, totals } from '../ledger/index.ts';
import { sql } from '../store/index.ts';

const start = engineHarnesses();

const sums = (harness: EngineHarness) => totals(harness.store.read, 'kind', {}).sum;

describe('from request to result', () => {
  test('enqueue reserves the dearer reading, success charges it, and all figures agree', async () => {
    const harness = start();
    harness.engine.commands.setPaused(true);
    const { id, money, state, reason } = await harness.enqueue(aVideo);
    expect({ state, reason }).toEqual({ state: 'blocked', reason: 'paused' });
    expect(money).toMatchObject({
      estimateNano: VIDEO_NANO,
      estimateLowNano: 400_000_000,
      reservedNano: VIDEO_NANO,
      chargedNano: 0,
    });
    expect(sums(harness)).toMatchObject({ reservedNano: VIDEO_NANO, settledNano: 0 });
    harness.script.submit = [acceptance(harness.clock)];
    harness.script.poll = [{ type: 'running', progress: 40 }, finished()];
    harness.engine.commands.setPaused(false);
    await settle();
    expect(harness.job(id)).toMatchObject({ state: 'running', remoteId: 'task-1' });
    const done = await harness.untilEnd(id);
    expect(done).toMatchObject({ state: 'succeeded', progress: 100 });
    expect(done.outputs).toMatchObject([{ state: 'local', mime: 'image/png', width: 1, height: 1, bytes: 70 }]);
    expect(done.money).toMatchObject({
      reservedNano: 0,
      chargedNano: VIDEO_NANO,
      chargedLowNano: 400_000_000,
      uncertainNano: 0,
    });
    expect(sums(harness)).toEqual({
      settledNano: VIDEO_NANO,
      settledLowNano: 400_000_000,
      reservedNano: 0,
      uncertainNano: 0,
      unpriced: 0,
    });
    expect(harness.script.sent).toBe(1);
  });

  test('the intent is in the table before the request is sent', async () => {
    const seen: string[] = [];
    const harness = start({
      script: {
        gateway: {
          submitVideo: async () => {
            seen.push(
              harness.store.read.one<{ state: string }>(sql('test.state', 'SELECT state FROM jobs'))?.state ?? '',
            );
            return refusal();
          },
        },
      },
    });
    await harness.enqueue(aVideo);
    await settle();
    expect(seen).toEqual(['sending']);
  });

  test('without a key a job waits, unsent, and goes on when there is one', async () => {
    let hasKey = false;
    const harness = start({ hasKey: () => hasKey });
    harness.script.submit = [acceptance(harness.clock)];
    const { id } = await harness.enqueue(aVideo);
    expect(harness.job(id)).toMatchObject({ state: 'blocked', reason: 'key' });
    expect(harness.script.sent).toBe(0);
    hasKey = true;
    harness.coreEvents.emit('profile.changed', 'p');
    await settle();
    expect(harness.job(id).state).toBe('running');
  });

  test('a lane has no more jobs in flight than its limit, in queue order', async () => {
    const harness = start({ profile: { limits: { videosAtOnce: 2 } } });
    harness.script.submit = [1, 2, 3].map((n) => acceptance(harness.clock, `task-${n}`));
    const jobs = [await harness.enqueue(aVideo), await harness.enqueue(aVideo), await harness.enqueue(aVideo)];
    expect(jobs.map(({ id }) => harness.job(id).state)).toEqual(['running', 'running', 'queued']);
  });

  test('preview models are sent ten requests a minute', async () => {
    const harness = start({
      profile: { limits: { videosAtOnce: 100 }, models: [{ id: 'soon', kind: 'video', preview: true }] },
    });
    harness.script.submit = Array.from({ length: 25 }, (_, n) => acceptance(harness.clock, `task-${n}`));
    for (let n = 0; n < 25; n++) await harness.enqueue({ ...aVideo, model: 'soon' } as StudioRequest);
    expect(harness.script.sent).toBe(10);
    await harness.clock.advance(59_000);
    expect(harness.script.sent).toBe(10);
    await harness.clock.advance(2_000);
    expect(harness.script.sent).toBe(20);
  });
});

describe('a definite refusal', () => {
  test('fails, releases its money, and is not sent again', async () => {
    const harness = start();
    harness.script.submit = [refusal({ kind: 'moderation', message: 'Not this prompt.', status: 400 })];
    const { id } = await harness.enqueue(aVideo);
    await harness.clock.advance(600_000);
    expect(harness.job(id)).toMatchObject({
      state: 'failed',
      error: { kind: 'moderation', message: 'Not this prompt.' },
    });
    expect(harness.job(id).money).toMatchObject({ reservedNano: 0, chargedNano: 0, uncertainNano: 0 });
    expect(harness.script.sent).toBe(1);
  });

  test('"not now" waits at least as long as requested, shows why, and is sent again', async () => {
    const harness = start();
    harness.script.submit = [
      refusal({ kind: 'rate_limit', retryable: true, status: 429, retryAfterMs: 37_000 }),
      acceptance(harness.clock),
    ];
    const { id } = await harness.enqueue(aVideo);
    expect(harness.job(id)).toMatchObject({ state: 'blocked', reason: 'rate', error: { kind: 'rate_limit' } });
    await harness.clock.advance(36_900);
    expect(harness.script.sent).toBe(1);
    await harness.clock.advance(1_000);
    expect(harness.script.sent).toBe(2);
    expect(harness.job(id).state).toBe('running');
    expect(harness.script.keys[0]).toBe(harness.script.keys[1]);
  });

  test('no connection: the job waits offline, others are not tried in vain, and the queue goes on in order when the host answers', async () => {
    const harness = start({ profile: { limits: { videosAtOnce: 1 } } });
    const offline = refusal({ kind: 'network', retryable: true });
    harness.script.submit = [offline, offline, acceptance(harness.clock, 'a'), acceptance(harness.clock, 'b')];
    const made = await harness.engine.commands.enqueue({ requests: [aVideo, aVideo] });
    const [first = '', second = ''] = made.ok ? made.data.jobs.map(({ id }) => id) : [];
    await settle();
    expect(harness.job(first)).toMatchObject({ state: 'blocked', reason: 'offline' });
    expect(harness.job(second).state).toBe('queued');
    expect(harness.engine.status().offline).toBe(true);
    expect(harness.script.sent).toBe(1);
    await harness.clock.advance(30_000);
    expect(harness.engine.status().offline).toBe(false);
    expect([harness.job(first).state, harness.job(second).state]).toEqual(['running', 'queued']);
  });

  test('a refused key waits for the user and is not retried automatically', async () => {
    const harness = start();
    harness.script.submit = [refusal({ kind: 'auth', status: 401 }), acceptance(harness.clock)];
    const { id } = await harness.enqueue(aVideo);
    await harness.clock.advance(3_600_000);
    expect(harness.job(id)).toMatchObject({ state: 'blocked', reason: 'auth', error: { kind: 'auth' } });
    expect(harness.script.sent).toBe(1);
    harness.coreEvents.emit('profile.changed', 'p');
    await settle();
    expect(harness.job(id).state).toBe('running');
  });

  test('a filtered video after acceptance fails with the reason, and nothing is charged', async () => {
    const harness = start();
    harness.script.submit = [acceptance(harness.clock)];
    harness.script.poll = [
      {
        type: 'failed',
        error: error({ kind: 'moderation', message: 'Filtered: faces.', accepted: 'yes' }),
        billed: 'no',
      },
    ];
    const { id } = await harness.enqueue(aVideo);
    const done = await harness.untilEnd(id);
    expect(done).toMatchObject({ state: 'failed', error: { kind: 'moderation' } });
    expect(done.money).toMatchObject({ chargedNano: 0, uncertainNano: 0, reservedNano: 0 });
  });
});

describe('retried as new', () => {
  test('a double click on "try again" enqueues one new job, and the old one stays as it was', async () => {
    const harness = start();
    harness.script.submit = [refusal({ kind: 'invalid' })];
    const { id } = await harness.enqueue(aVideo);
    await harness.untilEnd(id);
    harness.script.submit = [acceptance(harness.clock)];
    const [one, two] = await Promise.all([
      harness.engine.commands.retry({ id }),
      harness.engine.commands.retry({ id }),
    ]);
    expect(one).toMatchObject({ ok: true });
    expect(two).toEqual(one);
    await settle();
    expect(harness.script.sent).toBe(2);
    expect(harness.job(id).state).toBe('failed');
  });

  test('a document that cannot name the new job undoes the retry: nothing is written or sent', async () => {
    const harness = start();
    harness.script.submit = [refusal({ kind: 'invalid' })];
    const { id } = await harness.enqueue(aVideo);
    await harness.untilEnd(id);
    harness.coreEvents.on('job.retriedAsNew', () => {
      throw new Error('the board cannot be written');
    });
    await expect(harness.engine.commands.retry({ id })).rejects.toThrow('the board cannot be written');
    await settle();
    expect(harness.script.sent).toBe(1);
    expect(harness.engine.queries.list({ limit: 10 }, harness.isPlay()).total).toBe(1);
  });
});

describe('cancel', () => {
  test('before it was sent: its money is released, and its dependents fail unsent', async () => {
    const harness = start();
    harness.engine.commands.setPaused(true);
    const first = await harness.enqueue(aVideo);
    const next = await harness.enqueue({ ...aVideo, image: { jobId: first.id, frame: 'last' } } as StudioRequest);
    expect(harness.job(next.id)).toMatchObject({ state: 'blocked', reason: 'dependency', dependsOn: [first.id] });
    harness.engine.commands.cancel(first.id);
    expect(harness.job(first.id)).toMatchObject({ state: 'canceled', money: { reservedNano: 0, uncertainNano: 0 } });
    expect(harness.job(next.id)).toMatchObject({ state: 'failed', money: { reservedNano: 0 } });
    expect(harness.script.sent).toBe(0);
  });

  test('a job that waits for a last frame that cannot be taken fails, instead of waiting forever', async () => {
    const harness = start();
    harness.script.submit = [acceptance(harness.clock)];
    harness.script.poll = [finished()];
    const first = await harness.enqueue(aVideo);
    const next = await harness.enqueue({ ...aVideo, image: { jobId: first.id, frame: 'last' } } as StudioRequest);
    expect((await harness.untilEnd(first.id)).outputs).toMatchObject([{ mime: 'image/png' }]);
    expect(harness.job(next.id)).toMatchObject({
      state: 'failed',
      error: { kind: 'invalid', message: expect.stringContaining('last frame') },
      money: { reservedNano: 0 },
    });
    expect(harness.script.sent).toBe(1);
  });

  test('after the service accepted it: it stays canceled, but the answer is kept and the cost settled', async () => {
    const harness = start();
    harness.script.submit = [acceptance(harness.clock)];
    const { id } = await harness.enqueue(aVideo);
    harness.engine.commands.cancel(id);
    expect(harness.job(id)).toMatchObject({ state: 'canceled', money: { uncertainNano: VIDEO_NANO } });
    harness.script.poll = [finished()];
    const settled = await harness.until(id, ({ money }) => money.chargedNano > 0);
    expect(settled).toMatchObject({ state: 'canceled', money: { uncertainNano: 0, chargedNano: VIDEO_NANO } });
    expect(settled.outputs).toHaveLength(1);
  });

  test('a job that the service reports as canceled is canceled, even if nobody here canceled it', async () => {
    const harness = start();
    harness.script.submit = [acceptance(harness.clock)];
    harness.script.poll = [
      { type: 'failed', error: error({ message: 'Task was cancelled' }), billed: 'no', canceled: true },
    ];
    const { id } = await harness.enqueue(aVideo);
    expect(await harness.untilEnd(id)).toMatchObject({
      state: 'canceled',
      error: { message: 'Task was cancelled' },
      money: { reservedNano: 0, uncertainNano: 0, chargedNano: 0 },
    });
  });

  test('a cancel that looks like a failure is canceled, and costs nothing', async () => {
    const harness = start();
    harness.script.submit = [acceptance(harness.clock)];
    const { id } = await harness.enqueue(aVideo);
    harness.engine.commands.cancel(id);
    harness.script.poll = [{ type: 'failed', error: error({ accepted: 'yes' }), billed: 'no' }];
    await harness.clock.advance(30_000);
    expect(harness.job(id)).toMatchObject({ state: 'canceled', money: { uncertainNano: 0, chargedNano: 0 } });
  });
});

describe('budgets', () => {
  test('a job that does not fit is blocked with its estimate and no reservation, and goes on when it fits', async () => {
    const harness = start({ profile: { limits: { videosAtOnce: 1 } } });
    harness.store.transaction((db) => setBudget(db, { scope: 'day', hardNano: VIDEO_NANO + 1 }));
    harness.script.submit = [refusal(), acceptance(harness.clock)];
    harness.engine.commands.setPaused(true);
    const first = await harness.enqueue(aVideo);
    const second = await harness.enqueue(aVideo);
    expect(harness.job(second.id)).toMatchObject({
      state: 'blocked',
      reason: 'budget',
      money: { estimateNano: VIDEO_NANO, reservedNano: 0 },
    });
    harness.engine.commands.setPaused(false);
    await settle();
    expect(harness.job(first.id).state).toBe('failed');
    expect(harness.job(second.id)).toMatchObject({ state: 'running', money: { reservedNano: VIDEO_NANO } });
    const [day] = listBudgets(harness.store.read, harness.clock.now());
    expect(day?.used).toMatchObject({ reservedNano: VIDEO_NANO, settledNano: 0, uncertainNano: 0 });
  });

  test('a cost in doubt counts against the cap, since it may be billed', async () => {
    const harness = start();
    harness.store.transaction((db) => setBudget(db, { scope: 'day', hardNano: VIDEO_NANO }));
    harness.script.submit = [lostAnswer];
    await harness.enqueue(aVideo);
    const second = await harness.enqueue(aVideo);
    expect(harness.job(second.id)).toMatchObject({ state: 'blocked', reason: 'budget' });
    expect(harness.script.sent).toBe(1);
  });
});

test('a soft cap warns once, when it is exceeded, and stops nothing', async () => {
  const harness = start();
  harness.store.transaction((db) => setBudget(db, { scope: 'day', softNano: VIDEO_NANO }));
  harness.script.submit = [1, 2, 3].map((n) => acceptance(harness.clock, `task-${n}`));
  for (let n = 0; n < 3; n++) await harness.enqueue(aVideo);
  const notices = harness.events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
  expect(notices).toEqual([
    'More than $1.60 is now spent, reserved or in doubt for this day. It is a soft cap: nothing is stopped.',
  ]);
  expect(harness.script.sent).toBe(3);
});

describe('refused before anything is written', () => {
  test.each([
    [{ ...aVideo, image: { assetId: 'nope' } }, 'image: there is no such asset or job in the library.'],
    [
      { kind: 'edit', base: { jobId: 'nope' }, mask: { assetId: 'nope' } },
      'base: there is no such asset or job in the library.',
    ],
  ])('%j', async (request, sentence) => {
    const harness = start();
    const result = await harness.engine.commands.enqueue({ requests: [request as StudioRequest] });
    expect(result.ok ? '' : result.error.message).toBe(sentence);
    expect(harness.engine.queries.list({ limit: 10 }, harness.isPlay()).total).toBe(0);
    expect(harness.script.sent).toBe(0);
  });

  test('an extension from another model', async () => {
    const harness = start();
    harness.script.submit = [acceptance(harness.clock)];
    const { id } = await harness.enqueue({ ...aVideo, model: 'video-pro' } as StudioRequest);
    const result = await harness.engine.commands.enqueue({
      requests: [{ kind: 'video', model: 'video-standard', prompt: 'On', video: { jobId: id } }],
    });
    expect(result.ok ? '' : result.error.message).toContain('only the same model can extend it');
  });

  test('a batch is accepted whole or not at all', async () => {
    const harness = start();
    const result = await harness.engine.commands.enqueue({
      requests: [aVideo, { ...aVideo, image: { assetId: 'nope' } } as StudioRequest],
    });
    expect(result.ok ? '' : result.error.message).toBe(
      'requests.1: image: there is no such asset or job in the library.',
    );
    expect(harness.engine.queries.list({ limit: 10 }, harness.isPlay()).total).toBe(0);
  });
});

test('hot statements use their index', () => {
  const harness = start();
  const plan = (text: string) =>
    harness.store.read
      .all<{ detail: string }>(sql('test.plan', `EXPLAIN QUERY PLAN ${text}`))
      .map(({ detail }) => detail)
      .join('; ');
  const claim = `SELECT * FROM jobs WHERE state = 'queued' AND lane = 'x' AND (next_at IS NULL OR next_at <= 5) ORDER BY position LIMIT 1`;
  expect(plan(claim)).toBe('SEARCH jobs USING INDEX jobs_by_lane (lane=? AND state=?)');
  expect(plan(`SELECT count(*) FROM jobs WHERE lane = 'x' AND state IN ('sending', 'running')`)).toContain(
    'jobs_by_lane',
  );
  expect(plan('SELECT * FROM jobs WHERE seq < 5 ORDER BY seq DESC LIMIT 10')).not.toContain('TEMP B-TREE');
});
