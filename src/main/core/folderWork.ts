import { DEFAULT_LIBRARY } from '../../shared/contract/settings.ts';
import type { Exports } from './exports/index.ts';
import { jobTable } from './jobs/index.ts';
import {
  BinKeeper,
  FileThread,
  freeBytesAt,
  holdersOfContent,
  isDownloadPending,
  Library,
  type LibraryDeps,
  Mover,
  type MoverDeps,
  PictureSizes,
  Verifier,
} from './library/index.ts';
import type { Logger, Ports } from './ports.ts';
import type { Profiles } from './profiles/index.ts';

type LibraryNeeds = 'downloadsAtOnce' | 'freeBytes' | 'limits';

export function createLibrary({
  ports,
  profiles,
  ...common
}: Omit<LibraryDeps, LibraryNeeds> & { ports: Ports; profiles: Profiles }): Library {
  return new Library({
    ...common,
    downloadsAtOnce: () => profiles.active().limits.downloadsAtOnce,
    ...(ports.freeBytes ? { freeBytes: ports.freeBytes } : {}),
    limits: () => profiles.getSettings().library ?? DEFAULT_LIBRARY,
  });
}

/** The move of the library, the check of its files, the bin that empties itself, and sizes that are read again. */
export function createFolderWork({
  ports,
  profiles,
  library,
  exports,
  ...common
}: Omit<MoverDeps, MoverNeeds> & {
  ports: Ports;
  profiles: Profiles;
  library: Library;
  exports: Exports;
  log: Logger;
}) {
  const { store } = common;
  const mover = new Mover({
    ...common,
    freeBytes: ports.freeBytes ?? freeBytesAt,
    floorBytes: () => (profiles.getSettings().library ?? DEFAULT_LIBRARY).floorBytes,
    isPending: (id) => isDownloadPending(store.read, id),
    isNamed: (sha256) => holdersOfContent(store.read, [sha256]).length > 0,
    newThread: () => new FileThread(),
    wakeDownloads: () => library.wakeDownloads(),
    isReadSince: (at) => jobTable.isSendingSince(store.read, at),
    leaveOld: (from, to) => exports.leave(from, to),
  });
  const binKeeper = new BinKeeper({
    ...common,
    bin: library.bin,
    settings: () => profiles.getSettings().library ?? DEFAULT_LIBRARY,
    emptied: () => common.emit({ type: 'settings.changed' }),
  });
  return { mover, verifier: new Verifier(common), binKeeper, pictureSizes: new PictureSizes(common) };
}
type MoverNeeds = Exclude<keyof MoverDeps, 'store' | 'clock' | 'ids' | 'log' | 'place' | 'emit'>;
