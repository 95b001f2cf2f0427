import type { CallParsed } from '../../../shared/contract/contract.ts';
import { ok, type Result } from '../../../shared/contract/result.ts';
import type { Export } from '../../../shared/film/filmExport.ts';
import { withBareAddresses } from '../../../shared/gateway/bareAddress.ts';
import { fileNameOf } from '../../../shared/library/fileNames.ts';
import { exactDollars } from '../../../shared/money/money.ts';
import type { PeriodReview } from '../../../shared/money/moneyCalls.ts';
import { csvCell } from '../../../shared/tables/csv.ts';
import type { ExportSink, ExportToStart } from '../exports/index.ts';
import { type ReadDb, type Store, sql } from '../store/index.ts';
import { isExact, OF_SIDE, type Period, paramsOf, totals } from './reports.ts';

interface LedgerExportDeps {
  store: Pick<Store, 'readInThread'>;
  exports: {
    start(wanted: ExportToStart, write: (sink: ExportSink) => Promise<Result<object>>): Promise<Result<Export>>;
  };
  names: FileNames;
}

const SLICE = 5_000;
/** The approximate size of a line. */
const LINE_BYTES = 400;
const FORMS = { csv: 'text/csv', json: 'application/json' } as const;

/** Exports the entries of a period, read in slices, up to the newest at the start. */
export async function exportLedger(
  { store, exports, names }: LedgerExportDeps,
  { format, name = 'Ledger', ...period }: CallParsed<'ledger.export'> & { play: boolean },
): Promise<Result<Export>> {
  const { count, last } = await store.readInThread((db) => extentOf(db, period));
  const wanted = { kind: 'ledger' as const, name, bytes: count * LINE_BYTES + 1_024 };
  return exports.start(wanted, async (sink) => {
    const slices = async function* () {
      let written = 0;
      for (let after = 0; ; ) {
        const from = after;
        const found = await store.readInThread((db) => entriesIn(db, period, { after: from, last, limit: SLICE }));
        after = found.at(-1)?.seq ?? after;
        written += found.length;
        yield found;
        sink.progress(count === 0 ? 1 : written / count);
        if (found.length < SLICE) return;
      }
    };
    await sink.writePieces(
      `${fileNameOf(name, 'ledger')}.${format}`,
      FORMS[format],
      filed(slices(), { format, period, names }),
    );
    return ok({});
  });
}

type Slices = AsyncIterable<Parameters<typeof csvLine>[0][]>;

async function* filed(
  slices: Slices,
  { format, period, names }: { format: 'csv' | 'json'; period: object; names: FileNames },
): AsyncGenerator<Uint8Array> {
  const bytes = (text: string) => Buffer.from(text, 'utf8');
  if (format === 'csv') {
    // The byte order mark tells spreadsheets that it is UTF-8.
    yield bytes(`\ufeff${CSV_HEAD}\r\n`);
    for await (const entries of slices) yield bytes(entries.map((entry) => `${csvLine(entry, names)}\r\n`).join(''));
    return;
  }
  yield bytes(`{"unit":"nano-dollar","period":${JSON.stringify(period)},"entries":[`);
  let isFirst = true;
  for await (const entries of slices) {
    if (entries.length === 0) continue;
    yield bytes(`${isFirst ? '' : ','}\n${entries.map((entry) => jsonLine(entry, names)).join(',\n')}`);
    isFirst = false;
  }
  yield bytes('\n]}\n');
}

/** All entries of a period as a file, in the order in which they were made. */

interface FiledEntry {
  seq: number;
  id: string;
  /** Empty for a line of a bill without a job of this machine. */
  jobId: string;
  at: number;
  countedAt: number;
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

/** The number of entries, and the number of the newest: later ones are not in the file. */
const extentOf = (db: ReadDb, period: Period): { count: number; last: number } =>
  db.one<{ count: number; last: number }>(extent, paramsOfPeriod(period)) ?? { count: 0, last: 0 };

const entriesIn = (
  db: ReadDb,
  period: Period,
  { after, last, limit }: { after: number; last: number; limit: number },
): FiledEntry[] => db.all<FiledEntry>(slice, { ...paramsOfPeriod(period), after, last, limit });

const MOST_SHOWN = 500;

/** Unconfirmed costs and corrections of a period; undefined if a sum is too large to be exact. */
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

/** Names of projects and gateways. */
interface FileNames {
  project(id: string): string;
  gateway(id: string): string;
}

const CSV_HEAD =
  'at,counted_at,day,type,kind,model,project,gateway,job,settled_usd,settled_at_least_usd,reserved_usd,in_doubt_usd,unpriced,note,entry';

/** One entry as a CSV line (RFC 4180): texts quoted, formulas disabled, amounts with nine decimals. */
function csvLine(entry: FiledEntry, names: FileNames): string {
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

/** One entry as JSON, amounts in nano-dollars. */
function jsonLine({ seq: _, projectId, profileId, note, ...entry }: FiledEntry, names: FileNames): string {
  const where = { projectId, project: names.project(projectId), profileId, gateway: names.gateway(profileId) };
  return JSON.stringify({ ...entry, ...where, ...(note === '' ? {} : { note: withBareAddresses(note) }) });
}
