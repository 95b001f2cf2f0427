import { describe, expect, test } from 'vitest';
import { aVideo, VIDEO_NANO } from '../../../../test/helpers/engineHarness.ts';
import { EVENING, HOUR, nightsOfThisFile, ONE_AT_ONCE, plannedBy } from '../../../../test/helpers/nightHarness.ts';
import { aPrice } from '../../../../test/helpers/prices.ts';
import { settle } from '../../../../test/helpers/testPorts.ts';
import type { PowerSource } from '../../../shared/jobs/night.ts';
import { sql } from '../store/index.ts';

/** An open run that is held because the machine runs on battery. */

const start = nightsOfThisFile();
const planned = plannedBy(start);

const MINUTE = 60_000;

describe('on battery', () => {
  test('nothing is sent until the machine is plugged in, and the night says what holds it', async () => {
    let source: PowerSource = 'battery';
    const [harness] = await planned({ rules: { notOnBattery: true } }, 2, {
      ...ONE_AT_ONCE,
      power: { source: () => source },
    });
    harness.allSucceed();
    await harness.clock.advance(4 * HOUR);
    expect(harness.script.sent).toBe(0);
    expect(harness.night.get()).toMatchObject({ current: { state: 'open', held: 'battery' }, powerSource: 'battery' });
    source = 'mains';
    harness.night.powerChanged();
    await harness.clock.advance(MINUTE);
    expect(harness.script.sent).toBe(2);
    expect(harness.night.get().current).not.toHaveProperty('held');
  });

  test('unplugged in the middle, it sends nothing more; what it runs on is not guessed', async () => {
    let source: PowerSource = 'unknown';
    const [harness, [first = '']] = await planned({ rules: { notOnBattery: true } }, 1, {
      ...ONE_AT_ONCE,
      power: { source: () => source },
    });
    harness.allSucceed();
    await harness.clock.advance(3 * HOUR + MINUTE);
    await harness.untilEnd(first);
    source = 'battery';
    harness.night.powerChanged();
    const [second = ''] = await harness.fill(1);
    await harness.clock.advance(HOUR);
    expect([harness.script.sent, harness.job(second).state]).toEqual([1, 'blocked']);
  });
});

describe('a job of a night that is held', () => {
  test('waits for no hour, with its money reserved today, and is not run when the hours end', async () => {
    const [harness, [before = '']] = await planned({ rules: { notOnBattery: true } }, 1, {
      power: { source: () => 'battery' },
    });
    await harness.clock.advance(3.5 * HOUR);
    const [id = ''] = await harness.fill(1);
    for (const held of [before, id]) {
      expect(harness.job(held)).toMatchObject({
        state: 'blocked',
        reason: 'window',
        money: { reservedNano: VIDEO_NANO },
      });
      expect(harness.job(held)).not.toHaveProperty('nextAt');
    }
    const { read } = harness.store;
    const today = read.one<{ nano: number }>(
      sql('test.today', `SELECT sum(reserved_nano) AS nano FROM ledger_entries WHERE day = '2026-11-21'`),
    );
    expect(today).toEqual({ nano: 2 * VIDEO_NANO });
    await harness.clock.advance(8 * HOUR);
    expect(harness.job(id)).toMatchObject({ reason: 'window', money: { reservedNano: 0 } });
    expect(harness.report()).toMatchObject({ notRun: 2, notRunJobs: [{ reason: 'window' }, { reason: 'window' }] });
  });

  test('that is free is not run when the hours end, and stays so in its report once it is put into the next', async () => {
    const prices = [aPrice('second', 0)];
    const harness = start({ power: { source: () => 'battery' }, profile: { prices } });
    harness.plan({ rules: { notOnBattery: true } });
    const { id } = await harness.enqueue(aVideo, { night: true });
    expect(harness.job(id).money).not.toHaveProperty('unpriced');
    await harness.clock.advance(12 * HOUR);
    const notRun = { notRun: 1, notRunJobs: [{ reason: 'window' }] };
    expect(harness.report()).toMatchObject(notRun);
    harness.plan({});
    await harness.night.assign({ ids: [id], night: true });
    expect(harness.report()).toMatchObject(notRun);
  });

  test('with an hour of its own waits for that once the night goes on', async () => {
    let source: PowerSource = 'battery';
    const harness = start({ power: { source: () => source } });
    harness.plan({ rules: { notOnBattery: true } });
    const later = { night: true, notBefore: EVENING + 6 * HOUR };
    const { id: before } = await harness.enqueue(aVideo, later);
    await harness.clock.advance(4 * HOUR);
    const { id } = await harness.enqueue(aVideo, later);
    const itsHour = { reason: 'window', nextAt: EVENING + 6 * HOUR };
    expect([before, id].map((one) => harness.job(one))).toMatchObject([itsHour, itsHour]);
    source = 'mains';
    harness.night.powerChanged();
    await settle();
    expect([before, id].map((one) => harness.job(one))).toMatchObject([itsHour, itsHour]);
  });
});
