import type { BillOfJob } from '../../../shared/evidence/document.ts';
import type { Nano } from '../../../shared/money/money.ts';
import { type ReadDb, sql } from '../store/index.ts';
import { namesOf } from './jobIndex.ts';
import type { BillLine } from './readBill.ts';
import { linesNamed, type StatementRow } from './table.ts';
import { DAY_MS } from './times.ts';

/** A job, and what a bill may know it by: its task id, its keys, and the ids of its answers. */
export interface NamedJob {
  id: string;
  names: readonly string[];
}

/** The user may have said that it belongs to another job. */
const MAY_BE_ITS = ` AND NOT EXISTS (SELECT 1 FROM statement_decisions o WHERE o.profile_id = $profileId AND o.mark = l.mark
         AND o.undone_at IS NULL AND o.job_id <> w.jobId)`;

/** By ids as the comparison does, and by what was decided about a line. */
const FOUND = `WITH wanted (name, jobId) AS MATERIALIZED (SELECT value ->> 0, value ->> 1 FROM json_each($wanted)),
     found (jobId, statement_id, line, at, nano, mark) AS (
       ${linesNamed('w.jobId, l.statement_id, l.line, l.at, l.nano, l.mark', MAY_BE_ITS)}
       UNION SELECT d.job_id, d.statement_id, d.shown ->> 'line', d.shown ->> 'at', d.shown ->> 'billNano', d.mark FROM json_each($ids) w
         CROSS JOIN statement_decisions d ON d.job_id = w.value AND d.job_id IS NOT NULL AND d.undone_at IS NULL
         WHERE d.shown ->> 'billNano' IS NOT NULL)`;

/** The lines of each bill that has the job, together. A job may stand on a bill twice. */
const ofJobs = sql(
  'statements.billed',
  `${FOUND}
   SELECT f.jobId, sum(f.nano) AS nano, min(f.line) AS line, count(*) AS lines, s.name, s.read_at AS readAt,
     min(f.at) AS first, max(f.at) AS last, s.to_at AS "to"
   FROM found f CROSS JOIN statements s ON s.id = f.statement_id AND s.profile_id = $profileId AND s.complete = 1
   WHERE f.mark <> '' GROUP BY f.jobId, f.statement_id ORDER BY s.read_at, s.seq`,
);

/** Lines of other bills, those of this text outside its period, and rows that could not be read. */
const others = sql(
  'statements.others',
  `${FOUND}
   SELECT f.jobId, f.statement_id AS statementId, f.at, f.nano, f.mark, s.to_at AS "to"
   FROM found f CROSS JOIN statements s ON s.id = f.statement_id AND s.profile_id = $profileId AND s.complete = 1
   WHERE f.statement_id <> $id OR f.at < $from OR f.at >= $to OR f.mark = ''`,
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
  const rows = db.all<Row>(ofJobs, { profileId, ...wantedOf(jobs) });
  return new Map([...Map.groupBy(rows, ({ jobId }) => jobId)].map(([jobId, bills]) => [jobId, together(bills)]));
}

/** A line for a job that does not stand on the bill that is looked at. */
export interface OtherLine extends Pick<BillLine, 'at' | 'nano' | 'mark'> {
  jobId: string;
  statementId: string;
  /** Where the period of its bill ends. */
  to: number;
}

export const otherLines = (
  db: ReadDb,
  { id, profileId, from, to }: StatementRow,
  jobs: readonly NamedJob[],
): OtherLine[] => db.all<OtherLine>(others, { id, profileId, from, to, ...wantedOf(jobs) });

/**
 * What each earlier bill has for a job whose lines here begin at `first`. A bill that still goes on there may be another copy of them, and so
 * may a line of the day before: the zone of its time may be unknown.
 */
export function earlierSums(lines: readonly OtherLine[], first: number): Nano[] {
  const before = lines.filter(({ at, to }) => isBefore({ to, last: at }, { first }));
  const bills = [...Map.groupBy(before, ({ statementId }) => statementId).values()];
  return bills.map((bill) => bill.reduce((sum, { nano }) => sum + nano, 0));
}

function wantedOf(jobs: readonly NamedJob[]): { wanted: string; ids: string } {
  const wanted = jobs.flatMap(({ id, names }) => [...new Set(namesOf(...names))].map((name) => [name, id]));
  return { wanted: JSON.stringify(wanted), ids: JSON.stringify(jobs.map(({ id }) => id)) };
}

const isBefore = (one: Pick<Row, 'to' | 'last'>, other: Pick<Row, 'first'>): boolean =>
  one.to <= other.first && one.last < other.first - DAY_MS;

/** `bills`: of one job, the newest last. */
function together(bills: readonly Row[]): BillOfJob {
  const counted: Row[] = [];
  for (const bill of bills.toReversed())
    if (counted.every((other) => isBefore(bill, other) || isBefore(other, bill))) counted.push(bill);
  const [{ line, name, readAt }] = counted as [Row];
  const sum = (amount: 'nano' | 'lines'): number => counted.reduce((all, bill) => all + bill[amount], 0);
  return { nano: sum('nano'), line, lines: sum('lines'), readAt, ...(name === null ? {} : { name }) };
}
