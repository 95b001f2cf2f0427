import type { CallParsed } from '../../../shared/contract/contract.ts';
import { ok, type Result } from '../../../shared/contract/result.ts';
import type { Export } from '../../../shared/film/filmExport.ts';
import { fileNameOf } from '../../../shared/library/fileNames.ts';
import type { ExportSink, NewExport } from '../exports/index.ts';
import type { Store } from '../store/index.ts';
import { CSV_HEAD, csvLine, entriesIn, extentOf, type FileNames, jsonLine } from './ledgerFile.ts';

export interface LedgerExportDeps {
  store: Pick<Store, 'readAway'>;
  exports: { start(wanted: NewExport, write: (sink: ExportSink) => Promise<Result<object>>): Promise<Result<Export>> };
  names: FileNames;
}

const SLICE = 5_000;
/** About what a line takes. */
const LINE_BYTES = 400;
const FORMS = { csv: 'text/csv', json: 'application/json' } as const;

/** Starts an export of a period's entries. They are read slice by slice, up to the newest of now. */
export async function exportLedger(
  { store, exports, names }: LedgerExportDeps,
  { format, name = 'Ledger', ...period }: CallParsed<'ledger.export'> & { play: boolean },
): Promise<Result<Export>> {
  const { count, last } = await store.readAway((db) => extentOf(db, period));
  const wanted = { kind: 'ledger' as const, name, bytes: count * LINE_BYTES + 1_024 };
  return exports.start(wanted, async (sink) => {
    const slices = async function* () {
      let written = 0;
      for (let after = 0; ; ) {
        const from = after;
        const found = await store.readAway((db) => entriesIn(db, period, { after: from, last, limit: SLICE }));
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
    // A spreadsheet takes it for UTF-8 by its mark.
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
