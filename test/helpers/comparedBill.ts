import { type Decision, place } from '../../src/main/core/statements/assign.ts';
import type { BillJob } from '../../src/main/core/statements/billJobs.ts';
import { type ComparedLine, compare } from '../../src/main/core/statements/compare.ts';
import { JobIndex } from '../../src/main/core/statements/jobIndex.ts';
import type { Reach } from '../../src/main/core/statements/period.ts';
import type { BillLine } from '../../src/main/core/statements/readBill.ts';

/** Lines of a bill and jobs, by what is said of them, and what comparing them tells. */

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
  quantity: { videos: 1, seconds: 8 },
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
    mark: `mark-${count}`,
    ...fields,
  };
};

export interface Given {
  decisions?: ReadonlyMap<string, Decision>;
  from?: number;
  to?: number;
  reach?: Reach;
  isZoneAssumed?: boolean;
}

export function compared(
  lines: BillLine[],
  jobs: BillJob[],
  { decisions = new Map(), from = START - 1, to = START + 1e9, reach, isZoneAssumed = false }: Given = {},
): ComparedLine[] {
  const sorted = jobs.toSorted((one, other) => one.sentAt - other.sentAt);
  const placed = finished(place(lines, finished(JobIndex.of(sorted)), decisions, { isZoneAssumed }));
  return finished(compare({ lines, jobs: sorted, decisions, placed, from, to, reach })).lines;
}
/** Runs it to its end. */
export function finished<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
export const told = (lines: ComparedLine[]): (string | undefined)[][] =>
  lines.map(({ group, job: of, by, finding }) =>
    [group, of?.id, by ?? finding?.type].filter((one) => one !== undefined),
  );
