import { z } from 'zod';
import { cursor, id, limit, ONE_START, offset, oneStart } from '../contract/paging.ts';
import type { Reason } from '../contract/result.ts';
import type { StudioRequest } from '../kinds/index.ts';
import { REQUEST_COLUMNS } from '../kinds/kind.ts';
import { spendingShape } from '../money/ledger.ts';
import { wholeFiles } from '../text/plainText.ts';

/** Many requests from one text: a table (CSV), JSON lines, or one prompt a line. It is read first, and enqueued whole or not at all. */

/** The columns of a table, and the names of the values in a JSON line. */
export const BATCH_COLUMNS = ['kind', ...REQUEST_COLUMNS, 'project', 'night'] as const;
export type BatchColumn = (typeof BATCH_COLUMNS)[number];

/** The most jobs that one text may stand for. */
export const MAX_BATCH_JOBS = 10_000;
/** In characters. */
export const MAX_BATCH_TEXT = 4_000_000;

export const BATCH_FORMATS = ['csv', 'jsonl', 'lines'] as const;
export type BatchFormat = (typeof BATCH_FORMATS)[number];

export const readBatchSchema = z.strictObject({
  text: z
    .string()
    .max(MAX_BATCH_TEXT)
    // Each line is judged by itself.
    .register(wholeFiles),
  format: z.enum(BATCH_FORMATS),
  /** What holds where a line says nothing: columns, or fields of a request. */
  defaults: z.record(z.string(), z.unknown(), 'must be an object').optional(),
  /** Lines, or members of a line with choices, that are not enqueued: `11`, `6.2`. */
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
  /** All of it joins the planned or open night; without it, the lines that say so. */
  night: z.boolean().optional(),
  /** Of the lines that name no project. */
  projectId: id.optional(),
  ...spendingShape,
});

/** The same order, as a question: `key` is what its `requestKey` was. */
export const madeBatchSchema = enqueueBatchSchema
  .pick({ readId: true, night: true, projectId: true })
  .extend({ key: spendingShape.requestKey.unwrap() });

/** The rule that a name breaks which a JSON line has twice. */
export const NAME_ONCE = 'must be in the line once.';

/** What a person may want to know before it is paid for; it holds nothing back. */
export type BatchKnow =
  /** The same as a take that was kept. */
  | { type: 'kept'; jobId: string; at: number }
  /** The same as an earlier line of the text. */
  | { type: 'twice'; line: number };

/** One request of a text, or what is wrong with its line. */
export interface BatchRow {
  /** The line on which it begins; a table's header is line 1. */
  line: number;
  /** Its number among those of a line with choices (`{a|b}`), from 1. */
  member?: { at: number; of: number };
  /** Absent if there are errors. */
  request?: StudioRequest;
  /** Each names a column, or a field of the line's own request. */
  errors: Reason[];
  /** Of a wrong line: its cells as they stand there, long ones cut. */
  cells?: Record<string, string>;
  projectId?: string;
  night?: true;
  /** In nano-dollars at the active profile's prices. */
  estimateNano?: number;
  lowNano?: number;
  unpriced?: true;
  know?: BatchKnow[];
  /** Of the first member of a line with choices: the line as it stands there, and the sums of its members that are not left out. */
  whole?: { prompt: string; jobs: number; estimateNano: number; lowNano: number; unpriced: number };
  /** It was asked to be left out. */
  isLeftOut?: true;
}

/** What one kind of request adds up to. */
export interface BatchSum {
  kind: string;
  lines: number;
  jobs: number;
  /** Of all clips; absent where there are none. */
  seconds?: number;
  estimateNano: number;
  lowNano: number;
  unpriced: number;
}

/** Counts and sums are of the whole text without what is left out; a wrong line is in no sum. */
export interface BatchReading {
  readId: string;
  /** The first page; `batch.rows` has them all. */
  rows: BatchRow[];
  nextCursor?: string;
  /** The number of requests that would be enqueued. */
  good: number;
  /** The number of wrong lines. */
  bad: number;
  /** The lines that are wrong: the first hundred. */
  badLines: number[];
  /** The places of these lines among all rows. */
  badAt: number[];
  leftOut: number;
  /** Lines of each sort; a line with choices is one. */
  lines: { all: number; bad: number; know: number; good: number };
  estimateNano: number;
  lowNano: number;
  unpriced: number;
  sums: BatchSum[];
  /** The columns of a table, as they stand in line 1. */
  columns: string[];
  /** The lines with choices and what is the same as something else: the first hundred. */
  know: { line: number; fact: BatchKnow | { type: 'matrix'; jobs: number } }[];
}

export interface BatchRows {
  rows: BatchRow[];
  nextCursor?: string;
  /** The number of rows of this sort. */
  total: number;
}
