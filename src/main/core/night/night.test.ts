import { describe, expect, test } from 'vitest';
import { acceptance, aVideo, finished, lostAnswer, refusal, VIDEO_NANO } from '../../../../test/helpers/engineRig.ts';
import {
  aPlan,
  DOLLAR,
  EVENING,
  HOUR,
  type NightRig,
  nightsOfThisFile,
  startNight,
} from '../../../../test/helpers/nightRig.ts';
import { settle, TestClock } from '../../../../test/helpers/testPorts.ts';
import type { SubmitOutcome } from '../gateway/index.ts';
import { totals } from '../ledger/index.ts';

const start = nightsOfThisFile();

const ONE_AT_ONCE = { profile: { limits: { videosAtOnce: 1 } } };

/** The clock jumps, as after a sleep or when it is set; then something wakes the queue. */
async function jumpTo(rig: NightRig, time: number): Promise<void> {
  rig.clock.set(time);
  rig.engine.announce([]);
  await settle();
}

describe('the window', () => {
  test('what is put into the night waits for it, with its money set aside, and goes when it opens', async () => {
    const rig = start();
    rig.plan();
    rig.allSucceed();
    const [id = ''] = await rig.fill(1);
    expect(rig.job(id)).toMatchObject({
      state: 'blocked',
      reason: 'window',
      nextAt: EVENING + 3 * HOUR,
      money: { reservedNano: VIDEO_NANO },
    });
    await rig.clock.advance(3 * HOUR - 1);
    expect(rig.script.sent).toBe(0);
    await rig.clock.advance(60_000);
    expect((await rig.untilEnd(id)).state).toBe('succeeded');
    expect(rig.night.get().current).toMatchObject({ state: 'open', jobs: { waiting: 0, ended: 1 } });
  });

  test('without a planned night nothing can be put into one, and the refusal names the field', async () => {
    const rig = start();
    const refused = await rig.engine.enqueue({ requests: [aVideo], night: true });
    expect(refused).toMatchObject({ ok: false, error: { code: 'wrong_state', data: { field: 'night' } } });
  });

  test('at its end what was not sent stays waiting and gives its money back; what is under way is finished', async () => {
    const rig = start(ONE_AT_ONCE);
    rig.plan();
    rig.service.submit = () => acceptance(rig.clock);
    rig.service.poll = () => (rig.clock.now() > EVENING + 11 * HOUR ? finished() : { type: 'running' });
    const [first = '', second = ''] = await rig.fill(2);
    rig.engine.setPaused(true);
    await rig.clock.advance(11 * HOUR - 60_000);
    rig.engine.setPaused(false);
    await settle();
    await rig.clock.advance(2 * 60_000);
    expect(rig.job(second)).toMatchObject({ state: 'blocked', reason: 'window', money: { reservedNano: 0 } });
    expect((await rig.untilEnd(first)).state).toBe('succeeded');
    await rig.clock.advance(48 * HOUR);
    expect(rig.script.sent).toBe(1);
    expect(rig.night.get()).toMatchObject({ current: null, last: { endedBy: 'window' }, leftOver: [second] });
    const text = 'Night 1 is over: 1 still under way, 1 not run.';
    expect(rig.events).toContainEqual({ type: 'notice', level: 'info', text });
    expect(rig.report()).toMatchObject({
      made: 1,
      notRun: 1,
      complete: true,
      notRunJobs: [{ jobId: second, reason: 'window' }],
    });
  });

  test('a clock that jumps over the window, back before it, or out of it while a job is queued sends nothing outside', async () => {
    const rig = start(ONE_AT_ONCE);
    rig.plan();
    rig.service.submit = () => acceptance(rig.clock);
    const ids = await rig.fill(3);
    await rig.clock.advance(3 * HOUR + 1_000);
    expect(rig.script.sent).toBe(1);
    expect(rig.job(ids[1] ?? '').state).toBe('queued');
    rig.allSucceed();
    await jumpTo(rig, EVENING);
    await rig.clock.advance(HOUR);
    expect(rig.script.sent).toBe(1);
    expect(ids.slice(1).map((id) => rig.job(id).reason)).toEqual(['window', 'window']);
    await jumpTo(rig, EVENING + 12 * HOUR);
    await rig.clock.advance(HOUR);
    expect(rig.script.sent).toBe(1);
    // Back into the hours of a night that was closed: it stays closed.
    await jumpTo(rig, EVENING + 5 * HOUR);
    await rig.clock.advance(HOUR);
    expect(rig.script.sent).toBe(1);
    expect(rig.night.get()).toMatchObject({ current: null, last: { endedBy: 'window' } });
  });

  test('a restart after the window sends nothing and closes the night', async () => {
    const clock = new TestClock(EVENING);
    const before = start({ clock });
    before.plan();
    const [id = ''] = await before.fill(1);
    clock.set(EVENING + 14 * HOUR);
    const after = start({ clock, dataDir: before.dataDir });
    await clock.advance(24 * HOUR);
    expect(after.script.sent + before.script.sent).toBe(0);
    expect(after.job(id)).toMatchObject({ state: 'blocked', reason: 'window', money: { reservedNano: 0 } });
    expect(after.report()).toMatchObject({ notRun: 1, run: { endedBy: 'window' } });
  });

  test('a window that is moved takes its waiting jobs with it', async () => {
    const rig = start();
    rig.plan();
    const [id = ''] = await rig.fill(1);
    rig.plan({ start: '21:00', end: '22:00' });
    expect(rig.job(id).nextAt).toBe(EVENING + HOUR);
    rig.allSucceed();
    await rig.clock.advance(HOUR + 1_000);
    expect(rig.script.sent).toBe(1);
  });
});

describe('the cap', () => {
  test('no more is set aside than it allows, in the order of the queue, and raising it lets the rest in', async () => {
    const rig = start();
    rig.plan({ capNano: 2 * VIDEO_NANO });
    const [first = '', second = '', third = ''] = await rig.fill(3);
    expect(rig.job(third)).toMatchObject({
      reason: 'budget',
      error: { message: expect.stringContaining('this night') },
    });
    rig.engine.move(third, first);
    expect([first, second, third].map((id) => rig.job(id).reason)).toEqual(['window', 'budget', 'window']);
    rig.plan({ capNano: 3 * VIDEO_NANO });
    expect(rig.job(second).reason).toBe('window');
    rig.plan({ capNano: VIDEO_NANO });
    expect([third, first, second].map((id) => rig.job(id).reason)).toEqual(['window', 'budget', 'budget']);
    expect(rig.night.get().current?.used.reservedNano).toBe(VIDEO_NANO);
  });

  test('it holds over the whole night: charged, reserved and in doubt together', async () => {
    const rig = start(ONE_AT_ONCE);
    rig.plan({ capNano: 3 * VIDEO_NANO });
    const ids = await rig.fill(5);
    rig.allSucceed();
    await rig.clock.advance(3 * HOUR);
    await rig.untilEnd(ids[2] ?? '');
    expect(rig.script.sent).toBe(3);
    expect(ids.map((id) => rig.job(id).state)).toEqual(['succeeded', 'succeeded', 'succeeded', 'blocked', 'blocked']);
    await rig.clock.advance(9 * HOUR);
    const report = rig.report();
    expect(report).toMatchObject({ made: 3, notRun: 2, spent: { settledNano: 3 * VIDEO_NANO, reservedNano: 0 } });
    expect(report.notRunJobs.map(({ reason }) => reason)).toEqual(['budget', 'budget']);
  });
});

describe('membership', () => {
  test('a waiting job is moved in and out; one that runs is not, and then none is', async () => {
    const rig = start(ONE_AT_ONCE);
    rig.plan();
    rig.script.submit = [acceptance(rig.clock)];
    const running = await rig.enqueue(aVideo);
    const waiting = await rig.enqueue(aVideo);
    expect(rig.night.assign({ ids: [waiting.id, running.id], night: true })).toMatchObject({
      ok: false,
      error: { code: 'wrong_state', data: { field: 'ids.1' } },
    });
    expect(rig.job(waiting.id).runId).toBeUndefined();
    expect(rig.night.assign({ ids: [waiting.id], night: true }).ok).toBe(true);
    expect(rig.job(waiting.id)).toMatchObject({ reason: 'window', runId: rig.night.currentId() });
    rig.night.assign({ ids: [waiting.id], night: false });
    expect(rig.job(waiting.id)).toMatchObject({ state: 'queued', money: { reservedNano: VIDEO_NANO } });
    expect(rig.night.get().current).toMatchObject({ jobs: { waiting: 0 }, used: { reservedNano: 0 } });
  });

  test('what a night left goes into the next one, and stays in the report of the first', async () => {
    const rig = start();
    rig.plan({ capNano: 0 });
    const [id = ''] = await rig.fill(1);
    await rig.clock.advance(12 * HOUR);
    rig.plan();
    expect(rig.night.get().leftOver).toEqual([id]);
    rig.allSucceed();
    rig.night.assign({ ids: [id], night: true });
    expect(rig.night.get().leftOver).toEqual([]);
    await rig.clock.advance(15 * HOUR);
    expect((await rig.untilEnd(id)).state).toBe('succeeded');
    const first = rig.night.report(rig.night.get().last?.id);
    expect(first).toMatchObject({
      data: { made: 0, notRun: 1, notRunJobs: [{ reason: 'budget' }], spent: { settledNano: 0 } },
    });
    expect(rig.report()).toMatchObject({ made: 1, spent: { settledNano: VIDEO_NANO } });
  });

  test('an order in doubt that is sent again the day after is for now, and its new money is not the night’s', async () => {
    const rig = start();
    rig.plan();
    rig.script.submit = [lostAnswer];
    const [id = ''] = await rig.fill(1);
    await rig.clock.advance(12 * HOUR);
    rig.script.submit = [acceptance(rig.clock, 'again')];
    rig.script.poll = [finished()];
    await rig.engine.resolve(id, 'resend');
    await rig.untilEnd(id);
    expect(rig.report().spent).toMatchObject({ settledNano: 0, uncertainNano: VIDEO_NANO });
    expect(totals(rig.store.read, 'kind', {}).sum).toMatchObject({
      settledNano: VIDEO_NANO,
      uncertainNano: VIDEO_NANO,
    });
  });
});

test('kept and made are told from the verdicts, and a plan tells its window, cap and rules', async () => {
  const rig = start();
  rig.plan({ capNano: 20 * DOLLAR, rules: { failuresInRow: 3, refusalsInRow: 2, diskFloorBytes: 20e9 } });
  expect(rig.night.get().current).toMatchObject({
    number: 1,
    state: 'planned',
    start: '23:00',
    startsAt: EVENING + 3 * HOUR,
    endsAt: EVENING + 11 * HOUR,
    capNano: 20 * DOLLAR,
    rules: { failuresInRow: 3, refusalsInRow: 2, diskFloorBytes: 20e9, budgetFloorNano: null, balanceFloorNano: null },
  });
  const ids = await rig.fill(2);
  rig.allSucceed();
  await rig.clock.advance(3 * HOUR);
  for (const id of ids) await rig.untilEnd(id);
  rig.engine.judgeTake(ids[0] ?? '', 'keep');
  rig.engine.judgeTake(ids[1] ?? '', 'no');
  expect(rig.report()).toMatchObject({ made: 2, kept: 1, complete: true, plannedNano: 2 * VIDEO_NANO });
});

test('a night that is open keeps its start; its cap and its end may be changed', () => {
  const rig = start({ clock: new TestClock(EVENING + 4 * HOUR) });
  rig.plan();
  const begun = rig.night.get().current;
  expect(begun).toMatchObject({ state: 'open', startsAt: EVENING + 3 * HOUR });
  rig.plan({ start: '22:00', end: '06:00', capNano: DOLLAR });
  expect(rig.night.get().current).toMatchObject({
    id: begun?.id,
    start: '23:00',
    startsAt: EVENING + 3 * HOUR,
    endsAt: EVENING + 10 * HOUR,
    capNano: DOLLAR,
  });
  expect(rig.night.plan(aPlan({ end: '23:30' }))).toMatchObject({ ok: false, error: { data: { field: 'end' } } });
});

test('once closed it tells nothing more, though jobs of the night still end while the rest of the studio closes', async () => {
  const rig = startNight();
  rig.plan({ start: '20:00', end: '23:00' });
  let answer: (outcome: SubmitOutcome) => void = () => undefined;
  rig.service.submit = () => new Promise((done) => (answer = done));
  const [id = ''] = await rig.fill(1);
  await rig.clock.advance(5_000);
  rig.night.close();
  answer(refusal());
  await settle();
  expect(rig.job(id).state).toBe('failed');
  await rig.engine.close();
  await rig.library.close();
  rig.store.close();
  const told = rig.events.length;
  await rig.clock.advance(60_000);
  expect(rig.events).toHaveLength(told);
});
