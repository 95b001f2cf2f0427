import type { CallParsed } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { Profile } from '../../../shared/gateway/profile.ts';
import { isTerminal } from '../../../shared/jobs/job.ts';
import { kindOf, mediaRefsOf, promptOf, type StudioRequest, seeded } from '../../../shared/kinds/index.ts';
import { UINT32_MAX } from '../../../shared/kinds/videoConfig.ts';
import type { MediaRef } from '../../../shared/library/mediaRef.ts';
import { shortened } from '../../../shared/text/shortened.ts';
import { t } from '../../../shared/text/texts.ts';
import { estimate, priceChanged, setUnpricedAllowed, shownPriceOf } from '../ledger/index.ts';
import type { ReadDb, WriteDb } from '../store/index.ts';
import { confirmPrice } from './confirmedPrice.ts';
import type { EngineDeps } from './deps.ts';
import { recordOrder } from './journaled.ts';
import { laneOf } from './limits/lanes.ts';
import { rowById } from './records.ts';
import { type JobRow, requestOf } from './row.ts';
import * as statements from './statements.ts';
import { reevaluate, wantLastFrames } from './waiting.ts';

/** The request of a waiting job that was never sent is replaced by another one of its kind. */

type Deps = Pick<EngineDeps, 'clock' | 'ledger' | 'library' | 'random'>;

type Edit = Pick<CallParsed<'jobs.edit'>, 'request' | 'revision' | 'shown'>;

/** The error if the job cannot be edited. */
export function whyNoEdit(row: JobRow, { request, revision }: Edit): Result<never> | undefined {
  if (row.state !== 'queued' && row.state !== 'blocked')
    return fail('wrong_state', t`Only a waiting job can be edited.`);
  if (row.sent_at !== null)
    return fail('wrong_state', t`It was sent before, so its request stays as it is. Cancel it and make another.`);
  if (kindOf(row.kind).makes === 'text')
    return fail('wrong_state', t`A message is edited in its conversation, not in the queue.`);
  if (request.kind !== row.kind)
    return fail('invalid_input', `request.kind: must be ${row.kind}, as it is.`, { field: 'request.kind' });
  // Other changes of a job, such as its place, are none of what was edited.
  return revision !== undefined && revision < row.request_revision ? editedSince(row) : undefined;
}

const editedSince = ({ revision }: JobRow): Result<never> =>
  fail(
    'conflict',
    t`revision: its request was edited elsewhere meanwhile; it is at ${revision}. Nothing was changed.`,
    {
      field: 'revision',
      revision,
    },
  );

/** In the caller's transaction, on the present row, with a request that was validated for this profile. Returns the ids that changed. */
export function editJob(
  deps: Deps,
  db: WriteDb,
  row: JobRow,
  { profile, edit }: { profile: Profile; edit: Edit },
): Result<string[]> {
  const { request: given, shown } = edit;
  const refusal = whyNoEdit(row, edit) ?? waitsForItself(db, row.id, given) ?? isExtended(db, row, given);
  if (refusal) return refusal;
  const request = seeded(given, () => Math.floor(deps.random() * (UINT32_MAX + 1)));
  const cost = estimate(profile, request);
  const changed = priceChanged(shown, shownPriceOf(cost));
  if (changed) return changed;
  const before = requestOf(row);
  deps.ledger.release(db, row, 'its request was edited');
  row.request = JSON.stringify(request);
  row.model = ('model' in request && request.model) || null;
  row.lane = laneOf(profile, request);
  db.run(statements.saveRequest, { id: row.id, request: row.request, model: row.model, lane: row.lane });
  deps.ledger.priceChanges.repriceWaiting(db, row, cost.price, cost);
  confirmPrice(db, row);
  // The permission to send it without a known price was for the request as it was.
  setUnpricedAllowed(db, row, false);
  recordOrder(db, row, profile, 'changed');
  for (const on of jobsNamed(before)) db.run(statements.removeDependency, { id: row.id, on });
  for (const on of jobsNamed(request)) db.run(statements.insertDependency, { id: row.id, on });
  wantLastFrames(deps, db, row);
  reevaluate(deps, db, row);
  return ok([row.id]);
}

const jobsNamed = (request: StudioRequest): Set<string> =>
  new Set(mediaRefsOf(request).flatMap(({ ref }) => ('jobId' in ref ? [ref.jobId] : [])));

/** A job that is made from its own result, or from what waits for it, would never be sent. */
function waitsForItself(db: ReadDb, id: string, request: StudioRequest): Result<never> | undefined {
  const behind = new Set([id]);
  for (const each of behind)
    for (const { job_id } of db.all<{ job_id: string }>(statements.dependentsOf, { id: each })) behind.add(job_id);
  const found = mediaRefsOf(request).find(({ ref }) => 'jobId' in ref && behind.has(ref.jobId));
  if (!found) return undefined;
  const field = `request.${found.field}`;
  return fail('invalid_input', t`${field}: is made from this job, so this job cannot wait for it.`, { field });
}

/** What waits to extend its clip must still be able to: only the model that made a clip can extend it (spec 2.3). */
function isExtended(db: ReadDb, row: JobRow, given: StudioRequest): Result<never> | undefined {
  if (!('model' in given) || given.model === row.model) return undefined;
  const extension = db
    .all<{ job_id: string }>(statements.dependentsOf, { id: row.id })
    .flatMap(({ job_id }) => rowById(db, job_id) ?? [])
    .filter(({ state }) => !isTerminal(state))
    .find((other) => mediaRefsOf(requestOf(other)).some(({ ref, isNamed }) => isNamed && isResultOf(ref, row.id)));
  if (!extension) return undefined;
  const words = shortened(promptOf(requestOf(extension)), 40);
  return fail('invalid_input', t`request.model: “${words}” waits to extend this clip, and only ${row.model} can.`, {
    field: 'request.model',
  });
}

const isResultOf = (ref: MediaRef, id: string): boolean => 'jobId' in ref && ref.jobId === id;
