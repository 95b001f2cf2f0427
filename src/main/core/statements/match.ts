import type { Nano } from '../../../shared/money/money.ts';
import type { MatchedBy, StatementLine } from '../../../shared/money/statement/statement.ts';
import { amountsOf, apartOf, type BillJob, LONGEST_RUN_MS, NEAR_MS, namesOf, type OtherJob } from './billJobs.ts';
import type { BillLine } from './readBill.ts';
import type { DecisionRow } from './table.ts';

/** Which job each line of a bill belongs to: by what the user said, then by its id or key, then by its amount and the nearest time. */

export interface Assigned {
  job: BillJob;
  by: MatchedBy;
}

/** In force, by the mark of the line. */
export type Decisions = ReadonlyMap<string, Pick<DecisionRow, 'as' | 'jobId' | 'done' | 'at'>>;

export interface Matched {
  index: JobIndex;
  /** By the position of the line. */
  assigned: readonly (Assigned | undefined)[];
  /** The positions of each job's lines. */
  groups: ReadonlyMap<BillJob, readonly number[]>;
}

export interface Given {
  decisions: Decisions;
  /** By the mark of a line that names one. */
  ofOthers: ReadonlyMap<string, OtherJob>;
  /** Times state no zone, and the user has chosen none: no line is found by its time. */
  isZoneAssumed: boolean;
}

/** Work between two turns of the event loop. */
export const JOBS_PER_TURN = 5_000;
export const LINES_PER_TURN = 500;
/** Each may be compared with thousands of jobs. */
const COMPARED_PER_TURN = 10;
/** No line is compared with more jobs than this. */
const MAX_COMPARED = 500;

type JobsByAmount = ReadonlyMap<Nano, readonly BillJob[]>;

/** Jobs by their ids and names, by their amounts, and by when they ran. */
export class JobIndex {
  readonly byId = new Map<string, BillJob>();
  /** What is in doubt, in the order in which it was sent. */
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

  /** `jobs`: in the order in which they were sent. Generates between slices of the work. */
  static *of(jobs: readonly BillJob[]): Generator<void, JobIndex> {
    const index = new JobIndex(jobs);
    for (const [at, job] of jobs.entries()) {
      if (at % JOBS_PER_TURN === JOBS_PER_TURN - 1) yield;
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

  /** By what it states, not by what fits. */
  named({ remoteId, requestKey }: Pick<BillLine, 'remoteId' | 'requestKey'>): Assigned | undefined {
    const stated = [remoteId, requestKey].filter((name) => name !== '');
    const task = namesOf(...stated)
      .map((id) => this.byTask.get(id))
      .find((job) => job !== undefined);
    if (task) return { job: task, by: 'id' };
    const named = stated.map((name) => this.byName.get(name)).find((job) => job !== undefined);
    return named && { job: named, by: 'key' };
  }

  /** Jobs that are charged the line's amount, or may be, and of its model, that ran near it. */
  *sameAmount(line: BillLine, byAmount: JobsByAmount = this.byAmount): Generator<BillJob, void> {
    for (const job of nearOf(byAmount.get(line.nano) ?? [], line, NEAR_MS)) if (this.isModelOf(line, job)) yield job;
  }

  /** Jobs by their amounts, but those that have a line; `take` removes one, so that no line is compared with it. */
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

  /** A job without a model is of any that no other job names: pictures are ordered without one. */
  isModelOf({ model }: Pick<BillLine, 'model'>, job: BillJob): boolean {
    if (model === '') return true;
    return job.model === null ? model === job.kind || !this.models.has(model) : job.model === model;
  }
}

function setOnce(map: Map<string, BillJob>, name: string, job: BillJob): void {
  if (name !== '' && !map.has(name)) map.set(name, job);
}

/** Of jobs in the order in which they were sent, those that ran within this time of a line; of very many, those that were sent nearest to it. */
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

/** The position of the first of which it is true, in a list where it is of all that follow. */
export function firstAt<T>(sorted: readonly T[], isTrue: (one: T) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isTrue(sorted[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Generates between slices of the work. */
export function* match(lines: readonly BillLine[], jobs: readonly BillJob[], given: Given): Generator<void, Matched> {
  const index = yield* JobIndex.of(jobs);
  const assigned: (Assigned | undefined)[] = [];
  for (const [at, line] of lines.entries()) {
    if (at % LINES_PER_TURN === LINES_PER_TURN - 1) yield;
    assigned.push(decidedJob(line, index, given.decisions) ?? index.named(line));
  }
  if (!given.isZoneAssumed) yield* matchNear(lines, index, { ...given, assigned });
  return { index, assigned, groups: groupsOf(assigned) };
}

/** By amount and the nearest time: charged jobs without a line, each once. */
function* matchNear(
  lines: readonly BillLine[],
  index: JobIndex,
  { assigned, decisions, ofOthers }: Given & { assigned: (Assigned | undefined)[] },
): Generator<void, void> {
  const open = index.openJobs(new Set(assigned.map((one) => one?.job)));
  // Where ids of the bill are task ids, one that no job has belongs to none whose task is known; elsewhere they number its lines.
  const areTasks = assigned.some((one) => one?.by === 'id');
  // What is charged that amount, before what would be at another reading of its price.
  for (const isCharge of [true, false])
    for (const [at, line] of lines.entries()) {
      if (at % COMPARED_PER_TURN === COMPARED_PER_TURN - 1) yield;
      if (assigned[at] || line.nano === 0 || decisions.has(line.mark) || ofOthers.has(line.mark)) continue;
      const isNamed = areTasks && line.remoteId !== '';
      const isOpen = (job: BillJob): boolean =>
        !(isNamed && job.ids.length > 0) && (!isCharge || chargeOf(job) === line.nano);
      const job = nearest(line, index.sameAmount(line, open.byAmount), isOpen);
      if (!job) continue;
      assigned[at] = { job, by: 'near' };
      open.take(job);
    }
}

const chargeOf = ({ chargedNano, besidesNano }: BillJob): Nano => chargedNano - besidesNano;

/** A line that is kept as it is stays with the job that it differs from. */
function decidedJob(line: BillLine, index: JobIndex, decisions: Decisions): Assigned | undefined {
  const job = index.byId.get(decisions.get(line.mark)?.jobId ?? '');
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

function groupsOf(assigned: readonly (Assigned | undefined)[]): Map<BillJob, number[]> {
  const groups = new Map<BillJob, number[]>();
  for (const [at, one] of assigned.entries()) {
    const group = one && groups.get(one.job);
    if (group) group.push(at);
    else if (one) groups.set(one.job, [at]);
  }
  return groups;
}

/** The lines of a bill that another export of it says in other words: in another order of columns, with more of them, or in other numbers. */

/** A line as it was shown when it was decided, with what the bill said. */
export type ShownLine = StatementLine & { said: Pick<BillLine, 'remoteId' | 'requestKey' | 'model'> };

/** A decision about a line that has another mark here, if it is here. */
interface Elsewhere {
  decision: DecisionRow;
  shown: ShownLine;
}

const timeAndAmount = (at: number, nano: number | undefined): string => `${at} ${nano}`;
/** The row that a mark is of, and which of those that say the same. */
const partsOf = (mark: string): string[] => mark.split('#');

/** Decisions under marks that this bill does not have, where it has a line of the same time and amount. */
export function decidedElsewhere(
  decisions: readonly DecisionRow[],
  lines: readonly BillLine[],
  marks: ReadonlySet<string>,
): Elsewhere[] {
  const gone = decisions
    .filter(({ mark }) => !marks.has(mark))
    .map((decision) => ({ decision, shown: JSON.parse(decision.shown) as ShownLine }));
  const times = new Set(gone.map(({ shown }) => shown.at));
  const then = lines.filter(({ at }) => times.has(at));
  const said = new Set(then.map(({ at, nano }) => timeAndAmount(at, nano)));
  return gone.filter(({ shown }) => said.has(timeAndAmount(shown.at, shown.billNano)));
}

/** Their marks here, by their own: of each the line that names its job, or else one that names no other. */
export function* marksHere(
  elsewhere: readonly Elsewhere[],
  { lines, decided, jobs }: { lines: readonly BillLine[]; decided: ReadonlySet<string>; jobs: readonly BillJob[] },
): Generator<void, Map<string, string>> {
  const found = new Map<string, string>();
  if (elsewhere.length === 0) return found;
  const index = yield* JobIndex.of(jobs);
  const areNamed = lines.some(({ remoteId, requestKey }) => remoteId + requestKey !== '');
  const open = openLines(elsewhere, lines, decided);
  const taken = new Set<string>();
  for (const one of elsewhere) {
    yield;
    const { decision, shown } = one;
    const key = timeAndAmount(shown.at, shown.billNano);
    const job = index.byId.get(decision.jobId ?? '');
    const then = namesOf(shown.said.remoteId, shown.said.requestKey);
    const names = [...then, ...(job ? namesOf(...job.ids, ...job.names) : [])];
    const named = names.flatMap((name) => open.get(`${key}\n${name}`) ?? []);
    const others = then.length > 0 && areNamed ? [] : (open.get(key) ?? []);
    const rank = (isNamed: boolean) => (line: BillLine) =>
      taken.has(line.mark) ? undefined : rankOf(line, one, index, isNamed);
    const line = likest(named, rank(true)) ?? likest(others, rank(false));
    if (!line) continue;
    taken.add(line.mark);
    found.set(decision.mark, line.mark);
  }
  return found;
}

/** Lines without a decision, by their time and amount, and by each of their names. */
function openLines(
  elsewhere: readonly Elsewhere[],
  lines: readonly BillLine[],
  decided: ReadonlySet<string>,
): ReadonlyMap<string, readonly BillLine[]> {
  const said = new Set(elsewhere.map(({ shown }) => timeAndAmount(shown.at, shown.billNano)));
  const open = new Map<string, BillLine[]>();
  for (const line of lines) {
    const key = timeAndAmount(line.at, line.nano);
    if (decided.has(line.mark) || !said.has(key)) continue;
    const names = new Set(namesOf(line.remoteId, line.requestKey));
    for (const of of [key, ...[...names].map((name) => `${key}\n${name}`)]) {
      const known = open.get(of);
      if (known) known.push(line);
      else open.set(of, [line]);
    }
  }
  return open;
}

/** The first of the lowest rank. */
function likest(lines: readonly BillLine[], rank: (line: BillLine) => number | undefined): BillLine | undefined {
  let found: BillLine | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    const one = rank(line) ?? Number.POSITIVE_INFINITY;
    if (one < least) [found, least] = [line, one];
    if (least === 0) break;
  }
  return found;
}

/** How well a line is the one that was decided about; undefined if it is another. One of the same words is another, by its number. */
function rankOf(line: BillLine, { decision, shown: { said } }: Elsewhere, index: JobIndex, isNamed: boolean) {
  const [row, again] = partsOf(line.mark);
  const [rowThen, againThen] = partsOf(decision.mark);
  const isModel = line.model === '' || said.model === '' || line.model === said.model;
  if (row === rowThen || !isModel) return undefined;
  const jobId = index.named(line)?.job.id ?? null;
  const least = again === againThen ? 0 : 0.5;
  if (jobId === decision.jobId) return least;
  if (jobId === null) return least + 1;
  return isNamed || decision.jobId === null ? least + 2 : undefined;
}
