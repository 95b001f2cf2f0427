import { describe, expect, test } from 'vitest';
import { aVideo, lostAnswer, refusal } from '../../../../test/helpers/engineHarness.ts';
import {
  aPlan,
  DOLLAR,
  EVENING,
  HOUR,
  made,
  nightsOfThisFile,
  ONE_AT_ONCE,
  plannedBy,
} from '../../../../test/helpers/nightHarness.ts';

/** Rules that leave jobs out, wait for the gateway, or let the run go on. */

const start = nightsOfThisFile();
const planned = plannedBy(start);

const MINUTE = 60_000;

describe('refusals of one shot', () => {
  test('leave its waiting takes out, and the night goes on with the other shots', async () => {
    const shots: string[][] = [];
    const harness = start({ ...ONE_AT_ONCE, shots });
    harness.plan({ rules: { shotRefusals: 2 } });
    const projectId = 'film';
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push((await harness.enqueue(aVideo, { night: true, projectId })).id);
    shots.push(ids.slice(0, 4), ids.slice(4));
    harness.script.submit = [refusal({ kind: 'moderation' }), refusal({ kind: 'moderation' }), made()];
    await harness.clock.advance(3 * HOUR + 5 * MINUTE);
    expect(harness.script.sent).toBe(3);
    const left = { state: 'blocked', reason: 'window', money: { reservedNano: 0 } };
    expect(ids.slice(2, 4).map((id) => harness.job(id))).toMatchObject([left, left]);
    expect(harness.night.get().current).toMatchObject({ state: 'open' });
    await harness.clock.advance(8 * HOUR);
    expect(harness.script.sent).toBe(3);
    const text = 'The run skipped its shot after 2 refusals.';
    expect(harness.report()).toMatchObject({
      refused: 2,
      made: 1,
      notRunJobs: [
        { reason: 'shot', message: text },
        { reason: 'shot', message: text },
      ],
    });
  });
});

describe('a take that was left out', () => {
  /** Two takes of one shot, after the first was refused; the other one was left out. */
  async function leftOut() {
    const shots: string[][] = [];
    const harness = start({ ...ONE_AT_ONCE, shots });
    harness.plan({ rules: { shotRefusals: 1 } });
    const ids: string[] = [];
    for (let n = 0; n < 2; n++) ids.push((await harness.enqueue(aVideo, { night: true, projectId: 'film' })).id);
    shots.push(ids);
    harness.script.submit = [refusal({ kind: 'moderation' }), made()];
    await harness.clock.advance(3 * HOUR + 5 * MINUTE);
    expect(harness.script.sent).toBe(1);
    return { harness, id: ids[1] ?? '' };
  }

  test('stays out where the rule is switched off, also for the dry run', async () => {
    const { harness, id } = await leftOut();
    harness.plan({ rules: { shotRefusals: null } });
    await harness.clock.advance(HOUR);
    expect(harness.script.sent).toBe(1);
    expect(harness.job(id)).toMatchObject({ state: 'blocked', reason: 'window', money: { reservedNano: 0 } });
    expect(await harness.night.dryRun(undefined)).toMatchObject({
      data: { unfit: [{ jobId: id, reason: 'shot' }] },
    });
  });

  test.each([1, null])('is taken in by assigning it again, and is sent (the rule: %s)', async (shotRefusals) => {
    const { harness, id } = await leftOut();
    harness.plan({ rules: { shotRefusals } });
    expect(await harness.night.assign({ ids: [id], night: true })).toMatchObject({ ok: true });
    await harness.clock.advance(MINUTE);
    await harness.untilEnd(id);
    expect(harness.report()).toMatchObject({ refused: 1, made: 1, notRun: 0 });
  });

  test('and taken in again is left out again by the next refusal of its shot', async () => {
    const { harness, id } = await leftOut();
    harness.script.submit = [refusal({ kind: 'moderation' })];
    await harness.night.assign({ ids: [id], night: true });
    await harness.clock.advance(MINUTE);
    expect(await harness.untilEnd(id)).toMatchObject({ state: 'failed' });
    expect(harness.report()).toMatchObject({ refused: 2, notRun: 0 });
  });
});

test('with unconfirmed jobs the night goes on if it is told to, and the money of the lost answer stays under its cap', async () => {
  const [harness] = await planned({ rules: { failuresInRow: 1, goOnInDoubt: true } }, 2, ONE_AT_ONCE);
  harness.script.submit = [lostAnswer, made()];
  await harness.clock.advance(3 * HOUR + 5 * MINUTE);
  expect(harness.report()).toMatchObject({ inDoubt: 1, made: 1, run: { state: 'open' } });
  expect(harness.night.get().current?.used.uncertainNano).toBeGreaterThan(0);
});

describe('a gateway that is out of order', () => {
  test('is tried again for as many minutes as the rule says, then the night ends', async () => {
    const [harness] = await planned({ rules: { outageMinutes: 30 } }, 3, ONE_AT_ONCE);
    harness.service.submit = () => refusal({ kind: 'network', retryable: true });
    await harness.clock.advance(3 * HOUR + 25 * MINUTE);
    expect(harness.night.get().current).toMatchObject({ state: 'open' });
    await harness.clock.advance(8 * MINUTE);
    expect(harness.night.get().last).toMatchObject({
      endedBy: 'outage',
      endedText: 'The run was stopped: the gateway was out of order for 30 minutes.',
    });
    expect(harness.notified).toHaveLength(1);
  });

  test('that comes back in time is only a pause', async () => {
    const [harness] = await planned({ rules: { outageMinutes: 30 } }, 3, ONE_AT_ONCE);
    harness.service.submit = () => refusal({ kind: 'network', retryable: true });
    await harness.clock.advance(3 * HOUR + 10 * MINUTE);
    harness.allSucceed();
    await harness.clock.advance(HOUR);
    expect(harness.report()).toMatchObject({ made: 3, run: { state: 'open' } });
  });
});

describe('days of the week', () => {
  test('a night that is stopped as it ends, or by its id after that, stops no other in its place', async () => {
    const harness = start();
    harness.plan({ days: [0, 1, 2, 3, 4, 5, 6] });
    const runId = harness.night.currentId() ?? '';
    await harness.clock.advance(4 * HOUR);
    // The check at its end has not run yet.
    harness.clock.set(EVENING + 11 * HOUR + 1_000);
    for (const named of [undefined, runId]) {
      expect(harness.night.stop(named)).toMatchObject({ data: { number: 1, endedBy: 'window' } });
      expect(harness.night.get().current).toMatchObject({ number: 2, state: 'planned' });
    }
    expect(harness.night.stop('gone')).toMatchObject({ error: { code: 'not_found' } });
    expect(harness.night.stop()).toMatchObject({ data: { number: 2, endedBy: 'user' } });
  });

  test('it opens again on the next of its days, under the same cap, and sends nothing that was left', async () => {
    const harness = start(ONE_AT_ONCE);
    // Saturday is 6, Monday is 1.
    harness.plan({ days: [6, 1], capNano: 5 * DOLLAR });
    await harness.fill(1);
    harness.engine.commands.setPaused(true);
    await harness.clock.advance(12 * HOUR);
    harness.engine.commands.setPaused(false);
    harness.allSucceed();
    const { current, leftOver } = harness.night.get();
    expect(current).toMatchObject({ state: 'planned', number: 2, days: [6, 1], capNano: 5 * DOLLAR, start: '23:00' });
    expect(current?.startsAt).toBe(EVENING + 3 * HOUR + 48 * HOUR);
    expect(leftOver).toHaveLength(1);
    await harness.clock.advance(72 * HOUR);
    expect([harness.script.sent, harness.night.get().current?.number]).toEqual([0, 3]);
  });

  test('that it did not open again is said once, with the reason, and stays with it', async () => {
    const harness = start(ONE_AT_ONCE);
    harness.plan({ days: [6, 1] });
    const side = harness.isPlay();
    harness.isPlay = () => !side;
    await harness.clock.advance(12 * HOUR);
    const text = `Overnight run 1 did not start again: its budget is ${side ? 'test' : 'real'} money, and the gateway that is active now takes ${side ? 'real' : 'test'} money.`;
    expect(harness.night.get()).toMatchObject({ current: null, last: { notOpened: text } });
    const told = () => harness.events.filter((event) => event.type === 'notice' && event.text === text);
    expect(told()).toEqual([{ type: 'notice', level: 'error', text }]);
    expect(harness.notified.filter((body) => body === text)).toHaveLength(1);
    const again = start({ clock: harness.clock, dataDir: harness.dataDir });
    await harness.clock.advance(48 * HOUR);
    expect([told(), again.notified]).toEqual([[{ type: 'notice', level: 'error', text }], []]);
    expect(again.night.get().last).toMatchObject({ notOpened: text });
  });

  test.each([
    ['that is none of them', [1, 5]],
    ['that is one of them', [6, 1]],
  ])('started now on a day %s, it opens at once, and again at its own hour', async (_when, days) => {
    const harness = start(ONE_AT_ONCE);
    harness.allSucceed();
    harness.plan({ days });
    await harness.fill(1);
    const now = { startsAt: EVENING, endsAt: EVENING + 11 * HOUR };
    expect(await harness.night.dryRun(aPlan({ days, startsNow: true }))).toMatchObject({ data: now });
    harness.plan({ days, startsNow: true, endsAt: now.endsAt });
    await harness.clock.advance(MINUTE);
    expect(harness.script.sent).toBe(1);
    const { current } = harness.night.get();
    expect(current).toMatchObject({ state: 'open', number: 1, start: '23:00', days, ...now });
    await harness.clock.advance(11 * HOUR);
    expect(harness.night.get().current).toMatchObject({
      state: 'planned',
      number: 2,
      start: '23:00',
      startsAt: EVENING + 51 * HOUR,
    });
  });

  test('started now past the end that was shown, it is refused, and nothing is sent', async () => {
    const harness = start(ONE_AT_ONCE);
    harness.allSucceed();
    harness.plan({});
    await harness.fill(3);
    const end = { end: '20:02' };
    const shown = await harness.night.dryRun(aPlan({ ...end, startsNow: true }));
    expect(shown).toMatchObject({ data: { endsAt: EVENING + 2 * MINUTE } });
    await harness.clock.advance(3 * MINUTE);
    const pressed = aPlan({ ...end, startsNow: true, endsAt: EVENING + 2 * MINUTE });
    expect(harness.night.plan(pressed)).toMatchObject({ error: { code: 'conflict', data: { field: 'endsAt' } } });
    expect(harness.night.get().current).toMatchObject({ state: 'planned' });
    await harness.clock.advance(MINUTE);
    expect(harness.script.sent).toBe(0);
  });

  test('stopped within its hours, it does not open again on that day, whatever is changed in its plan', async () => {
    const harness = start();
    const days = [0, 1, 2, 3, 4, 5, 6];
    harness.plan({ days });
    await harness.clock.advance(4 * HOUR);
    harness.night.stop();
    const tomorrow = { startsAt: EVENING + 27 * HOUR, endsAt: EVENING + 35 * HOUR };
    expect(await harness.night.dryRun(aPlan({ days }))).toMatchObject({ data: tomorrow });
    harness.plan({ days, capNano: DOLLAR });
    expect(harness.night.get().current).toMatchObject({ state: 'planned', number: 2, ...tomorrow });
  });

  test('called off before it begins, it does not open again', () => {
    const harness = start();
    harness.plan({ days: [6] });
    harness.night.stop();
    expect(harness.night.get().current).toBeNull();
  });
});

test('the user is told once that everything is done, and not again when the hours end; or not at all', async () => {
  const [harness] = await planned({}, 2, ONE_AT_ONCE);
  harness.allSucceed();
  await harness.clock.advance(16 * HOUR);
  expect(harness.notified).toEqual(['Overnight run 1 is done: 2 made.']);
  harness.plan({ notify: false });
  await harness.fill(1);
  await harness.clock.advance(24 * HOUR);
  expect(harness.notified).toHaveLength(1);
});

test('plans are kept under a name, replaced by it, renamed, and removed', () => {
  const harness = start();
  const { plans } = harness.night;
  const { date: _, ...plan } = aPlan({ start: '22:00', end: '06:00', capNano: DOLLAR, days: [5], notify: false });
  const kept = (input: Parameters<typeof plans.save>[0]) => {
    const saved = plans.save(input);
    return saved.ok ? saved.data.id : saved.error.message;
  };
  const id = kept({ name: 'Weekend', plan });
  expect(kept({ name: 'Weekend', plan: { ...plan, capNano: 2, capReading: 'low' } })).toBe(id);
  const changed = { capNano: 2, capReading: 'low', days: [5], notify: false };
  expect(plans.list()).toMatchObject([{ id, name: 'Weekend', plan: changed }]);
  expect(kept({ id, name: 'Friday', plan })).toBe(id);
  expect(plans.list()).toMatchObject([{ id, name: 'Friday', plan: { capNano: DOLLAR } }]);
  const other = kept({ name: 'Weekend', plan });
  expect(kept({ id: other, name: 'Friday', plan })).toBe('name: another plan is kept as Friday.');
  expect(kept({ id: 'gone', name: 'Monday', plan })).toBe('id: there is no such plan.');
  expect(plans.remove(id)).toMatchObject({ ok: true });
  expect([plans.list().map(({ name }) => name), plans.remove(id)]).toMatchObject([
    ['Weekend'],
    { ok: false, error: { code: 'not_found' } },
  ]);
});

test('where it cannot be written that a night is done, the user is told once it can', async () => {
  const [harness, [id = '']] = await planned({}, 1);
  harness.allSucceed();
  const { transaction } = harness.store;
  harness.store.onRevised('jobs', () => {
    if (harness.job(id).state !== 'succeeded') return;
    harness.store.transaction = () => {
      throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    };
  });
  await harness.clock.advance(3 * HOUR + 60_000);
  expect(harness.job(id).state).toBe('succeeded');
  expect(harness.notified).toEqual([]);
  harness.store.transaction = transaction;
  await harness.clock.advance(10 * 60_000);
  expect(harness.notified).toEqual(['Overnight run 1 is done: 1 made.']);
  await harness.clock.advance(10 * 60_000);
  expect(harness.notified).toHaveLength(1);
});
