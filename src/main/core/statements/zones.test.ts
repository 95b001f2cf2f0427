import { describe, expect, test } from 'vitest';
import { compared, job, line, MINUTE, START } from '../../../../test/helpers/comparedBill.ts';
import { aVideo } from '../../../../test/helpers/engineHarness.ts';
import { bill, openStatements } from '../../../../test/helpers/statementHarness.ts';
import type { BillJob } from './billJobs.ts';
import { JobIndex } from './jobIndex.ts';
import { zoneOf } from './zones.ts';

/** Bills whose times have no zone: most gateways write those of where they are. */

const video = (at: string, id: string, dollars = '1.6') => `${at},${id},video-standard,${dollars}`;

describe('a bill whose zone nobody knows', () => {
  test('has no clear answer for what was sent within any zone of its lines', async () => {
    const { lose, readLines } = openStatements();
    await lose('2026-11-13T02:00:00Z', aVideo);
    const x = (at: string) => `${at},,x,1`;
    const read = await readLines(
      x('2026-11-11 10:00:00'),
      video('2026-11-13 10:00:40', 'req-1'),
      x('2026-11-15 10:00:00'),
    );
    expect(read).toMatchObject({
      isZoneAssumed: true,
      clear: { count: 0 },
      onlyLedger: [{ finding: { type: 'unsure' } }],
    });
    expect(read.onlyBill.map(({ finding }) => finding?.type)).toEqual(['nothingNear', 'zone', 'nothingNear']);
  });
  test('enters no line that may be of a job in another zone', async () => {
    const { make, answer, sum, readText, adopt } = openStatements();
    await make('2026-11-13T02:00:00Z', 'v-1', aVideo);
    const text = 'time,model,cost\n2026-11-13 10:00:10,video-standard,1.6\n2027-02-13 10:00:10,video-standard,1';
    const read = await readText(text);
    expect(read.onlyBill.map(({ finding }) => finding?.type)).toEqual(['zone', 'nothingNear']);
    expect(await answer('statement.settle', { id: read.id, lines: ['b2'], as: 'adopt' })).toMatchObject({
      error: { code: 'wrong_state', message: expect.stringMatching(/^Line 2 may be of a job .* choose the zone/) },
    });
    await adopt(read.id, ['b3']);
    expect(sum(false)).toEqual([2_600_000_000, 0]);
    const inZone = await readText(text, { columns: { zone: 480 } });
    expect(inZone).toMatchObject({ matched: 2, open: 0 });
  });
  test('of days says nothing about those beside them', async () => {
    const { lose, readLines } = openStatements();
    await lose('2026-11-03T05:00:00Z', aVideo);
    const days = ['2026-11-01,,x,1', '2026-11-02,,video-standard,1.6', '2026-11-05,,x,1'];
    const read = await readLines(...days);
    expect(read).toMatchObject({ clear: { count: 0 }, onlyLedger: [{ finding: { type: 'unsure' } }] });
  });
  test('ends, and begins, where it does in all zones', () => {
    const lost = job('a', { isCharged: false, chargedNano: 0, isInDoubt: true, uncertainNano: 9, ids: [] });
    const whyOf = (...hours: number[]) =>
      compared(
        hours.map((hour) => line({ at: START + hour * 60 * MINUTE, model: 'x' })),
        [lost],
        { from: START - 1e9, isZoneAssumed: true },
      ).find(({ part }) => part)?.finding?.type;
    expect([whyOf(-15, 16), whyOf(-13, 16), whyOf(-15, 14)]).toEqual(['inDoubt', 'before', 'wait']);
  });
});

describe('the zone of a bill', () => {
  const chinese = bill(
    video('2026-11-12 18:00:05', 'v-1'),
    video('2026-11-13 10:00:40', 'req-1'),
    video('2026-11-13 20:00:05', 'v-2'),
  );
  const made = async (harness = openStatements()) => {
    await harness.make('2026-11-12T10:00:00Z', 'v-1', aVideo);
    const lost = await harness.lose('2026-11-13T02:00:00Z', aVideo);
    await harness.make('2026-11-13T12:00:00Z', 'v-2', aVideo);
    return { ...harness, lost };
  };
  test('is found where all lines with a known job are as far from them', async () => {
    const { lost, readText } = await made();
    const read = await readText(chinese);
    expect(read).toMatchObject({ zoneMinutes: 480, isZoneAssumed: false, isZoneFound: true, matched: 2 });
    expect(read.onlyBill).toMatchObject([
      { jobId: lost.id, at: Date.parse('2026-11-13T02:00:40Z'), finding: { type: 'doubt' }, isClear: true },
    ]);
    // Days of the bill are days there.
    expect(new Date(read.from).toISOString()).toBe('2026-11-11T16:00:00.000Z');
  });
  test('is found where one line of twenty is not as far, and no other zone has as many', () => {
    const HOUR = 60 * MINUTE;
    const ran = (count: number, endsAfter = 0) =>
      Array.from({ length: count }, (_, at) =>
        job(`${at}`, { sentAt: START + at * HOUR, endedAt: START + at * HOUR + endsAfter }),
      );
    const zoneWith = (jobs: BillJob[], late: number) => {
      const lines = jobs.map(({ id, sentAt }, at) =>
        line({ remoteId: `task-${id}`, at: sentAt + (at < late ? 36 : 8) * HOUR }),
      );
      const work = JobIndex.of(jobs);
      for (let step = work.next(); ; step = work.next()) if (step.done) return zoneOf(lines, step.value);
    };
    expect([zoneWith(ran(20), 1), zoneWith(ran(20), 2), zoneWith(ran(19), 1)]).toEqual([480, undefined, undefined]);
    expect(zoneWith(ran(20, 3 * HOUR), 1)).toBeUndefined();
    expect(zoneWith([], 0)).toBeUndefined();
  });
  test('is not found where they are not, nor where more than one can be', async () => {
    const { readLines } = await made();
    const isOpen = async (...lines: string[]) => (await readLines(...lines)).isZoneAssumed;
    expect(await isOpen(video('2026-11-12 10:00:05', 'v-1'), video('2026-11-13 13:00:05', 'v-2'))).toBe(true);
    expect(await isOpen(video('2026-11-12', 'v-1'))).toBe(true);
    // Times beside it that state their zone say nothing about it.
    expect(await isOpen(video('2026-11-12 18:00:05Z', 'v-1'), video('2026-11-13 20:00:05', 'v-2'))).toBe(true);
    expect(await isOpen(video('2026-11-12 18:00:05', 'v-1'), video('2027-02-13', 'v-2', '-0.1'))).toBe(false);
  });
  test('that is chosen leaves decisions with their lines', async () => {
    const { sum, readText, adopt } = openStatements();
    const text = bill(video('2026-11-12 18:00:05', 'foreign-1'));
    const read = await readText(text);
    await adopt(read.id, ['b2']);
    for (const zone of [480, -300]) {
      const again = await readText(text, { columns: { zone } });
      expect(again).toMatchObject({ matched: 1, open: 0 });
    }
    expect(sum(false)).toEqual([1_600_000_000, 0]);
  });
});
