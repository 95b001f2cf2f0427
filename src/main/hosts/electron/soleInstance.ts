import { join } from 'node:path';
import { t } from '../../../shared/text/texts.ts';
import type { takeDataFolder } from '../common/dataDir.ts';

/** Chromium's files are in the data folder too, so that its instance lock is per data folder. */
export const windowFolderOf = (dataDir: string): string => join(dataDir, 'window');

interface Refusal {
  message: string;
  /** The other instance was notified and came to the front. */
  isShownByOther: boolean;
}

/**
 * Why this start must exit. Windows distinguishes instances by the path of `windowFolder`, so it is the one without links. If the data
 * folder was free, no other instance runs, and Chromium's lock failed for another reason: it puts its socket into the temporary folder
 * (process_singleton_posix.cc, `Create`), which may be full.
 */
export function refusalOf(
  taken: ReturnType<typeof takeDataFolder>,
  isOnlyInstance: (windowFolder: string) => boolean,
): Refusal | undefined {
  if (!taken.ok) {
    const isShownByOther = taken.path !== undefined && !isOnlyInstance(windowFolderOf(taken.path));
    return { message: taken.message, isShownByOther };
  }
  const folder = windowFolderOf(taken.folder.path);
  if (isOnlyInstance(folder)) return undefined;
  const message = t`Dailies could not lock the folder ${folder}. Free some disk space and start Dailies again.`;
  return { message, isShownByOther: false };
}
