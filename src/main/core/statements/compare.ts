import type { Nano } from '../../../shared/money/money.ts';
import type { LineFinding, LineGroup, MatchedBy } from '../../../shared/money/statement/statement.ts';
import {
  amountsOf,
  apartOf,
  type BilledLine,
  type BillJob,
  isBefore,
  lineTimes,
  NEAR_MS,
  type OtherJob,
} from './billJobs.ts';
import { DAY_MS, dayIn, MINUTE_MS } from './cells.ts';
import { type Decisions, firstAt, type Given, type JobIndex, type Matched, match, nearOf } from './match.ts';
import type { BillLine } from './readBill.ts';

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
  /** All lines of its job together, but those that were entered besides its charge. */
  jobNano?: Nano;
  /** It was entered at another amount, as it was read then: that is taken back first. */
  isEnteredOtherwise?: true;
}

export interface Sides extends Given {
  /** Of the period. */
  lines: readonly BillLine[];
  index: JobIndex;
  from: number;
  to: number;
  /** There may be more lines: some could not be read, or lie outside the period. */
  hasGaps?: boolean;
  /** Of the days of the bill, in minutes. */
  zoneMinutes?: number | undefined;
  /** What other bills have for jobs. */
  elsewhere?: ReadonlyMap<string, readonly BilledLine[]>;
}

const HOUR_MS = 60 * MINUTE_MS;
/** A line of a longer time may be what several jobs cost together. */
const LONGEST_CALL_MS = 15 * MINUTE_MS;
/** In minutes. Days of several zones, as over the end of summer time, begin on their own date in this one, from UTC -10 to +13. */
const DAYS_OF_ANY_ZONE = 13 * 60;

/** The lines of the bill in its order, then entries of the ledger by time. Generates between lines, so that other work goes on. */
export function* compare(sides: Sides): Generator<void, ComparedLine[]> {
  const { lines, index, zoneMinutes, ofOthers } = sides;
  const matched = yield* match(lines, index, sides);
  const compared: ComparedLine[] = [];
  for (const line of lines) {
    yield;
    compared.push(unassigned(line, zoneMinutes, ofOthers.get(line.mark)));
  }
  for (const [job, of] of matched.groups) {
    yield;
    for (const { at, result } of compareJob(job, of, sides))
      Object.assign(compared[at] as ComparedLine, result, matched.assigned[at]);
  }
  const open = yield* openTimes(compared, sides);
  const isUnsure = sides.hasGaps === true || matched.isOtherZone;
  const known = { ...matched, sides, open, isUnsure, reach: reachOf(lines) };
  yield* findSuggestions(compared, known);
  yield* addLedgerOnly(compared, known);
  return compared;
}

const unassigned = (bill: BillLine, zone: number | undefined, other: OtherJob | undefined): ComparedLine => ({
  id: `b${bill.line}`,
  mark: bill.mark,
  group: 'onlyBill',
  at: bill.at,
  ...(bill.spanMs < DAY_MS ? {} : { day: dayIn(bill.at, zone ?? (bill.at % DAY_MS === 0 ? 0 : DAYS_OF_ANY_ZONE)) }),
  bill,
  ...(other ? { other } : {}),
});

export function reachOf(lines: readonly BillLine[]): { from: number; to: number } {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { at, spanMs } of lines) {
    from = Math.min(from, at);
    to = Math.max(to, at + spanMs);
  }
  return { from, to };
}

type Result = Pick<ComparedLine, 'group'> & Partial<ComparedLine>;
type Results = { at: number; result: Result }[];

/** What a decision entered besides the charge of any job; undefined if nothing. */
const enteredNano = (mark: string, decisions: Decisions): Nano | undefined => decisions.get(mark)?.done?.enteredNano;

/** Entered once, a line agrees for ever, whatever else its job is charged; unless it is read at another amount now. */
const enteredLine = (nano: Nano, entered: Nano): Result =>
  nano === entered
    ? { group: 'matched', ledgerNano: nano }
    : { group: 'differs', ledgerNano: entered, finding: { type: 'noReading' }, isEnteredOtherwise: true };

/** The lines of one job together. If an earlier bill has the charge already, all that were not entered are on this one besides. */
function compareJob(job: BillJob, at: readonly number[], { lines, decisions, elsewhere }: Sides): Results {
  const results: Results = [];
  const rest: { at: number; line: BillLine }[] = [];
  for (const index of at) {
    const line = lines[index] as BillLine;
    const entered = enteredNano(line.mark, decisions);
    if (entered === undefined) rest.push({ at: index, line });
    else results.push({ at: index, result: enteredLine(line.nano, entered) });
  }
  if (rest.length === 0) return results;
  const first = Math.min(...rest.map(({ line }) => line.at));
  const earlier = earlierSums(
    (elsewhere?.get(job.id) ?? []).filter(({ mark }) => enteredNano(mark, decisions) === undefined),
    first,
  );
  if (earlier.some((nano) => nano > 0 && agrees(job, nano)))
    results.push(...rest.map(({ at: index, line }) => ({ at: index, result: besides(job, line.nano) })));
  else results.push(...compareCharge(job, rest));
  return results;
}

/** What each earlier bill has for a job whose lines here begin at `first`. */
function earlierSums(lines: readonly BilledLine[], first: number): Nano[] {
  const before = lines.filter((line) => isBefore([line], first));
  const bills = [...Map.groupBy(before, ({ statementId }) => statementId).values()];
  return bills.map((bill) => bill.reduce((sum, { nano }) => sum + nano, 0));
}

/**
 * If the sum of the lines is a reading of the charge, all of them agree. Otherwise one line may, and the others are on the bill besides; or
 * the amount differs.
 */
function compareCharge(job: BillJob, own: readonly { at: number; line: BillLine }[]): Results {
  const ownNano = job.chargedNano - job.besidesNano;
  const jobNano = own.reduce((sum, { line }) => sum + line.nano, 0);
  // What a job is charged stands beside the first of its lines.
  const all = (result: Result): Results =>
    own.map(({ at }, n) => ({ at, result: { ...result, jobNano, ledgerNano: n === 0 ? ownNano : 0 } }));
  const matched = (nano: Nano): Result => ({ group: 'matched', ...(nano === ownNano ? {} : { isCheaper: true }) });
  if (agrees(job, jobNano)) return all(matched(jobNano));
  // What it is charged stands on another bill.
  if (jobNano < 0 && job.isCharged) return own.map(({ at, line }) => ({ at, result: besides(job, line.nano) }));
  const one = own.length > 1 ? own.find(({ line }) => agrees(job, line.nano)) : undefined;
  if (!one) {
    const isClear = job.isOver && own.length === 1 && (jobNano >= 0 || !isOnlyInDoubt(job));
    return all({ group: 'differs', finding: findingOf(job), isClear });
  }
  return own.map(({ at, line: { nano } }) => ({
    at,
    result: at === one.at ? { ...matched(nano), ledgerNano: ownNano, jobNano: nano } : besides(job, nano),
  }));
}

const isOnlyInDoubt = (job: BillJob): boolean => !job.isCharged && job.isInDoubt;

const agrees = (job: BillJob, nano: Nano): boolean =>
  !isOnlyInDoubt(job) && !job.isUnpriced && job.isOver && amountsOf(job).includes(nano);

const findingOf = (job: BillJob): LineFinding => {
  if (!job.isOver) return { type: 'running' };
  return { type: isOnlyInDoubt(job) ? 'doubt' : 'noReading' };
};

/** A line besides the charge: on the bill only, until it is entered. */
function besides(job: BillJob, nano: Nano): Result {
  if (nano === 0) return enteredLine(0, 0);
  const type = nano < 0 ? 'refund' : job.isInDoubt ? 'doubt' : 'twice';
  return { group: 'onlyBill', finding: { type, apartMs: 0 }, isClear: type === 'refund' };
}

interface Known extends Matched {
  sides: Sides;
  open: Times;
  /** How far the bill goes. */
  reach: { from: number; to: number };
  /** The bill does not say that it has no line for a job. */
  isUnsure: boolean;
}

/** Lines without a job that nothing was decided about: each may be of what was sent near it. */
function* openTimes(compared: readonly ComparedLine[], { decisions }: Sides): Generator<void, Times> {
  const open: BillLine[] = [];
  for (const { bill, job, other, mark } of compared) {
    yield;
    if (bill && !job && !other && bill.nano > 0 && !decisions.has(mark)) open.push(bill);
  }
  return new Times(open);
}

/** Spans of time; those that touch another one are counted without a look at each. */
class Times {
  private readonly starts: number[];
  private readonly ends: number[];

  constructor(lines: readonly BillLine[]) {
    this.starts = lines.map(({ at }) => at).sort((one, other) => one - other);
    this.ends = lines.map(({ at, spanMs }) => at + spanMs).sort((one, other) => one - other);
  }

  /** Those within an hour of when a line for the job may be: the zone that was chosen may not be that of summer. */
  countFor(job: BillJob): number {
    const { from, to } = lineTimes(job);
    return firstAt(this.starts, (start) => start > to + HOUR_MS) - firstAt(this.ends, (end) => end >= from - HOUR_MS);
  }
}

/** For lines without a job: what fits. */
function* findSuggestions(compared: readonly ComparedLine[], known: Known): Generator<void, void> {
  for (const line of compared) {
    yield;
    const { bill, mark } = line;
    if (!bill || line.job) continue;
    const entered = bill.nano === 0 ? 0 : enteredNano(mark, known.sides.decisions);
    if (entered !== undefined) Object.assign(line, enteredLine(bill.nano, entered), { jobNano: bill.nano, by: 'user' });
    else if (line.other) line.finding = { type: 'otherProfile', ...line.other.of };
    else if (known.isZoneUnknown) line.finding = { type: 'zone' };
    else Object.assign(line, suggestionFor(bill, known));
  }
}

function suggestionFor(bill: BillLine, known: Known): Partial<ComparedLine> {
  const { sides, groups, open, isUnsure } = known;
  const { index } = sides;
  if (bill.nano > 0) {
    const doubts = [...nearOf(index.doubts, bill, NEAR_MS)].filter(
      (job) => index.isModelOf(bill, job) && !groups.has(job) && (isOnlyInDoubt(job) || job.uncertainNano > 0),
    );
    const [job, ...others] = doubts;
    if (others.length > 0) return { finding: { type: 'several', count: doubts.length } };
    if (job) {
      const isOnly = bill.spanMs <= LONGEST_CALL_MS && open.countFor(job) === 1 && !isElsewhere(job, sides);
      // What is in doubt covers what may be billed for it, unless nobody knows its price.
      const isCovered = job.uncertainNano === 0 || bill.nano <= job.uncertainNano;
      const finding: LineFinding = { type: 'doubt', apartMs: apartOf(bill, job) };
      return { job, finding, isClear: job.isOver && isOnly && isCovered && !isUnsure };
    }
    if ([...index.sameAmount(bill)].some((job) => groups.has(job)))
      return { finding: { type: 'unknown', isBilled: true } };
  }
  return { finding: { type: 'unknown' } };
}

const isElsewhere = ({ id }: BillJob, { elsewhere }: Sides): boolean => elsewhere?.has(id) ?? false;

/** Adds what is charged, or in doubt, without a line. */
function* addLedgerOnly(compared: ComparedLine[], known: Known): Generator<void, void> {
  const { index, from, to } = known.sides;
  const billed = new Map<BillJob, 'agrees' | 'open'>();
  for (const { job, group } of compared) {
    yield;
    if (!job) continue;
    if (group === 'matched') billed.set(job, billed.get(job) ?? 'agrees');
    else billed.set(job, 'open');
  }
  for (const job of index.jobs) {
    yield;
    if (job.sentAt >= from && job.sentAt < to) compared.push(...entriesOf(job, billed.get(job), known));
  }
}

function entriesOf(job: BillJob, billed: 'agrees' | 'open' | undefined, known: Known): ComparedLine[] {
  const entry = (part: 'charge' | 'doubt', ledgerNano: Nano, over: 'notBilled' | 'inDoubt'): ComparedLine => {
    const type = !job.isOver ? 'running' : mayHaveLine(job, known) ? 'unsure' : over;
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

/** Whether a line for a job may be one without a job, one that could not be read, or one of another bill. */
function mayHaveLine(job: BillJob, { sides, isUnsure, isZoneUnknown, open, reach }: Known): boolean {
  const times = lineTimes(job);
  return (
    isUnsure ||
    isZoneUnknown ||
    times.from < Math.max(sides.from, reach.from) ||
    times.to >= Math.min(sides.to, reach.to) ||
    isElsewhere(job, sides) ||
    open.countFor(job) > 0
  );
}
