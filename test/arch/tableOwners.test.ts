import { expect, test } from 'vitest';
import { EXCEPTIONS, foreignTables, foreignTablesIn, OWNERS, schemaOfDatabase } from './tableOwners.ts';

const found = foreignTables();
const isExcepted = ({ file, table }: { file: string; table: string }): boolean =>
  EXCEPTIONS.some(([where, named]) => where === file && named === table);

test('every table of the database has an owner', () => {
  expect(schemaOfDatabase().tables).toEqual(Object.keys(OWNERS).sort());
});

test('no module names the table of another one, and only the ledger changes the money of a job', () => {
  expect(found.filter((place) => !isExcepted(place)).map(({ told }) => told)).toEqual([]);
});

test.each(EXCEPTIONS)('the exception in %s for %s is still needed', (file, table) => {
  expect(found.filter((place) => place.file === file && place.table === table)).not.toEqual([]);
});

const PLANTED: Record<string, [file: string, text: string]> = {
  'a select': ['night/a.ts', "sql('night.a', 'SELECT id FROM jobs');"],
  'a join': ['chat/a.ts', "sql('chat.a', `SELECT m.id FROM messages m LEFT JOIN assets a ON a.id = m.id`);"],
  'a second table after a comma': ['chat/a.ts', "sql('chat.a', 'SELECT 1 FROM messages, boards');"],
  'a subselect': ['library/a.ts', "sql('a', `SELECT id FROM assets WHERE id IN (SELECT job_id FROM attempts)`);"],
  'an insert': ['jobs/a.ts', "sql('jobs.a', 'INSERT INTO flags (name) VALUES ($name)');"],
  'an upsert': ['jobs/a.ts', "sql('jobs.a', `INSERT OR REPLACE INTO spend (key) VALUES ('x')`);"],
  'an update': ['storyboard/a.ts', "sql('a', 'UPDATE assets SET project_id = $id');"],
  'a delete': ['webhooks/a.ts', "sql('a', 'DELETE FROM flags');"],
  'a piece of a statement': ['night/a.ts', 'const LINE = `jobs INDEXED BY jobs_waiting`;'],
  'a table put in later': ['night/a.ts', "const LINE = 'jobs'; sql('a', `SELECT 1 FROM $" + '{LINE}`);'],
  'a statement outside the modules': ['studio.ts', "db.exec('DELETE FROM jobs');"],
  'money that the jobs change': ['jobs/a.ts', "sql('jobs.a', 'UPDATE jobs SET state = $a, stated_nano = $b');"],
  'a job that the ledger ends': [
    'ledger/a.ts',
    "sql('a', `UPDATE jobs SET price = $p, state = 'failed' WHERE id = $id`);",
  ],
  'jobs that the ledger looks for': ['ledger/a.ts', "sql('a', `SELECT id, price FROM jobs WHERE state = 'queued'`);"],
  'a whole row that the ledger reads': ['ledger/a.ts', "sql('a', 'SELECT * FROM jobs WHERE id = $id');"],
};
test.each(Object.entries(PLANTED))('refuses %s', (_, [file, text]) => {
  expect(foreignTablesIn(`src/main/core/${file}`, text)).toHaveLength(1);
});

const FINE: Record<string, [file: string, text: string]> = {
  'its own table': ['jobs/a.ts', "sql('jobs.a', 'SELECT j.id FROM jobs j JOIN attempts ON job_id = j.id');"],
  'a sum called like a table': [
    'ledger/a.ts',
    "sql('a', 'SELECT count(DISTINCT job_id) AS jobs FROM ledger_entries');",
  ],
  'a value called like a table': [
    'chat/a.ts',
    "sql('a', `SELECT id FROM messages WHERE role = 'jobs' OR id = $jobs`);",
  ],
  'a sentence': ['night/a.ts', "const text = 'jobs wait for assets';"],
  'money that the jobs read': ['jobs/a.ts', "sql('jobs.a', 'UPDATE jobs SET state = $a WHERE uncertain_nano > 0');"],
  'money that the ledger changes': ['ledger/a.ts', "sql('a', 'UPDATE jobs SET quantity = $quantity WHERE id = $id');"],
  'the shape of the tables': ['store/migrations/a.ts', 'export const a = `UPDATE jobs SET play = 1`;'],
};
test.each(Object.entries(FINE))('lets %s pass', (_, [file, text]) => {
  expect(foreignTablesIn(`src/main/core/${file}`, text)).toEqual([]);
});
