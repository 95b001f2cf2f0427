import { describe, expect, test } from 'vitest';
import {
  acceptance,
  aVideo,
  error,
  finished,
  lostAnswer,
  refusal,
  VIDEO_NANO,
} from '../../../../test/helpers/engineHarness.ts';
import {
  aPlan,
  DOLLAR,
  EVENING,
  HOUR,
  type NightHarness,
  nightsOfThisFile,
  ONE_AT_ONCE,
  plannedBy,
  startNight,
} from '../../../../test/helpers/nightHarness.ts';
import { settle, TestClock } from '../../../../test/helpers/testPorts.ts';
import { NO_MONEY } from '../../../shared/money/ledger.ts';
import type { SubmitOutcome } from '../gateway/index.ts';
import { totals } from '../ledger/index.ts';

const start = nightsOfThisFile();
const planned = plannedBy(start);

/** The clock jumps, as after a sleep or when it is set; then something wakes the queue. */
async function jumpTo(harness: NightHarness, time: number): Promise<void> {
  harness.clock.set(time);
  harness.engine.commands.announce();
  await settle();
}

describe('the window', () => {
  test('what is put into the night waits for it, with its money reserved, and goes when it opens', async () => {
    const [harness, [id = '']] = await planned({}, 1);
    harness.allSucceed();
    expect(harness.job(id)).toMatchObject({
      state: 'blocked',
      reason: 'window',
      nextAt: EVENING + 3 * HOUR,
      money: { reservedNano: VIDEO_NANO },
    });
    await harness.clock.advance(3 * HOUR - 1);
    expect(harness.script.sent).toBe(0);
    await harness.clock.advance(60_000);
    expect((await harness.untilEnd(id)).state).toBe('succeeded');
    expect(harness.night.get().current).toMatchObject({ state: 'open', jobs: { waiting: 0, ended: 1 } });
  });

  test('at its end what was not sent stays waiting and gives its money back; what is under way is finished', async () => {
    const [harness, [first = '', second = '']] = await planned({}, 2, ONE_AT_ONCE);
    harness.service.submit = () => acceptance(harness.clock);
    harness.service.poll = () => (harness.clock.now() > EVENING + 11 * HOUR ? finished() : { type: 'running' });
    harness.engine.commands.setPaused(true);
    await harness.clock.advance(11 * HOUR - 60_000);
    harness.engine.commands.setPaused(false);
    await settle();
    await harness.clock.advance(2 * 60_000);
    expect(harness.job(second)).toMatchObject({ state: 'blocked', reason: 'window', money: { reservedNano: 0 } });
    expect((await harness.untilEnd(first)).state).toBe('succeeded');
    await harness.clock.advance(48 * HOUR);
    expect(harness.script.sent).toBe(1);
    expect(harness.night.get()).toMatchObject({ current: null, last: { endedBy: 'window' }, leftOver: [second] });
    const text = 'Overnight run 1 is over: 1 still under way, 1 not run.';
    expect(harness.events).toContainEqual({ type: 'notice', level: 'info', text });
    expect(harness.report()).toMatchObject({
      made: 1,
      notRun: 1,
      complete: true,
      notRunJobs: [{ jobId: second, reason: 'window' }],
    });
  });

  test('a clock that jumps over the window, back before it, or out of it while a job is queued sends nothing outside', async () => {
    const [harness, ids] = await planned({}, 3, ONE_AT_ONCE);
    harness.service.submit = () => acceptance(harness.clock);
    await harness.clock.advance(3 * HOUR + 1_000);
    expect(harness.script.sent).toBe(1);
    expect(harness.job(ids[1] ?? '').state).toBe('queued');
    harness.allSucceed();
    await jumpTo(harness, EVENING);
    await harness.clock.advance(HOUR);
    expect(harness.script.sent).toBe(1);
    expect(ids.slice(1).map((id) => harness.job(id).reason)).toEqual(['window', 'window']);
    await jumpTo(harness, EVENING + 12 * HOUR);
    await harness.clock.advance(HOUR);
    expect(harness.script.sent).toBe(1);
    // Back into the hours of a night that was closed: it stays closed.
    await jumpTo(harness, EVENING + 5 * HOUR);
    await harness.clock.advance(HOUR);
    expect(harness.script.sent).toBe(1);
    expect(harness.night.get()).toMatchObject({ current: null, last: { endedBy: 'window' } });
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
});

describe('the cap', () => {
  test('no more is reserved than it allows, in the order of the queue, and raising it admits the rest', async () => {
    const [harness, [first = '', second = '', third = '']] = await planned({ capNano: 2 * VIDEO_NANO }, 3);
    expect(harness.job(third)).toMatchObject({
      reason: 'budget',
      error: { message: expect.stringContaining('(Overnight, ') },
    });
    harness.engine.commands.move(third, first);
    expect([first, second, third].map((id) => harness.job(id).reason)).toEqual(['window', 'budget', 'window']);
    harness.plan({ capNano: 3 * VIDEO_NANO });
    expect(harness.job(second).reason).toBe('window');
    harness.plan({ capNano: VIDEO_NANO });
    expect([third, first, second].map((id) => harness.job(id).reason)).toEqual(['window', 'budget', 'budget']);
    expect(harness.night.get().current?.used.reservedNano).toBe(VIDEO_NANO);
  });
});

describe('membership', () => {
  test('a waiting job is moved in and out; one that runs is not, and then none is', async () => {
    const harness = start(ONE_AT_ONCE);
    harness.plan();
    harness.script.submit = [acceptance(harness.clock)];
    const running = await harness.enqueue(aVideo);
    const waiting = await harness.enqueue(aVideo);
    expect(await harness.night.assign({ ids: [waiting.id, running.id], night: true })).toMatchObject({
      ok: false,
      error: { code: 'wrong_state', data: { field: 'ids.1' } },
    });
    expect(harness.job(waiting.id).runId).toBeUndefined();
    expect((await harness.night.assign({ ids: [waiting.id], night: true })).ok).toBe(true);
    expect(harness.job(waiting.id)).toMatchObject({ reason: 'window', runId: harness.night.currentId() });
    await harness.night.assign({ ids: [waiting.id], night: false });
    expect(harness.job(waiting.id)).toMatchObject({ state: 'queued', money: { reservedNano: VIDEO_NANO } });
    expect(harness.night.get().current).toMatchObject({ jobs: { waiting: 0 }, used: { reservedNano: 0 } });
  });

  test('what a night left is told of each side', async () => {
    const [harness, real] = await planned({ capNano: 0 }, 2);
    harness.activate('sandbox');
    const play = await harness.fill(1);
    await harness.clock.advance(12 * HOUR);
    expect(harness.night.get()).toMatchObject({
      leftOver: [...real, ...play],
      leftOverBySide: [
        { play: false, count: 2, ids: real },
        { play: true, count: 1, ids: play },
      ],
    });
  });

  test('what a night left goes into the next one, and stays in the report of the first', async () => {
    const [harness, [id = '']] = await planned({ capNano: 0 }, 1);
    await harness.clock.advance(12 * HOUR);
    harness.plan();
    expect(harness.night.get().leftOver).toEqual([id]);
    harness.allSucceed();
    await harness.night.assign({ ids: [id], night: true });
    expect(harness.night.get().leftOver).toEqual([]);
    await harness.clock.advance(15 * HOUR);
    expect((await harness.untilEnd(id)).state).toBe('succeeded');
    const first = harness.night.report(harness.night.get().last?.id);
    expect(first).toMatchObject({
      data: { made: 0, notRun: 1, notRunJobs: [{ reason: 'budget' }], spent: { settledNano: 0 } },
    });
    expect(harness.report()).toMatchObject({ made: 1, spent: { settledNano: VIDEO_NANO } });
  });

  test('what is refused at the address of its result is not spent, and what may be billed is unconfirmed', async () => {
    const answers = ['moderation', 'server'] as const;
    let asked = 0;
    const fetchMedia = async () => ({
      type: 'failed' as const,
      error: error({ kind: answers[asked++ % 2] ?? 'server', accepted: 'yes' }),
    });
    const harness = start({ script: { gateway: { fetchMedia } } });
    harness.plan();
    harness.service.submit = () => ({
      type: 'done',
      outputs: [{ uri: 'https://h/a.mp4', role: 'output' }],
    });
    await harness.fill(2);
    await harness.clock.advance(4 * HOUR);
    const { made, spent, corrected } = harness.report();
    expect(made).toBe(0);
    expect(spent).toEqual({ ...NO_MONEY, uncertainNano: VIDEO_NANO });
    expect(corrected).toEqual({ settledNano: 0, settledLowNano: 0 });
  });

  test('an unconfirmed request that is sent again the day after runs now, and its new cost is not the night’s', async () => {
    const [harness, [id = '']] = await planned({}, 1);
    harness.script.submit = [lostAnswer];
    await harness.clock.advance(12 * HOUR);
    harness.script.submit = [acceptance(harness.clock, 'again')];
    harness.script.poll = [finished()];
    await harness.engine.commands.resolve({ id, as: 'resend' });
    await harness.untilEnd(id);
    expect(harness.report().spent).toMatchObject({ settledNano: 0, uncertainNano: VIDEO_NANO });
    expect(totals(harness.store.read, 'kind', {}).sum).toMatchObject({
      settledNano: VIDEO_NANO,
      uncertainNano: VIDEO_NANO,
    });
  });
});

test('kept and made follow the verdicts', async () => {
  const [harness, ids] = await planned({}, 2);
  harness.allSucceed();
  await harness.clock.advance(3 * HOUR);
  for (const id of ids) await harness.untilEnd(id);
  harness.engine.commands.setVerdict(ids[0] ?? '', 'keep');
  harness.engine.commands.setVerdict(ids[1] ?? '', 'no');
  const report = harness.report();
  expect(report).toMatchObject({ made: 2, kept: 1, judged: 2, complete: true, plannedNano: 2 * VIDEO_NANO });
  expect(report.sent.map(({ jobId, verdict }) => [jobId, verdict])).toEqual([
    [ids[0], 'keep'],
    [ids[1], 'no'],
  ]);
  harness.engine.commands.setVerdict(ids[1] ?? '', null);
  expect(harness.report()).toMatchObject({ judged: 1 });
});

test('what was sent without a known price says so, until nothing is owed for it', async () => {
  const answers: SubmitOutcome[] = [lostAnswer, refusal()];
  const submitImagine = async () => answers.shift() ?? refusal();
  const harness = start({ script: { gateway: { submitImagine } } });
  harness.plan();
  const ids: string[] = [];
  for (let n = 0; n < 2; n++)
    ids.push((await harness.enqueue({ kind: 'imagine', prompt: 'a lamp' }, { night: true })).id);
  for (const id of ids) harness.engine.commands.allowUnpriced({ id });
  await harness.clock.advance(3 * HOUR + 60_000);
  await settle();
  expect(harness.report().sent.map(({ state, unpriced }) => [state, unpriced])).toEqual([
    ['uncertain', true],
    ['failed', undefined],
  ]);
});

test('a night that is open keeps its start; its cap and its end may be changed', () => {
  const harness = start({ clock: new TestClock(EVENING + 4 * HOUR) });
  harness.plan();
  const begun = harness.night.get().current;
  expect(begun).toMatchObject({ state: 'open', startsAt: EVENING + 3 * HOUR });
  harness.plan({ start: '22:00', end: '06:00', capNano: DOLLAR });
  expect(harness.night.get().current).toMatchObject({
    id: begun?.id,
    start: '23:00',
    startsAt: EVENING + 3 * HOUR,
    endsAt: EVENING + 10 * HOUR,
    capNano: DOLLAR,
  });
  expect(harness.night.plan(aPlan({ end: '23:30' }))).toMatchObject({ ok: false, error: { data: { field: 'end' } } });
});

test('once closed it emits nothing more, though jobs of the night still end while the rest of the studio closes', async () => {
  const harness = startNight();
  harness.plan({ start: '20:00', end: '23:00' });
  let answer: (outcome: SubmitOutcome) => void = () => undefined;
  harness.service.submit = () => new Promise((done) => (answer = done));
  const [id = ''] = await harness.fill(1);
  await harness.clock.advance(5_000);
  harness.night.close();
  answer(refusal());
  await settle();
  expect(harness.job(id).state).toBe('failed');
  await harness.engine.close();
  await harness.library.close();
  harness.store.close();
  const told = harness.events.length;
  await harness.clock.advance(60_000);
  expect(harness.events).toHaveLength(told);
});
