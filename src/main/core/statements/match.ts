import type { Nano } from '../../../shared/money/money.ts';
import type { LineFinding, LineGroup, MatchedBy } from '../../../shared/money/statement/statement.ts';
import {
  amountsOf,
  apartOf,
  type BillJob,
  LONGEST_RUN_MS,
  lineTimes,
  NEAR_MS,
  namesOf,
  type OtherJob,
} from './billJobs.ts';
import { DAY_MS } from './cells.ts';
import type { BillLine } from './readBill.ts';
import type { DecisionRow } from './statementTable.ts';

/** Assigns the lines of a bill to jobs: by the user's decision, then by id or key, then by amount and nearest time. */

export interface ComparedLine {
  id: string;
  hash: string;
  group: LineGroup;
  at: number;
  /** For a line that covers a day or more: its first day. */
  day?: string;
  /** Absent for an entry of the ledger. */
  bill?: BillLine;
  /** The job of another gateway profile whose id the line has. */
  other?: OtherJob;
  /** The matched job; for a line that is only on the bill, the job that it may belong to. */
  job?: BillJob;
  /** For an entry of the ledger: whether it is a charge or an unconfirmed amount. */
  part?: 'charge' | 'doubt';
  ledgerNano?: Nano;
  by?: MatchedBy;
  finding?: LineFinding;
  isClear?: boolean;
  /** The line matches the lower price; the higher one was charged. */
  isCheaper?: boolean;
  /** The sum of all lines of its job, without those entered on top of its charge. */
  jobNano?: Nano;
  /** The line was entered earlier with another amount, which must be taken back first. */
  isEnteredOtherwise?: true;
}

/** A line of the bill. */
export type OfBill = ComparedLine & { bill: BillLine };

type Assigned = Required<Pick<ComparedLine, 'job' | 'by'>>;

/** The decisions in force, by the hash of the line. */
export type Decisions = ReadonlyMap<string, Pick<DecisionRow, 'as' | 'jobId' | 'done' | 'at'>>;

export interface Matched {
  /** Lines with job ids are hours from their jobs. */
  isOtherZone: boolean;
  /** Lines are matched by id only, not by time. */
  isZoneUnknown: boolean;
}

export interface KnownMatches {
  decisions: Decisions;
  /** Jobs of other profiles, by the hash of the line that names them. */
  ofOthers: ReadonlyMap<string, OtherJob>;
  /** Times state no zone, and the user has chosen none. */
  isZoneAssumed: boolean;
  /** Remembered from an earlier bill, perhaps in daylight saving time. */
  isZoneRemembered?: boolean;
  /** Lines outside the chosen days contradict the zone. */
  isOtherZone?: boolean | undefined;
}

/** No line is compared with more jobs than this. */
const MAX_COMPARED = 500;

type JobsByAmount = ReadonlyMap<Nano, readonly BillJob[]>;

/** Jobs by their ids and names, by their amounts, and by when they ran. */
export class JobIndex {
  readonly byId = new Map<string, BillJob>();
  /** Unconfirmed jobs, by sending time. */
  readonly doubts: BillJob[] = [];
  readonly jobs: readonly BillJob[];
  private readonly byTask = new Map<string, BillJob>();
  private readonly byName = new Map<string, BillJob>();
  private readonly byAmount = new Map<Nano, BillJob[]>();
  /** Models that jobs name. */
  private readonly models = new Set<string>();

  private constructor(jobs: readonly BillJob[]) {
    this.jobs = jobs;
  }

  /** `jobs`: in the order in which they were sent. */
  static *of(jobs: readonly BillJob[]): Generator<void, JobIndex> {
    const index = new JobIndex(jobs);
    for (const job of jobs) {
      yield;
      index.add(job);
    }
    return index;
  }

  private add(job: BillJob): void {
    this.byId.set(job.id, job);
    for (const id of namesOf(...job.ids)) setOnce(this.byTask, id, job);
    for (const name of job.names) setOnce(this.byName, name, job);
    if (job.model !== null) this.models.add(job.model);
    if (job.isInDoubt) this.doubts.push(job);
    for (const nano of new Set(job.isCharged ? amountsOf(job) : [])) {
      const same = this.byAmount.get(nano);
      if (same) same.push(job);
      else this.byAmount.set(nano, [job]);
    }
  }

  /** The job with an id that the line states, whether or not time and amount fit. */
  named({ remoteId, requestKey }: Pick<BillLine, 'remoteId' | 'requestKey'>): Assigned | undefined {
    const stated = [remoteId, requestKey].filter((name) => name !== '');
    const task = namesOf(...stated)
      .map((id) => this.byTask.get(id))
      .find((job) => job !== undefined);
    if (task) return { job: task, by: 'id' };
    const named = stated.map((name) => this.byName.get(name)).find((job) => job !== undefined);
    return named && { job: named, by: 'key' };
  }

  /** Jobs with the line's amount, certain or possible, and its model, that ran near its time. */
  *sameAmount(line: BillLine, byAmount: JobsByAmount = this.byAmount): Generator<BillJob, void> {
    for (const job of nearOf(byAmount.get(line.nano) ?? [], line, NEAR_MS)) if (this.isModelOf(line, job)) yield job;
  }

  /** Jobs without a line, by amount; `take` removes one, so that it is not compared again. */
  openJobs(taken: ReadonlySet<BillJob | undefined>): { byAmount: JobsByAmount; take(job: BillJob): void } {
    const byAmount = new Map([...this.byAmount].map(([nano, jobs]) => [nano, jobs.filter((job) => !taken.has(job))]));
    const take = (job: BillJob): void => {
      for (const nano of new Set(amountsOf(job))) {
        const jobs = byAmount.get(nano) ?? [];
        const at = jobs.lastIndexOf(
          job,
          firstAt(jobs, ({ sentAt }) => sentAt > job.sentAt),
        );
        if (at >= 0) jobs.splice(at, 1);
      }
    };
    return { byAmount, take };
  }

  /** Whether the job may have the line's model. A job without a model, such as a picture, may have any that no other job names. */
  isModelOf({ model }: Pick<BillLine, 'model'>, job: BillJob): boolean {
    if (model === '') return true;
    return job.model === null ? model === job.kind || !this.models.has(model) : job.model === model;
  }
}

function setOnce(map: Map<string, BillJob>, name: string, job: BillJob): void {
  if (name !== '' && !map.has(name)) map.set(name, job);
}

/** Jobs that ran within this time of a line, of jobs sorted by sending time; if there are very many, those sent nearest to it. */
export function* nearOf(
  jobs: readonly BillJob[],
  line: Pick<BillLine, 'at' | 'spanMs'>,
  withinMs: number,
): Generator<BillJob, void> {
  const end = line.at + line.spanMs;
  const later = firstAt(jobs, ({ sentAt }) => sentAt > end);
  const since = line.at - withinMs - LONGEST_RUN_MS;
  for (let at = later - 1; at >= Math.max(0, later - MAX_COMPARED); at -= 1) {
    const job = jobs[at] as BillJob;
    if (job.sentAt < since) break;
    if (apartOf(line, job) <= withinMs) yield job;
  }
  for (const job of jobs.slice(later, later + MAX_COMPARED)) {
    if (job.sentAt > end + withinMs) return;
    yield job;
  }
}

/** The index of the first item for which the condition holds, in a list where it then holds for all later ones. */
export function firstAt<T>(sorted: readonly T[], isTrue: (one: T) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isTrue(sorted[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Matches lines to jobs. */
export function* match(lines: readonly OfBill[], index: JobIndex, given: KnownMatches): Generator<void, Matched> {
  for (const line of lines) {
    yield;
    Object.assign(line, decidedJob(line.bill, index, given.decisions) ?? index.named(line.bill));
  }
  const isOtherZone = given.isOtherZone === true || lines.some(isHoursOff);
  const isZoneUnknown = given.isZoneAssumed || (given.isZoneRemembered === true && isOtherZone);
  if (!isZoneUnknown) yield* matchNear(lines, index, given.decisions);
  return { isOtherZone, isZoneUnknown };
}

/** A line with a job id that is hours from the job: the time zone is wrong. */
export function isHoursOff({ bill, job, by }: Pick<OfBill, 'bill'> & Partial<Assigned>): boolean {
  if (!job || by !== 'id' || bill.nano <= 0) return false;
  const { from, to } = lineTimes(job);
  const apartMs = Math.max(from - (bill.at + bill.spanMs), bill.at - to);
  return apartMs > 0 && apartMs < DAY_MS;
}

/** Matches by amount and nearest time; each charged job without a line is used once. */
function* matchNear(lines: readonly OfBill[], index: JobIndex, decisions: Decisions): Generator<void, void> {
  const open = index.openJobs(new Set(lines.map(({ job }) => job)));
  // If ids on the bill are task ids, a line with an unknown id cannot belong to a job with a known task. Otherwise the ids only number the
  // lines.
  const areTasks = lines.some(({ by }) => by === 'id');
  // Jobs charged with the very amount come before those that would match in another interpretation of their price.
  for (const isCharge of [true, false])
    for (const line of lines) {
      yield;
      const { bill } = line;
      if (line.job || line.other || bill.nano === 0 || decisions.has(bill.hash)) continue;
      const isNamed = areTasks && bill.remoteId !== '';
      const isOpen = (job: BillJob): boolean =>
        !(isNamed && job.ids.length > 0) && (!isCharge || chargeOf(job) === bill.nano);
      const job = nearest(bill, index.sameAmount(bill, open.byAmount), isOpen);
      if (!job) continue;
      Object.assign(line, { job, by: 'near' } satisfies Assigned);
      open.take(job);
    }
}

const chargeOf = ({ chargedNano, besidesNano }: BillJob): Nano => chargedNano - besidesNano;

/** A line that the user decided to keep stays with the job that it differs from. */
function decidedJob(line: BillLine, index: JobIndex, decisions: Decisions): Assigned | undefined {
  const job = index.byId.get(decisions.get(line.hash)?.jobId ?? '');
  const named = job && index.named(line);
  return named?.job === job ? named : job && { job, by: 'user' };
}

function nearest(line: BillLine, jobs: Iterable<BillJob>, isOpen: (job: BillJob) => boolean): BillJob | undefined {
  let best: BillJob | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const job of jobs) {
    const apartMs = apartOf(line, job);
    if (apartMs >= least || !isOpen(job)) continue;
    [best, least] = [job, apartMs];
    if (apartMs === 0) break;
  }
  return best;
}
