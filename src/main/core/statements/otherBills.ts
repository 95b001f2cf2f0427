import type { Nano } from '../../../shared/money.ts';
import { lastPartOf, type ReadDb, type Store, sql } from '../store/index.ts';
import { type JobIndex, lastPart } from './assign.ts';
import type { BillJob } from './billJobs.ts';
import type { BillLine } from './readBill.ts';
import type { StatementRow } from './table.ts';
import { DAY_MS } from './times.ts';

/** What earlier bills of the same gateway have for the jobs of a bill: what stands there is billed once more here. */

/** A line of another bill, for a day before this one begins. */
export interface OtherLine extends Pick<BillLine, 'at' | 'remoteId' | 'requestKey' | 'nano' | 'mark'> {
  statementId: string;
  /** Where the period of its bill ends. */
  to: number;
}

/** A line of another bill, with the job that the user has said it belongs to. */
export interface EarlierLine extends OtherLine {
  jobId: string | null;
}

const LINES = 'SELECT l.statement_id, l.n FROM wanted w CROSS JOIN statement_lines l';
const anyEarlier = sql(
  'statements.anyEarlier',
  'SELECT 1 FROM statements WHERE profile_id = $profileId AND complete = 1 AND id <> $id AND from_at < $from LIMIT 1',
);
const earlierLines = sql(
  'statements.earlierLines',
  `WITH wanted (name) AS MATERIALIZED (SELECT value FROM json_each($names)),
     found (statement_id, n) AS (
       ${LINES} ON l.remote_id = w.name AND l.remote_id <> ''
       UNION ${LINES} ON ${lastPartOf('remote_id')} = w.name AND instr(l.remote_id, '/') > 0
       UNION ${LINES} ON l.request_key = w.name AND l.request_key <> '')
   SELECT l.statement_id AS statementId, s.to_at AS "to", l.at, l.remote_id AS remoteId, l.request_key AS requestKey, l.nano, l.mark
   FROM found f CROSS JOIN statements s ON s.id = f.statement_id AND s.profile_id = $profileId AND s.complete = 1 AND s.id <> $id
     CROSS JOIN statement_lines l ON l.statement_id = f.statement_id AND l.n = f.n
   WHERE l.at < $from ORDER BY s.seq, l.n`,
);

/** Lines whose names one query asks for. */
const ASKED_PER_TURN = 500;

const namesOf = ({ remoteId, requestKey }: BillLine): string[] =>
  [remoteId, lastPart(remoteId), requestKey, lastPart(requestKey)].filter((name) => name !== '');

export const otherBills = {
  anyEarlier: (db: ReadDb, { id, profileId, from }: StatementRow): boolean =>
    db.one(anyEarlier, { id, profileId, from }) !== undefined,
  lines: (db: ReadDb, { id, profileId, from }: StatementRow, names: readonly string[]): OtherLine[] =>
    db.all<OtherLine>(earlierLines, { id, profileId, from, names: JSON.stringify(names) }),
};

/** Lines of earlier bills that name what lines of this one name. */
export async function linesOfEarlierBills(
  store: Pick<Store, 'read' | 'readAway'>,
  row: StatementRow,
  lines: readonly BillLine[],
): Promise<OtherLine[]> {
  if (!otherBills.anyEarlier(store.read, row)) return [];
  // One line may be found by several of its names.
  const found = new Map<string, OtherLine>();
  for (let from = 0; from < lines.length; from += ASKED_PER_TURN) {
    const names = [...new Set(lines.slice(from, from + ASKED_PER_TURN).flatMap(namesOf))];
    for (const line of await store.readAway((db) => otherBills.lines(db, row, names)))
      found.set(`${line.statementId} ${line.mark}`, line);
  }
  return [...found.values()];
}

interface Known {
  index: JobIndex;
  lines: readonly BillLine[];
  /** The positions of a job's lines. */
  groups: ReadonlyMap<BillJob, readonly number[]>;
}

const LINES_PER_TURN = 5_000;

/**
 * What each earlier bill has for a job of this one, its lines together. A bill that still goes on where the job's lines here begin may be
 * another copy of them, and so may a line of the day before: the zone of its time may be unknown.
 */
export function* billedEarlier(
  others: readonly EarlierLine[],
  { index, lines, groups }: Known,
): Generator<void, Map<BillJob, Nano[]>> {
  const sums = new Map<BillJob, Map<string, Nano>>();
  const begins = new Map<BillJob, number>();
  for (const [at, other] of others.entries()) {
    if (at % LINES_PER_TURN === LINES_PER_TURN - 1) yield;
    const job = other.jobId === null ? index.named(other)?.job : index.byId.get(other.jobId);
    const own = job && groups.get(job);
    if (!job || !own) continue;
    const first = begins.get(job) ?? own.reduce((least, of) => Math.min(least, lines[of]?.at ?? least), Infinity);
    begins.set(job, first);
    if (other.to > first || other.at >= first - DAY_MS) continue;
    const byBill = sums.get(job) ?? new Map<string, Nano>();
    byBill.set(other.statementId, (byBill.get(other.statementId) ?? 0) + other.nano);
    sums.set(job, byBill);
  }
  return new Map([...sums].map(([job, byBill]) => [job, [...byBill.values()]]));
}
