import { describe, expect, test } from 'vitest';
import { aVideo, lostAnswer, VIDEO_NANO } from '../../../../test/helpers/engineRig.ts';
import { aPlan, DOLLAR, EVENING, HOUR, type NightRig, nightsOfThisFile } from '../../../../test/helpers/nightRig.ts';
import { SANDBOX_PRICES } from '../../../shared/price.ts';
import { sql } from '../store/index.ts';

const start = nightsOfThisFile();

const ONE_AT_ONCE = { profile: { limits: { videosAtOnce: 1 } } };

async function dry(rig: NightRig, plan?: object) {
  const result = await rig.night.dryRun(plan && aPlan(plan));
  if (!result.ok) throw new Error(result.error.message);
  return result.data;
}

describe('the total', () => {
  test('is told at both readings, with what is left of the cap and about when it would be over', async () => {
    const rig = start(ONE_AT_ONCE);
    rig.plan({ capNano: 10 * DOLLAR });
    const ids = await rig.fill(3);
    const result = await dry(rig);
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
    // One after the other, two minutes each where none was made before.
    expect(result.fits.map(({ startsAt }) => startsAt - EVENING - 3 * HOUR)).toEqual([0, 120_000, 240_000]);
    expect(result.endsAbout).toBe(EVENING + 3 * HOUR + 360_000);
  });

  test('changes nothing: nothing is sent, written or set aside by it', async () => {
    const rig = start();
    rig.plan();
    await rig.fill(2);
    const whole = sql('test.whole', 'SELECT count(*) AS n, max(seq) AS seq FROM ledger_entries');
    const before = rig.store.read.one(whole);
    await dry(rig, { capNano: 1, start: '01:00', end: '02:00' });
    expect(rig.store.read.one(whole)).toEqual(before);
    expect(rig.night.get().current).toMatchObject({ start: '23:00', capNano: 100 * DOLLAR });
  });

  test('goes by how long such jobs took before', async () => {
    const rig = start(ONE_AT_ONCE);
    rig.plan({ start: '21:00', end: '23:00' });
    rig.store.transaction((db) =>
      db.run(
        sql(
          'test.took',
          `INSERT INTO jobs (id, kind, state, request, profile_id, model, lane, idempotency_key, hook_secret, price, estimate_nano,
             estimate_low_nano, position, created_at, sent_at, finished_at)
           VALUES ('old', 'video', 'succeeded', '{}', 'p', 'video-standard', 'video:p', '', '', '{}', 0, 0, 0, 0, 1000, 3601000)`,
        ),
      ),
    );
    await rig.fill(3);
    const result = await dry(rig);
    expect(result.fits.map(({ startsAt }) => startsAt)).toEqual([EVENING + HOUR, EVENING + 2 * HOUR]);
    expect(result.unfit).toMatchObject([{ reason: 'time', message: expect.stringContaining('about 23:00') }]);
  });
});

describe('what does not fit is named with the limit in its way', () => {
  test('the night’s cap, and a smaller one behind it still fits', async () => {
    const rig = start({ profile: { prices: SANDBOX_PRICES } });
    rig.plan({ capNano: 2 * DOLLAR });
    await rig.fill(2);
    const image = await rig.enqueue({ kind: 'imagine', prompt: 'a lamp' }, { night: true });
    const result = await dry(rig);
    expect(result.unfit).toMatchObject([
      {
        reason: 'run',
        message: "It may cost $1.60; $0.40 is left of the night's cap, $2.00, when its turn comes.",
      },
    ]);
    expect(result.fits.map(({ jobId }) => jobId)).toContain(image.id);
  });

  test('the cap of the day: what comes after midnight is held against the next day', async () => {
    const rig = start({ profile: { limits: { videosAtOnce: 1 } } });
    rig.plan({ start: '23:57', end: '07:00' });
    rig.setDayCap(2 * VIDEO_NANO);
    await rig.fill(6);
    const result = await dry(rig);
    // Two before midnight, two after it.
    expect([result.fitCount, result.unfit.map(({ reason }) => reason)]).toEqual([4, ['day', 'day']]);
  });

  test('the floor that has to be left, a dependency in doubt, a missing key, and a plan that is only thought of', async () => {
    let hasKey = true;
    const rig = start({ hasKey: () => hasKey });
    rig.plan({ rules: { budgetFloorNano: VIDEO_NANO } });
    rig.setDayCap(2 * VIDEO_NANO);
    await rig.fill(2);
    expect(
      (await dry(rig, { start: '21:00', end: '22:00', rules: { budgetFloorNano: VIDEO_NANO } })).unfit,
    ).toMatchObject([{ reason: 'floor', message: expect.stringContaining('$1.60 has to be left') }]);
    expect((await dry(rig, { start: '21:00', end: '22:00' })).unfitCount).toBe(0);
    rig.setDayCap(100 * DOLLAR);
    rig.service.submit = () => lostAnswer;
    const lost = await rig.enqueue(aVideo);
    expect(rig.job(lost.id).state).toBe('uncertain');
    const [dependent = ''] = await rig.fill(1, { dependsOn: [lost.id] });
    const [behind] = await rig.fill(1, { dependsOn: [dependent] });
    expect((await dry(rig)).unfit).toMatchObject([
      { jobId: dependent, reason: 'dependency', message: expect.stringContaining('in doubt') },
      { jobId: behind, reason: 'dependency', message: expect.stringContaining('does not fit') },
    ]);
    hasKey = false;
    expect((await dry(rig)).unfit.map(({ reason }) => reason)).toEqual(['key', 'key', 'key', 'key']);
  });

  test('a disk that is too full already and a paused queue are said', async () => {
    const rig = start({ freeBytes: () => 5e9, balance: () => 3 * DOLLAR });
    rig.plan({ rules: { diskFloorBytes: 20e9, balanceFloorNano: 5 * DOLLAR } });
    await rig.fill(1);
    rig.engine.setPaused(true);
    expect(await dry(rig)).toMatchObject({
      freeBytes: 5e9,
      balances: [{ profileId: 'p', nano: 3 * DOLLAR }],
      notes: [
        'The queue is paused: nothing is sent until you resume it.',
        '5.0 GB are free on the disk, less than the floor of 20.0 GB: the night would stop at once.',
        'The balance at P is below its floor already: the night would stop at once.',
      ],
    });
  });
});

test('what it says fits is what is sent, and what it says does not is not', async () => {
  const rig = start(ONE_AT_ONCE);
  rig.setDayCap(3 * VIDEO_NANO);
  rig.plan({ capNano: 5 * VIDEO_NANO, start: '23:57' });
  const ids = await rig.fill(7);
  rig.allSucceed();
  const { fits, unfit } = await dry(rig);
  await rig.clock.advance(3.95 * HOUR);
  for (const { jobId } of fits) await rig.untilEnd(jobId);
  await rig.clock.advance(8 * HOUR);
  expect(fits.map(({ jobId }) => rig.job(jobId).state)).toEqual(fits.map(() => 'succeeded'));
  expect(unfit.map(({ jobId }) => rig.job(jobId).state)).toEqual(unfit.map(() => 'blocked'));
  expect(fits.length + unfit.length).toBe(ids.length);
  expect(rig.report()).toMatchObject({ made: fits.length, notRun: unfit.length });
});
