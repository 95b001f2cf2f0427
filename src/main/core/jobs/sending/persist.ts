import fs from 'node:fs';
import { t } from '../../../../shared/text/texts.ts';
import type { ChatDelta } from '../../gateway/index.ts';
import { databaseFile, isDiskFault } from '../../store/index.ts';
import type { EngineDeps } from '../deps.ts';
import * as statements from '../queries/jobSql.ts';

/**
 * Writes what must not be lost, such as the answer to a paid request. While the disk is full or the database cannot be written, the answer
 * is kept in memory, the user is notified once, and the write is repeated until it succeeds. Any other error is a bug and is thrown.
 * Returns undefined if Dailies closes meanwhile; the next start then finds the job as it was before.
 */
export async function persist<T>(
  deps: Pick<EngineDeps, 'clock' | 'log' | 'emit' | 'dataDir' | 'store'>,
  isClosed: () => boolean,
  work: () => T | Promise<T>,
  words: DiskFullWords = OF_AN_ANSWER,
): Promise<T | undefined> {
  let told: Told | undefined;
  while (!isClosed()) {
    try {
      const written = await work();
      if (told) notifyWritten(deps, told, words.about);
      return written;
    } catch (error) {
      if (!isDiskFault(error)) throw error;
      told = notifyOnce(deps, { error, told }, words);
    }
    await new Promise<void>((later) => deps.clock.after(RETRY_MS, later));
  }
  return undefined;
}

const RETRY_MS = 2_000;

/**
 * Databases whose file was found missing. The disk may be back before the next write; the first successful write that knew of it clears the
 * entry.
 */
const goneDatabases = new WeakSet<EngineDeps['store']>();

/** The reason that was shown for a waiting write. */
type Told = 'full' | 'gone';

function notifyOnce(
  deps: Pick<EngineDeps, 'log' | 'emit' | 'dataDir' | 'store'>,
  { error, told }: { error: unknown; told: Told | undefined },
  words: DiskFullWords,
): Told {
  if (!fs.existsSync(databaseFile(deps.dataDir))) goneDatabases.add(deps.store);
  const now = goneDatabases.has(deps.store) ? 'gone' : 'full';
  if (now === 'gone' && told !== 'gone') notifyGone(deps, error, words);
  else if (!told) notifyDiskFull(deps, error, words);
  return now;
}

/** Messages for a write that waits for space. */
export interface DiskFullWords {
  log: string;
  full: string;
  /** The topic of the notices: the later one replaces the earlier one. */
  about: string;
}

const OF_AN_ANSWER: DiskFullWords = {
  log: 'an answer cannot be written yet',
  full: t`The disk is full or cannot be written. An answer is kept in memory: free some space, and do not quit Dailies.`,
  about: 'room for answers',
};

function notifyDiskFull({ log, emit }: Pick<EngineDeps, 'log' | 'emit'>, error: unknown, words: DiskFullWords): void {
  log.error({ error: String(error) }, words.log);
  emit({ type: 'notice', level: 'error', text: words.full, about: words.about });
}

/** The database stays unusable even if the disk is connected again, because SQLite keeps the old file open. */
function notifyGone(
  { log, emit, dataDir }: Pick<EngineDeps, 'log' | 'emit' | 'dataDir'>,
  error: unknown,
  { about }: DiskFullWords,
): void {
  log.error({ error: String(error) }, 'the data folder was taken away');
  const text = t`The data folder ${dataDir} is missing. Connect its disk, then quit and start Dailies. Requests that were being sent become unconfirmed; nothing is sent twice.`;
  emit({ type: 'notice', level: 'error', text, about });
}

function notifyWritten({ emit, store }: Pick<EngineDeps, 'emit' | 'store'>, told: Told, about: string): void {
  if (told === 'gone') goneDatabases.delete(store);
  emit({ type: 'notice', level: 'info', text: t`The disk has space again. What waited for it is saved.`, about });
}

/** Deltas are written in batches at this interval, one commit each, so that a kill loses no more than this. */
const FLUSH_MS = 40;

export type PartialWriter = ReturnType<typeof partialWriter>;

/** Stores the text as it arrives, a commit every {@link FLUSH_MS}. Text that cannot be written is kept for the next commit. */
export function partialWriter(deps: EngineDeps, jobId: string, isClosed: () => boolean) {
  let text = '';
  let reasoning = '';
  let cancel: (() => void) | undefined;
  const flush = (): void => {
    cancel?.();
    cancel = undefined;
    if (isClosed() || (text === '' && reasoning === '')) return;
    try {
      deps.store.transaction((db) => db.run(statements.appendPartial, { id: jobId, text, reasoning }));
    } catch (error) {
      deps.log.error({ job: jobId, error: String(error) }, 'a piece of an answer cannot be written yet');
      return;
    }
    text = '';
    reasoning = '';
  };
  return {
    add: (delta: ChatDelta): void => {
      if (delta.channel === 'text') text += delta.text;
      else reasoning += delta.text;
      cancel ??= deps.clock.after(FLUSH_MS, flush);
    },
    flush,
  };
}

/** Combines all deltas of one turn of the event loop into one per channel: a service may send every letter by itself. */
export function deltaTeller(tell: (delta: ChatDelta) => void) {
  let pieces: ChatDelta[] = [];
  let later: NodeJS.Immediate | undefined;
  const flush = (): void => {
    clearImmediate(later);
    later = undefined;
    const told = pieces;
    pieces = [];
    for (const piece of told) tell(piece);
  };
  return {
    add({ channel, text }: ChatDelta): void {
      const last = pieces.at(-1);
      if (last?.channel === channel) last.text += text;
      else pieces.push({ channel, text });
      later ??= setImmediate(flush);
    },
    flush,
  };
}
