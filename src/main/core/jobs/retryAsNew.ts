import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import { mediaRefsOf } from '../../../shared/kinds/index.ts';
import type { ShownPrice } from '../../../shared/money/ledger.ts';
import { t } from '../../../shared/text/texts.ts';
import { currentNightRun } from '../night/index.ts';
import { type KeyedCall, onceByKey } from '../requestKeys/index.ts';
import type { ReadDb } from '../store/index.ts';
import type { EngineDeps } from './deps.ts';
import { validateRequests, writeJobs } from './enqueue.ts';
import { rowById } from './records.ts';
import { type JobRow, requestOf } from './row.ts';
import { type SoftCapWatch, spenderOf, watchSoftCaps } from './softCaps.ts';
import * as statements from './statements.ts';

/**
 * Enqueues the same request as a new job, under the profile of the old one and with its open dependencies, once for the key of the call.
 * The old job, and documents that named it (a message, a shot), name the new one in the same transaction. `old` is the row as the caller
 * saw it: where another call has requested it again since, nothing is made, and `meanwhile` answers. Makes the new job's id.
 */
export async function retryAsNew(
  deps: EngineDeps,
  old: JobRow,
  {
    shown,
    night,
    call,
    meanwhile,
  }: {
    shown: ShownPrice | undefined;
    night: boolean | undefined;
    call: KeyedCall | undefined;
    meanwhile: (madeBefore: string) => Result<string>;
  },
): Promise<Result<{ made: string; isRepeat: boolean; softCaps: SoftCapWatch | undefined }>> {
  const profile = deps.profiles.get(old.profile_id);
  if (!profile) return fail('wrong_state', t`Its gateway was removed; send it again with another one.`);
  const requests = [requestOf(old)];
  const validated = await validateRequests(deps, profile, requests);
  if (!validated.ok) return validated;
  let softCaps: SoftCapWatch | undefined;
  const written = deps.store.transaction((db) => {
    return onceByKey(db, call, deps.clock.now(), () => {
      const madeBefore = rowById(db, old.id)?.retried_as ?? null;
      if (madeBefore !== null && madeBefore !== old.retried_as) return meanwhile(madeBefore);
      const dependsOn = openDependencies(db, old);
      const inProject = old.project_id ? { projectId: old.project_id } : {};
      // The new job belongs to no night but the one it is ordered for.
      const runId = (night && currentNightRun(db)?.id) || null;
      softCaps = watchSoftCaps(deps, db, { ...spenderOf(old), runId });
      const written = writeJobs(deps, db, profile, { requests, shown, night, dependsOn, ...inProject });
      if (!written.ok) return written;
      const [id = ''] = written.data;
      db.run(statements.saveRetriedAs, { id: old.id, retriedAs: id });
      deps.events.emit('job.retriedAsNew', db, old.id, id);
      return ok(id);
    });
  });
  return written.ok ? ok({ ...written.data, softCaps }) : written;
}

/** The explicit dependencies that may still succeed; one that has ended without a result would only fail the new job too. */
function openDependencies(db: ReadDb, old: JobRow): string[] {
  const named = new Set(mediaRefsOf(requestOf(old)).flatMap(({ ref }) => ('jobId' in ref ? [ref.jobId] : [])));
  return db
    .all<{ on_id: string }>(statements.dependenciesOf, { id: old.id })
    .map(({ on_id }) => on_id)
    .filter((id) => !named.has(id) && !['failed', 'canceled'].includes(rowById(db, id)?.state ?? 'failed'));
}
