import type { EngineDeps } from './deps.ts';
import { finishFetched } from './finishFetched.ts';
import { persist } from './persist.ts';

/**
 * What an answer gave is recorded: what came inside it is here already, the rest is downloaded. `changedThen` gets the ids that changed, unless
 * Dailies closes meanwhile.
 */
export async function takeResults(
  deps: EngineDeps,
  isClosed: () => boolean,
  jobId: string,
  changedThen: (ids: string[]) => void,
): Promise<void> {
  deps.library.wakeDownloads();
  const changed = await finishWritten(deps, isClosed, jobId);
  if (!changed) return;
  changedThen(changed);
  deps.events.emit('results.recorded', jobId);
}

/** Ends a job whose downloads have all ended ({@link finishFetched}), as soon as that can be written. */
export const finishWritten = (
  deps: EngineDeps,
  isClosed: () => boolean,
  jobId: string,
): Promise<string[] | undefined> =>
  persist(deps, isClosed, () => deps.store.grouped((db) => finishFetched(deps, db, jobId)));
