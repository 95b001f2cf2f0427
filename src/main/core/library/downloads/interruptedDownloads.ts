import { mayLackRows, type WriteDb } from '../../store/index.ts';
import { isDownloadPending } from '../assetTable.ts';
import { arrivedLate } from '../bin/binTable.ts';
import type { LibraryDeps } from '../content/diskSpace.ts';
import { deleteStalePartials, storedPartials } from './partialDownload.ts';

interface Deps extends Pick<LibraryDeps, 'store' | 'location' | 'log'> {
  /** Runs in the transaction that finds the file of an asset that was deleted meanwhile. */
  onLate(db: WriteDb): void;
}

/** Settles leftovers of downloads after a kill. If that fails, for example on a full disk, the rest stays for the next start. */
export async function settleLeft(deps: Deps): Promise<void> {
  const { store, location, log } = deps;
  // On a missing disk, this waits for a start that finds it.
  if (location.fault() !== undefined) return;
  try {
    await settleLate(deps);
    const isWanted = (name: string) => isDownloadPending(store.read, name) || location.isWritten(location.home, name);
    if (!mayLackRows(store.read)) await deleteStalePartials(location.home, isWanted);
  } catch (error) {
    log.error({ error: String(error) }, 'what was left of downloads cannot be settled');
  }
}

/** Plans the removal of files that downloads stored for deleted assets. */
export async function settleLate({ store, location, onLate }: Deps, only?: string): Promise<void> {
  for (const { id, file } of await storedPartials(location.home))
    if ((only === undefined || id === only) && !isDownloadPending(store.read, id))
      store.transaction((db) => arrivedLate(db, id, file) && onLate(db));
}
