import type { BillJob } from '../../src/main/core/statements/billJobs.ts';
import { type ComparisonInput, compare } from '../../src/main/core/statements/compare.ts';
import { type ComparedLine, JobIndex } from '../../src/main/core/statements/match.ts';
import type { BillLine } from '../../src/main/core/statements/readBill.ts';

/** Compares bill lines with jobs, both in short notation. */

export const START: number = Date.UTC(2026, 10, 1);
export const MINUTE = 60_000;

export const job = (id: string, fields: Partial<BillJob> = {}): BillJob => ({
  id,
  kind: 'video',
  model: 'm',
  ids: [`task-${id}`],
  names: [`key-${id}`],
  sentAt: START,
  endedAt: (fields.sentAt ?? START) + 30_000,
  isOver: true,
  isCharged: true,
  chargedNano: 400,
  lowNano: fields.chargedNano ?? 400,
  uncertainNano: 0,
  besidesNano: 0,
  isInDoubt: false,
  isUnpriced: false,
  readings: [fields.chargedNano ?? 400],
  ...fields,
});

let count = 0;
export const line = (fields: Partial<BillLine> = {}): BillLine => {
  count += 1;
  return {
    line: count,
    at: START + 1_000,
    spanMs: 1_000,
    remoteId: '',
    requestKey: '',
    model: 'm',
    units: null,
    nano: 400,
    hash: `mark-${count}`,
    ...fields,
  };
};

/** Runs a generator to its end and returns its result. */
export function outcome<T>(work: Generator<void, T>): T {
  for (let step = work.next(); ; step = work.next()) if (step.done) return step.value;
}

export function compared(lines: BillLine[], jobs: BillJob[], given: Partial<ComparisonInput> = {}): ComparedLine[] {
  const sorted = jobs.toSorted((one, other) => one.sentAt - other.sentAt);
  const work = compare({
    lines,
    index: outcome(JobIndex.of(sorted)),
    decisions: new Map(),
    ofOthers: new Map(),
    isZoneAssumed: false,
    from: START - 1,
    to: START + 1e9,
    ...given,
  });
  return outcome(work);
}

export const told = (lines: ComparedLine[]): (string | undefined)[][] =>
  lines.map(({ group, job: of, by, finding }) =>
    [group, of?.id, by ?? finding?.type].filter((one) => one !== undefined),
  );
