import fs from 'node:fs';
import { t } from '../../../shared/texts.ts';
import { databaseFile, isDiskFault } from '../store/index.ts';
import type { EngineDeps } from './deps.ts';

/**
 * Writes what must not be lost, such as the answer to a paid request. While the disk is full or the database cannot be written, the answer
 * is kept in memory, the user is notified once, and the write is repeated until it succeeds. Any other error is a bug and is thrown.
 * Returns undefined if Dailies closes meanwhile; the next start then finds the job as it was before.
 */
export async function persist<T>(
  deps: Pick<EngineDeps, 'clock' | 'log' | 'emit' | 'dataDir'>,
  isClosed: () => boolean,
  work: () => T | Promise<T>,
  words: DiskFullWords = OF_AN_ANSWER,
): Promise<T | undefined> {
  let isGone = false;
  for (let tries = 0; !isClosed(); tries++) {
    try {
      const written = await work();
      if (tries > 0) notifyWritten(deps, words);
      return written;
    } catch (error) {
      if (!isDiskFault(error)) throw error;
      const wasGone = isGone;
      isGone ||= !fs.existsSync(databaseFile(deps.dataDir));
      if (isGone && !wasGone) notifyGone(deps, words);
      else if (tries === 0) notifyDiskFull(deps, error, words);
    }
    await new Promise<void>((later) => deps.clock.after(RETRY_MS, later));
  }
  return undefined;
}

const RETRY_MS = 2_000;

/** What the user is told of a write that waits for room. */
export interface DiskFullWords {
  log: string;
  full: string;
  written: string;
  /** The topic of the notices: the later one replaces the earlier one. */
  about: string;
}

const OF_AN_ANSWER: DiskFullWords = {
  log: 'an answer cannot be written yet',
  full: t`The disk is full, or cannot be written. An answer is kept in memory until it can be: make room, and do not quit Dailies.`,
  written: t`There is room again. The answer is on disk.`,
  about: 'room for answers',
};

function notifyDiskFull({ log, emit }: Pick<EngineDeps, 'log' | 'emit'>, error: unknown, words: DiskFullWords): void {
  log.error({ error: String(error) }, words.log);
  emit({ type: 'notice', level: 'error', text: words.full, about: words.about });
}

/** What is open leads to the disk as it was: SQLite does not find it again, though it is connected again. */
function notifyGone({ emit, dataDir }: Pick<EngineDeps, 'emit' | 'dataDir'>, { about }: DiskFullWords): void {
  const text = t`The data folder ${dataDir} is not there, as on a disk that was taken away, and nothing more is written. Connect it, then quit and start Dailies: what was being sent is then in doubt, and nothing is sent twice.`;
  emit({ type: 'notice', level: 'error', text, about });
}

function notifyWritten({ emit }: Pick<EngineDeps, 'emit'>, { written, about }: DiskFullWords): void {
  emit({ type: 'notice', level: 'info', text: written, about });
}
