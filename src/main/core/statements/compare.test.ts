import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compared, type Given, job, line, MINUTE, START, told } from '../../../../test/helpers/comparedBill.ts';
import { sumNano } from '../../../shared/money/money.ts';
import type { Decision } from './assign.ts';
import type { BillJob } from './billJobs.ts';
import type { Reach } from './period.ts';
import type { BillLine } from './readBill.ts';

describe('which job a line belongs to', () => {
  test.each([
    ['the same id', { remoteId: 'task-a' }, ['matched', 'a', 'id']],
    ['an id with a path before it', { remoteId: 'operations/task-a' }, ['matched', 'a', 'id']],
    ['an id in the column of keys', { requestKey: 'task-a' }, ['matched', 'a', 'id']],
    ['the same key', { requestKey: 'key-a' }, ['matched', 'a', 'key']],
    ['the same amount within five minutes', { at: START + 5 * MINUTE }, ['matched', 'a', 'near']],
    ['the same units within five minutes, of another amount', { units: 8, nano: 500 }, ['differs', 'a', 'near']],
    ['an id that no job has, and the amount', { remoteId: 'task-z' }, ['matched', 'a', 'near']],
  ])('%s', (_, fields, expected) => expect(told(compared([line(fields)], [job('a')]))).toEqual([expected]));

  test.each([
    ['later than five minutes', { at: START + 6 * MINUTE }],
    ['another model', { model: 'other' }],
    ['neither amount nor units', { nano: 500, units: 4 }],
  ])('%s: none', (_, fields) =>
    expect(told(compared([line(fields)], [job('a'), job('b', { model: 'other', sentAt: START - 1e8 })]))[0]?.[0]).toBe(
      'onlyBill',
    ),
  );

  test('only where one line and one job fit each other alone', () => {
    expect(told(compared([line()], [job('a'), job('b')]))[0]).toEqual(['onlyBill', 'several']);
    expect(told(compared([line(), line()], [job('a')])).slice(0, 2)).toEqual([
      ['onlyBill', 'unknown'],
      ['onlyBill', 'unknown'],
    ]);
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

  test('not where more ran within minutes than are compared', () => {
    const jobs = Array.from({ length: 2_001 }, (_, at) => job(`${at}`, { chargedNano: at % 2_000 === 0 ? 400 : 1 }));
    expect(told(compared([line()], jobs))[0]?.[0]).toBe('onlyBill');
  });

  test('no more fit than those of its amount or units, and those in doubt', () => {
    const jobs = [job('a'), job('b', { chargedNano: 500 }), job('c', { quantity: { videos: 1, seconds: 4 } })];
    const findingOf = (fields: Partial<BillLine>, more: BillJob[] = []) =>
      compared([line(fields)], [...jobs, ...more])[0]?.finding;
    expect(findingOf({})).toEqual({ type: 'several', count: 2 });
    expect(findingOf({ nano: 700, units: 4 }, [job('d', { quantity: { seconds: 4 } })])).toEqual({
      type: 'several',
      count: 2,
    });
    expect(findingOf({ nano: 700 })).toEqual({ type: 'unknown' });
    const lost = ['e', 'f'].map((id) =>
      job(id, { isCharged: false, chargedNano: 0, isInDoubt: true, uncertainNano: 9 }),
    );
    expect(findingOf({ nano: 700 }, lost)).toEqual({ type: 'several', count: 2 });
  });

  test('an id that no job has is not overruled by a job with another, where other ids are those of jobs', () => {
    const lines = [line({ remoteId: 'task-a' }), line({ remoteId: 'task-z' })];
    const jobs = [job('a'), job('b', { sentAt: START + MINUTE }), job('c', { sentAt: START - 1e8 })];
    expect(told(compared(lines, jobs))).toEqual([
      ['matched', 'a', 'id'],
      ['onlyBill', 'unknown'],
      ['onlyLedger', 'b', 'wait'],
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

test.each([
  ['by its units', { units: 8, nano: 300 }],
  ['by nothing but a decision', { at: START + 60 * MINUTE, nano: 300 }],
])('a line that was found %s and is kept as it differs stays with its job', (_, fields) => {
  const kept = line(fields);
  const decisions = new Map([[kept.mark, { as: 'keep' as const, jobId: 'a', at: START }]]);
  const lines = compared([kept], [job('a', { quantity: { seconds: 8 } })], { decisions });
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
  test('nothing is clear about a line that others fit as well', () => {
    const foundOf = (...more: BillJob[]) =>
      compared([line(), other(-6), other(71)], [lost, ...more], { from: START - 1e8 })
        .filter(({ bill, job: of }) => of !== undefined || bill?.model === 'm')
        .map(({ job: of, finding, isClear }) => [of?.id, finding?.type, isClear]);
    expect(foundOf()).toEqual([['a', 'doubt', true]]);
    expect(foundOf(job('b', { chargedNano: 500 }))).toEqual([
      ['a', 'doubt', true],
      ['b', 'notBilled', false],
    ]);
    expect(foundOf(job('b'), job('c'))).toEqual([
      ['a', 'doubt', false],
      ['b', 'unsure', false],
      ['c', 'unsure', false],
    ]);
  });
  test('nothing is clear about lines of which each may be that of what is in doubt', () => {
    const found = compared([line({ nano: 9_000 }), line()], [lost]);
    expect(found.map(({ job: of, finding, isClear }) => [of?.id, finding?.type, isClear])).toEqual([
      ['a', 'doubt', false],
      ['a', 'doubt', false],
    ]);
    const kept = new Map([[found[0]?.mark ?? '', { as: 'keep' as const, jobId: null, at: START }]]);
    const [first, second] = found.map(({ bill }) => bill as BillLine) as [BillLine, BillLine];
    expect(compared([first, second], [lost], { decisions: kept })[1]?.isClear).toBe(true);
  });

  test('nothing is clear about a line near more jobs than it is compared with', () => {
    const jobs = Array.from({ length: 3_000 }, (_, at) => {
      const sentAt = START + at * 20_000;
      const fields = at === 10 || at === 2_900 ? { ...lost, id: `${at}` } : { chargedNano: 7 };
      return job(`${at}`, { ...fields, sentAt, endedAt: sentAt });
    });
    const found = compared([other(-6), line({ at: START, spanMs: 24 * 60 * MINUTE })], jobs, {
      ...{ from: START - 1e8, to: START + 1e9, reach: { first: START - 1e8, last: START + 1e9 } },
    });
    expect(found[1]).toMatchObject({ finding: { type: 'several' } });
    const doubts = found.filter(({ part }) => part === 'doubt');
    expect(doubts.map(({ job: of, finding }) => [of?.id, finding?.type])).toEqual([
      ['10', 'unsure'],
      ['2900', 'unsure'],
    ]);
  });
  test('one with its key differs until it is settled', () =>
    expect(compared([line({ requestKey: 'key-a' })], [lost])).toMatchObject([
      { group: 'differs', finding: { type: 'doubt' }, isClear: true, ledgerNano: 0 },
    ]));
  /** Other work, so many minutes from it. */
  const other = (minutes: number, fields: Partial<BillLine> = {}) =>
    line({ at: START + minutes * MINUTE, model: 'x', nano: 7, ...fields });
  const whyOf = (lines: BillLine[], job = lost, given: Given = {}) => {
    const entry = compared(lines, [job], { from: START - 1e8, ...given }).at(-1);
    return [entry?.finding?.type, entry?.isClear];
  };
  test('without a line it is in the ledger only', () =>
    expect(whyOf([other(-6), other(71)])).toEqual(['inDoubt', true]));

  test('what was sent as the bill begins, or within the longest run of its end, may stand on another one', () => {
    expect(whyOf([other(-6), other(69)])).toEqual(['wait', false]);
    expect(whyOf([other(-4), other(71)])).toEqual(['before', false]);
    // The text goes on, and these days of it do not.
    const reach = { first: START - 1e8, last: START + 1e8 };
    expect(whyOf([other(-6), other(30)], lost, { reach })).toEqual(['inDoubt', true]);
    expect(whyOf([other(-6), other(30)], lost, { reach, to: START + 69 * MINUTE })).toEqual(['wait', false]);
    expect(whyOf([other(0)], lost, { reach, from: START - 4 * MINUTE })).toEqual(['before', false]);
  });

  test('a line without a job may be its, until something is decided about it', () => {
    const late = other(64, { model: 'm' });
    expect(whyOf([other(-6), late, other(71)])).toEqual(['unsure', false]);
    const decisions = new Map([[late.mark, { as: 'keep' as const, jobId: null, at: START }]]);
    expect(whyOf([other(-6), late, other(71)], lost, { decisions })).toEqual(['inDoubt', true]);
    const two = [lost, { ...lost, id: 'b', names: [] }];
    expect(told(compared([other(-6), line(), other(71)], two, { from: START - 1e8 })).slice(3)).toEqual([
      ['onlyLedger', 'a', 'unsure'],
      ['onlyLedger', 'b', 'unsure'],
    ]);
  });

  test('a row that could not be read may be that of what ran then', () => {
    const spansAt = (...minutes: number[]) =>
      minutes.map((at) => ({ from: START + at * MINUTE, to: START + at * MINUTE }));
    const of = (unread: Partial<Reach['unread']>) => ({
      reach: { ...{ first: START - 1e8, last: START + 1e8 }, unread: { nameless: [], named: [], ...unread } },
    });
    for (const which of ['nameless', 'named'] as const) {
      const at = (...minutes: number[]) => of({ [which]: spansAt(...minutes) });
      expect(whyOf([other(0)], lost, at(69))).toEqual(['unsure', false]);
      expect(whyOf([other(0)], lost, at(-71, 71))).toEqual(['inDoubt', true]);
      expect(whyOf([other(0)], job('a'), at(5))).toEqual(['unsure', false]);
      expect(whyOf([other(0)], job('a'), at(6))).toEqual(['notBilled', false]);
    }
    // Where ids of the bill are task ids, what names one is not of a job with another.
    const isTask = line({ remoteId: 'task-b' });
    const both = [job('a'), job('b')];
    const named = of({ named: spansAt(5) });
    expect(told(compared([isTask], both, { from: START - 1e8, ...named })).at(-1)).toEqual([
      'onlyLedger',
      'a',
      'notBilled',
    ]);
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
        fc.record({ as: fc.constantFrom('adopt', 'keep', 'match'), jobId: fc.option(jobId), at: nano }),
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
        asked.flatMap(({ decided }, index) =>
          decided ? [[bill[index]?.mark ?? '', decided as Decision] as const] : [],
        ),
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
