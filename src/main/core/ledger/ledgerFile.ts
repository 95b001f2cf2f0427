import { withBareAddresses } from '../../../shared/gateway/bareAddress.ts';
import { exactDollars } from '../../../shared/money/money.ts';
import type { PeriodReview } from '../../../shared/money/moneyCalls.ts';
import { csvCell } from '../../../shared/tables/csv.ts';
import { type ReadDb, sql } from '../store/index.ts';
import { isExact, OF_SIDE, type Period, paramsOf, totals } from './reports.ts';

/** The entries of a period as a file: every one, in the order in which they were made. */

export interface FiledEntry {
  seq: number;
  id: string;
  /** Empty for a line of a bill that no job of this machine made. */
  jobId: string;
  at: number;
  countedAt: number;
  /** The local day that it counts to. */
  day: string;
  type: string;
  kind: string;
  model: string;
  projectId: string;
  profileId: string;
  settledNano: number;
  settledLowNano: number;
  reservedNano: number;
  uncertainNano: number;
  unpriced: number;
  note: string;
}

const IN_PERIOD = `counted_at >= $from AND counted_at < $to AND ${OF_SIDE}`;
const COLUMNS = `seq, id, coalesce(job_id, '') AS jobId, at, counted_at AS countedAt, day, type, kind, coalesce(model, '') AS model,
  coalesce(project_id, '') AS projectId, profile_id AS profileId, settled_nano AS settledNano, settled_low_nano AS settledLowNano,
  reserved_nano AS reservedNano, uncertain_nano AS uncertainNano, unpriced, coalesce(note, '') AS note`;
const slice = sql(
  'ledger.slice',
  `SELECT ${COLUMNS} FROM ledger_entries WHERE seq > $after AND seq <= $last AND ${IN_PERIOD} ORDER BY seq LIMIT $limit`,
);
const extent = sql(
  'ledger.extent',
  `SELECT count(*) AS count, coalesce(max(seq), 0) AS last FROM ledger_entries WHERE ${IN_PERIOD}`,
);
const openDoubts = sql(
  'ledger.openDoubts',
  `SELECT coalesce(job_id, id) AS jobId, min(counted_at) AS at, kind, coalesce(model, '') AS model, total(uncertain_nano) AS nano,
     total(unpriced_doubt) AS unpriced FROM ledger_entries WHERE ${IN_PERIOD}
   GROUP BY coalesce(job_id, id) HAVING total(uncertain_nano) <> 0 OR total(unpriced_doubt) <> 0 ORDER BY 2, 1`,
);
const corrections = sql(
  'ledger.corrections',
  `SELECT ${COLUMNS} FROM ledger_entries WHERE type = 'correction' AND ${IN_PERIOD} ORDER BY seq DESC`,
);

const paramsOfPeriod = (period: Period) => ({
  ...paramsOf(period),
  from: period.from ?? 0,
  to: period.to ?? Number.MAX_SAFE_INTEGER,
});

/** How many entries there are, and the number of the newest: what is written later is not in the file. */
export const extentOf = (db: ReadDb, period: Period): { count: number; last: number } =>
  db.one<{ count: number; last: number }>(extent, paramsOfPeriod(period)) ?? { count: 0, last: 0 };

export const entriesIn = (
  db: ReadDb,
  period: Period,
  { after, last, limit }: { after: number; last: number; limit: number },
): FiledEntry[] => db.all<FiledEntry>(slice, { ...paramsOfPeriod(period), after, last, limit });

const MOST_SHOWN = 500;

/** What is open and what was corrected in a period; undefined where a sum is too large to be exact. */
export function reviewOf(db: ReadDb, period: Period): PeriodReview | undefined {
  if (!isExact([totals(db, 'kind', period).sum])) return undefined;
  const params = paramsOfPeriod(period);
  const doubts = db.all<PeriodReview['doubts'][number]>(openDoubts, params);
  const corrected = db.all<FiledEntry>(corrections, params);
  return {
    doubts: doubts.slice(0, MOST_SHOWN),
    doubtCount: doubts.length,
    corrections: corrected.slice(0, MOST_SHOWN).map(correctionOf),
    correctionCount: corrected.length,
    play: period.play ?? false,
  };
}

const correctionOf = ({
  seq: _,
  countedAt: __,
  day: ___,
  projectId: ____,
  profileId: _____,
  jobId,
  note,
  ...entry
}: FiledEntry): PeriodReview['corrections'][number] => ({
  ...entry,
  type: 'correction',
  ...(jobId === '' ? {} : { jobId }),
  ...(note === '' ? {} : { note }),
});

/** What projects and gateways are called. */
export interface FileNames {
  project(id: string): string;
  gateway(id: string): string;
}

export const CSV_HEAD =
  'at,counted_at,day,type,kind,model,project,gateway,job,settled_usd,settled_at_least_usd,reserved_usd,in_doubt_usd,unpriced,note,entry';

/** One entry as a line of RFC 4180: texts quoted and defused, amounts with all nine decimals. */
export function csvLine(entry: FiledEntry, names: FileNames): string {
  const text = (value: string) => csvCell(withBareAddresses(value));
  return [
    new Date(entry.at).toISOString(),
    new Date(entry.countedAt).toISOString(),
    entry.day,
    entry.type,
    text(entry.kind),
    text(entry.model),
    text(names.project(entry.projectId)),
    text(names.gateway(entry.profileId)),
    text(entry.jobId),
    exactDollars(entry.settledNano),
    exactDollars(entry.settledLowNano),
    exactDollars(entry.reservedNano),
    exactDollars(entry.uncertainNano),
    String(entry.unpriced),
    text(entry.note),
    text(entry.id),
  ].join(',');
}

/** One entry as JSON, amounts in whole nano-dollars. */
export function jsonLine({ seq: _, projectId, profileId, note, ...entry }: FiledEntry, names: FileNames): string {
  const where = { projectId, project: names.project(projectId), profileId, gateway: names.gateway(profileId) };
  return JSON.stringify({ ...entry, ...where, ...(note === '' ? {} : { note: withBareAddresses(note) }) });
}
