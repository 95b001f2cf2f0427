import { type ReadDb, sql, type WriteDb } from './handles.ts';

/** Single values that outlive a restart, by name; a module names its own with a prefix such as `prices:`. */

const byName = sql('flags.get', 'SELECT value FROM flags WHERE name = $name');
const save = sql(
  'flags.set',
  'INSERT INTO flags (name, value) VALUES ($name, $value) ON CONFLICT DO UPDATE SET value = $value',
);
const remove = sql('flags.delete', 'DELETE FROM flags WHERE name = $name');
const withPrefix = sql(
  'flags.withPrefix',
  'SELECT name, value FROM flags WHERE substr(name, 1, length($prefix)) = $prefix',
);

export const readFlag = (db: ReadDb, name: string): string | undefined =>
  db.one<{ value: string }>(byName, { name })?.value;
export const writeFlag = (db: WriteDb, name: string, value: string): number => db.run(save, { name, value });
export const deleteFlag = (db: WriteDb, name: string): number => db.run(remove, { name });
export const flagsWithPrefix = (db: ReadDb, prefix: string): { name: string; value: string }[] =>
  db.all<{ name: string; value: string }>(withPrefix, { prefix });
