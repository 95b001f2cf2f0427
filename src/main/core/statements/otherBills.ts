import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Nano } from '../../../shared/money.ts';
import type { StatementLine } from '../../../shared/statement/statement.ts';
import { billedJobs } from '../jobs/index.ts';
import { type ReadDb, type Store, sql } from '../store/index.ts';
import type { Placed } from './assign.ts';
import type { BillJob } from './billJobs.ts';
import { type JobIndex, namesOf } from './jobIndex.ts';
import type { BillLine } from './readBill.ts';
import { type DecisionRow, linesNamed, type StatementRow } from './table.ts';
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
  /** The job whose name it was found by. */
  namedId: string | null;
}

const anyEarlier = sql(
  'statements.anyEarlier',
  'SELECT 1 FROM statements WHERE profile_id = $profileId AND complete = 1 AND id <> $id AND from_at < $from LIMIT 1',
);
const earlierLines = sql(
  'statements.earlierLines',
  `WITH wanted (name) AS MATERIALIZED (SELECT value FROM json_each($names)),
     found (statement_id, n) AS (
       ${linesNamed('l.statement_id, l.n')})
   SELECT l.statement_id AS statementId, s.to_at AS "to", l.at, l.remote_id AS remoteId, l.request_key AS requestKey, l.nano, l.mark
   FROM found f CROSS JOIN statements s ON s.id = f.statement_id AND s.profile_id = $profileId AND s.complete = 1 AND s.id <> $id
     CROSS JOIN statement_lines l ON l.statement_id = f.statement_id AND l.n = f.n
   WHERE l.at < $from ORDER BY s.seq, l.n`,
);

/** Lines whose jobs' names one query asks for. */
const ASKED_PER_TURN = 500;

export const otherBills = {
  anyEarlier: (db: ReadDb, { id, profileId, from }: StatementRow): boolean =>
    db.one(anyEarlier, { id, profileId, from }) !== undefined,
  lines: (db: ReadDb, { id, profileId, from }: StatementRow, names: readonly string[]): OtherLine[] =>
    db.all<OtherLine>(earlierLines, { id, profileId, from, names: JSON.stringify(names) }),
};

/** The job of each name. */
type Names = Map<string, string>;

/**
 * Lines of earlier bills that name a job of this bill by any of its names: two bills may know it by different ones. What was asked for once
 * is kept.
 */
export class EarlierLines {
  private readonly row: StatementRow;
  private readonly lines: readonly BillLine[];
  private readonly asked = new Set<string>();
  /** By bill and mark. */
  private readonly found = new Map<string, EarlierLine>();

  constructor(row: StatementRow, lines: readonly BillLine[]) {
    this.row = row;
    this.lines = lines;
  }

  async of(store: Pick<Store, 'read' | 'readAway'>, assigned: Placed['assigned']): Promise<EarlierLine[]> {
    if (!otherBills.anyEarlier(store.read, this.row)) return [];
    for (let from = 0; from < this.lines.length; from += ASKED_PER_TURN) {
      const names = this.newNames(assigned, from);
      if (names.size > 0) await this.find(store, names);
      else await nextTurn();
    }
    return [...this.found.values()];
  }

  private newNames(assigned: Placed['assigned'], from: number): Names {
    const names: Names = new Map();
    for (let at = from; at < Math.min(from + ASKED_PER_TURN, this.lines.length); at += 1) {
      const [line, job] = [this.lines[at], assigned[at]?.job];
      if (line && job) this.add(names, job.id, namesOf(line.remoteId, line.requestKey, ...job.ids, ...job.names));
    }
    return names;
  }

  private add(names: Names, jobId: string, some: readonly string[]): void {
    for (const name of some) if (!this.asked.has(name) && !names.has(name)) names.set(name, jobId);
  }

  private async find(store: Pick<Store, 'readAway'>, names: Names): Promise<void> {
    const ids = [...new Set(names.values())];
    for (const { jobId, name } of await store.readAway((db) => billedJobs.namesOfAttempts(db, ids)))
      this.add(names, jobId, namesOf(name));
    const asked = [...names.keys()];
    for (const line of await store.readAway((db) => otherBills.lines(db, this.row, asked))) {
      const name = namesOf(line.remoteId, line.requestKey).find((one) => names.has(one)) ?? '';
      this.found.set(keyOf(line), { ...line, jobId: null, namedId: names.get(name) ?? null });
    }
    for (const name of asked) this.asked.add(name);
  }
}

const keyOf = ({ statementId, mark }: Pick<OtherLine, 'statementId' | 'mark'>): string => `${statementId} ${mark}`;

/** With what was decided about lines of earlier bills, which need not name their job. */
export function withDecided(
  found: readonly EarlierLine[],
  decisions: readonly DecisionRow[],
  { row, groups, ends }: { row: StatementRow; groups: Placed['groups']; ends: ReadonlyMap<string, number> },
): EarlierLine[] {
  const jobIds = new Set([...groups.keys()].map(({ id }) => id));
  const lines = new Map(found.map((line) => [keyOf(line), line]));
  const byMark = new Map<string, string | null>();
  for (const { mark, jobId, statementId, shown } of decisions) {
    byMark.set(mark, jobId);
    const to = ends.get(statementId);
    const key = keyOf({ statementId, mark });
    if (jobId === null || !jobIds.has(jobId) || statementId === row.id || to === undefined || lines.has(key)) continue;
    const { at, billNano: nano } = JSON.parse(shown) as StatementLine;
    if (nano !== undefined && at < row.from)
      lines.set(key, { statementId, to, at, nano, mark, remoteId: '', requestKey: '', jobId, namedId: null });
  }
  return [...lines.values()].map((line) => ({ ...line, jobId: byMark.get(line.mark) ?? null }));
}

const LINES_PER_TURN = 5_000;

/**
 * What each earlier bill has for a job of this one, its lines together. A bill that still goes on where the job's lines here begin may be
 * another copy of them, and so may a line of the day before: the zone of its time may be unknown.
 */
export function* billedEarlier(
  others: readonly EarlierLine[],
  lines: readonly BillLine[],
  { index, groups }: Placed,
): Generator<void, Map<BillJob, Nano[]>> {
  const sums = new Map<BillJob, Map<string, Nano>>();
  const begins = new Map<BillJob, number>();
  for (const [at, other] of others.entries()) {
    if (at % LINES_PER_TURN === LINES_PER_TURN - 1) yield;
    const job = jobOf(other, index);
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

/** By what was decided; else by the names that jobs beside the bill have; else by any other. */
function jobOf(line: EarlierLine, index: JobIndex): BillJob | undefined {
  if (line.jobId !== null) return index.byId.get(line.jobId);
  return index.named(line)?.job ?? (line.namedId === null ? undefined : index.byId.get(line.namedId));
}
