import { expect, test } from 'vitest';
import { lostAnswer, refusal, VIDEO_NANO } from '../../../../test/helpers/engineHarness.ts';
import {
  DOLLAR,
  EVENING,
  HOUR,
  made,
  type NightHarness,
  nightsOfThisFile,
  ONE_AT_ONCE,
  plannedBy,
  startNight,
} from '../../../../test/helpers/nightHarness.ts';
import { settle, TestClock } from '../../../../test/helpers/testPorts.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';

const start = nightsOfThisFile();
const planned = plannedBy(start);

const windowOpens = (harness: NightHarness) => harness.clock.advance(3 * HOUR + 60_000);

test('so many failures in a row stop the night in the very transaction in which the last of them ends', async () => {
  const [harness, ids] = await planned({ rules: { failuresInRow: 5 } }, 9, ONE_AT_ONCE);
  harness.script.submit = Array.from({ length: 9 }, () => refusal());
  await windowOpens(harness);
  expect(harness.script.sent).toBe(5);
  expect(harness.notified).toEqual(['The run was stopped: 5 failures in a row.']);
  const [text] = harness.notified;
  expect(harness.events).toContainEqual({ type: 'notice', level: 'error', urgent: true, text });
  const left = { state: 'blocked', reason: 'window', money: { reservedNano: 0 } };
  expect(ids.slice(5).map((id) => harness.job(id))).toMatchObject(Array(4).fill(left));
  await harness.clock.advance(48 * HOUR);
  expect(harness.script.sent).toBe(5);
  expect(harness.report()).toMatchObject({
    failed: 5,
    notRun: 4,
    run: { endedBy: 'failures' },
    notRunJobs: Array(4).fill({ reason: 'stopped' }),
  });
});

test('a success begins the count anew; a job that was never sent does not count', async () => {
  const [harness, [first = '']] = await planned({ rules: { failuresInRow: 2 } }, 1, ONE_AT_ONCE);
  harness.script.submit = [refusal(), made(), refusal(), made()];
  await harness.fill(2, { dependsOn: [first] });
  const [, , last = ''] = await harness.fill(3);
  await windowOpens(harness);
  await harness.untilEnd(last);
  expect(harness.script.sent).toBe(4);
  expect(harness.night.get().current).toMatchObject({ state: 'open' });
  expect(harness.report()).toMatchObject({ made: 2, failed: 2, notRun: 2 });
});

test('refusals are counted apart, and failures between them do not break the row', async () => {
  const [harness] = await planned({ rules: { refusalsInRow: 2, failuresInRow: 3 } }, 5, ONE_AT_ONCE);
  harness.script.submit = [refusal({ kind: 'moderation' }), refusal(), refusal({ kind: 'moderation' })];
  await windowOpens(harness);
  expect(harness.script.sent).toBe(3);
  expect(harness.night.get().last).toMatchObject({
    endedBy: 'refusals',
    endedText: 'The run was stopped: 2 refusals in a row.',
  });
  const report = harness.report();
  expect(report).toMatchObject({ refused: 2, failed: 1, notRun: 2 });
  expect(report.sent.map(({ refused = false }) => refused)).toEqual([true, false, true]);
});

test('a lost answer is a failure, and its money stays unconfirmed', async () => {
  const [harness] = await planned({ rules: { failuresInRow: 2 } }, 3, ONE_AT_ONCE);
  harness.script.submit = [lostAnswer, lostAnswer, lostAnswer];
  await windowOpens(harness);
  expect(harness.script.sent).toBe(2);
  expect(harness.report()).toMatchObject({
    inDoubt: 2,
    notRun: 1,
    spent: { settledNano: 0, reservedNano: 0, uncertainNano: 2 * VIDEO_NANO },
  });
});

test('requests interrupted by the end of Dailies are unconfirmed, but no failures: the night continues after the restart', async () => {
  const dead = startNight({ profile: { limits: { videosAtOnce: 2 } } });
  dead.service.submit = () => new Promise(() => undefined);
  dead.plan({ rules: { failuresInRow: 2 } });
  const [, , third = ''] = await dead.fill(3);
  await windowOpens(dead);
  // Killed here, with two requests in progress.
  const after = start({ clock: new TestClock(dead.clock.now()), dataDir: dead.dataDir });
  after.allSucceed();
  await after.untilEnd(third);
  expect(after.report()).toMatchObject({ inDoubt: 2, made: 1, run: { state: 'open' } });
});

test('a request that cannot be built was never sent: it is no failure, and not run', async () => {
  const harness = start(ONE_AT_ONCE);
  harness.plan({ rules: { failuresInRow: 1 } });
  // A clip inside the answer has no address at the gateway, so it cannot be extended there.
  harness.allSucceed();
  const [clip = ''] = await harness.fill(1);
  const longer: StudioRequest = {
    kind: 'video',
    model: 'video-standard',
    prompt: 'The quay at dawn',
    config: { durationSeconds: 7 },
    video: { jobId: clip },
  };
  const { id } = await harness.enqueue(longer, { night: true });
  await windowOpens(harness);
  expect(await harness.untilEnd(id)).toMatchObject({ state: 'failed', attempts: [{ outcome: 'unsent' }] });
  expect(harness.script.sent).toBe(1);
  expect(harness.report()).toMatchObject({ made: 1, failed: 0, notRun: 1, run: { state: 'open' } });
});

test('the disk floor is checked in the transaction that claims', async () => {
  let free = 30e9;
  const harness = start({ ...ONE_AT_ONCE, freeBytes: () => free });
  harness.plan({ rules: { diskFloorBytes: 20e9 } });
  harness.service.submit = () => {
    free = 19e9;
    return made();
  };
  const [first = ''] = await harness.fill(3);
  await harness.clock.advance(3 * HOUR + 1_000);
  await harness.untilEnd(first);
  await harness.clock.advance(60_000);
  expect(harness.script.sent).toBe(1);
  expect(harness.notified).toEqual(['The run was stopped: 19.0 GB free on the disk, less than 20.0 GB.']);
});

test('the budget floor keeps its share of the caps of the day and the month', async () => {
  const harness = start(ONE_AT_ONCE);
  harness.setDayCap(3 * VIDEO_NANO);
  harness.plan({ start: '21:00', end: '23:00', rules: { budgetFloorNano: VIDEO_NANO } });
  harness.allSucceed();
  const ids = await harness.fill(3);
  expect(ids.map((id) => harness.job(id).reason)).toEqual(['window', 'window', 'budget']);
  await harness.clock.advance(HOUR);
  await harness.untilEnd(ids[1] ?? '');
  expect(harness.script.sent).toBe(2);
  // Spent otherwise, in the same hours: nothing more of the night is sent.
  harness.setDayCap(2.5 * VIDEO_NANO);
  harness.plan({ start: '21:00', end: '23:00', rules: { budgetFloorNano: VIDEO_NANO } });
  await harness.clock.advance(60_000);
  expect(harness.night.get().last).toMatchObject({ endedBy: 'budget' });
});

test('a balance below its floor stops the night before it opens; an unknown one never does', async () => {
  const known = start({ balance: () => 4 * DOLLAR });
  known.plan({ rules: { balanceFloorNano: 5 * DOLLAR } });
  await known.fill(1);
  known.allSucceed();
  await windowOpens(known);
  expect(known.script.sent).toBe(0);
  expect(known.night.get().last).toMatchObject({ endedBy: 'balance' });
  const unknown = start({ balance: () => undefined });
  unknown.plan({ rules: { balanceFloorNano: 5 * DOLLAR } });
  await unknown.fill(1);
  unknown.allSucceed();
  expect(await unknown.night.dryRun(undefined)).toMatchObject({
    data: { notes: ['The balance at P is unknown, so the minimum balance cannot stop this run.'] },
  });
  await windowOpens(unknown);
  expect(unknown.script.sent).toBe(1);
});

test('a floor that was removed while the balance was requested ends nothing', async () => {
  const harness = start({
    balance: () => {
      harness.plan({ rules: { balanceFloorNano: null } });
      return 4 * DOLLAR;
    },
  });
  harness.plan({ rules: { balanceFloorNano: 5 * DOLLAR } });
  await harness.fill(1);
  harness.allSucceed();
  await windowOpens(harness);
  expect(harness.script.sent).toBe(1);
});

test('a kill between the end and its consequences: the next start applies and announces them', async () => {
  const clock = new TestClock(EVENING);
  const before = start({ clock, ...ONE_AT_ONCE });
  before.plan({ rules: { failuresInRow: 1 } });
  before.night.close();
  before.script.submit = [refusal(), refusal()];
  const [, second = ''] = await before.fill(2);
  await clock.advance(3 * HOUR + 1_000);
  expect(before.script.sent).toBe(1);
  expect(before.notified).toEqual([]);
  const after = start({ clock, dataDir: before.dataDir });
  await settle();
  expect(after.notified).toEqual(['The run was stopped: 1 failure.']);
  expect(after.job(second)).toMatchObject({ reason: 'window', money: { reservedNano: 0 } });
  const third = start({ clock, dataDir: before.dataDir });
  expect(third.notified).toEqual([]);
});
