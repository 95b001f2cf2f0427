import type { Nano } from '../../../shared/money/money.ts';
import type { LineFinding, LineGroup, MatchedBy } from '../../../shared/money/statement/statement.ts';
import { apartOf, type Decisions, fits, type OtherJob, type Placed } from './assign.ts';
import { type BillJob, isReadingOf, lineTimes, NEAR_MS } from './billJobs.ts';
import { type Assigned, type JobIndex, MAX_COMPARED } from './jobIndex.ts';
import { mayBeSum, OpenLines } from './openLines.ts';
import { type Reach, reachOf } from './period.ts';
import type { BillLine } from './readBill.ts';
import { DAY_MS, dayIn, ZONE_MS } from './times.ts';
import { isUnreadThen } from './unread.ts';

/** A bill beside the ledger: each line in one group, and what the ledger has in the period without a line. */

export interface ComparedLine {
  id: string;
  mark: string;
  group: LineGroup;
  at: number;
  /** Of a line of a day or more: the day that it says, or begins on. */
  day?: string;
  /** Absent for an entry of the ledger. */
  bill?: BillLine;
  /** The job of another profile that it names. */
  other?: OtherJob;
  /** Its job; of a line that is on the bill only, the one that it may belong to. */
  job?: BillJob;
  /** For an entry of the ledger: its charge, or what is in doubt. */
  part?: 'charge' | 'doubt';
  ledgerNano?: Nano;
  by?: MatchedBy;
  finding?: LineFinding;
  isClear?: boolean;
  /** It agrees with the cheaper reading of a price that is charged at the dearer. */
  isCheaper?: boolean;
  /** All lines of its job together, but those that were entered besides its charge, which are in `enteredNano`. */
  jobNano?: Nano;
  enteredNano?: Nano;
}

export interface Comparison {
  /** Lines of the bill in its order, then entries of the ledger by time. */
  lines: ComparedLine[];
}

export interface Compared {
  lines: readonly BillLine[];
  /** In the order in which they were sent. */
  jobs: readonly BillJob[];
  decisions: Decisions;
  /** Where these lines belong to. */
  placed: Placed;
  from: number;
  to: number;
  /** Of the text; without it, of these lines. */
  reach?: Reach | undefined;
  /** The marks of lines that were entered besides the charge of their job. */
  entered?: ReadonlySet<string>;
  /** What each earlier bill has for a job. */
  earlier?: ReadonlyMap<BillJob, readonly Nano[]>;
  /** Of the days of the bill, in minutes. */
  zoneMinutes?: number | undefined;
}

const PER_TURN = 500;
const JOBS_PER_TURN = 5_000;
/** Each is compared with thousands of jobs where so many were sent within minutes. */
const SUGGESTED_PER_TURN = 5;
/** A line with nothing sent so near is from elsewhere. */
const NOTHING_NEAR_MS = 60 * 60_000;
/** In minutes. Days of several zones, as over the end of summer time, begin on their own date in this one, from UTC -10 to +13. */
const DAYS_OF_ANY_ZONE = 13 * 60;
const NONE: ReadonlySet<string> = new Set();

/** Generates between slices of the work. */
export function* compare({ lines, jobs, decisions, ...others }: Compared): Generator<void, Comparison> {
  const { placed, from, to } = others;
  const { index, assigned, groups } = placed;
  const compared: ComparedLine[] = [];
  for (const [at, line] of lines.entries()) {
    if (at % PER_TURN === PER_TURN - 1) yield;
    compared.push(unassigned(line, others.zoneMinutes, placed.ofOthers));
  }
  const { entered = NONE, earlier } = others;
  let turn = 0;
  for (const [job, of] of groups) {
    turn += of.length;
    if (turn > PER_TURN) yield;
    if (turn > PER_TURN) turn = 0;
    for (const { at, result } of compareJob(job, of, { lines, decisions, entered, earlier: earlier?.get(job) })) {
      const by = assigned[at] as Assigned;
      compared[at] = { ...(compared[at] as ComparedLine), ...result, job, by: by.by };
    }
  }
  yield* suggest(compared, { index, groups, decisions, isZoneAssumed: placed.isZoneAssumed });
  yield;
  const around = yield* aroundOf(compared, others.reach ?? reachOf(lines), { from, to, placed, decisions });
  yield;
  yield* addLedgerOnly(compared, jobs, around);
  return { lines: compared };
}

const unassigned = (bill: BillLine, zoneMinutes: number | undefined, ofOthers: Placed['ofOthers']): ComparedLine => ({
  id: `b${bill.line}`,
  mark: bill.mark,
  group: 'onlyBill',
  at: bill.at,
  ...(bill.spanMs < DAY_MS
    ? {}
    : { day: dayIn(bill.at, zoneMinutes ?? (bill.at % DAY_MS === 0 ? 0 : DAYS_OF_ANY_ZONE)) }),
  bill,
  ...(ofOthers.has(bill.mark) ? { other: ofOthers.get(bill.mark) as OtherJob } : {}),
});

type Result = Pick<ComparedLine, 'group'> & Partial<ComparedLine>;

interface JobLines extends Pick<Compared, 'lines' | 'decisions'> {
  entered: ReadonlySet<string>;
  /** What each earlier bill has for the job. */
  earlier: readonly Nano[] | undefined;
}

type Results = { at: number; result: Result }[];

/**
 * The lines of one job together. What was entered besides its charge agrees. If an earlier bill has the charge already, all others are on
 * this one besides.
 */
function compareJob(
  job: BillJob,
  at: readonly number[],
  { lines, decisions, entered, earlier = [] }: JobLines,
): Results {
  const nanoOf = (index: number): Nano => lines[index]?.nano ?? 0;
  const sumOf = (some: readonly number[]): Nano => some.reduce((sum, index) => sum + nanoOf(index), 0);
  const isEntered = (index: number): boolean => entered.has(lines[index]?.mark ?? '');
  const [extra, rest] = [at.filter(isEntered), at.filter((index) => !isEntered(index))];
  const enteredNano = sumOf(extra);
  const own = { ...job, besidesNano: job.besidesNano + enteredNano };
  const agreed = extra.map((index) => ({ at: index, result: enteredLine(nanoOf(index)) }));
  if (earlier.some((nano) => nano > 0 && agrees(own, nano))) {
    const more = (nano: Nano): Result => (nano === 0 ? enteredLine(0) : besides(own, nano));
    return [...agreed, ...rest.map((index) => ({ at: index, result: more(nanoOf(index)) }))];
  }
  if (extra.length === 0 || agrees(job, sumOf(at))) return compareCharge(job, at, { lines, decisions });
  const others = rest.length === 0 ? [] : compareCharge(own, rest, { lines, decisions });
  return [...agreed, ...others.map(({ at: index, result }) => ({ at: index, result: { ...result, enteredNano } }))];
}

/** Entered once, it agrees for ever, whatever else its job is charged. */
const enteredLine = (nano: Nano): Result => ({ group: 'matched', ledgerNano: nano });

/**
 * If the sum of the lines is a reading of the charge, all of them agree. Otherwise one line may, and the others are on the bill besides; or
 * the amount differs.
 */
function compareCharge(
  job: BillJob,
  at: readonly number[],
  { lines, decisions }: Pick<Compared, 'lines' | 'decisions'>,
): Results {
  const nanoOf = (index: number): Nano => lines[index]?.nano ?? 0;
  const jobNano = at.reduce((sum, index) => sum + nanoOf(index), 0);
  const all = (result: Result) => at.map((index) => ({ at: index, result: { ...result, jobNano } }));
  if (agrees(job, jobNano)) return all({ ...agreement(job, jobNano), group: 'matched' }).map(firstHolds(job));
  // What it is charged stands on another bill.
  if (jobNano < 0 && job.isCharged)
    return at.map((index) => ({ at: index, result: refundOf(job, lines[index], decisions) }));
  const one = at.length > 1 ? at.find((index) => agrees(job, nanoOf(index))) : undefined;
  if (one === undefined) {
    const clear = job.isOver && at.length === 1 && (jobNano >= 0 || !isOnlyInDoubt(job));
    return all({ group: 'differs', finding: findingOf(job), isClear: clear }).map(firstHolds(job));
  }
  return at.map((index) => {
    if (index !== one) return { at: index, result: besides(job, nanoOf(index)) };
    const nano = nanoOf(index);
    return {
      at: index,
      result: {
        ...agreement(job, nano),
        group: 'matched',
        ledgerNano: job.chargedNano - job.besidesNano,
        jobNano: nano,
      },
    };
  });
}

const isOnlyInDoubt = (job: BillJob): boolean => !job.isCharged && job.isInDoubt;

const agrees = (job: BillJob, nano: Nano): boolean =>
  !isOnlyInDoubt(job) && !job.isUnpriced && job.isOver && isReadingOf(job, nano);

/** What a job is charged stands beside the first of its lines. */
const firstHolds =
  (job: BillJob) =>
  ({ at, result }: { at: number; result: Result }, position: number) => ({
    at,
    result: { ...result, ledgerNano: position === 0 ? job.chargedNano - job.besidesNano : 0 },
  });

const agreement = (job: BillJob, nano: Nano): Partial<ComparedLine> =>
  nano === job.chargedNano - job.besidesNano ? {} : { isCheaper: true };

const findingOf = (job: BillJob): LineFinding => {
  if (!job.isOver) return { type: 'running' };
  return { type: isOnlyInDoubt(job) ? 'doubt' : 'noReading' };
};

const besides = (job: BillJob, nano: Nano): Result => {
  const type = nano < 0 ? 'refund' : job.isInDoubt ? 'doubt' : 'twice';
  return { group: 'onlyBill', finding: { type, apartMs: 0 }, isClear: type === 'refund' };
};

/** A line besides the charge: on the bill only, until it is entered. */
function refundOf(job: BillJob, line: BillLine | undefined, decisions: Decisions): Result {
  const nano = line?.nano ?? 0;
  const decision = decisions.get(line?.mark ?? '');
  const isEntered = decision?.as === 'adopt' && decision.jobId === job.id;
  if (nano !== 0 && !isEntered) return besides(job, nano);
  return enteredLine(nano);
}

interface Known {
  index: JobIndex;
  groups: ReadonlyMap<BillJob, readonly number[]>;
  decisions: Decisions;
}

/** For lines without a job: what fits, and whether anything was sent near them. */
function* suggest(
  compared: ComparedLine[],
  { index, groups, decisions, isZoneAssumed }: Known & Pick<Placed, 'isZoneAssumed'>,
): Generator<void, void> {
  const others = yield* openLines(compared, { index, decisions }, ({ job, other }) => !job && !other);
  const isFree = (job: BillJob): boolean => !groups.has(job);
  let turn = 0;
  for (const line of compared) {
    turn += 1;
    if (turn % SUGGESTED_PER_TURN === 0) yield;
    const { bill } = line;
    if (!bill || line.job) continue;
    const decision = decisions.get(line.mark);
    if (bill.nano === 0 || decision?.as === 'adopt')
      Object.assign(line, { group: 'matched', ledgerNano: bill.nano, jobNano: bill.nano, by: 'user' });
    else if (line.other) line.finding = { type: 'otherProfile' };
    else if (isZoneAssumed) line.finding = findingInAnyZone(bill, index);
    else Object.assign(line, suggestionFor(bill, { index, isFree, others }));
  }
}

/** Of a line whose zone nobody knows: which job it is of, its time does not say. */
function findingInAnyZone(bill: BillLine, index: JobIndex): LineFinding {
  const [any] = index.near(bill, NOTHING_NEAR_MS + ZONE_MS);
  return { type: any ? 'zone' : 'nothingNear' };
}

/** Lines with an amount, no decision, and of these. */
function* openLines(
  compared: readonly ComparedLine[],
  { index, decisions }: Pick<Known, 'index' | 'decisions'>,
  isOpen: (line: ComparedLine) => boolean,
): Generator<void, OpenLines> {
  const lines = compared.flatMap((line) =>
    line.bill && line.bill.nano > 0 && isOpen(line) && !decisions.has(line.mark) ? [line.bill] : [],
  );
  return yield* OpenLines.of(lines, index);
}

function suggestionFor(
  bill: BillLine,
  { index, isFree, others }: { index: JobIndex; isFree(job: BillJob): boolean; others: OpenLines },
): Partial<ComparedLine> {
  const all = [...index.near(bill, NEAR_MS)];
  // What else there is was not looked at.
  if (all.length > MAX_COMPARED) return { finding: { type: 'several' } };
  const near = all.filter((job) => index.isModelOf(bill, job) && isFree(job));
  const isOpen = (job: BillJob): boolean => isOnlyInDoubt(job) || (job.isInDoubt && job.uncertainNano > 0);
  const open = near.filter(isOpen);
  const [job] = open;
  if (job && open.length === 1 && bill.nano > 0) {
    const during = { from: job.sentAt - NEAR_MS, to: job.endedAt + NEAR_MS };
    const isAnothers = (other: BillJob): boolean => other !== job && (mayBeSum(bill) || fits(bill, other));
    const isOnly = !near.some(isAnothers) && others.countOfModel(job, during) === 1;
    const isClear = job.isOver && isOnly && isCovered(bill, job);
    return { job, finding: { type: 'doubt', apartMs: apartOf(bill, job) }, isClear };
  }
  // What is in doubt may be billed at any amount.
  const count = near.filter((job) => isOpen(job) || fits(bill, job)).length;
  if (count > 1) return { finding: { type: 'several', count } };
  if (near.some((job) => fits(bill, job))) return { finding: { type: 'unknown', count } };
  if (bill.nano > 0 && all.some((job) => index.isModelOf(bill, job) && fits(bill, job)))
    return { finding: { type: 'unknown', isBilled: true } };
  if (near.length > 0) return { finding: { type: 'unknown' } };
  const [any] = index.near(bill, NOTHING_NEAR_MS);
  return { finding: { type: any ? 'unknown' : 'nothingNear' } };
}

/** What is in doubt covers what may be billed for it, unless nobody knows its price. */
const isCovered = ({ nano }: BillLine, { uncertainNano }: BillJob): boolean =>
  uncertainNano === 0 || nano <= uncertainNano;

/** What there is besides the lines of jobs: where the bill begins and ends, and lines that may be of a job without one. */
interface Around extends Pick<Compared, 'from' | 'to'>, Pick<Reach, 'unread'>, Pick<Placed, 'isZoneAssumed'> {
  begins: number;
  ends: number;
  /** Clear for no job. */
  open: OpenLines;
  areTasks: boolean;
}

function* aroundOf(
  compared: readonly ComparedLine[],
  { first, last, unread }: Reach,
  { from, to, placed, decisions }: Pick<Compared, 'from' | 'to' | 'placed' | 'decisions'>,
): Generator<void, Around> {
  const { index, isZoneAssumed } = placed;
  const isAnyones = ({ job, by, isClear, other }: ComparedLine) => !other && (!job || (by === undefined && !isClear));
  const isOpen = (line: ComparedLine) => isAnyones(line) && line.group === 'onlyBill';
  const open = yield* openLines(compared, { index, decisions }, isOpen);
  const edges = { begins: Math.max(from, first), ends: Math.min(to, last) };
  return { from, to, ...edges, ...(unread ? { unread } : {}), open, areTasks: index.areTasks, isZoneAssumed };
}

/** Adds what is charged, or in doubt, without a line. */
function* addLedgerOnly(compared: ComparedLine[], jobs: readonly BillJob[], around: Around): Generator<void, void> {
  const billed = new Map<BillJob, 'agrees' | 'open'>();
  for (const [at, { job, group }] of compared.entries()) {
    if (at % JOBS_PER_TURN === JOBS_PER_TURN - 1) yield;
    if (!job) continue;
    if (group === 'matched') billed.set(job, billed.get(job) ?? 'agrees');
    else billed.set(job, 'open');
  }
  for (const [at, job] of jobs.entries()) {
    if (at % PER_TURN === PER_TURN - 1) yield;
    if (job.sentAt >= around.from && job.sentAt < around.to) compared.push(...entriesOf(job, billed.get(job), around));
  }
}

function entriesOf(job: BillJob, billed: 'agrees' | 'open' | undefined, around: Around): ComparedLine[] {
  const entry = (part: 'charge' | 'doubt', ledgerNano: Nano, over: 'notBilled' | 'inDoubt'): ComparedLine => {
    const type = job.isOver ? (whyUnsure(job, around) ?? over) : 'running';
    const id = `${part === 'charge' ? 'c' : 'd'}:${job.id}`;
    const isClear = type === 'inDoubt';
    return { id, mark: id, group: 'onlyLedger', at: job.sentAt, job, part, ledgerNano, finding: { type }, isClear };
  };
  const isCharged = billed === undefined && (job.chargedNano !== 0 || job.isUnpriced);
  return [
    ...(isCharged ? [entry('charge', job.chargedNano, 'notBilled')] : []),
    ...(billed !== 'open' && job.isInDoubt ? [entry('doubt', job.uncertainNano, 'inDoubt')] : []),
  ];
}

/** Why the bill does not say that it has no line for a job; undefined if it does. */
function whyUnsure(job: BillJob, around: Around): 'wait' | 'before' | 'unsure' | undefined {
  const { begins, ends, unread, areTasks, isZoneAssumed } = around;
  const { from, to } = lineTimes(job);
  if (to >= ends) return 'wait';
  if (from < begins) return 'before';
  const isUnread = isUnreadThen(unread, { from, to }, !areTasks || job.ids.length === 0);
  return isZoneAssumed || isUnread || isAnyOpen(job, around, { from, to }) ? 'unsure' : undefined;
}

/** Whether a line without a job may be its, though others fit as well. */
const isAnyOpen = (job: BillJob, { open }: Around, during: { from: number; to: number }): boolean =>
  job.isInDoubt ? open.countOfModel(job, during) > 0 : open.isAnyFit(job, during) || open.isAnySum(job, during);
