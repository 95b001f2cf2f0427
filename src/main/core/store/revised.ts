import type Database from 'better-sqlite3';
import type { Logger } from '../ports.ts';

export const REVISED_TABLES = ['jobs', 'assets', 'conversations', 'boards', 'price_mismatches'] as const;
export type RevisedTable = (typeof REVISED_TABLES)[number];
type Listener = (ids: readonly string[]) => void;

/** Things that pages keep in a cache: by which column their table knows them, and which one says that they have changed. */
const TABLES: Record<RevisedTable, { id: string; of: string; when?: string }> = {
  // An answer that is still coming is told piece by piece, as `chat.delta`.
  jobs: { id: 'id', of: 'revision', when: `NOT (NEW.kind = 'chat' AND NEW.state = 'running')` },
  assets: { id: 'id', of: 'revision' },
  conversations: { id: 'id', of: 'revision' },
  boards: { id: 'project_id', of: 'revision' },
  price_mismatches: { id: 'id', of: 'state' },
};

/**
 * Hears from the database itself which things have another revision, so that no statement, present or future, can forget to tell.
 * Its triggers are of this connection only, and are not in the file.
 */
export class Revised {
  private readonly listeners = new Map<RevisedTable, Set<Listener>>();
  private readonly noted = new Map<RevisedTable, Set<string>>();
  private readonly log: Pick<Logger, 'error'>;

  constructor(connection: Database.Database, log: Pick<Logger, 'error'>) {
    this.log = log;
    connection.function('note_revised', (table: unknown, id: unknown) => {
      const name = table as RevisedTable;
      this.noted.set(name, (this.noted.get(name) ?? new Set()).add(String(id)));
      return null;
    });
    for (const name of REVISED_TABLES) {
      const { id, of, when = 'true' } = TABLES[name];
      const note = `ON main.${name} WHEN ${when} BEGIN SELECT note_revised('${name}', NEW.${id}); END;`;
      connection.exec(`CREATE TEMP TRIGGER ${name}_added_noted AFTER INSERT ${note}`);
      connection.exec(`CREATE TEMP TRIGGER ${name}_revised_noted AFTER UPDATE OF ${of} ${note}`);
    }
  }

  /** `listener` gets the ids of one table's things that were added or revised, after each commit. */
  on(table: RevisedTable, listener: Listener): void {
    this.listeners.set(table, (this.listeners.get(table) ?? new Set()).add(listener));
  }

  /** Runs a transaction, and tells of it when it is on disk; of one that was rolled back there is nothing to tell. */
  telling<T>(transaction: () => T): T {
    this.noted.clear();
    const value = transaction();
    const noted = [...this.noted];
    this.noted.clear();
    for (const [table, ids] of noted)
      for (const listener of this.listeners.get(table) ?? []) this.tell(listener, [...ids]);
    return value;
  }

  /** What is on disk has happened: a listener that throws does not make it a failure. */
  private tell(listener: Listener, ids: readonly string[]): void {
    try {
      listener(ids);
    } catch (error) {
      this.log.error({ error: String(error) }, 'a change could not be told');
    }
  }
}
