import { z } from 'zod';
import { command, query } from '../../contract/call.ts';
import { cursor, id, limit, ONE_START, offset, oneStart } from '../../contract/paging.ts';
import { wholeFiles } from '../../text/plainText.ts';
import {
  AMOUNT_UNITS,
  COLUMN_ROLES,
  type ColumnRole,
  DECISIONS,
  LINE_GROUPS,
  MAX_SETTLED_LINES,
  MAX_STATEMENT_TEXT,
  type Statement,
  type StatementHead,
  type StatementLine,
} from './statement.ts';

const time = z.int();
const columnName = z.string().max(500).nullable();
const roles = Object.fromEntries(COLUMN_ROLES.map((role) => [role, columnName.optional()])) as Record<
  ColumnRole,
  z.ZodOptional<typeof columnName>
>;

/** Which column is read as what, by its name in the header; `null` uses none. What is left out is found by its name. */
const columnsSchema = z.strictObject({
  ...roles,
  unit: z.enum(AMOUNT_UNITS).optional(),
  /** Of times that state none: the offset from UTC in minutes. */
  zone: z.int().min(-720).max(840).optional(),
});

export const readStatementSchema = z
  .strictObject({
    text: z.string().max(MAX_STATEMENT_TEXT).register(wholeFiles),
    /** Without it, a text that was read so before is as it was read; another one is read as it was chosen for the last bill with the same columns. */
    columns: columnsSchema.optional(),
    /** Whose bill it is; without it, the active gateway's. */
    profileId: id.optional(),
    /** The period to compare; without it, the days of the bill. */
    from: time.optional(),
    to: time.optional(),
    /** Of the file. */
    name: z.string().max(500).optional(),
  })
  .refine(({ from = 0, to = Number.MAX_SAFE_INTEGER }) => from < to, {
    path: ['to'],
    message: 'must be after from',
  });

const lineIds = z.array(id).min(1).max(MAX_SETTLED_LINES);

export const statementCalls = {
  /** Reads a bill and compares it with the ledger. Changes no money. The same text, read again, is the same statement. */
  'statement.read': command<Statement>()(readStatementSchema),
  /** A statement that was read, compared with the ledger as it is now. */
  'statement.get': query<Statement>()(z.strictObject({ id })),
  /** The newest first. */
  'statement.list': query<{ statements: StatementHead[] }>()(z.strictObject({ profileId: id.optional() })),
  'statement.lines': query<{ lines: StatementLine[]; nextCursor?: string; total: number }>()(
    z
      .strictObject({
        id,
        group: z.enum([...LINE_GROUPS, 'cheaper', 'decided']),
        cursor,
        offset,
        limit,
      })
      .refine(oneStart, ONE_START),
  ),
  /**
   * Decides about lines, all of them or none. `adopt`: the ledger follows the bill, by entries that are added. `keep`: the ledger stays as
   * it is. A line that is decided so already stays as it is.
   */
  'statement.settle': command<Statement>()(z.strictObject({ id, lines: lineIds, as: z.enum(DECISIONS) })),
  /** Takes decisions back: each of their entries gets its counter-entry. */
  'statement.undo': command<Statement>()(z.strictObject({ id, lines: lineIds })),
  /** Says which job a line of the bill belongs to; `null` takes that back. Changes no money. */
  'statement.match': command<Statement>()(z.strictObject({ id, line: id, jobId: id.nullable() })),
  /** Jobs that a line may belong to, those nearest in time first. */
  'statement.candidates': query<{ lines: StatementLine[] }>()(z.strictObject({ id, line: id })),
} as const;
