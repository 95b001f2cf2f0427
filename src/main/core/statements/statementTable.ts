import type { Nano } from '../../../shared/money/money.ts';
import {
  type AskedColumns,
  type LineDecision,
  MAX_STATEMENT_LINES,
  type Statement,
  type StatementHead,
} from '../../../shared/money/statement/statement.ts';
import type { BilledEntry } from '../jobs/index.ts';
import { type ReadDb, sql, type WriteDb } from '../store/index.ts';
import type { BillLine, ReadBill } from './readBill.ts';

/** Stored bills, and the decisions about their lines. */

/** Facts about a bill besides its lines. */
export type StatementFacts = Omit<ReadBill, 'lines' | 'unreadNamed'> &
  Pick<Statement, 'asked' | 'isRemembered' | 'outside'> & {
    /** Lines outside its period name jobs that ran hours apart from them. */
    isOtherZone?: boolean;
  };

export interface StatementRow {
  id: string;
  profileId: string;
  name: string | null;
  readAt: number;
  from: number;
  to: number;
  lineCount: number;
  facts: StatementFacts;
}

/** A decision of the user, in force, about a line of a bill or an entry of the ledger without one. */
export interface DecisionRow {
  seq: number;
  statementId: string;
  lineId: string;
  hash: string;
  as: LineDecision | 'match';
  /** The job that a line of the bill was entered for, or that a line which is kept differs from; null if none. */
  jobId: string | null;
  /** The effect on the ledger; null if there was none. */
  done: DecisionEffect | null;
  /** The line as it was shown when it was decided, as JSON. */
  shown: string;
  /** The time that the line had then. */
  lineAt: number;
  at: number;
}

/** Entries of a job, or entries without a job. */
export type DecisionEffect = (BilledEntry | { entryIds: string[] }) & {
  /** The amount added besides the charge of any job. */
  enteredNano?: Nano;
};

const HEAD = `id, profile_id AS profileId, name, read_at AS readAt, from_at AS "from", to_at AS "to"`;
const COLUMNS = `${HEAD}, line_count AS lineCount, facts`;
const byId = sql('statements.byId', `SELECT ${COLUMNS} FROM statements WHERE id = $id AND complete = 1`);
const idOfText = sql('statements.ofText', 'SELECT id FROM statements WHERE text_key = $textKey AND complete = 1');
const newest = sql(
  'statements.newest',
  `SELECT ${HEAD}, line_count AS lines FROM statements WHERE complete = 1 AND ($profileId IS NULL OR profile_id = $profileId)
   ORDER BY read_at DESC, seq DESC LIMIT 50`,
);
/** The user's choices for the last bill with these columns. */
const askedOf = sql(
  'statements.asked',
  `SELECT facts -> 'asked' AS asked FROM statements WHERE profile_id = $profileId AND complete = 1 AND facts ->> 'asked' IS NOT NULL AND facts ->> 'isRemembered' IS NULL
     AND (SELECT json_group_array(value ->> 'name') FROM json_each(facts, '$.columns')) = $names
   ORDER BY read_at DESC, seq DESC LIMIT 1`,
);
const insert = sql(
  'statements.insert',
  `INSERT INTO statements (id, profile_id, text_key, name, read_at, from_at, to_at, line_count, facts)
   VALUES ($id, $profileId, $textKey, $name, $readAt, $from, $to, $lineCount, $facts)`,
);
const finish = sql('statements.finish', 'UPDATE statements SET complete = 1 WHERE id = $id');
const touch = sql(
  'statements.touch',
  'UPDATE statements SET read_at = $readAt, name = coalesce($name, name) WHERE id = $id',
);
const insertLine = sql(
  'statements.insertLine',
  `INSERT INTO statement_lines (statement_id, n, line, at, span_ms, remote_id, request_key, model, units, nano, hash)
   VALUES ($id, $n, $line, $at, $spanMs, $remoteId, $requestKey, $model, $units, $nano, $hash)`,
);
const LINE = `line, at, span_ms AS spanMs, remote_id AS remoteId, request_key AS requestKey, model, units, nano, hash`;
const linesFrom = sql(
  'statements.lines',
  `SELECT ${LINE} FROM statement_lines WHERE statement_id = $id AND n >= $from AND n < $to ORDER BY n`,
);
/** Bills that were never finished, or exceed the limits. */
const surplus = sql(
  'statements.surplus',
  `SELECT id FROM (SELECT id, complete, count(*) OVER newer AS n, sum(line_count) OVER newer AS lines
     FROM statements
     WINDOW newer AS (ORDER BY read_at DESC, seq DESC))
   WHERE id <> $except AND (complete = 0 OR n > $kept OR lines > $keptLines)`,
);
const removeLines = sql(
  'statements.removeLines',
  'DELETE FROM statement_lines WHERE statement_id = $id AND n IN (SELECT n FROM statement_lines WHERE statement_id = $id LIMIT 2000)',
);
const remove = sql('statements.remove', 'DELETE FROM statements WHERE id = $id');

const DECIDED = `seq, statement_id AS statementId, line_id AS lineId, hash, decided_as AS "as", job_id AS jobId, done, shown, shown ->> 'at' AS lineAt, at`;
const inForce = sql(
  'statements.decisions',
  `SELECT ${DECIDED} FROM statement_decisions WHERE profile_id = $profileId AND undone_at IS NULL ORDER BY seq`,
);
const insertDecision = sql(
  'statements.decide',
  `INSERT INTO statement_decisions (profile_id, statement_id, line_id, hash, decided_as, job_id, done, shown, at)
   VALUES ($profileId, $statementId, $lineId, $hash, $as, $jobId, $done, $shown, $at)`,
);
const undo = sql('statements.undo', 'UPDATE statement_decisions SET undone_at = $at WHERE seq = $seq');

/**
 * The number of bills that are kept with their lines, besides a limit for all lines: later bills may repeat jobs on them. Enough for daily
 * bills of five years, or fifty bills of the largest size. Decisions are kept forever.
 */
const KEPT = 2_000;
const KEPT_LINES = 50 * MAX_STATEMENT_LINES;

type Stored = Omit<StatementRow, 'facts'> & { facts: string };
const rowOf = (row: Stored): StatementRow => ({ ...row, facts: JSON.parse(row.facts) as StatementFacts });

export const statementTable = {
  byId: (db: ReadDb, id: string): StatementRow | undefined => {
    const row = db.one<Stored>(byId, { id });
    return row && rowOf(row);
  },
  idOfText: (db: ReadDb, textKey: string): string | undefined => db.one<{ id: string }>(idOfText, { textKey })?.id,
  /** The newest. */
  heads: (db: ReadDb, profileId: string | undefined): StatementHead[] =>
    db
      .all<Omit<StatementHead, 'name'> & { name: string | null }>(newest, { profileId: profileId ?? null })
      .map(({ name, ...head }) => ({ ...head, ...(name === null ? {} : { name }) })),
  asked: (db: ReadDb, profileId: string, names: readonly string[]): AskedColumns | undefined => {
    const row = db.one<{ asked: string }>(askedOf, { profileId, names: JSON.stringify(names) });
    return row && (JSON.parse(row.asked) as AskedColumns);
  },
  /** Adds a bill without its lines; it becomes visible once it is finished. */
  insert: (db: WriteDb, { facts, ...row }: StatementRow, textKey: string): void => {
    db.run(insert, { ...row, textKey, facts: JSON.stringify(facts) });
  },
  insertLines: (db: WriteDb, id: string, lines: readonly BillLine[], first: number): void => {
    for (const [index, line] of lines.entries()) db.run(insertLine, { id, n: first + index, ...line });
  },
  finish: (db: WriteDb, id: string): void => {
    db.run(finish, { id });
  },
  touch: (db: WriteDb, id: string, { readAt, name }: Pick<StatementRow, 'readAt' | 'name'>): void => {
    db.run(touch, { id, readAt, name });
  },
  lines: (db: ReadDb, id: string, { from, to }: { from: number; to: number }): BillLine[] =>
    db.all<BillLine>(linesFrom, { id, from, to }),
  surplus: (db: ReadDb, except: string): string[] =>
    db.all<{ id: string }>(surplus, { except, kept: KEPT, keptLines: KEPT_LINES }).map(({ id }) => id),
  /** Removes a part of a bill; false once all is gone. */
  removeSlice: (db: WriteDb, id: string): boolean => {
    if (db.run(removeLines, { id }) > 0) return true;
    db.run(remove, { id });
    return false;
  },
  decisions: (db: ReadDb, profileId: string): DecisionRow[] =>
    db.all<StoredDecision>(inForce, { profileId }).map(decisionOf),
  decide: (db: WriteDb, profileId: string, { done, ...decision }: Omit<DecisionRow, 'seq' | 'lineAt'>): void => {
    db.run(insertDecision, { ...decision, profileId, done: done && JSON.stringify(done) });
  },
  undo: (db: WriteDb, seq: number, at: number): void => {
    db.run(undo, { seq, at });
  },
};

type StoredDecision = Omit<DecisionRow, 'done'> & { done: string | null };
const decisionOf = (row: StoredDecision): DecisionRow => ({
  ...row,
  done: row.done === null ? null : (JSON.parse(row.done) as DecisionEffect),
});
