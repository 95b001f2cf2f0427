import { Backups, type BackupsDeps } from './backups/index.ts';
import type { Chat } from './chat/index.ts';
import type { Engine } from './jobs/index.ts';
import { restorableLedger } from './ledger/index.ts';
import { type BinKeeper, FileThread, restorableMarks } from './library/index.ts';
import type { Night } from './night/index.ts';
import type { Profiles } from './profiles/index.ts';
import type { Store } from './store/index.ts';
import type { Storyboard } from './storyboard/index.ts';

/** Backups, with what a restore does in each module. */
export function createBackups({
  profiles,
  storyboard,
  chat,
  night,
  engine,
  binKeeper,
  ...common
}: Pick<BackupsDeps, 'dataDir' | 'clock' | 'log' | 'emit'> & {
  store: Store;
  engine: Engine;
  profiles: Profiles;
  storyboard: Storyboard;
  chat: Chat;
  night: Night;
  binKeeper: BinKeeper;
}): Backups {
  return new Backups({
    ...common,
    settings: () => profiles.getSettings(),
    copyProject: (db, id, name) => storyboard.copyPastProject(db, id, name),
    announceProjects: () => storyboard.announceProjects(),
    newThread: () => new FileThread(),
    parts: [
      restorableLedger,
      storyboard.restorable(),
      chat.restorable(),
      engine.many.restorable((db) => engine.batches.isWriting(db)),
      restorableMarks,
      night.plans.restorable(),
      binKeeper.restorable(),
    ],
    restored() {
      const { projectId = '' } = profiles.getSettings();
      if (projectId === '' || storyboard.projects().projects.some(({ id }) => id === projectId)) return;
      // Otherwise new work would go to a project that nobody sees.
      profiles.patchSettings({ projectId: '' });
      common.emit({ type: 'settings.changed' });
    },
  });
}
