import fc from 'fast-check';
import { expect, test } from 'vitest';
import { job as aJob, line as aLine, finished } from '../../../../test/helpers/comparedBill.ts';
import { fits, place } from './assign.ts';
import type { BillJob } from './billJobs.ts';
import { compare } from './compare.ts';
import { JobIndex } from './jobIndex.ts';
import { OpenLines } from './openLines.ts';
import type { BillLine } from './readBill.ts';

const NOTHING = {
  model: null,
  ids: [],
  names: [],
  sentAt: 0,
  endedAt: 0,
  chargedNano: 0,
  lowNano: 0,
  quantity: {},
  readings: [],
};
const job = (id: number, fields: Partial<BillJob>) => aJob(`${id}`, { ...NOTHING, ...fields });
const line = (at: number, fields: Partial<BillLine>) =>
  aLine({ line: at, at, spanMs: 0, model: '', mark: `mark-${at}`, ...fields });

test('what is looked up is what a look at each line finds', () => {
  const nano = fc.constantFrom(0, 100, 400);
  const time = fc.integer({ min: 0, max: 20 });
  const lines = fc.array(
    fc.record({
      model: fc.constantFrom('', 'm', 'video', 'other'),
      at: time,
      spanMs: fc.constantFrom(0, 3, 20),
      units: fc.constantFrom(null, 0, 4, 8),
      nano,
    }),
    { maxLength: 12 },
  );
  const jobs = fc.array(
    fc.record({
      model: fc.constantFrom(null, 'm', 'n', 'video'),
      chargedNano: nano,
      lowNano: nano,
      besidesNano: fc.constantFrom(0, 300),
      readings: fc.array(nano, { maxLength: 2 }),
      quantity: fc.constantFrom({}, { seconds: 4 }, { inputTokens: 4, outputTokens: 4 }),
    }),
    { minLength: 1, maxLength: 4 },
  );
  fc.assert(
    fc.property(lines, jobs, time, time, (asked, made, one, other) => {
      const during = { from: Math.min(one, other), to: Math.max(one, other) };
      const index = finished(JobIndex.of(made.map((fields, id) => job(id, fields))));
      const bill = asked.map((fields) => line(fields.at, fields));
      const open = finished(OpenLines.of(bill, index));
      for (const of of index.byId.values()) {
        const near = bill.filter(
          (some) => index.isModelOf(some, of) && some.at <= during.to && some.at + some.spanMs >= during.from,
        );
        expect(open.countOfModel(of, during)).toBe(near.length);
        expect(open.isAnyFit(of, during)).toBe(near.some((some) => fits(some, of)));
      }
    }),
    { numRuns: 500 },
  );
});

test('a line is not looked at for each job of its day', () => {
  const DAY = 86_400_000;
  const jobs = Array.from({ length: 1_000 }, (_, at) => job(at, { sentAt: at * 60_000, chargedNano: 7, lowNano: 7 }));
  let looks = 0;
  const look = (): number => {
    looks += 1;
    return DAY;
  };
  const lines = jobs.map((_, at) => {
    const bill = line(0, { line: at, mark: `mark-${at}` });
    return Object.defineProperty(bill, 'spanMs', { get: look });
  });
  const decisions = new Map();
  const placed = finished(place(lines, finished(JobIndex.of(jobs)), decisions));
  const reach = { first: -DAY, last: 3 * DAY };
  const { lines: found } = finished(compare({ lines, jobs, decisions, placed, from: -DAY, to: 3 * DAY, reach }));
  expect(found.filter(({ finding }) => finding?.type === 'unsure')).toHaveLength(1_000);
  expect(looks).toBeLessThan(20 * lines.length);
});

test('what was in a cache is a part of the prompt, and no count of a line', () => {
  const chat = job(1, { quantity: { inputTokens: 100, outputTokens: 20, cachedTokens: 80, cacheWriteTokens: 10 } });
  expect([120, 20, 80, 10].map((units) => fits(line(1, { units, nano: 1 }), chat))).toEqual([true, true, false, false]);
});
