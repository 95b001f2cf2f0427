import type { PriceKind } from '../../kinds/pricings.ts';
import type { Nano } from '../money.ts';

/** A gateway's bill, read from a table (CSV) and compared line by line with the ledger. */

/** In characters. */
export const MAX_STATEMENT_TEXT = 16_000_000;
export const MAX_STATEMENT_LINES = 100_000;
export const MAX_SETTLED_LINES = 500;

/** The roles of columns. */
export const COLUMN_ROLES = ['at', 'end', 'remoteId', 'requestKey', 'model', 'amount', 'units', 'currency'] as const;
export type ColumnRole = (typeof COLUMN_ROLES)[number];

/** The units of amounts. */
export const AMOUNT_UNITS = ['dollar', 'cent', 'micro', 'nano'] as const;
export type AmountUnit = (typeof AMOUNT_UNITS)[number];

/** UTC offsets in use, in minutes. */
export const ZONES: readonly number[] = [
  -720, -660, -600, -570, -540, -480, -420, -360, -300, -240, -210, -180, -150, -120, -60, 0, 60, 120, 180, 210, 240,
  270, 300, 330, 345, 360, 390, 420, 480, 525, 540, 570, 600, 630, 660, 720, 765, 780, 825, 840,
];

/** The column of each role by its header; `null`: none. Omitted roles are detected. */
export type AskedColumns = Partial<Record<ColumnRole, string | null>> & {
  unit?: AmountUnit | undefined;
  /** The UTC offset in minutes of times that state none. */
  zone?: number | undefined;
};

/** A column; without a role it is ignored. */
export interface StatementColumn {
  name: string;
  role?: ColumnRole;
  /** The unit of the amount. */
  unit?: AmountUnit;
}

export const LINE_GROUPS = ['matched', 'onlyBill', 'onlyLedger', 'differs'] as const;
export type LineGroup = (typeof LINE_GROUPS)[number];

/** How a line was matched. `near`: by amount and model, the nearest within five minutes. `user`: by a decision. */
export const MATCHED_BY = ['id', 'key', 'near', 'user'] as const;
export type MatchedBy = (typeof MATCHED_BY)[number];

/**
 * Facts about an undecided line.
 *
 * - On the bill only. `doubt`: an unconfirmed job fits, `apartMs` from it. `twice`: its job is on this bill, or on an earlier one, already.
 *   `refund`: a negative amount for a job. `several`: `count` unconfirmed jobs fit. `unknown`: no job fits; with `isBilled`, the jobs that
 *   do have lines of their own. `otherProfile`: it names a job of another profile of this machine. `zone`: the zone of its time is unknown.
 *   With `isEntered`, an amount of that time was already entered from a line that this bill does not have.
 * - In the ledger only. `unsure`: it may have a line: on another bill, one that could not be read, or one without a job near it. `inDoubt`:
 *   unconfirmed, and not on the bill. `notBilled`: charged, and not on the bill.
 * - Of another amount. `doubt`: its job is unconfirmed. `running`: its job has not ended. `noReading`: no interpretation of the price gives
 *   it.
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
  isEntered?: true;
  /** The profile's name; absent if that profile was removed. */
  profile?: string;
}

export const DECISIONS = ['adopt', 'keep'] as const;
export type LineDecision = (typeof DECISIONS)[number];

/** A line of the bill, or a ledger entry that the bill lacks. */
export interface StatementLine {
  id: string;
  at: number;
  /** Its day, `2026-11-21`; for a period of a day or more, the first. */
  day?: string;
  remoteId?: string;
  /** Its job; if it is only on the bill, the job that it may belong to. */
  jobId?: string;
  model?: string;
  kind?: string;
  billNano?: Nano;
  /** Charged for it; for an entry without a line, charged or else unconfirmed. */
  ledgerNano?: Nano;
  /** The lower price, if it is not settled and differs from `ledgerNano`. */
  ledgerLowNano?: Nano;
  /** Unconfirmed for its job. */
  uncertainNano?: Nano;
  /** Its line in the text. */
  line?: number;
  units?: number;
  matchedBy?: MatchedBy;
  finding?: LineFinding;
  /** The line has one obvious decision. */
  isClear?: true;
  /** The decision and its time; it can be undone. */
  decided?: { as: LineDecision; at: number };
}

/** A line that is not compared, and why. */
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

/** An open price for which every line of the bill confirms the same interpretation. */
export interface SettledPrice {
  kind: PriceKind;
  model: string;
  /** The index of the interpretation. */
  reading: number;
  lines: number;
  ledgerNano: Nano;
  billNano: Nano;
}

/**
 * A statement. `bill = matched + onlyBill + differs` holds in the bill's amounts, to the nano-dollar. The lists hold the first lines of each
 * group; `statement.lines` has all.
 */
export interface Statement {
  id: string;
  profileId: string;
  play: boolean;
  name?: string;
  readAt: number;
  /** The compared period, `to` excluded. */
  from: number;
  to: number;
  /** The number of matching lines. */
  matched: number;
  onlyBill: StatementLine[];
  onlyLedger: StatementLine[];
  differs: StatementLine[];
  sums: StatementSums;
  counts: { bill: number; onlyBill: number; onlyLedger: number; differs: number };
  columns: StatementColumn[];
  /** The UTC offset that the times state, in minutes; absent if they differ. */
  zoneMinutes?: number;
  /** Times without zone are taken as UTC, so no line is matched or missed by its time alone. */
  isZoneAssumed: boolean;
  /** The user's choice of columns and zone for this kind of bill. */
  asked?: AskedColumns;
  /** The choice was made for an earlier bill with the same columns. */
  isRemembered?: true;
  /** Ambiguous dates such as 3/4/2026 are read as month/day. */
  isMonthFirst: boolean;
  /** Lines that are not compared: all counted, the first listed. */
  unread: { count: number; lines: UnreadLine[] };
  /** Lines outside the requested period. */
  outside: number;
  matchedBy: Record<MatchedBy, number>;
  /** Lines that match the lower price while the higher one was charged. */
  cheaper: { lines: number; billNano: Nano; ledgerNano: Nano };
  settles: SettledPrice[];
  /** Undecided lines, and those of them with one obvious decision. */
  open: number;
  clear: { count: number; ids: string[] };
  decided: number;
}

export interface StatementHead {
  id: string;
  profileId: string;
  name?: string;
  readAt: number;
  from: number;
  to: number;
  lines: number;
}
