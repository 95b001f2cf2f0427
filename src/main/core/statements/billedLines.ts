import type { BillOfJob } from '../../../shared/evidence/document.ts';
import { type ReadDb, sql } from '../store/index.ts';
import { namesOf } from './assign.ts';
import { linesNamed } from './table.ts';
import { DAY_MS } from './times.ts';

/** A job, and what a bill may know it by: its task id, its keys, and the ids of its answers. */
export interface NamedJob {
  id: string;
  names: readonly string[];
}

/** The user may have said that it belongs to another job. */
const MAY_BE_ITS = ` AND NOT EXISTS (SELECT 1 FROM statement_decisions o WHERE o.profile_id = $profileId AND o.mark = l.mark
         AND o.undone_at IS NULL AND o.job_id <> w.jobId)`;

/**
 * The lines of each bill that has the job, together: by its ids as the comparison does, and by what was decided about a line. A job may
 * stand on a bill twice.
 */
const ofJobs = sql(
  'statements.billed',
  `WITH wanted (name, jobId) AS MATERIALIZED (SELECT value ->> 0, value ->> 1 FROM json_each($wanted)),
     found (jobId, statement_id, line, at, nano) AS (
       ${linesNamed('w.jobId, l.statement_id, l.line, l.at, l.nano', MAY_BE_ITS)}
       UNION SELECT d.job_id, d.statement_id, d.shown ->> 'line', d.shown ->> 'at', d.shown ->> 'billNano' FROM json_each($ids) w
         CROSS JOIN statement_decisions d ON d.job_id = w.value AND d.job_id IS NOT NULL AND d.undone_at IS NULL
         WHERE d.shown ->> 'billNano' IS NOT NULL)
   SELECT f.jobId, sum(f.nano) AS nano, min(f.line) AS line, count(*) AS lines, s.name, s.read_at AS readAt,
     min(f.at) AS first, max(f.at) AS last, s.to_at AS "to"
   FROM found f CROSS JOIN statements s ON s.id = f.statement_id AND s.profile_id = $profileId AND s.complete = 1
   GROUP BY f.jobId, f.statement_id ORDER BY s.read_at, s.seq`,
);

interface Row extends Omit<BillOfJob, 'name'> {
  name: string | null;
  jobId: string;
  /** When its lines of the job are, and where the period of the bill ends. */
  first: number;
  last: number;
  to: number;
}

/**
 * What the bills of this gateway have for each job; those that no bill has are left out. Of bills that may be copies of each other the one
 * that was read last counts.
 */
export function billedLines(db: ReadDb, profileId: string, jobs: readonly NamedJob[]): Map<string, BillOfJob> {
  const wanted = jobs.flatMap(({ id, names }) => [...new Set(namesOf(...names))].map((name) => [name, id]));
  const ids = JSON.stringify(jobs.map(({ id }) => id));
  const rows = db.all<Row>(ofJobs, { profileId, wanted: JSON.stringify(wanted), ids });
  return new Map([...Map.groupBy(rows, ({ jobId }) => jobId)].map(([jobId, bills]) => [jobId, together(bills)]));
}

/** As `billedEarlier` tells one bill from a copy of it. */
const isBefore = (one: Row, other: Row): boolean => one.to <= other.first && one.last < other.first - DAY_MS;

/** `bills`: of one job, the newest last. */
function together(bills: readonly Row[]): BillOfJob {
  const counted: Row[] = [];
  for (const bill of bills.toReversed())
    if (counted.every((other) => isBefore(bill, other) || isBefore(other, bill))) counted.push(bill);
  const [{ line, name, readAt }] = counted as [Row];
  const sum = (amount: 'nano' | 'lines'): number => counted.reduce((all, bill) => all + bill[amount], 0);
  return { nano: sum('nano'), line, lines: sum('lines'), readAt, ...(name === null ? {} : { name }) };
}
