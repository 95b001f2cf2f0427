import type { BillOfJob } from '../../../shared/evidence/document.ts';
import { billedJobs } from '../jobs/index.ts';
import { lastPartOf, type ReadDb, type Store, sql } from '../store/index.ts';
import { type BillJob, namesOf } from './billJobs.ts';
import { DAY_MS } from './cells.ts';
import type { BillLine } from './readBill.ts';
import type { StatementRow } from './table.ts';

/** What the bills that were read have for a job. */

/** A job, and what a bill may know it by: its task id, its keys, and the ids of its answers. */
interface NamedJob {
  id: string;
  names: readonly string[];
}

/** Jobs that one query asks for. */
const ASKED_PER_TURN = 500;

/** Selects the lines that name one of `wanted (name)`, each in its index; the user may have said that one belongs to another job. */
function linesNamed(columns: string): string {
  const lines = `SELECT ${columns} FROM wanted w CROSS JOIN statement_lines l ON`;
  const mayBeIts = `AND NOT EXISTS (SELECT 1 FROM statement_decisions o WHERE o.profile_id = $profileId AND o.mark = l.mark
         AND o.undone_at IS NULL AND o.job_id <> w.jobId)`;
  return `${lines} l.remote_id = w.name AND l.remote_id <> '' ${mayBeIts}
    UNION ${lines} ${lastPartOf('remote_id')} = w.name AND instr(l.remote_id, '/') > 0 ${mayBeIts}
    UNION ${lines} l.request_key = w.name AND l.request_key <> '' ${mayBeIts}`;
}

/** By ids as the comparison does, and by what was decided about a line. */
const found = sql(
  'statements.billed',
  `WITH wanted (name, jobId) AS MATERIALIZED (SELECT value ->> 0, value ->> 1 FROM json_each($wanted)),
     found (jobId, statement_id, line, at, nano, mark) AS (
       ${linesNamed('w.jobId, l.statement_id, l.line, l.at, l.nano, l.mark')}
       UNION SELECT d.job_id, d.statement_id, d.shown ->> 'line', d.shown ->> 'at', d.shown ->> 'billNano', d.mark FROM json_each($ids) w
         CROSS JOIN statement_decisions d ON d.job_id = w.value AND d.job_id IS NOT NULL AND d.undone_at IS NULL
         WHERE d.shown ->> 'billNano' IS NOT NULL)
   SELECT f.jobId, f.statement_id AS statementId, f.line, f.at, f.nano, f.mark, s.name, s.read_at AS readAt, s.to_at AS "to"
   FROM found f CROSS JOIN statements s ON s.id = f.statement_id AND s.profile_id = $profileId AND s.complete = 1
   ORDER BY s.read_at, s.seq, f.line`,
);

/** A line that a bill has for a job; one without a mark could not be read. */
export interface BilledLine extends Pick<BillLine, 'line' | 'at' | 'nano' | 'mark'> {
  jobId: string;
  statementId: string;
  /** Of its bill: where its period ends. */
  to: number;
  name: string | null;
  readAt: number;
}

/** What the bills of a gateway have for jobs, the bill that was read last at the end. */
export function linesOfJobs(db: ReadDb, profileId: string, jobs: readonly NamedJob[]): BilledLine[] {
  const wanted = jobs.flatMap(({ id, names }) => [...new Set(namesOf(...names))].map((name) => [name, id]));
  const ids = jobs.map(({ id }) => id);
  return db.all<BilledLine>(found, { profileId, wanted: JSON.stringify(wanted), ids: JSON.stringify(ids) });
}

/**
 * What the bills of this gateway have for each job; those that no bill has are left out. Of bills that may be copies of each other the one
 * that was read last counts.
 */
export function billedLines(db: ReadDb, profileId: string, jobs: readonly NamedJob[]): Map<string, BillOfJob> {
  const lines = linesOfJobs(db, profileId, jobs).filter(({ mark }) => mark !== '');
  return new Map([...Map.groupBy(lines, ({ jobId }) => jobId)].map(([jobId, own]) => [jobId, together(own)]));
}

/** `lines`: of one job. */
function together(lines: readonly BilledLine[]): BillOfJob {
  const bills = [...Map.groupBy(lines, ({ statementId }) => statementId).values()].toReversed();
  const counted: BilledLine[][] = [];
  for (const bill of bills)
    if (counted.every((other) => isBefore(bill, firstOf(other)) || isBefore(other, firstOf(bill)))) counted.push(bill);
  const all = counted.flat();
  const [{ line, name, readAt }] = all as [BilledLine];
  const nano = all.reduce((sum, one) => sum + one.nano, 0);
  return { nano, line, lines: all.length, readAt, ...(name === null ? {} : { name }) };
}

const firstOf = (lines: readonly Pick<BilledLine, 'at'>[]): number => Math.min(...lines.map(({ at }) => at));

/**
 * Whether lines of a bill are of an earlier time. A bill that still goes on then may be another copy, and so may a line of the day before: the
 * zone of its time may be unknown.
 */
export const isBefore = (lines: readonly Pick<BilledLine, 'at' | 'to'>[], time: number): boolean =>
  lines.every(({ at, to }) => to <= time && at < time - DAY_MS);

/** What else the bills of a gateway have for jobs: lines of other bills, those of this text outside its period, and rows that were not read. */
export async function linesElsewhere(
  store: Pick<Store, 'readAway'>,
  { id: statementId, profileId, from, to }: StatementRow,
  { jobs, marks }: { jobs: readonly BillJob[]; marks: ReadonlySet<string> },
): Promise<ReadonlyMap<string, readonly BilledLine[]>> {
  const all: BilledLine[] = [];
  for (let first = 0; first < jobs.length; first += ASKED_PER_TURN) {
    const asked = new Map(
      jobs.slice(first, first + ASKED_PER_TURN).map(({ id, ids, names }) => [id, { id, names: [...ids, ...names] }]),
    );
    const lines = await store.readAway((db) => {
      for (const { jobId, name } of billedJobs.namesOfAttempts(db, [...asked.keys()]))
        asked.get(jobId)?.names.push(name);
      return linesOfJobs(db, profileId, [...asked.values()]);
    });
    const isHere = (one: BilledLine): boolean =>
      one.mark !== '' && one.statementId === statementId && one.at >= from && one.at < to;
    for (const line of lines) if (!isHere(line) && !marks.has(line.mark)) all.push(line);
  }
  return Map.groupBy(all, ({ jobId }) => jobId);
}
