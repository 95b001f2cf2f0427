import { deleteFlag, readFlag, writeFlag } from './flags.ts';
import type { ReadDb, WriteDb } from './handles.ts';
import type { Store } from './openStore.ts';

/**
 * The project that is being written, a few rows in a turn. Until it is whole its rows are in no list, count or search, and whatever ends the
 * program before takes them out again: of one that is not whole, nothing was ever seen. There is one at a time.
 */

const FLAG = 'bundle:unfinishedProject';

const last = new WeakMap<Store, Promise<unknown>>();

/** Runs `work` once no other project of this store is being written or taken out. */
export function alone<T>(store: Store, work: () => Promise<T>): Promise<T> {
  const run = (last.get(store) ?? Promise.resolve()).then(work);
  last.set(
    store,
    run.catch(() => undefined),
  );
  return run;
}

/** Its id; undefined where every project is whole. */
export const unfinishedProject = (db: ReadDb): string | undefined => readFlag(db, FLAG);
/** On disk before the first row of the project is. */
export const beginProject = (db: WriteDb, id: string): number => writeFlag(db, FLAG, id);
/** The project is whole, or nothing is left of it. */
export const endProject = (db: WriteDb): number => deleteFlag(db, FLAG);

/** The condition of a backup's row that is of no such project: the project may never have become whole, and then its rows are not here. */
export const ofWholePast = (column: string): string =>
  `NOT EXISTS (SELECT 1 FROM past.flags f WHERE f.name = '${FLAG}' AND f.value = ${column})`;

/** The condition of a list without the rows of that project, which `column` names; none where every project is whole. */
export function wholeOnly(
  db: ReadDb,
  column: string,
): { conditions: readonly string[]; params: { unfinished: string } | Record<never, never> } {
  const unfinished = unfinishedProject(db);
  return unfinished === undefined
    ? { conditions: [], params: {} }
    : { conditions: [`${column} IS NOT $unfinished`], params: { unfinished } };
}
