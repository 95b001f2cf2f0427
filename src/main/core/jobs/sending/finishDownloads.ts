import type { Difference } from '../../../../shared/jobs/difference.ts';
import { isTerminal } from '../../../../shared/jobs/job.ts';
import { kindOf, makesFiles } from '../../../../shared/kinds/index.ts';
import { MEDIA_CLASSES, type MediaClass, mediaTypeOf } from '../../../../shared/library/mediaRef.ts';
import { listed, plural, t } from '../../../../shared/text/texts.ts';
import { type AssetRow, assetRowsOfJob } from '../../library/index.ts';
import type { ReadDb, WriteDb } from '../../store/index.ts';
import type { EngineDeps } from '../deps.ts';
import { advance, rowById } from '../jobRepository.ts';
import type { Comparison } from '../kinds/driver.ts';
import { taskDriverOf } from '../kinds/index.ts';
import { correctUnlessStated } from '../money/charging.ts';
import { closeMismatchOf } from '../money/priceMismatches.ts';
import * as statements from '../queries/jobSql.ts';
import { isCompared, recordEvent } from '../recordEvidence.ts';
import { reevaluateDependents } from '../reevaluate.ts';
import { type JobRow, requestOf } from '../row.ts';
import { persist } from './persist.ts';

/** Takes the results of an answer: those inside it are already stored, the others are downloaded. */
export async function receiveResults(
  deps: EngineDeps,
  isClosed: () => boolean,
  jobId: string,
  changed: () => void,
): Promise<void> {
  deps.library.wakeDownloads();
  if (await finishWritten(deps, isClosed, jobId, changed)) deps.events.emit('results.recorded', jobId);
}

/** Ends a job whose downloads have all ended ({@link finishFetched}), as soon as that can be written; false if Dailies closes meanwhile. */
export async function finishWritten(
  deps: EngineDeps,
  isClosed: () => boolean,
  jobId: string,
  changed: () => void,
): Promise<boolean> {
  const write = async () => {
    await deps.store.grouped((db) => finishFetched(deps, db, jobId));
    return true;
  };
  const isWritten = (await persist(deps, isClosed, write)) === true;
  if (isWritten) changed();
  return isWritten;
}

/**
 * Ends a job after all its downloads. `succeeded` means that every output is on this machine, or in a storage without downloads. The charge
 * was made when the results became known, but facts about the files are known only now. A canceled job stays canceled, and its money still
 * follows its results.
 */
export function finishFetched(deps: Pick<EngineDeps, 'clock' | 'ledger'>, db: WriteDb, jobId: string): void {
  const row = rowById(db, jobId);
  if (!row) return;
  const isFetching = row.state === 'fetching';
  // A text job ends with its answer, whatever becomes of its pictures.
  const isOpen = row.state === 'canceled' && row.quantity !== null && makesFiles(kindOf(row)) && !isCompared(db, row);
  if (!isFetching && !isOpen) {
    // A result may have been downloaded again, and other jobs may wait for it.
    if (isTerminal(row.state)) reevaluateDependents(deps, db, jobId);
    return;
  }
  const outputs = assetRowsOfJob(db, jobId);
  if (outputs.some((asset) => asset.state === 'remote' && asset.fetchable === 1)) return;
  const gone = outputs.filter((asset) => asset.state === 'expired');
  const refused = gone.filter(isRefused);
  if (refused.length > 0 && refused.length === outputs.length) {
    failAsRefused(deps, db, row, refused);
    closeMismatchOf(deps, db, jobId);
    return void reevaluateDependents(deps, db, jobId);
  }
  compareWithRequest(deps, db, row);
  if (isFetching) end(deps, db, row, { lost: gone.filter((asset) => !isRefused(asset)), all: outputs.length });
  if (refused.length > 0) noteRefused(deps, db, row, { refused, all: outputs.length });
  reevaluateDependents(deps, db, jobId);
}

function end(
  { clock }: Pick<EngineDeps, 'clock'>,
  db: WriteDb,
  row: JobRow,
  { lost, all }: { lost: readonly AssetRow[]; all: number },
): void {
  if (lost.length === 0) return void advance(db, row, { type: 'complete' }, clock.now(), { error: null });
  const why = lost.find((asset) => asset.fault !== null)?.fault ?? t`The link has ended.`;
  const message = t`${lost.length} of ${all} results were gone from the gateway before they were downloaded: ${why} They were charged.`;
  advance(db, row, { type: 'fail' }, clock.now(), { error: { kind: 'server', message, retryable: false } });
}

const isRefused = ({ refusal }: AssetRow): boolean => refusal !== null;

/** Adds a note if some of the results were refused, beside the cost of the others. */
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
 * Every result's address answered with a refusal, so nothing was made and the charge is reversed. A filtered video costs nothing (spec 8);
 * for any other refusal the charge is uncertain.
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
  const message = isOpen ? `${said} ${t`The gateway does not say whether it bills this.`}` : said;
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

/** Compares the results of a job with its request, by the facts of the verified files. */
function compareResults(db: ReadDb, row: JobRow): Comparison {
  const all = assetRowsOfJob(db, row.id);
  const here = all.filter(({ state }) => state === 'local');
  const compared = taskDriverOf(row)?.compare(db, row, requestOf(row), { all, here }) ?? { differs: [] };
  const { makes, most } = kindOf(row);
  const isOther = ({ mime }: AssetRow) => mime !== '' && mediaTypeOf(mime) !== makes;
  if (makes === 'text' || !here.some(isOther)) return compared;
  const requested = most(requestOf(row), { outputTokens: 0 }).videos ?? all.length;
  const others = compared.differs.filter(({ what }) => what !== 'count');
  return { ...compared, differs: [typeDifference(makes, requested, here), ...others] };
}

/** The charge stays: nothing says that a result of another type costs less. */
function typeDifference(makes: MediaClass, requested: number, here: readonly AssetRow[]): Difference {
  const types = [makes, ...MEDIA_CLASSES.filter((type) => type !== makes)];
  const made = types.flatMap((type) => {
    const count = here.filter(({ mime }) => mediaTypeOf(mime) === type).length;
    return count === 0 ? [] : [NOUNS[type](count)];
  });
  return { what: 'type', ordered: NOUNS[makes](requested), made: listed(made) };
}

const NOUNS: Readonly<Record<MediaClass, (count: number) => string>> = {
  image: (count) => plural(count, 'picture'),
  video: (count) => plural(count, 'clip'),
  audio: (count) => plural(count, 'sound'),
};
