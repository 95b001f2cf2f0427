import { turns, WorkQueue } from '../timeSlicing.ts';
import { withoutChangeTracking } from './changeWatch.ts';
import type { ReadDb, WriteDb } from './connection.ts';
import { deleteFlag, readFlag, writeFlag } from './flags.ts';
import type { Store } from './openStore.ts';
import { type Conditions, whereIf } from './reading/listing.ts';

/**
 * The project that is being written, a few rows in a turn. Until it is whole its rows are in no list, count or search, and whatever ends the
 * program before takes them out again: of one that is not whole, nothing was ever seen. There is one at a time.
 */

const FLAG = 'bundle:unfinishedProject';

const queues = new WeakMap<Store, WorkQueue>();

/** Runs `work` once no other project of this store is being written or taken out. */
export function withProjectLock<T>(store: Store, work: () => Promise<T>): Promise<T> {
  const queue = queues.get(store) ?? new WorkQueue();
  queues.set(store, queue);
  return queue.add(work);
}

/** Its id; undefined where every project is whole. */
export const unfinishedProject = (db: ReadDb): string | undefined => readFlag(db, FLAG);

interface UnseenDeps {
  store: Store;
  /** Takes some of its rows out, those that name others first; false once there are none. */
  takeOutSome(db: WriteDb, id: string): boolean;
  /** Aborted where the program closes: what is unfinished then stays so until the next start. */
  closing?: AbortSignal;
}

interface UnseenProject<Seen> {
  id: string;
  /** A few rows each. */
  steps: Iterable<(db: WriteDb) => void>;
  /** The last transaction: from then on it is seen. */
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
      // On disk before its first row is. What is not seen has changed nothing for whoever asked.
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
      // Where that cannot be written either, the next start does it, and nothing is seen before.
      await takeOut(deps).catch(() => undefined);
      throw error;
    }
  });

/** Takes out what was written of a project that never became whole, some rows in each turn. */
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

/** The condition of a backup's row that is of no such project: the project may never have become whole, and then its rows are not here. */
export const notUnfinishedInBackup = (column: string): string =>
  `NOT EXISTS (SELECT 1 FROM past.flags f WHERE f.name = '${FLAG}' AND f.value = ${column})`;

/** The condition of a list without the rows of that project, which `column` names; none where every project is whole. */
export const withoutUnfinishedProject = (db: ReadDb, column: string): Conditions | undefined =>
  whereIf(`${column} IS NOT $unfinished`, 'unfinished', unfinishedProject(db));
