import { turns, WorkQueue } from '../timeSlicing.ts';
import { withoutChangeTracking } from './changeWatch.ts';
import type { ReadDb, WriteDb } from './connection.ts';
import { deleteFlag, readFlag, writeFlag } from './flags.ts';
import type { Store } from './openStore.ts';
import { type Conditions, whereIf } from './reading/listing.ts';

/**
 * A project that is being written, a few rows per turn. Until it is complete, its rows are in no list, count or search; if the program ends
 * before, they are removed again, and nobody has seen them. Only one such project exists at a time.
 */

const FLAG = 'bundle:unfinishedProject';

const queues = new WeakMap<Store, WorkQueue>();

/** Runs `work` once no other project of this store is being written or removed. */
export function withProjectLock<T>(store: Store, work: () => Promise<T>): Promise<T> {
  const queue = queues.get(store) ?? new WorkQueue();
  queues.set(store, queue);
  return queue.add(work);
}

/** The id of the unfinished project; undefined if there is none. */
export const unfinishedProject = (db: ReadDb): string | undefined => readFlag(db, FLAG);

interface UnseenDeps {
  store: Store;
  /** Removes some rows of the project, referring rows first; false once there are none. */
  takeOutSome(db: WriteDb, id: string): boolean;
  /** Aborted when the program closes; an unfinished project then stays until the next start. */
  closing?: AbortSignal;
}

interface UnseenProject<Seen> {
  id: string;
  /** A few rows each. */
  steps: Iterable<(db: WriteDb) => void>;
  /** The last transaction, which makes the project visible. */
  show(db: WriteDb): Seen;
}

/**
 * Writes a project in turns. Where its end is not reached, it is taken out again, now or by the next start ({@link removeUnfinishedProject}).
 * Undefined if Dailies closes meanwhile.
 */
export const writeHiddenProject = <Seen>(deps: UnseenDeps, project: UnseenProject<Seen>): Promise<Seen | undefined> =>
  withProjectLock(deps.store, async () => {
    const { store, closing } = deps;
    try {
      // On disk before the first row. Not watched, because invisible rows change nothing for the caller.
      withoutChangeTracking(() => store.transaction((db) => writeFlag(db, FLAG, project.id)));
      for (const step of project.steps) {
        await turns.next();
        if (closing?.aborted) return undefined;
        withoutChangeTracking(() => store.transaction(step));
      }
      await turns.next();
      if (closing?.aborted) return undefined;
      return store.transaction((db) => {
        const seen = project.show(db);
        deleteFlag(db, FLAG);
        return seen;
      });
    } catch (error) {
      // If this fails too, the next start removes the rows; they stay invisible until then.
      await takeOut(deps).catch(() => undefined);
      throw error;
    }
  });

/** Removes the rows of a project that was never completed, a few per turn. */
export const removeUnfinishedProject = (deps: UnseenDeps): Promise<void> =>
  withProjectLock(deps.store, () => takeOut(deps));

async function takeOut({ store, takeOutSome, closing }: UnseenDeps): Promise<void> {
  const id = unfinishedProject(store.read);
  if (id === undefined) return;
  const some = (db: WriteDb) => takeOutSome(db, id);
  for (let isMore = true; isMore && !closing?.aborted; await turns.next())
    isMore = withoutChangeTracking(() => store.transaction(some));
  if (!closing?.aborted) withoutChangeTracking(() => store.transaction((db) => deleteFlag(db, FLAG)));
}

/**
 * The condition for rows of a backup that belong to no unfinished project: such a project may never have been completed, and then its rows
 * are missing here.
 */
export const notUnfinishedInBackup = (column: string): string =>
  `NOT EXISTS (SELECT 1 FROM past.flags f WHERE f.name = '${FLAG}' AND f.value = ${column})`;

/** The condition for lists without rows of the unfinished project, which `column` names; undefined if there is none. */
export const withoutUnfinishedProject = (db: ReadDb, column: string): Conditions | undefined =>
  whereIf(`${column} IS NOT $unfinished`, 'unfinished', unfinishedProject(db));
