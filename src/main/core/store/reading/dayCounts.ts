import type Database from 'better-sqlite3';
import { MEDIA_CLASSES } from '../../../../shared/library/mediaRef.ts';
import { whereThereIsRoom } from '../fileType.ts';
import { readFlag } from '../flags.ts';
import type { ReadDb } from '../handles.ts';
import { addLocalDay, localDayOf, localDaysKey } from './localDay.ts';

/**
 * The counts of `asset_days`. Triggers of the connection keep them, so that no statement can forget them; they need a function of the
 * program, since a day begins when it does in this machine's zone. Where that is another one, all is counted anew.
 */

const ofClass = (row: string): string =>
  MEDIA_CLASSES.map((name) => `WHEN ${row}.mime LIKE '${name}/%' THEN '${name}'`).join(' ');

/** The value of a row by each facet, as SQL; null where it has none. `all` counts every asset. */
const VALUES = {
  all: () => `''`,
  type: (row: string) => `CASE ${ofClass(row)} END`,
  state: (row: string) => `${row}.state`,
  verdict: (row: string) => `coalesce(${row}.verdict, 'none')`,
  model: (row: string) => `${row}.model`,
  project: (row: string) => `${row}.project_id`,
  starred: (row: string) => `CASE ${row}.starred WHEN 1 THEN 'true' ELSE 'false' END`,
} as const;
export type DayFacet = keyof typeof VALUES;
const FACETS = Object.keys(VALUES) as DayFacet[];
const COLUMNS = 'role, state, mime, model, project_id, verdict, starred, binned_at';

const isCounted = (row: string): string => `(${row}.role <> 'thumbnail' AND ${row}.binned_at IS NULL)`;

/** What of a row is counted in one place: a change between two of these is one less there and one more here. */
const placeOf = (facet: DayFacet, row: string): string =>
  `CASE WHEN ${isCounted(row)} THEN ${row}.role || char(0) || ${VALUES[facet](row)} END`;

function add(facet: DayFacet, row: 'NEW' | 'OLD', by: 1 | -1, condition = 'true'): string {
  const value = VALUES[facet](row);
  return `INSERT INTO asset_days (facet, value, role, day, n, last)
    SELECT '${facet}', ${value}, ${row}.role, local_day(${row}.created_at), ${by}, ${row}.seq
      WHERE ${isCounted(row)} AND ${value} IS NOT NULL AND ${condition}
    ON CONFLICT DO UPDATE SET n = n + excluded.n, last = max(last, excluded.last);`;
}

/** Which days the counts are of. */
const FLAG = 'library:countedDays';

/**
 * In another zone than this connection was opened in, a row of another day by now is counted where the counts have none: they are given up,
 * and are counted anew by the next start.
 */
const giveUpElsewhere = (row: string): string =>
  `DELETE FROM flags WHERE name = '${FLAG}' AND local_day(${row}.created_at) <> ${localDayOf(`${row}.created_at`)};`;

/**
 * Makes this connection keep the counts in step with what it writes; what was counted in another zone is counted anew. Returns what is to be
 * called before each write: it counts what could not be counted now for want of room.
 */
export function keepDayCounts(connection: Database.Database): () => void {
  addLocalDay(connection);
  // What `migrateInThread` could not.
  let isOwed = !hasDayCounts(connection);
  const settle = (): void => {
    if (isOwed) countDays(connection);
    isOwed = false;
  };
  whereThereIsRoom(settle);
  const on = (event: string, what: string, condition: string, then: string) =>
    connection.exec(
      `CREATE TEMP TRIGGER assets_${event}_days AFTER ${what} ON main.assets WHEN ${condition} BEGIN ${then} END`,
    );
  const changed = (facet: DayFacet) => `${placeOf(facet, 'NEW')} IS NOT ${placeOf(facet, 'OLD')}`;
  const moved = FACETS.map((facet) => add(facet, 'OLD', -1, changed(facet)) + add(facet, 'NEW', 1, changed(facet)));
  const differs = COLUMNS.split(', ').map((column) => `NEW.${column} IS NOT OLD.${column}`);
  on(
    'added',
    'INSERT',
    isCounted('NEW'),
    [...FACETS.map((facet) => add(facet, 'NEW', 1)), giveUpElsewhere('NEW')].join(' '),
  );
  on('changed', `UPDATE OF ${COLUMNS}`, differs.join(' OR '), [...moved, giveUpElsewhere('NEW')].join(' '));
  on(
    'removed',
    'DELETE',
    isCounted('OLD'),
    [...FACETS.map((facet) => add(facet, 'OLD', -1)), giveUpElsewhere('OLD')].join(' '),
  );
  return settle;
}

export const hasDayCounts = (connection: Database.Database): boolean =>
  connection.prepare('SELECT value FROM flags WHERE name = ?').pluck().get(FLAG) === localDaysKey();

/** Whether the counts are of the days that this machine has now: its zone may be another one while the program runs. */
export const areDaysCounted = (db: ReadDb): boolean => readFlag(db, FLAG) === localDaysKey();

/** Rows that are in memory at once. */
const SLICE = 10_000;

type CountedRow = [day: number, seq: number, role: string, ...values: (string | null)[]];

/** Counts every asset, in one transaction. */
export function countDays(connection: Database.Database): void {
  addLocalDay(connection);
  const values = FACETS.map((facet) => VALUES[facet]('a')).join(', ');
  const rows = connection
    .prepare(
      `SELECT ${localDayOf('a.created_at')}, a.seq, a.role, ${values} FROM main.assets a INDEXED BY assets_listed
        WHERE a.role <> 'thumbnail' AND a.binned_at IS NULL AND a.seq > ? ORDER BY a.seq LIMIT ${SLICE}`,
    )
    .raw();
  const counted = connection.prepare(
    'INSERT INTO flags (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  );
  connection
    .transaction(() => {
      connection.exec('DELETE FROM asset_days');
      const adder = new DayAdder(connection);
      for (let after = 0; ; ) {
        const slice = rows.all(after) as CountedRow[];
        for (const row of slice) adder.add(row);
        if (slice.length < SLICE) break;
        after = slice.at(-1)?.[1] ?? after;
      }
      adder.flush();
      counted.run(FLAG, localDaysKey());
    })
    .immediate();
}

/** Writes what was counted once the day changes: assets come in the order of their numbers, which is mostly that of their days. */
class DayAdder {
  private day = 0;
  private last = 0;
  private readonly counts = FACETS.map(() => new Map<string, { value: string; role: string; n: number }>());
  private readonly save: Database.Statement;

  constructor(connection: Database.Database) {
    this.save = connection.prepare(
      `INSERT INTO asset_days (facet, value, role, day, n, last) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET n = n + excluded.n, last = max(last, excluded.last)`,
    );
  }

  add([day, seq, role, ...values]: CountedRow): void {
    if (day !== this.day) this.flush();
    this.day = day;
    this.last = seq;
    for (const [index, counts] of this.counts.entries()) {
      const value = values[index] ?? null;
      if (value === null) continue;
      const count = counts.get(`${role} ${value}`);
      if (count) count.n += 1;
      else counts.set(`${role} ${value}`, { value, role, n: 1 });
    }
  }

  flush(): void {
    for (const [index, counts] of this.counts.entries()) {
      for (const { value, role, n } of counts.values())
        this.save.run(FACETS[index], value, role, this.day, n, this.last);
      counts.clear();
    }
  }
}
