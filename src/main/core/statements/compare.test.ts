import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compared, job, line, MINUTE, START, told } from '../../../../test/helpers/comparedBill.ts';
import { sumNano } from '../../../shared/money/money.ts';
import type { ComparisonInput } from './compare.ts';
import type { BillLine } from './readBill.ts';

describe('which job a line belongs to', () => {
  test.each([
    ['the same id', { remoteId: 'task-a' }, ['matched', 'a', 'id']],
    ['an id with a path before it', { remoteId: 'operations/task-a' }, ['matched', 'a', 'id']],
    ['an id in the column of keys', { requestKey: 'task-a' }, ['matched', 'a', 'id']],
    ['the same key', { requestKey: 'key-a' }, ['matched', 'a', 'key']],
    ['the same amount within five minutes', { at: START + 5 * MINUTE }, ['matched', 'a', 'near']],
    ['an id that no job has, and the amount', { remoteId: 'task-z' }, ['matched', 'a', 'near']],
  ])('%s', (_, fields, expected) => expect(told(compared([line(fields)], [job('a')]))).toEqual([expected]));

  test.each([
    ['later than five minutes', { at: START + 6 * MINUTE }],
    ['another model', { model: 'other' }],
    ['another amount', { nano: 500, units: 8 }],
  ])('%s: none', (_, fields) =>
    expect(told(compared([line(fields)], [job('a'), job('b', { model: 'other', sentAt: START - 1e8 })]))[0]?.[0]).toBe(
      'onlyBill',
    ),
  );

  test('the nearest in time of those of its amount, each once', () => {
    const jobs = [job('a'), job('b', { sentAt: START + 3 * MINUTE }), job('c', { chargedNano: 401 })];
    const lines = [line({ at: START + 3 * MINUTE }), line(), line()];
    expect(told(compared(lines, jobs)).slice(0, 3)).toEqual([
      ['matched', 'b', 'near'],
      ['matched', 'a', 'near'],
      ['onlyBill', 'unknown'],
    ]);
  });

  test('one that is charged its amount before one that would be at another price', () => {
    const open = job('a', { chargedNano: 1_600, lowNano: 400, readings: [1_600, 400] });
    const short = job('b', { sentAt: START + 2 * MINUTE });
    expect(told(compared([line(), line({ nano: 1_600 })], [open, short]))).toEqual([
      ['matched', 'b', 'near'],
      ['matched', 'a', 'near'],
    ]);
    expect(compared([line(), line()], [open, short])).toMatchObject([{ job: { id: 'b' } }, { isCheaper: true }]);
  });

  test.each([0, 300])('thousands of one amount, %i ms apart, each have their line', (apartMs) => {
    const sentAt = (at: number) => START + at * apartMs;
    const jobs = Array.from({ length: 2_000 }, (_, at) =>
      job(`${at}`, { sentAt: sentAt(at), endedAt: sentAt(at) + 9 }),
    );
    const lines = jobs.map(({ sentAt: at }) => line({ at, spanMs: 1 }));
    expect(new Set(compared(lines, jobs).map(({ group, by }) => `${group} ${by}`))).toEqual(new Set(['matched near']));
  });

  test('among thousands that were sent within the hour, by an amount that no other one near has', () => {
    const jobs = Array.from({ length: 3_000 }, (_, at) => {
      const sentAt = START + at * 2_000;
      return job(`${at}`, { sentAt, endedAt: sentAt + 1_000, chargedNano: 1_000 + at });
    });
    const slow = job('slow', { model: 'slow', sentAt: START, endedAt: START + 64 * MINUTE });
    const lines = jobs.map(({ sentAt, chargedNano }) => line({ at: sentAt, nano: chargedNano }));
    const late = line({ at: START + 68 * MINUTE, model: 'slow' });
    const found = compared([...lines, late], [...jobs, slow]);
    expect(found.filter(({ group, by }) => group !== 'matched' || by !== 'near')).toEqual([]);
    expect(found.map(({ job: of }) => of?.id)).toEqual([...jobs.map(({ id }) => id), 'slow']);
  });

  test('of those in doubt none, where several were sent near it', () => {
    const lost = ['e', 'f'].map((id) =>
      job(id, { isCharged: false, chargedNano: 0, isInDoubt: true, uncertainNano: 9 }),
    );
    const [found] = compared([line({ nano: 700 })], [job('a'), ...lost]);
    expect(found?.finding).toEqual({ type: 'several', count: 2 });
  });

  test('an id that no job has is not overruled by a job with another, where other ids are those of jobs', () => {
    const lines = [line({ remoteId: 'task-a' }), line({ remoteId: 'task-z' })];
    const jobs = [job('a'), job('b', { sentAt: START + MINUTE }), job('c', { sentAt: START - 1e8 })];
    expect(told(compared(lines, jobs))).toEqual([
      ['matched', 'a', 'id'],
      ['onlyBill', 'unknown'],
      ['onlyLedger', 'b', 'unsure'],
    ]);
    expect(told(compared(lines, [job('a'), job('b', { ids: [] })]))[1]).toEqual(['matched', 'b', 'near']);
  });

  test('pictures are ordered without a model, and fit any that no other job names', () => {
    const picture = job('a', { model: null, kind: 'imagine' });
    const jobs = [picture, job('b', { model: 'video', sentAt: START - 1e8 })];
    expect(told(compared([line({ model: 'image-v6' })], jobs))[0]).toEqual(['matched', 'a', 'near']);
    expect(told(compared([line({ model: 'video' })], jobs))[0]?.[0]).toBe('onlyBill');
  });
});

test('a line that fits a job which has its line says so', () => {
  const twice = [line({ remoteId: 'task-a' }), line({ at: START + 2_000 })];
  const [, again] = compared(twice, [job('a')]);
  expect(again).toMatchObject({ group: 'onlyBill', finding: { type: 'unknown', isBilled: true } });
  const [, other] = compared([line({ remoteId: 'task-a' }), line({ nano: 7 })], [job('a')]);
  expect(other?.finding).toEqual({ type: 'unknown' });
  // Also beside another job of its model that does not fit.
  const dearer = job('b', { chargedNano: 800, sentAt: START + 60_000 });
  expect(compared(twice, [job('a'), dearer])[1]?.finding).toEqual({ type: 'unknown', isBilled: true });
  const credit = line({ at: START + 2_000, nano: -400, units: 8 });
  expect(compared([line({ remoteId: 'task-a', units: 8 }), credit], [job('a')])[1]?.finding).not.toHaveProperty(
    'isBilled',
  );
});

describe('lines of one job', () => {
  const byId = (nano: number) => line({ remoteId: 'task-a', nano });
  test('several that make its charge agree', () =>
    expect(told(compared([byId(300), byId(100)], [job('a')]))).toEqual([
      ['matched', 'a', 'id'],
      ['matched', 'a', 'id'],
    ]));
  test('a second one besides its charge is on the bill only, as is a refund', () => {
    expect(told(compared([byId(400), byId(400)], [job('a')]))).toEqual([
      ['matched', 'a', 'id'],
      ['onlyBill', 'a', 'id'],
    ]);
    const [, refund] = compared([byId(400), byId(-400)], [job('a')]);
    expect(refund).toMatchObject({ group: 'onlyBill', finding: { type: 'refund' }, isClear: true });
  });
  test('another amount differs; a reading of its open price agrees', () => {
    expect(compared([byId(500)], [job('a')])).toMatchObject([{ group: 'differs', ledgerNano: 400, isClear: true }]);
    const open = { chargedNano: 400, lowNano: 100, readings: [400, 200, 100] };
    for (const nano of [400, 200, 100])
      expect(compared([byId(nano)], [job('a', open)])).toMatchObject([{ group: 'matched' }]);
    expect(compared([byId(200)], [job('a', open)])).toMatchObject([{ isCheaper: true }]);
    expect(compared([byId(300)], [job('a', open)])).toMatchObject([{ group: 'differs' }]);
  });
});

/** A decision that changed no money. */
const decided = (as: 'adopt' | 'keep' | 'match', jobId: string | null) => ({ as, jobId, done: null, at: START });

test('a line that is kept as it differs stays with its job', () => {
  const kept = line({ at: START + 60 * MINUTE, nano: 300 });
  const lines = compared([kept], [job('a')], { decisions: new Map([[kept.hash, decided('keep', 'a')]]) });
  expect(told(lines)).toEqual([['differs', 'a', 'user']]);
});

describe('doubt', () => {
  const lost = job('a', {
    isCharged: false,
    chargedNano: 0,
    lowNano: 0,
    readings: [0],
    uncertainNano: 400,
    isInDoubt: true,
    ids: [],
  });
  test('a line that fits is to be decided, and the doubt is not listed twice', () =>
    expect(told(compared([line()], [lost]))).toEqual([['onlyBill', 'a', 'doubt']]));
  test('nothing is clear about a line where another one was sent within an hour, until that is decided', () => {
    const lines = [line({ at: START + 130 * MINUTE, model: 'x' }), line()];
    const clearOf = (given: Partial<ComparisonInput> = {}) => compared(lines, [lost], given)[1]?.isClear;
    expect(clearOf()).toBe(false);
    expect(clearOf({ decisions: new Map([[lines[0]?.hash ?? '', decided('keep', null)]]) })).toBe(true);
    expect(compared([line({ at: START + 131 * MINUTE }), line()], [lost])[1]?.isClear).toBe(true);
  });
  test('nothing is clear about a line that may be of several jobs together, or is more than is in doubt', () => {
    const clearOf = (fields: Partial<BillLine>, uncertainNano = 400) =>
      compared([line(fields)], [{ ...lost, uncertainNano }])[0]?.isClear;
    expect(clearOf({ spanMs: 15 * MINUTE })).toBe(true);
    expect(clearOf({ spanMs: 60 * MINUTE })).toBe(false);
    expect([clearOf({ nano: 401 }), clearOf({ nano: 9_000 }, 0)]).toEqual([false, true]);
  });
  test('one with its key differs until it is settled', () =>
    expect(compared([line({ requestKey: 'key-a' })], [lost])).toMatchObject([
      { group: 'differs', finding: { type: 'doubt' }, isClear: true, ledgerNano: 0 },
    ]));
  /** Other work that costs nothing, so many minutes from it. */
  const other = (minutes: number, fields: Partial<BillLine> = {}) =>
    line({ at: START + minutes * MINUTE, model: 'x', nano: 0, ...fields });
  const whyOf = (lines: BillLine[], given: Partial<ComparisonInput> = {}) => {
    const entry = compared(lines, [lost], { from: START - 1e8, ...given }).at(-1);
    return [entry?.finding?.type, entry?.isClear];
  };
  const around = [other(-6), other(71)];
  test('without a line it is in the ledger only', () => expect(whyOf(around)).toEqual(['inDoubt', true]));

  test('what was sent as the bill begins, or within the longest run of its end, may stand on another one', () => {
    expect(whyOf([other(-6), other(69)])).toEqual(['unsure', false]);
    expect(whyOf([other(-4), other(71)])).toEqual(['unsure', false]);
    expect(whyOf(around, { to: START + 69 * MINUTE })).toEqual(['unsure', false]);
    expect(whyOf(around, { from: START - 4 * MINUTE })).toEqual(['unsure', false]);
  });

  test('a line without a job may be its, until something is decided about it', () => {
    const late = other(64, { nano: 7 });
    expect(whyOf([...around, late])).toEqual(['unsure', false]);
    const decisions = new Map([[late.hash, decided('keep', null)]]);
    expect(whyOf([...around, late], { decisions })).toEqual(['inDoubt', true]);
  });
  test.each<[string, BillLine[], Partial<ComparisonInput>]>([
    ['a row could not be read', [], { hasGaps: true }],
    ['nobody knows the zone of the bill', [], { isZoneAssumed: true }],
    ['lines that name their jobs are at other hours', [other(100, { remoteId: 'task-b', nano: 400 })], {}],
    ['another bill has it', [], { elsewhere: new Map([['a', []]]) }],
  ])('nothing is clear where %s', (_, more, given) => {
    const both = [lost, job('b')];
    const entry = compared([...around, ...more], both, { from: START - 1e8, ...given }).find(({ id }) => id === 'd:a');
    expect([entry?.finding?.type, entry?.isClear]).toEqual(['unsure', false]);
  });
  test('what was sent outside the period is not the ledger’s side of it', () =>
    expect(compared([line({ nano: 7, model: 'x' })], [lost], { from: START + 1 })).toHaveLength(1));
});

test('for any lines and jobs: each line is in one group, the equation holds, and no job is left out', () => {
  const nano = fc.constantFrom(0, 100, 400, 401, -400);
  const jobId = fc.constantFrom('a', 'b', 'c', 'd');
  const lines = fc.array(
    fc.record({
      remoteId: fc.oneof(
        fc.constant(''),
        jobId.map((id) => `task-${id}`),
      ),
      requestKey: fc.oneof(
        fc.constant(''),
        jobId.map((id) => `key-${id}`),
      ),
      model: fc.constantFrom('m', '', 'other'),
      nano,
      at: fc.integer({ min: 0, max: 20 }).map((minutes) => START + minutes * MINUTE),
      decided: fc.option(
        fc.record({
          as: fc.constantFrom('adopt' as const, 'keep' as const, 'match' as const),
          ...{ jobId: fc.option(jobId), done: fc.constant(null), at: nano },
        }),
      ),
    }),
    { maxLength: 12 },
  );
  const jobs = fc.uniqueArray(
    fc.record({
      id: jobId,
      sentAt: fc.integer({ min: 0, max: 20 }).map((minutes) => START + minutes * MINUTE),
      charged: fc.constantFrom(0, 100, 400),
      low: fc.boolean(),
      uncertainNano: fc.constantFrom(0, 0, 400),
      isOver: fc.boolean(),
    }),
    { selector: ({ id }) => id, maxLength: 4 },
  );
  fc.assert(
    fc.property(lines, jobs, (asked, made) => {
      const bill = asked.map(({ decided: _, ...fields }) => line(fields));
      const decisions = new Map(
        asked.flatMap(({ decided }, index) => (decided ? [[bill[index]?.hash ?? '', decided] as const] : [])),
      );
      const of = made.map(({ id, charged, low, ...fields }) =>
        job(id, {
          ...fields,
          chargedNano: charged,
          lowNano: low ? 0 : charged,
          readings: low ? [charged, 0] : [charged],
          isCharged: charged > 0,
          isInDoubt: fields.uncertainNano > 0,
          endedAt: fields.sentAt,
        }),
      );
      const result = compared(bill, of, { decisions });
      expect(result.filter(({ bill: one }) => one).map(({ bill: one }) => one)).toEqual(bill);
      const sum = (group: string) =>
        sumNano(result.flatMap((one) => (one.group === group ? [one.bill?.nano ?? 0] : []))) ?? Number.NaN;
      expect(sum('matched') + sum('onlyBill') + sum('differs')).toBe(sumNano(bill.map((one) => one.nano)));
      for (const { id, chargedNano } of of) {
        const here = result.filter((one) => one.job?.id === id);
        expect(chargedNano === 0 || here.length > 0).toBe(true);
        expect(here.filter(({ part }) => part === 'charge').length).toBeLessThanOrEqual(1);
        // What agrees is a reading of its charge; a refund that was entered is none.
        const agreed = here
          .filter((one) => one.group === 'matched' && one.jobNano !== undefined)
          .map(({ bill: one }) => one?.nano ?? 0);
        const job = of.find((one) => one.id === id);
        if (agreed.length > 0) expect([job?.chargedNano, job?.lowNano]).toContain(sumNano(agreed));
      }
    }),
    { numRuns: 400 },
  );
});
