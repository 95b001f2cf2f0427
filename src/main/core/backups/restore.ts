import { MOST_LISTED, type RestorePreview } from '../../../shared/contract/backupCalls.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import { en } from '../../../shared/text/texts.ts';
import { codeOf } from '../faults.ts';
import { countUnconfirmed } from '../jobs/index.ts';
import { entriesSince } from '../ledger/index.ts';
import { filesSince } from '../library/index.ts';
import { isRecovering, type ReadDb, type RestoreParticipant, removeDatabase, type Store } from '../store/index.ts';
import { openPastProjects } from '../storyboard/index.ts';

/**
 * A restore takes back documents, never records.
 *
 * Documents are projects, boards, the active branches of conversations, saved overnight plans, stars, tags, the bin and ratings. Each is
 * changed by the rules of its module, as the user would change it: nothing is deleted, newer things go to the bins, takes stay with their
 * shots.
 * Records are jobs and their attempts, sent requests, the ledger, unconfirmed costs, request keys, files and overnight runs. Records are
 * not read from the backup: a job that was sent since then stays sent, so nothing is lost and nothing is sent or paid twice. Jobs that were
 * added since the backup and never sent are canceled, so that a restore spends nothing.
 *
 * The database file is not replaced. The backup is copied, checked and brought up to this version beside it, and one transaction writes the
 * old documents into the current database: SQLite applies it completely or not at all, wherever it is killed, and no module is restarted.
 * Work that remains for thousands of canceled jobs is decided in that transaction and finished by the next start.
 *
 * A backup is refused as one of another folder if any of its jobs, ledger entries, projects, conversations or assets is missing here: such
 * rows are never deleted, except those of a project that never became whole.
 */

export interface RestoreDeps {
  store: Pick<Store, 'unpack' | 'readWithBackup' | 'transactionWithBackup' | 'read'>;
  parts: readonly RestoreParticipant[];
}

/** Unpacks the backup for the duration of `work`. */
export async function withUnpacked<T>(
  { store, parts }: RestoreDeps,
  name: string,
  work: (past: string) => Promise<Result<T>> | Result<T>,
): Promise<Result<T>> {
  let past: string | undefined;
  try {
    past = await store.unpack(name);
    const unknown = store.readWithBackup(past, (db) => unknownRows(db, parts));
    if (unknown > 0) return isRecovering(store.read) ? lost : foreign;
    return await work(past);
  } catch (error) {
    return REFUSALS[codeOf(error)] ?? Promise.reject(error);
  } finally {
    if (past !== undefined) removeDatabase(past);
  }
}

const unknownRows = (db: ReadDb, parts: readonly RestoreParticipant[]): number =>
  parts.reduce((sum, { unknown }) => sum + (unknown?.(db) ?? 0), 0);

export function previewOf({ store, parts }: RestoreDeps, past: string): RestorePreview {
  return store.readWithBackup(past, (db) => {
    const found = parts.map(({ preview }) => preview(db));
    const [gone, back] = [found.flatMap((part) => part.gone), found.flatMap((part) => part.back)];
    return {
      gone: gone.slice(0, MOST_LISTED),
      back: back.slice(0, MOST_LISTED),
      goneCount: gone.length,
      backCount: back.length,
      changed: found.flatMap(({ changed = [] }) => changed).filter(({ count }) => count > 0),
      projects: openPastProjects(db),
      kept: { ledgerEntries: entriesSince(db), doubts: countUnconfirmed(db), files: filesSince(db) },
    };
  });
}

export function restoreFrom({ store, parts }: RestoreDeps, past: string): Result<null> {
  const restored = store.transactionWithBackup(past, (db) => {
    const busy = whyBusy(db, parts);
    return busy ?? ok(parts.map(({ restore }) => restore(db)));
  });
  if (!restored.ok) return restored;
  for (const done of restored.data) done?.();
  return ok(null);
}

/** The refusal while work is running that would continue from the present state. */
export function whyBusy(db: ReadDb, parts: readonly RestoreParticipant[]): Result<never> | undefined {
  for (const { busy } of parts) {
    const refusal = busy?.(db);
    if (refusal) return refusal;
  }
  return undefined;
}

const foreign = fail(
  'wrong_state',
  en`This backup holds jobs or projects that this data folder does not know: it is of another folder. Nothing was changed.`,
);

const lost = fail(
  'wrong_state',
  en`This backup holds jobs or projects that were lost with the damaged database. Choose it above the page, where the damage is told: then it takes the place of the empty one. Nothing was changed.`,
);

const REFUSALS: Readonly<Record<string, Result<never>>> = {
  damaged: fail('wrong_state', en`This backup is damaged and cannot be read. Nothing was changed; take another one.`),
  newer: fail('wrong_state', en`This backup was made by a newer Dailies. Nothing was changed; update Dailies first.`),
  development: fail(
    'wrong_state',
    en`This backup was made by a development build of Dailies and cannot be read. Nothing was changed.`,
  ),
  foreign: fail('wrong_state', en`This file is no backup of Dailies. Nothing was changed.`),
};
