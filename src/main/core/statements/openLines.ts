import { amountsOf, type BillJob, countsOf } from './billJobs.ts';
import type { JobIndex } from './jobIndex.ts';
import type { BillLine } from './readBill.ts';
import { MINUTE_MS } from './times.ts';

const LINES_PER_TURN = 5_000;

/** A line that states no minute, as one of a day, may be what several jobs cost together. */
export const mayBeSum = ({ spanMs }: Pick<BillLine, 'spanMs'>): boolean => spanMs > MINUTE_MS;

type During = { from: number; to: number };

/** Lines that have no job, by what a job is looked up with: so that not each job is compared with each line of its day. */
export class OpenLines {
  private readonly jobs: JobIndex;
  /** By model; by model with an amount, or with units; and, of what may be sums, by model with the size of the amount. */
  private readonly times = new Map<string, Times>();
  private readonly sizes = new Set<number>();

  private constructor(jobs: JobIndex) {
    this.jobs = jobs;
  }

  /** Generates between slices of the work. */
  static *of(lines: readonly BillLine[], jobs: JobIndex): Generator<void, OpenLines> {
    const open = new OpenLines(jobs);
    for (const [at, line] of lines.entries()) {
      if (at % LINES_PER_TURN === LINES_PER_TURN - 1) yield;
      open.add(line);
    }
    yield;
    for (const times of open.times.values()) times.sort();
    return open;
  }

  /** How many may be those of a job in doubt: at any amount. */
  countOfModel(job: BillJob, during: During): number {
    const counts = this.jobs.modelGroupsOf(job).map((group) => this.times.get(group)?.count(during) ?? 0);
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** Whether one is of the job's amount or units. */
  isAnyFit(job: BillJob, during: During): boolean {
    const keys = [...amountsOf(job).map(amountKey), ...countsOf(job).map(unitsKey)];
    const hasOne = (key: string): boolean => (this.times.get(key)?.count(during) ?? 0) > 0;
    return this.jobs.modelGroupsOf(job).some((group) => keys.some((key) => hasOne(group + key)));
  }

  /** Whether the job may be in a sum: one of the size of its charge, or above. */
  isAnySum(job: BillJob, during: During): boolean {
    const least = sizeOf(Math.min(...amountsOf(job).filter((nano) => nano > 0)));
    const sizes = [...this.sizes].filter((size) => size >= least);
    const hasOne = (key: string): boolean => (this.times.get(key)?.count(during) ?? 0) > 0;
    return this.jobs.modelGroupsOf(job).some((group) => sizes.some((size) => hasOne(group + sizeKey(size))));
  }

  private add(line: BillLine): void {
    const { at, spanMs, nano, units } = line;
    const group = this.jobs.modelGroupOf(line);
    const keys = [group, group + amountKey(nano), ...(units === null ? [] : [group + unitsKey(units)])];
    if (mayBeSum(line) && nano > 0) {
      const size = sizeOf(nano);
      this.sizes.add(size);
      keys.push(group + sizeKey(size));
    }
    for (const key of keys) {
      const times = this.times.get(key) ?? new Times();
      times.add(at, at + spanMs);
      this.times.set(key, times);
    }
  }
}

/** Of an amount above zero: those of one size are less than twice as much as each other, so that few sizes are looked up. */
const sizeOf = (nano: number): number => Math.floor(Math.log2(nano));
const sizeKey = (size: number): string => `\n>${size}`;
const amountKey = (nano: number): string => `\n$${nano}`;
const unitsKey = (units: number): string => `\n${units}`;

/** Spans of time; the count of those that touch another one needs no look at each. */
class Times {
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];

  add(start: number, end: number): void {
    this.starts.push(start);
    this.ends.push(end);
  }

  sort(): void {
    this.starts.sort((one, other) => one - other);
    this.ends.sort((one, other) => one - other);
  }

  /** Those that have begun by its end, without those that were over before its start. */
  count({ from, to }: During): number {
    return firstAt(this.starts, (start) => start > to) - firstAt(this.ends, (end) => end >= from);
  }
}

/** The position of the first of which it is true, in a list where it is of all that follow. */
function firstAt(sorted: readonly number[], isTrue: (time: number) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isTrue(sorted[middle] as number)) high = middle;
    else low = middle + 1;
  }
  return low;
}
