import { describe, expect, test } from 'vitest';
import { aVideo, lostAnswer, VIDEO_NANO } from '../../../../test/helpers/engineHarness.ts';
import {
  aPlan,
  DOLLAR,
  EVENING,
  HOUR,
  type NightHarness,
  nightsOfThisFile,
  ONE_AT_ONCE,
  plannedBy,
} from '../../../../test/helpers/nightHarness.ts';
import { SANDBOX_PRICES } from '../../../shared/money/price.ts';
import { sql } from '../store/index.ts';
import { daysOf, simulate } from './simulation.ts';

const start = nightsOfThisFile();
const planned = plannedBy(start);

async function dry(harness: NightHarness, plan?: object) {
  const result = await harness.night.dryRun(plan && aPlan(plan));
  if (!result.ok) throw new Error(result.error.message);
  return result.data;
}

describe('the total', () => {
  test('shows the highest and lowest price, what remains of the cap and the approximate end', async () => {
    const [harness, ids] = await planned({ capNano: 10 * DOLLAR }, 3, ONE_AT_ONCE);
    const result = await dry(harness);
    expect(result).toMatchObject({
      jobs: 3,
      fitCount: 3,
      unfitCount: 0,
      totalNano: 3 * VIDEO_NANO,
      totalLowNano: (3 * VIDEO_NANO) / 4,
      capLeftNano: 10 * DOLLAR - 3 * VIDEO_NANO,
      notes: [],
    });
    expect(result.fits.map(({ jobId }) => jobId)).toEqual(ids);
    // One after the other, two minutes each since none was made before.
    expect(result.fits.map(({ startsAt }) => startsAt - EVENING - 3 * HOUR)).toEqual([0, 120_000, 240_000]);
    expect(result.endsAbout).toBe(EVENING + 3 * HOUR + 360_000);
  });

  test('changes nothing: nothing is sent, written or reserved by it', async () => {
    const [harness] = await planned({}, 2);
    const whole = sql('test.whole', 'SELECT count(*) AS n, max(seq) AS seq FROM ledger_entries');
    const before = harness.store.read.one(whole);
    await dry(harness, { capNano: 1, start: '01:00', end: '02:00' });
    expect(harness.store.read.one(whole)).toEqual(before);
    expect(harness.night.get().current).toMatchObject({ start: '23:00', capNano: 100 * DOLLAR });
  });

  test('goes by how long such jobs took before', async () => {
    const harness = start(ONE_AT_ONCE);
    harness.plan({ start: '21:00', end: '23:00' });
    harness.store.transaction((db) =>
      db.run(
        sql(
          'test.took',
          `INSERT INTO jobs (id, kind, state, request, profile_id, model, lane, idempotency_key, hook_secret, price, estimate_nano,
             estimate_low_nano, position, created_at, sent_at, finished_at)
           VALUES ('old', 'video', 'succeeded', '{}', 'p', 'video-standard', 'video:p', '', '', '{}', 0, 0, 0, 0, 1000, 3601000)`,
        ),
      ),
    );
    await harness.fill(3);
    const result = await dry(harness);
    expect(result.fits.map(({ startsAt }) => startsAt)).toEqual([EVENING + HOUR, EVENING + 2 * HOUR]);
    expect(result.unfit).toMatchObject([{ reason: 'time', message: expect.stringContaining('about 23:00') }]);
  });
});

describe('what does not fit is named with the limit in its way', () => {
  test('the night’s cap, and a smaller one behind it still fits', async () => {
    const [harness] = await planned({ capNano: 2 * DOLLAR }, 2, { profile: { prices: SANDBOX_PRICES } });
    const image = await harness.enqueue({ kind: 'imagine', prompt: 'a lamp' }, { night: true });
    const result = await dry(harness);
    expect(result.unfit).toMatchObject([
      {
        reason: 'run',
        message: 'May cost $1.60, with $0.40 of $2.00 left by then (Overnight).',
      },
    ]);
    expect(result.fits.map(({ jobId }) => jobId)).toContain(image.id);
  });

  test('the floor that has to be left, an unconfirmed dependency, a missing key, and a plan that is only thought of', async () => {
    let hasKey: boolean | 'unreadable' = true;
    const [harness] = await planned({ rules: { budgetFloorNano: VIDEO_NANO } }, 2, { hasKey: () => hasKey });
    harness.setDayCap(2 * VIDEO_NANO);
    expect(
      (await dry(harness, { start: '21:00', end: '22:00', rules: { budgetFloorNano: VIDEO_NANO } })).unfit,
    ).toMatchObject([{ reason: 'floor', message: expect.stringContaining('The run keeps $1.60 back') }]);
    expect((await dry(harness, { start: '21:00', end: '22:00' })).unfitCount).toBe(0);
    harness.setDayCap(100 * DOLLAR);
    harness.service.submit = () => lostAnswer;
    const lost = await harness.enqueue(aVideo);
    expect(harness.job(lost.id).state).toBe('uncertain');
    const [dependent = ''] = await harness.fill(1, { dependsOn: [lost.id] });
    const [behind] = await harness.fill(1, { dependsOn: [dependent] });
    expect((await dry(harness)).unfit).toMatchObject([
      { jobId: dependent, reason: 'dependency', message: expect.stringContaining('unconfirmed') },
      { jobId: behind, reason: 'dependency', message: expect.stringContaining('does not fit') },
    ]);
    hasKey = false;
    expect((await dry(harness)).unfit.map(({ reason }) => reason)).toEqual(['key', 'key', 'key', 'key']);
    hasKey = 'unreadable';
    expect((await dry(harness)).unfit).toMatchObject([
      { reason: 'key', message: expect.stringContaining('keychain') },
      {},
      {},
      {},
    ]);
  });

  test('a price that is not known is none, for what does not fit as for what the user lets go', async () => {
    const harness = start();
    harness.plan();
    const request = { kind: 'imagine', prompt: 'a lamp' } as const;
    const held = await harness.enqueue(request, { night: true });
    const allowed = await harness.enqueue(request, { night: true });
    harness.engine.commands.allowUnpriced({ id: allowed.id });
    const { fits, unfit } = await dry(harness);
    expect(fits).toMatchObject([{ jobId: allowed.id, nano: 0, unpriced: true }]);
    expect(unfit).toMatchObject([{ jobId: held.id, nano: 0, unpriced: true, reason: 'unpriced' }]);
  });

  test('a disk that is already too full and a paused queue are reported', async () => {
    const [harness] = await planned({ rules: { diskFloorBytes: 20e9, balanceFloorNano: 5 * DOLLAR } }, 1, {
      freeBytes: () => 5e9,
      balance: () => 3 * DOLLAR,
    });
    harness.engine.commands.setPaused(true);
    expect(await dry(harness)).toMatchObject({
      freeBytes: 5e9,
      balances: [{ profileId: 'p', nano: 3 * DOLLAR }],
      notes: [
        'The queue is paused.',
        '5.0 GB free on the disk, less than the minimum of 20.0 GB: the run would stop at once.',
        'The balance at P is already below the run’s minimum: the run would stop at once.',
      ],
    });
  });
});

test('the jobs that it says fit are sent, and the others are not', async () => {
  const harness = start(ONE_AT_ONCE);
  harness.setDayCap(3 * VIDEO_NANO);
  harness.plan({ capNano: 5 * VIDEO_NANO, start: '23:57' });
  const ids = await harness.fill(7);
  harness.allSucceed();
  const { fits, unfit } = await dry(harness);
  await harness.clock.advance(3.95 * HOUR);
  for (const { jobId } of fits) await harness.untilEnd(jobId);
  await harness.clock.advance(8 * HOUR);
  expect(fits.map(({ jobId }) => harness.job(jobId).state)).toEqual(fits.map(() => 'succeeded'));
  expect(unfit.map(({ jobId }) => harness.job(jobId).state)).toEqual(unfit.map(() => 'blocked'));
  expect(fits.length + unfit.length).toBe(ids.length);
  expect(harness.report()).toMatchObject({ made: fits.length, notRun: unfit.length });
});

describe('the timeline', () => {
  test('every job stands in its lane and place, and money rises with each that is sent, over midnight', async () => {
    const [harness] = await planned({ start: '23:59', end: '07:00', capNano: 10 * DOLLAR }, 4, {
      profile: { limits: { videosAtOnce: 2 } },
    });
    harness.setDayCap(5 * DOLLAR);
    const result = await dry(harness);
    expect(result.fits.map(({ slot }) => slot)).toEqual([0, 1, 0, 1]);
    expect(result.lanes).toEqual([
      { lane: 'video:p', name: 'video', atOnce: 2, jobs: 4, shortestMs: 120_000, longestMs: 120_000 },
    ]);
    const at = EVENING + 4 * HOUR - 60_000;
    expect(result.money).toEqual([
      { at, nano: 2 * VIDEO_NANO, lowNano: VIDEO_NANO / 2 },
      { at: at + 120_000, nano: 4 * VIDEO_NANO, lowNano: VIDEO_NANO },
    ]);
    expect(result.days).toEqual([
      { day: '2026-11-21', nano: 2 * VIDEO_NANO, lowNano: VIDEO_NANO / 2, unpriced: 0, leftNano: 5 * DOLLAR },
      { day: '2026-11-22', nano: 2 * VIDEO_NANO, lowNano: VIDEO_NANO / 2, unpriced: 0, leftNano: 5 * DOLLAR },
    ]);
  });
});

test('a day counts what it sends at a price that is not known', () => {
  const job = { jobId: 'a', lane: 'image:p', slot: 0, startsAt: EVENING, endsAt: EVENING + HOUR };
  const [one, both] = [
    { ...job, nano: 0, lowNano: 0, unpriced: true as const },
    { ...job, nano: 5, lowNano: 4 },
  ];
  expect(daysOf([one, both, one], () => undefined)).toEqual([{ day: '2026-11-21', nano: 5, lowNano: 4, unpriced: 2 }]);
});

describe('what does not fit says by how much, with one cure', () => {
  test('a cap at which it fits, those before it included; planned so, it fits', async () => {
    const [harness] = await planned({ capNano: 2 * DOLLAR }, 3, ONE_AT_ONCE);
    const { unfit } = await dry(harness);
    expect(unfit.map(({ byNano, cure }) => [byNano, cure])).toEqual([
      [2 * VIDEO_NANO - 2 * DOLLAR, { type: 'cap', capNano: 2 * VIDEO_NANO }],
      [2 * VIDEO_NANO - 2 * DOLLAR, { type: 'cap', capNano: 3 * VIDEO_NANO }],
    ]);
    expect((await dry(harness, { capNano: 2 * VIDEO_NANO })).unfitCount).toBe(1);
    expect((await dry(harness, { capNano: 3 * VIDEO_NANO })).unfitCount).toBe(0);
  });

  test('the hard cap of the day at which it fits, and the front of the line for what comes too late', async () => {
    const [harness] = await planned({ start: '21:00', end: '21:03' }, 2, ONE_AT_ONCE);
    harness.setDayCap(VIDEO_NANO);
    expect((await dry(harness)).unfit).toMatchObject([
      { reason: 'day', byNano: VIDEO_NANO, cure: { type: 'budget', scope: 'day', hardNano: 2 * VIDEO_NANO } },
    ]);
    harness.setDayCap(100 * DOLLAR);
    await harness.fill(1);
    expect((await dry(harness)).unfit).toMatchObject([{ reason: 'time', byMs: 60_001, cure: { type: 'first' } }]);
  });
});

test('thousands of jobs are tried without asking the ledger for each of them', () => {
  let asked = 0;
  const caps = [{ scope: 'day' as const, key: '', hardNano: 0, play: false }];
  const jobs = Array.from({ length: 5_000 }, (_, n) => ({
    ...{ id: `j${n}`, nano: 1, lowNano: 1, play: false, lane: 'video:p', projectId: null, notBefore: null },
    ...{ dependsOn: [], ms: 60_000 },
  }));
  const counted = () => ++asked;
  const hours = { from: EVENING, endsAt: EVENING + HOUR };
  const context = { ...hours, lanes: new Map(), caps, counted, floorNano: 0, runId: 'r', capReading: 'high' as const };
  expect(simulate(jobs, context).unfit).toHaveLength(5_000);
  expect(asked).toBe(1);
});
