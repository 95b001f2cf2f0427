import { AsyncLocalStorage } from 'node:async_hooks';
import type Database from 'better-sqlite3';
import { kindsWhere } from '../../../shared/kinds/index.ts';
import type { Logger } from '../ports.ts';

/**
 * Tracks whether a call has changed anything: if a disk becomes full during a call with several writes, the first of them remain, and the
 * answer must not deny that.
 */
const calls = new AsyncLocalStorage<{ hasChanged: boolean } | undefined>();

/** Runs `work`; if it throws, `ended` learns whether it had changed something. */
export async function watchingChanges<T>(work: () => Promise<T>, ended: (error: unknown, hasChanged: boolean) => T) {
  const call = { hasChanged: false };
  try {
    return await calls.run(call, work);
  } catch (error) {
    return ended(error, call.hasChanged);
  }
}

/** Records that something was written that stays, whatever follows. */
export function noteChange(): void {
  const call = calls.getStore();
  if (call) call.hasChanged = true;
}

/** Returns the value of a write, and records the write. */
export function markedChanged<T>(value: T): T {
  noteChange();
  return value;
}

/** For preparatory writes that have no effect before they are complete, and for cleaning up during a call. */
export const withoutChangeTracking = <T>(work: () => T): T => calls.run(undefined, work);

const TRACKED_TABLES = ['jobs', 'assets', 'conversations', 'boards', 'price_mismatches'] as const;
export type TrackedTable = (typeof TRACKED_TABLES)[number];
type Listener = (ids: readonly string[]) => void;

/** Names of the kinds whose answer comes piece by piece, as SQL. */
const streamed = (): string =>
  kindsWhere(({ makes }) => makes === 'text')
    .map((name) => `'${name}'`)
    .join(', ');

/** The cached data of pages: the id column of each table, the column that changes, and which changes count. */
const TABLES: Record<TrackedTable, { id: string; of: string; when?: string }> = {
  // The text of an arriving answer is emitted in chunks, as `chat.delta`.
  jobs: {
    id: 'id',
    of: 'revision',
    when: `NOT (NEW.kind IN (${streamed()}) AND NEW.state = 'running'
      AND (NEW.partial_text <> OLD.partial_text OR NEW.partial_reasoning <> OLD.partial_reasoning))`,
  },
  assets: { id: 'id', of: 'revision' },
  conversations: { id: 'id', of: 'revision' },
  boards: { id: 'project_id', of: 'revision' },
  price_mismatches: { id: 'id', of: 'state' },
};

/**
 * Learns from the database itself which rows have changed, so that no statement, present or future, can forget to notify. Its triggers
 * belong to this connection and are not stored in the file.
 */
export class RevisionNotifier {
  private readonly listeners = new Map<TrackedTable, Set<Listener>>();
  private readonly changedIds = new Map<TrackedTable, Set<string>>();
  private readonly log: Pick<Logger, 'error'>;

  constructor(connection: Database.Database, log: Pick<Logger, 'error'>) {
    this.log = log;
    connection.function('note_revised', (table: unknown, id: unknown) => {
      const name = table as TrackedTable;
      this.changedIds.set(name, (this.changedIds.get(name) ?? new Set()).add(String(id)));
      return null;
    });
    for (const name of TRACKED_TABLES) {
      const { id, of, when = 'true' } = TABLES[name];
      const note = `BEGIN SELECT note_revised('${name}', NEW.${id}); END;`;
      connection.exec(`CREATE TEMP TRIGGER ${name}_added_noted AFTER INSERT ON main.${name} ${note}`);
      connection.exec(
        `CREATE TEMP TRIGGER ${name}_revised_noted AFTER UPDATE OF ${of} ON main.${name} WHEN ${when} ${note}`,
      );
    }
  }

  /** After each commit `listener` gets the ids of a table's added and changed rows. */
  on(table: TrackedTable, listener: Listener): void {
    this.listeners.set(table, (this.listeners.get(table) ?? new Set()).add(listener));
  }

  /** Notifies of rows as after a commit that changed them. */
  note(table: TrackedTable, ids: readonly string[]): void {
    for (const listener of this.listeners.get(table) ?? []) this.notify(listener, ids);
  }

  /** Runs a transaction and notifies once it is on disk; a rolled-back one notifies of nothing. */
  notifyAfter<T>(transaction: () => T): T {
    this.changedIds.clear();
    const value = transaction();
    const changedIds = [...this.changedIds];
    this.changedIds.clear();
    for (const [table, ids] of changedIds) this.note(table, [...ids]);
    return value;
  }

  /** The change is already on disk: a listener that throws does not make it fail. */
  private notify(listener: Listener, ids: readonly string[]): void {
    try {
      listener(ids);
    } catch (error) {
      this.log.error({ error: String(error) }, 'a change could not be told');
    }
  }
}
