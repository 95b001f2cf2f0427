import type { PriceKind } from '../../kinds/pricings.ts';
import type { Nano } from '../money.ts';

/** A gateway's bill, read from a table (CSV) and compared line by line with what the ledger has for that gateway. */

/** In characters. */
export const MAX_STATEMENT_TEXT = 16_000_000;
export const MAX_STATEMENT_LINES = 100_000;
/** Lines that one decision may be about. */
export const MAX_SETTLED_LINES = 500;

/** What a column may be read as. */
export const COLUMN_ROLES = ['at', 'end', 'remoteId', 'requestKey', 'model', 'amount', 'units', 'currency'] as const;
export type ColumnRole = (typeof COLUMN_ROLES)[number];

/** What an amount is counted in. */
export const AMOUNT_UNITS = ['dollar', 'cent', 'micro', 'nano'] as const;
export type AmountUnit = (typeof AMOUNT_UNITS)[number];

/** Offsets from UTC that clocks have somewhere, in minutes. */
export const ZONES: readonly number[] = [
  -720, -660, -600, -570, -540, -480, -420, -360, -300, -240, -210, -180, -150, -120, -60, 0, 60, 120, 180, 210, 240,
  270, 300, 330, 345, 360, 390, 420, 480, 525, 540, 570, 600, 630, 660, 720, 765, 780, 825, 840,
];

/** Which column is read as what, by its name; `null`: none. What is left out is found by its name. */
export type AskedColumns = Partial<Record<ColumnRole, string | null>> & {
  unit?: AmountUnit | undefined;
  /** Of times that state none, in minutes. */
  zone?: number | undefined;
};

/** A column of the table; without a role, it is not used. */
export interface StatementColumn {
  /** As it stands in the header. */
  name: string;
  role?: ColumnRole;
  /** Of the amount. */
  unit?: AmountUnit;
}

export const LINE_GROUPS = ['matched', 'onlyBill', 'onlyLedger', 'differs'] as const;
export type LineGroup = (typeof LINE_GROUPS)[number];

/** How a line found its job. `near`: by its amount and model, the nearest within five minutes. `user`: by a decision. */
export const MATCHED_BY = ['id', 'key', 'near', 'user'] as const;
export type MatchedBy = (typeof MATCHED_BY)[number];

/**
 * What is known about a line that is to be decided.
 *
 * - On the bill only. `doubt`: a job whose cost is in doubt fits, `apartMs` from it. `twice`: its job stands on this bill, or on an earlier
 *   one, already. `refund`: an amount below zero for a job. `several`: `count` jobs in doubt fit. `unknown`: no job fits; with `isBilled`,
 *   those that do have lines of their own. `otherProfile`: it names a job that another profile of this machine ordered. `zone`: nobody knows
 *   the zone of its time.
 * - In the ledger only. `unsure`: it may have a line: on another bill, one that could not be read, or one without a job near it. `inDoubt`:
 *   the bill does not have what is in doubt. `notBilled`: charged, and not on the bill.
 * - Of another amount. `doubt`: its job's cost is in doubt. `running`: its job is not over. `noReading`: no reading of the price gives it.
 */
export interface LineFinding {
  type:
    | 'doubt'
    | 'twice'
    | 'refund'
    | 'several'
    | 'zone'
    | 'otherProfile'
    | 'unknown'
    | 'unsure'
    | 'inDoubt'
    | 'notBilled'
    | 'running'
    | 'noReading';
  apartMs?: number;
  count?: number;
  isBilled?: true;
  /** Its name; absent where that profile is gone. */
  profile?: string;
}

export const DECISIONS = ['adopt', 'keep'] as const;
export type LineDecision = (typeof DECISIONS)[number];

/** A line of the bill, or an entry of the ledger that the bill does not have. */
export interface StatementLine {
  id: string;
  at: number;
  /** The day that it says, `2026-11-21`, or begins on, where it is of a day or more. */
  day?: string;
  remoteId?: string;
  /** The job it belongs to; of a line that is on the bill only, the job that it may belong to. */
  jobId?: string;
  model?: string;
  /** The kind of its job. */
  kind?: string;
  billNano?: Nano;
  /** What is charged for it; of an entry without a line, what is charged or else in doubt. */
  ledgerNano?: Nano;
  /** The lower price, where its unit is not known, where it differs from `ledgerNano`. */
  ledgerLowNano?: Nano;
  /** In doubt for its job. */
  uncertainNano?: Nano;
  /** Where it stands in the text. */
  line?: number;
  units?: number;
  matchedBy?: MatchedBy;
  finding?: LineFinding;
  /** Whether one answer is clear: it needs no look at anything else. */
  isClear?: true;
  /** How it was decided, and when; it can be undone. */
  decided?: { as: LineDecision; at: number };
}

/** A line of the text that is not part of the comparison, and why: in a sentence about it. */
export interface UnreadLine {
  line: number;
  message: string;
}

export interface StatementSums {
  bill: Nano;
  matched: Nano;
  onlyBill: Nano;
  /** Not in the sum of the bill. */
  onlyLedger: Nano;
  differs: Nano;
}

/** An open price that every line of the bill with such a job settles in the same way. */
export interface SettledPrice {
  kind: PriceKind;
  model: string;
  /** The position of the reading in the price. */
  reading: number;
  lines: number;
  ledgerNano: Nano;
  billNano: Nano;
}

/**
 * A statement that was read. `bill = matched + onlyBill + differs` holds in the bill's amounts, to the nano-dollar. The lists are the
 * first lines of each group; `statement.lines` has all of them.
 */
export interface Statement {
  id: string;
  profileId: string;
  play: boolean;
  name?: string;
  readAt: number;
  /** The period of both sides; `to` is not in it. */
  from: number;
  to: number;
  /** The number of lines that agree. */
  matched: number;
  onlyBill: StatementLine[];
  onlyLedger: StatementLine[];
  differs: StatementLine[];
  sums: StatementSums;
  counts: { bill: number; onlyBill: number; onlyLedger: number; differs: number };
  columns: StatementColumn[];
  /** The offset from UTC that the times state, in minutes; absent if they state different ones. */
  zoneMinutes?: number;
  /** Times without a zone are taken as UTC, and no line has its job, or is missing, by its time alone. */
  isZoneAssumed: boolean;
  /** What the user has chosen for this kind of bill: what is read as what, and the zone of times that state none. */
  asked?: AskedColumns;
  /** It was chosen for an earlier bill with the same columns. */
  isRemembered?: true;
  /** Dates such as 3/4/2026, which the column does not tell day from month in, are taken as month/day. */
  isMonthFirst: boolean;
  /** What is not in the comparison: all of it counted, the first lines named. */
  unread: { count: number; lines: UnreadLine[] };
  /** Lines outside the period that was asked for. */
  outside: number;
  matchedBy: Record<MatchedBy, number>;
  /** Lines that agree with the lower price where the higher one was charged. */
  cheaper: { lines: number; billNano: Nano; ledgerNano: Nano };
  settles: SettledPrice[];
  /** The number of lines that are not decided, and those of them whose answer is clear. */
  open: number;
  clear: { count: number; ids: string[] };
  decided: number;
}

/** A statement in the list of those that were read. */
export interface StatementHead {
  id: string;
  profileId: string;
  name?: string;
  readAt: number;
  from: number;
  to: number;
  lines: number;
}
