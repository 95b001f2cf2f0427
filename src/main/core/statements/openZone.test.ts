import { expect, test } from 'vitest';
import { finished, job, line, MINUTE, START } from '../../../../test/helpers/comparedBill.ts';
import { aVideo } from '../../../../test/helpers/engineHarness.ts';
import { openStatements } from '../../../../test/helpers/statementHarness.ts';
import { place } from './assign.ts';
import { endOf } from './billBefore.ts';
import type { BillJob } from './billJobs.ts';
import { compare } from './compare.ts';
import { linesOfRanges, zonelessRanges } from './openZone.ts';
import type { BillLine } from './readBill.ts';

const HOUR = 60 * MINUTE;
const sheet = (...rows: string[]): string => ['time,model,cost', ...rows].join('\n');

test('a line that states its zone is found by its time beside others that state none', async () => {
  const { make, readText, look } = openStatements();
  await make('2026-11-13T02:00:00Z', 'v-1', aVideo);
  const text = sheet('2026-11-01,fee,20', '2026-11-13T10:00:10+08:00,video-standard,1.6');
  const read = await readText(text);
  expect(read).toMatchObject({ isZoneAssumed: true, isZoneMixed: true, matched: 1, matchedBy: { near: 1 } });
  expect(read.onlyBill).toMatchObject([{ line: 2, day: '2026-11-01', finding: { type: 'nothingNear' } }]);
  expect(read).not.toHaveProperty('zoneless');
  // As it is stored.
  await readText(sheet('2026-11-13T02:00:00Z,x,1'));
  expect(await look(read.id)).toMatchObject({ matched: 1, counts: { onlyBill: 1 } });
});

test('it is not the only one of a job that another may be of in some zone', async () => {
  const { make, readText } = openStatements();
  await make('2026-11-13T02:00:00Z', 'v-1', aVideo);
  const near = sheet('2026-11-13 10:00:10,video-standard,1.6', '2026-11-13T02:00:10Z,video-standard,1.6');
  const read = await readText(near);
  expect(read).toMatchObject({ matched: 0, clear: { count: 0 } });
  expect(read.onlyBill.map(({ finding }) => finding)).toEqual([{ type: 'zone' }, { type: 'unknown', count: 1 }]);
  expect(read.onlyLedger.map(({ finding }) => finding?.type)).toEqual(['wait']);
  const far = sheet('2026-11-15 10:00:10,video-standard,1.6', '2026-11-13T02:00:10Z,video-standard,1.6');
  expect(await readText(far)).toMatchObject({ matched: 1 });
});

/** What the comparison says of lines of which those with these numbers have no zone, and then of jobs without a line. */
function found(lines: BillLine[], jobs: BillJob[], zoneless: ReadonlySet<number>, to = START + 1e9) {
  const placed = finished(place(lines, jobs, new Map(), { isZoneAssumed: true, zoneless }));
  const sides = { lines, jobs, decisions: new Map(), placed, from: START - 1e9, to };
  return finished(compare(sides)).lines.map(({ finding, isClear, by }) => [by ?? finding?.type, isClear]);
}

test('what is in doubt is not settled by a line that another may stand for', () => {
  const doubt = { isCharged: false, chargedNano: 0, lowNano: 0, readings: [0], uncertainNano: 900, isInDoubt: true };
  const lost = job('lost', { ...doubt, ids: [] });
  const stated = line({ at: START + MINUTE });
  const open = (hours: number) => line({ at: START + hours * HOUR, nano: 700 });
  const told = (other: BillLine) => found([stated, other], [lost], new Set([other.line]));
  expect(told(open(40))[0]).toEqual(['doubt', true]);
  expect(told(open(13))[0]).toEqual(['doubt', false]);
  expect(told(open(-13))[0]).toEqual(['doubt', false]);
});

test('a line that states its zone is found, however many jobs ran when one without may be', () => {
  const jobs = Array.from({ length: 2_100 }, (_, at) => job(`${at}`, { sentAt: START + at * 1_000 }));
  const first = job('first', { sentAt: START - 40 * HOUR });
  const stated = line({ at: START - 40 * HOUR });
  const told = (fields: Partial<BillLine>) => {
    const other = line({ at: START, ...fields });
    return found([stated, other], [first, ...jobs], new Set([other.line]))[0]?.[0];
  };
  expect(told({ model: 'fee', nano: 2e10 })).toBe('near');
  expect(told({})).toBe('near');
  expect(told({ at: START - 27 * HOUR })).toBe('unknown');
});

test('a job that no line without a zone may be of is missing, whatever else is near it', () => {
  const [lost, one, other] = [0, 10 * HOUR, 10 * HOUR + MINUTE].map((at) => job(`${at}`, { sentAt: START + at }));
  const jobs = [lost, one, other] as BillJob[];
  const [begins, both, ends] = [-2 * HOUR, 10 * HOUR, 13 * HOUR].map((at) => line({ at: START + at }));
  const stated = [begins, both, ends] as BillLine[];
  const told = (fee: BillLine, of = stated) =>
    found([...of, fee], jobs, new Set([fee.line]), START + 14 * HOUR)
      .slice(of.length + 1)
      .map(([type]) => type);
  const fee = { model: 'fee', nano: 2e10, spanMs: 24 * HOUR };
  expect(told(line({ at: START - 11 * HOUR, ...fee }))).toEqual(['notBilled', 'unsure', 'unsure']);
  // It may be the first of the bill, or its last.
  expect(told(line({ at: START - 20 * HOUR, ...fee }))[0]).toBe('notBilled');
  expect(told(line({ at: START - 11 * HOUR, ...fee }), stated.slice(1))[0]).toBe('before');
  expect(
    told(line({ at: START + 10 * HOUR, spanMs: 4 * HOUR - 1, nano: 2e10, model: 'fee' }), stated.slice(0, 1)),
  ).toEqual(['wait', 'wait', 'wait']);
  // It may be of the job that is missing, and no other line may.
  expect(told(line({ at: START + 12 * HOUR }))[0]).toBe('unsure');
});

test('a line that states its second is no sum of jobs, in whatever zone', () => {
  const lines = [-20, 2, 20].map((hours) => line({ at: START + hours * HOUR, nano: hours === 2 ? 1_600 : 1 }));
  const cheaper = job('cheaper', { chargedNano: 800 });
  const all = new Set(lines.map(({ line: number }) => number));
  expect(found(lines, [cheaper], all).at(-1)?.[0]).toBe('notBilled');
});

test('what stands on a bill before by its time is billed there, beside a line without a zone', () => {
  const [stated, fee] = [line(), line({ at: START + HOUR, model: 'fee', nano: 2e10 })];
  const before = { lines: [stated, fee], decisions: new Map(), isZoneAssumed: true, zoneless: new Set([fee.line]) };
  const billed = job('a');
  const end = finished(endOf(before, [billed], new Map()));
  expect([...end.billed]).toEqual([billed]);
  expect(end.open).toMatchObject([{ line: fee.line, at: fee.at - 14 * HOUR }]);
});

test('lines without a zone are kept as stretches of the bill', () => {
  const lines = [2, 3, 5, 6, 9].map((number) => ({ line: number }));
  const ranges = zonelessRanges(lines, new Set([3, 5, 9]));
  expect(ranges).toEqual([
    [3, 5],
    [9, 9],
  ]);
  expect(lines.filter(({ line: of }) => linesOfRanges(ranges ?? [], lines).has(of))).toEqual(
    [3, 5, 9].map((of) => ({ line: of })),
  );
  expect([...linesOfRanges([[4, 2 ** 40]], lines)]).toEqual([5, 6, 9]);
  expect(zonelessRanges(lines, new Set())).toBeUndefined();
  expect(zonelessRanges(lines, new Set([2, 3, 5, 6, 9]))).toBeUndefined();
  const many = Array.from({ length: 3_000 }, (_, at) => ({ line: at }));
  expect(zonelessRanges(many, new Set(many.flatMap(({ line: of }) => (of % 2 ? of : []))))).toBeUndefined();
});
