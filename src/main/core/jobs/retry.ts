import { mediaRefsOf } from '../../../shared/kinds/index.ts';
import type { ShownPrice } from '../../../shared/ledger.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { ReadDb } from '../store/index.ts';
import type { EngineDeps } from './deps.ts';
import { validateRequests, writeJobs } from './enqueue.ts';
import { rowById } from './records.ts';
import { type JobRow, requestOf } from './row.ts';
import * as statements from './statements.ts';

/**
 * The same order as a new job: under the profile of the old one, whatever profile is active now, and behind what it still waits for.
 * The documents that named the old job (a message, a shot) name the new one in the same transaction. Answers the new job's id.
 */
export async function retryAsNew(
  deps: EngineDeps,
  old: JobRow,
  shown: ShownPrice | undefined,
): Promise<Result<string>> {
  const profile = deps.profiles.get(old.profile_id);
  if (!profile) return fail('wrong_state', 'The profile it was made for is gone; make it anew with another one.');
  const requests = [requestOf(old)];
  const judged = await validateRequests(deps, profile, requests);
  if (!judged.ok) return judged;
  return deps.store.transaction((db) => {
    const written = writeJobs(deps, db, profile, {
      requests,
      shown,
      dependsOn: openDependencies(db, old),
      ...(old.project_id ? { projectId: old.project_id } : {}),
    });
    if (!written.ok) return written;
    const [id = ''] = written.data;
    deps.onRetriedAsNew(db, old.id, id);
    return ok(id);
  });
}

/** What the user made it wait for and what may still come; those that have ended without a result would only end it again. */
function openDependencies(db: ReadDb, old: JobRow): string[] {
  const named = new Set(mediaRefsOf(requestOf(old)).flatMap(({ ref }) => ('jobId' in ref ? [ref.jobId] : [])));
  return db
    .all<{ on_id: string }>(statements.dependenciesOf, { id: old.id })
    .map(({ on_id }) => on_id)
    .filter((id) => !named.has(id) && !['failed', 'canceled'].includes(rowById(db, id)?.state ?? 'failed'));
}
