import { z } from 'zod';
import { command, query } from '../../contract/call.ts';
import { cursor, id, limit, ONE_START, offset, oneStart } from '../../contract/paging.ts';
import { wholeFiles } from '../../text/nulCharacters.ts';
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

/** The column for each role, by its header; `null`: none. Omitted roles are detected. */
const columnsSchema = z.strictObject({
  ...roles,
  unit: z.enum(AMOUNT_UNITS).optional(),
  /** The UTC offset in minutes of times that state none. */
  zone: z.int().min(-720).max(840).optional(),
});

export const readStatementSchema = z
  .strictObject({
    text: z.string().max(MAX_STATEMENT_TEXT).register(wholeFiles),
    /** Default: as this text was read before, else as chosen for the last bill with the same columns. */
    columns: columnsSchema.optional(),
    /** The gateway of the bill; default: the active one. */
    profileId: id.optional(),
    /** The period to compare; default: the days of the bill. */
    from: time.optional(),
    to: time.optional(),
    /** The name of the file. */
    name: z.string().max(500).optional(),
  })
  .refine(({ from = 0, to = Number.MAX_SAFE_INTEGER }) => from < to, {
    path: ['to'],
    message: 'must be after from',
  });

const lineIds = z.array(id).min(1).max(MAX_SETTLED_LINES);

export const statementCalls = {
  /** Reads a bill and compares it with the ledger. Changes no money. The same text is the same statement. */
  'statement.read': command<Statement>()(readStatementSchema),
  /** A statement compared with the present ledger. */
  'statement.get': query<Statement>()(z.strictObject({ id })),
  /** Newest first. */
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
   * Decides about lines, all or none. `adopt`: entries are added so that the ledger follows the bill. `keep`: the ledger stays. Lines with
   * that decision already are unchanged.
   */
  'statement.settle': command<Statement>()(z.strictObject({ id, lines: lineIds, as: z.enum(DECISIONS) })),
  /** Takes decisions back; each entry gets a counter-entry. */
  'statement.undo': command<Statement>()(z.strictObject({ id, lines: lineIds })),
  /** Assigns a line to a job; `null` takes that back. Changes no money. */
  'statement.match': command<Statement>()(z.strictObject({ id, line: id, jobId: id.nullable() })),
  /** Jobs that a line may belong to, nearest in time first. */
  'statement.candidates': query<{ lines: StatementLine[] }>()(z.strictObject({ id, line: id })),
} as const;
