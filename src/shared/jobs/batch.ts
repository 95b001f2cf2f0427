import { z } from 'zod';
import { cursor, id, limit, ONE_START, offset, oneStart } from '../contract/paging.ts';
import type { Reason } from '../contract/result.ts';
import type { StudioRequest } from '../kinds/index.ts';
import { REQUEST_COLUMNS } from '../kinds/kind.ts';
import { spendingShape } from '../money/ledger.ts';
import { wholeFiles } from '../text/nulCharacters.ts';

/**
 * Many requests from one text: a table (CSV), JSON lines, or one prompt a line. The text is read first, then enqueued whole or not at all.
 */

/** The columns of a table and the fields of a JSON line. */
export const BATCH_COLUMNS = ['kind', ...REQUEST_COLUMNS, 'project', 'night'] as const;
export type BatchColumn = (typeof BATCH_COLUMNS)[number];

/** The most jobs of one text. */
export const MAX_BATCH_JOBS = 10_000;
/** In characters. */
export const MAX_BATCH_TEXT = 4_000_000;

export const BATCH_FORMATS = ['csv', 'jsonl', 'lines'] as const;
export type BatchFormat = (typeof BATCH_FORMATS)[number];

export const readBatchSchema = z.strictObject({
  text: z
    .string()
    .max(MAX_BATCH_TEXT)
    // Each line is validated alone.
    .register(wholeFiles),
  format: z.enum(BATCH_FORMATS),
  /** Defaults for empty cells and missing fields, by column or field. */
  defaults: z.record(z.string(), z.unknown(), 'must be an object').optional(),
  /** Lines, or members of a line with choices, to skip: `11`, `6.2`. */
  leaveOut: z.array(z.string().max(20)).max(MAX_BATCH_JOBS).optional(),
});

export const batchRowsSchema = z
  .strictObject({
    readId: id,
    cursor,
    offset,
    limit,
    only: z.enum(['bad', 'know', 'good']).optional(),
  })
  .refine(oneStart, ONE_START);

export const enqueueBatchSchema = z.strictObject({
  readId: id,
  /** All jobs join the planned or open run; otherwise the lines that say so. */
  night: z.boolean().optional(),
  /** For lines that name no project. */
  projectId: id.optional(),
  ...spendingShape,
});

/** The same batch as a query; `key` is its `requestKey`. */
export const madeBatchSchema = enqueueBatchSchema
  .pick({ readId: true, night: true, projectId: true })
  .extend({ key: spendingShape.requestKey.unwrap() });

/** For a name that a JSON line has twice. */
export const NAME_ONCE = 'must be in the line once.';

/** A remark about a row that blocks nothing. */
export type BatchRemark =
  /** Identical to a kept take. */
  | { type: 'kept'; jobId: string; at: number }
  /** Identical to an earlier line. */
  | { type: 'twice'; line: number };

/** One request of a text, or the errors of its line. */
export interface BatchRow {
  /** The line on which it begins; a table's header is line 1. */
  line: number;
  /** The member's number among the prompts of a line with choices (`{a|b}`), from 1. */
  member?: { at: number; of: number };
  /** Absent if there are errors. */
  request?: StudioRequest;
  /** Each names a column, or a field of the request. */
  errors: Reason[];
  /** The cells of a wrong line, long ones cut. */
  cells?: Record<string, string>;
  projectId?: string;
  night?: true;
  /** In nano-dollars, at the active profile's prices. */
  estimateNano?: number;
  lowNano?: number;
  unpriced?: true;
  know?: BatchRemark[];
  /** In the first member of a line with choices: the line itself, and the sums of its members that are not skipped. */
  whole?: { prompt: string; jobs: number; estimateNano: number; lowNano: number; unpriced: number };
  /** The row is skipped. */
  isLeftOut?: true;
}

/** The sums of one kind of request. */
export interface BatchSum {
  kind: string;
  lines: number;
  jobs: number;
  /** The total length of all clips; absent without clips. */
  seconds?: number;
  estimateNano: number;
  lowNano: number;
  unpriced: number;
}

/** Counts and sums cover the whole text without skipped lines; a wrong line is in no sum. */
export interface BatchReading {
  readId: string;
  /** The first page; `batch.rows` has all. */
  rows: BatchRow[];
  nextCursor?: string;
  /** The number of requests that would be enqueued. */
  good: number;
  /** The number of wrong lines. */
  bad: number;
  /** The first hundred wrong lines. */
  badLines: number[];
  /** Their row numbers. */
  badAt: number[];
  leftOut: number;
  /** Lines by class; a line with choices counts once. */
  lines: { all: number; bad: number; know: number; good: number };
  estimateNano: number;
  lowNano: number;
  unpriced: number;
  sums: BatchSum[];
  /** The columns of a table as line 1 names them. */
  columns: string[];
  /** The first hundred lines with choices or with remarks. */
  know: { line: number; fact: BatchRemark | { type: 'matrix'; jobs: number } }[];
}

export interface BatchRows {
  rows: BatchRow[];
  nextCursor?: string;
  /** The number of rows of this class. */
  total: number;
}
