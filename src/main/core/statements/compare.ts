import type { Nano } from '../../../shared/money/money.ts';
import type { LineFinding } from '../../../shared/money/statement/statement.ts';
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
import {
  type ComparedLine,
  type Decisions,
  firstAt,
  type JobIndex,
  type KnownMatches,
  type Matched,
  match,
  nearOf,
  type OfBill,
} from './match.ts';
import type { BillLine } from './readBill.ts';

/** Compares a bill with the ledger: each line gets one group, followed by entries of the ledger without a line. */

export interface ComparisonInput extends KnownMatches {
  /** The lines in the period. */
  lines: readonly BillLine[];
  index: JobIndex;
  from: number;
  to: number;
  /** The bill has further lines, which could not be read or are outside the chosen days. */
  hasGaps?: boolean;
  /** The zone of the bill's days, in minutes. */
  zoneMinutes?: number | undefined;
  /** Amounts entered from lines that are not on this bill, by {@link enteredKey}. */
  entered?: ReadonlySet<string>;
  /** Lines of other bills, by job. */
  elsewhere?: ReadonlyMap<string, readonly BilledLine[]>;
}

const HOUR_MS = 60 * MINUTE_MS;
/** A line over a longer time may be the sum of several jobs. */
const LONGEST_CALL_MS = 15 * MINUTE_MS;
/**
 * In minutes. In this zone, days of any zone from UTC -10 to +13 begin on their own date, for example across the end of daylight saving
 * time.
 */
const DAYS_OF_ANY_ZONE = 13 * 60;

/** The lines of the bill in its order, then entries of the ledger by time. Generates between lines, so that other work goes on. */
export function* compare(sides: ComparisonInput): Generator<void, ComparedLine[]> {
  const { index, zoneMinutes, ofOthers } = sides;
  const lines = sides.lines.map((bill) => unassigned(bill, zoneMinutes, ofOthers.get(bill.hash)));
  const matched = yield* match(lines, index, sides);
  const groups = byJob(lines);
  for (const [job, own] of groups) {
    yield;
    compareJob(job, own, sides);
  }
  const isUnsure = sides.hasGaps === true || matched.isOtherZone;
  const open = new Times(lines.filter((line) => isOpen(line, sides)).map(({ bill }) => bill));
  const known = { ...matched, sides, groups, open, isUnsure, reach: reachOf(sides.lines) };
  for (const line of lines) {
    yield;
    if (!line.job) Object.assign(line, suggestionFor(line, known));
    flagEntered(line, known);
  }
  const billed = byJob(lines);
  const entries: ComparedLine[] = [];
  for (const job of index.jobs) {
    yield;
    const isSentHere = job.sentAt >= sides.from && job.sentAt < sides.to;
    if (isSentHere) entries.push(...entriesOf(job, billed.get(job), known));
  }
  return [...lines, ...entries];
}

const byJob = (lines: readonly OfBill[]): ReadonlyMap<BillJob, readonly OfBill[]> =>
  Map.groupBy(
    lines.filter(({ job }) => job),
    ({ job }) => job as BillJob,
  );

/** A line without a job and without a decision may belong to a job that was sent near its time. */
const isOpen = ({ bill, job, other, hash }: OfBill, { decisions }: ComparisonInput): boolean =>
  !job && !other && bill.nano > 0 && !decisions.has(hash);

const unassigned = (bill: BillLine, zone: number | undefined, other: OtherJob | undefined): OfBill => ({
  id: `b${bill.line}`,
  hash: bill.hash,
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

/**
 * Warns of a line that may have been entered before, because entering it again would count it twice. Without a known zone, a line cannot be
 * compared with those entered before.
 */
function flagEntered(line: OfBill, { sides, isZoneUnknown }: Known): void {
  const { group, finding, bill } = line;
  if (group !== 'onlyBill' || !finding || finding.type === 'otherProfile') return;
  if (isZoneUnknown) Object.assign(line, { finding: { type: 'zone' }, isClear: false });
  else if (sides.entered?.has(enteredKey(bill.at, bill.nano)))
    Object.assign(line, { finding: { ...finding, isEntered: true }, isClear: false });
}

/** The key has minutes only: a bill in another export format may lack seconds, and its lines have other hashes. */
export const enteredKey = (at: number, nano: Nano): string => `${Math.floor(at / MINUTE_MS)} ${nano}`;

type Result = Partial<ComparedLine>;

/** The amount that a decision added to the ledger besides any charge; undefined if none. */
const enteredNano = (hash: string, decisions: Decisions): Nano | undefined => decisions.get(hash)?.done?.enteredNano;

/** A line that was entered once stays matched, whatever else its job is charged, unless its amount is now read differently. */
const enteredLine = (nano: Nano, entered: Nano): Result =>
  nano === entered
    ? { group: 'matched', ledgerNano: nano }
    : { group: 'differs', ledgerNano: entered, finding: { type: 'noReading' }, isEnteredOtherwise: true };

/** Compares all lines of a job. If an earlier bill already has the charge, all lines that were not entered are extra. */
function compareJob(job: BillJob, own: readonly OfBill[], { decisions, elsewhere, hasGaps }: ComparisonInput): void {
  const rest: OfBill[] = [];
  for (const line of own) {
    const entered = enteredNano(line.hash, decisions);
    if (entered === undefined) rest.push(line);
    else Object.assign(line, enteredLine(line.bill.nano, entered));
  }
  const earlier = earlierSums(
    (elsewhere?.get(job.id) ?? []).filter(({ hash }) => enteredNano(hash, decisions) === undefined),
    reachOf(rest.map(({ bill }) => bill)).from,
  );
  const isBilled = earlier.some((nano) => nano > 0 && agrees(job, nano));
  if (!isBilled && rest.length > 0) compareCharge(job, rest, hasGaps);
  else for (const line of rest) Object.assign(line, besides(job, line.bill.nano));
}

/** The sum of each earlier bill's lines for a job whose lines here begin at `first`. */
function earlierSums(lines: readonly BilledLine[], first: number): Nano[] {
  const before = lines.filter((line) => isBefore([line], first));
  const bills = [...Map.groupBy(before, ({ statementId }) => statementId).values()];
  return bills.map((bill) => bill.reduce((sum, { nano }) => sum + nano, 0));
}

/**
 * If the sum of the lines equals the charge in one interpretation, all of them match. Otherwise a single line may match and the others are
 * extra, or the amount differs.
 */
function compareCharge(job: BillJob, own: readonly OfBill[], hasGaps = false): void {
  const ownNano = job.chargedNano - job.besidesNano;
  const jobNano = own.reduce((sum, { bill }) => sum + bill.nano, 0);
  const matched = (nano: Nano): Result => ({ group: 'matched', ...(nano === ownNano ? {} : { isCheaper: true }) });
  // The charge of a job is shown beside its first line.
  const setAll = (result: Result): void => {
    for (const line of own) Object.assign(line, result, { jobNano, ledgerNano: line === own[0] ? ownNano : 0 });
  };
  if (agrees(job, jobNano)) return setAll(matched(jobNano));
  // A refund: the charge is on another bill.
  const isRefund = jobNano < 0 && job.isCharged;
  const one = isRefund || own.length === 1 ? undefined : own.find(({ bill }) => agrees(job, bill.nano));
  if (!one && !isRefund) {
    // The rest of its amount may be on a line that is left out.
    const isWhole = own.length === 1 && !(hasGaps && jobNano < ownNano);
    const isClear = job.isOver && isWhole && (jobNano >= 0 || !isOnlyInDoubt(job));
    return setAll({ group: 'differs', finding: findingOf(job), isClear });
  }
  for (const line of own) {
    const { nano } = line.bill;
    const agreed = { ...matched(nano), ledgerNano: ownNano, jobNano: nano };
    Object.assign(line, line === one ? agreed : besides(job, nano));
  }
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
  sides: ComparisonInput;
  /** The lines of each job. */
  groups: ReadonlyMap<BillJob, readonly OfBill[]>;
  open: Times;
  /** The period that the bill covers. */
  reach: { from: number; to: number };
  /** The bill cannot prove that a job has no line. */
  isUnsure: boolean;
}

/** Time spans that count how many others they touch without comparing each. */
class Times {
  private readonly starts: number[];
  private readonly ends: number[];

  constructor(lines: readonly BillLine[]) {
    this.starts = lines.map(({ at }) => at).sort((one, other) => one - other);
    this.ends = lines.map(({ at, spanMs }) => at + spanMs).sort((one, other) => one - other);
  }

  /** The number of spans within an hour of the times for a job's line, because the chosen zone may not be that of daylight saving time. */
  countFor(job: BillJob): number {
    const { from, to } = lineTimes(job);
    return firstAt(this.starts, (start) => start > to + HOUR_MS) - firstAt(this.ends, (end) => end >= from - HOUR_MS);
  }
}

/** The finding for a line without a job: an entry that was made for it, or the jobs that fit. */
function suggestionFor({ bill, hash, other }: OfBill, known: Known): Result {
  const entered = bill.nano === 0 ? 0 : enteredNano(hash, known.sides.decisions);
  if (entered !== undefined) return { ...enteredLine(bill.nano, entered), jobNano: bill.nano, by: 'user' };
  if (other) return { finding: { type: 'otherProfile', ...other.of } };
  if (known.isZoneUnknown) return { finding: { type: 'zone' } };
  return bill.nano > 0 ? whatFits(bill, known) : { finding: { type: 'unknown' } };
}

function whatFits(bill: BillLine, { sides, groups, open, isUnsure }: Known): Result {
  const { index } = sides;
  const doubts = [...nearOf(index.doubts, bill, NEAR_MS)].filter(
    (job) => index.isModelOf(bill, job) && !groups.has(job) && (isOnlyInDoubt(job) || job.uncertainNano > 0),
  );
  const [job, ...others] = doubts;
  if (others.length > 0) return { finding: { type: 'several', count: doubts.length } };
  if (!job) {
    const isBilled = [...index.sameAmount(bill)].some((one) => groups.has(one));
    return { finding: { type: 'unknown', ...(isBilled ? { isBilled } : {}) } };
  }
  const isOnly = bill.spanMs <= LONGEST_CALL_MS && open.countFor(job) === 1 && !isElsewhere(job, sides);
  // The unconfirmed amount covers the line, unless no price is set.
  const isCovered = job.uncertainNano === 0 || bill.nano <= job.uncertainNano;
  const finding: LineFinding = { type: 'doubt', apartMs: apartOf(bill, job) };
  return { job, finding, isClear: job.isOver && isOnly && isCovered && !isUnsure };
}

const isElsewhere = ({ id }: BillJob, { elsewhere }: ComparisonInput): boolean => elsewhere?.has(id) ?? false;

/** A charge or an unconfirmed amount without a line. */
function entriesOf(job: BillJob, lines: readonly OfBill[] | undefined, known: Known): ComparedLine[] {
  const entry = (part: 'charge' | 'doubt', ledgerNano: Nano, over: 'notBilled' | 'inDoubt'): ComparedLine => {
    const type = !job.isOver ? 'running' : mayHaveLine(job, known) ? 'unsure' : over;
    const id = `${part === 'charge' ? 'c' : 'd'}:${job.id}`;
    const isClear = type === 'inDoubt';
    return { id, hash: id, group: 'onlyLedger', at: job.sentAt, job, part, ledgerNano, finding: { type }, isClear };
  };
  const isCharged = !lines && (job.chargedNano !== 0 || job.isUnpriced);
  const areMatched = (lines ?? []).every(({ group }) => group === 'matched');
  return [
    ...(isCharged ? [entry('charge', job.chargedNano, 'notBilled')] : []),
    ...(areMatched && job.isInDoubt ? [entry('doubt', job.uncertainNano, 'inDoubt')] : []),
  ];
}

/** Whether the job's line may be one without a job, one that could not be read, or one on another bill. */
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
