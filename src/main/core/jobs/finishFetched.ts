import { isTerminal } from '../../../shared/jobs/job.ts';
import { kindOf, makesFiles } from '../../../shared/kinds/index.ts';
import { t } from '../../../shared/text/texts.ts';
import { type AssetRow, assetRowsOfJob } from '../library/index.ts';
import type { WriteDb } from '../store/index.ts';
import { correctUnlessStated } from './charging.ts';
import { compareResults } from './comparison.ts';
import type { EngineDeps } from './deps.ts';
import { isCompared, recordEvent } from './journaled.ts';
import { closeMismatchOf } from './priceMismatches.ts';
import { advance, rowById } from './records.ts';
import type { JobRow } from './row.ts';
import * as statements from './statements.ts';
import { reevaluateDependents } from './waiting.ts';

/**
 * Ends a job whose downloads have all ended: `succeeded` means that every output is on this machine, or in a storage that cannot be
 * downloaded. The charge was made when the results became known; their facts are known only here. A job that was canceled stays canceled,
 * and its money follows its results all the same. Returns the ids that changed.
 */
export function finishFetched(deps: Pick<EngineDeps, 'clock' | 'ledger'>, db: WriteDb, jobId: string): string[] {
  const row = rowById(db, jobId);
  if (!row) return [];
  const isFetching = row.state === 'fetching';
  // The pictures of an answer decide nothing of its job, which ends with the answer.
  const isOpen = row.state === 'canceled' && row.quantity !== null && makesFiles(kindOf(row)) && !isCompared(db, row);
  if (!isFetching && !isOpen)
    // A result may have been fetched once more, for which others wait.
    return [jobId, ...(isTerminal(row.state) ? reevaluateDependents(deps, db, jobId) : [])];
  const outputs = assetRowsOfJob(db, jobId);
  if (outputs.some((asset) => asset.state === 'remote' && asset.fetchable === 1)) return [jobId];
  const gone = outputs.filter((asset) => asset.state === 'expired');
  const refused = gone.filter(isRefused);
  if (refused.length > 0 && refused.length === outputs.length) {
    failAsRefused(deps, db, row, refused);
    return [jobId, ...closeMismatchOf(deps, db, jobId), ...reevaluateDependents(deps, db, jobId)];
  }
  compareWithRequest(deps, db, row);
  if (isFetching) end(deps, db, row, { lost: gone.filter((asset) => !isRefused(asset)), all: outputs.length });
  if (refused.length > 0) noteRefused(deps, db, row, { refused, all: outputs.length });
  return [jobId, ...reevaluateDependents(deps, db, jobId)];
}

function end(
  { clock }: Pick<EngineDeps, 'clock'>,
  db: WriteDb,
  row: JobRow,
  { lost, all }: { lost: readonly AssetRow[]; all: number },
): void {
  if (lost.length === 0) return void advance(db, row, { type: 'complete' }, clock.now(), { error: null });
  const why = lost.find((asset) => asset.fault !== null)?.fault ?? t`The link has ended.`;
  const message = t`${lost.length} of ${all} results could not be downloaded before they were gone from the gateway: ${why} It was charged.`;
  advance(db, row, { type: 'fail' }, clock.now(), { error: { kind: 'server', message, retryable: false } });
}

const isRefused = ({ refusal }: AssetRow): boolean => refusal !== null;

/** Some of the results were refused: that is told beside what the others cost. */
function noteRefused(
  { ledger }: Pick<EngineDeps, 'ledger'>,
  db: WriteDb,
  row: JobRow,
  { refused, all }: { refused: readonly AssetRow[]; all: number },
): void {
  const said = refused.find(({ fault }) => fault !== null)?.fault ?? t`The gateway refused the result.`;
  const note = rowById(db, row.id)?.money_note ?? '';
  ledger.explainCharge(db, row, t`${refused.length} of ${all} results were not made: ${said} ${note}`.trim());
}

/**
 * The address of every result answered with a refusal, so nothing was made and the charge is reversed. A filtered video costs nothing
 * (spec 8); of any other refusal the service does not say whether it is billed.
 */
function failAsRefused(
  deps: Pick<EngineDeps, 'clock' | 'ledger'>,
  db: WriteDb,
  row: JobRow,
  refused: readonly AssetRow[],
): void {
  const asset = refused.find(({ refusal }) => refusal !== 'moderation') ?? refused[0];
  recordEvent(db, row, 'compared', { differs: [], refused: refused.length });
  const isOpen = !kindOf(row).filteredIsFree || asset?.refusal !== 'moderation' || (row.stated_nano ?? 0) > 0;
  deps.ledger.reverseCharge(db, row, isOpen, 'the place of its result answered with a refusal');
  const said = asset?.fault ?? t`The gateway refused the result.`;
  const message = isOpen ? t`${said} The gateway does not say whether it bills this.` : said;
  if (row.state === 'canceled') deps.ledger.explainCharge(db, row, message);
  const error = { kind: asset?.refusal ?? ('server' as const), message, retryable: false };
  advance(db, row, { type: 'fail' }, deps.clock.now(), { error });
}

/** Saves how the results differ from the request, and corrects the charge to what was made. */
function compareWithRequest(deps: Pick<EngineDeps, 'ledger'>, db: WriteDb, row: JobRow): void {
  const { differs, counted } = compareResults(db, row);
  recordEvent(db, row, 'compared', { differs: differs.map((one) => ({ ...one })) });
  if (differs.length === 0) return;
  row.differs = JSON.stringify(differs);
  db.run(statements.saveDiffers, { id: row.id, differs: row.differs });
  if (counted) correctUnlessStated(deps, db, row, { differs, counted });
}
