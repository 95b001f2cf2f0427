import { expect, test } from 'vitest';
import { openTestStore } from '../../../../../test/helpers/emptyDatabase.ts';
import { TestClock, tempDir } from '../../../../../test/helpers/testPorts.ts';
import { textIndexFaults } from '../../../../../test/helpers/textIndex.ts';
import { ftsQuery } from '../../../../shared/library/search/searchQuery.ts';
import { databaseFile, matching, type Store, sql, type TextTable } from '../index.ts';

/**
 * The text index holds the words of the rows, whatever statement changed them: tried by statements that know nothing of it.
 */

const CHAT = JSON.stringify({
  kind: 'chat',
  model: 'm',
  messages: [{ role: 'user', content: 'How far is the moon?' }],
});
const VIDEO = JSON.stringify({ kind: 'video', model: 'veo', prompt: 'A quay at night, 雪山日出' });
const RESULT = JSON.stringify({ text: 'Nearly four hundred thousand kilometres', finishReason: 'stop' });

const job = (id: string, kind: string, state: string) =>
  `INSERT INTO jobs (id, kind, state, request, profile_id, model, lane, idempotency_key, hook_secret, price, estimate_nano,
     estimate_low_nano, position, created_at)
   VALUES ('${id}', '${kind}', '${state}', '${kind === 'chat' ? CHAT : VIDEO}', 'p', 'veo', 'l', 'k', 's', '{}', 0, 0, 1, 1)`;
const asset = (id: string, of: string, role: string) =>
  `INSERT INTO assets (id, state, job_id, role, name, created_at) VALUES ('${id}', 'local', ${of}, '${role}', 'Name ${id}', 1)`;

const ROWS = [
  `INSERT INTO projects (id, name, created_at) VALUES ('p1', 'One', 1)`,
  job('v1', 'video', 'succeeded'),
  job('v2', 'video', 'queued'),
  job('c1', 'chat', 'running'),
  asset('a1', `'v1'`, 'output'),
  asset('a2', 'NULL', 'source'),
  asset('a3', `'v1'`, 'thumbnail'),
  `INSERT INTO conversations (id, title, created_at, updated_at) VALUES ('k1', 'One', 1, 1)`,
  `INSERT INTO conversations (id, title, created_at, updated_at, seq) VALUES ('k2', 'Numbered', 1, 1, 9)`,
  `INSERT INTO messages (id, conversation_id, role, text, job_id, created_at)
   VALUES ('m1', 'k1', 'user', 'How far?', NULL, 1), ('m2', 'k1', 'assistant', '', 'c1', 1)`,
  `INSERT INTO shot_texts (project_id, shot_id, title, prompt, at) VALUES ('p1', 's1', 'The Pier', 'Fog at dawn', 1)`,
];

/** One after the other, each of them seen by one trigger. */
const CHANGES = [
  `UPDATE jobs SET request = '${VIDEO.replace('night', 'noon')}' WHERE id = 'v1'`,
  `UPDATE jobs SET model = 'kling' WHERE id = 'v2'`,
  `UPDATE jobs SET model = NULL WHERE id = 'v2'`,
  `UPDATE jobs SET partial_text = 'Nearly four' WHERE id = 'c1'`,
  `UPDATE jobs SET state = 'uncertain' WHERE id = 'c1'`,
  `UPDATE jobs SET partial_text = 'Nearly four hundred' WHERE id = 'c1'`,
  `UPDATE jobs SET state = 'running' WHERE id = 'c1'`,
  `UPDATE jobs SET result = '${RESULT}' WHERE id = 'c1'`,
  `UPDATE jobs SET state = 'succeeded' WHERE id = 'c1'`,
  `UPDATE assets SET name = 'Fuchs 🦊' WHERE id = 'a2'`,
  `UPDATE assets SET model = 'flux' WHERE id = 'a2'`,
  `UPDATE assets SET job_id = 'v2' WHERE id = 'a2'`,
  `UPDATE assets SET role = 'output' WHERE id = 'a3'`,
  `UPDATE assets SET role = 'thumbnail' WHERE id = 'a1'`,
  `UPDATE messages SET text = 'How far is the sun?' WHERE id = 'm1'`,
  `UPDATE messages SET job_id = NULL WHERE id = 'm2'`,
  `UPDATE messages SET job_id = 'c1' WHERE id = 'm2'`,
  `UPDATE shot_texts SET title = 'The Quay' WHERE shot_id = 's1'`,
  `UPDATE shot_texts SET prompt = 'Fog at dusk' WHERE shot_id = 's1'`,
  `UPDATE conversations SET title = 'Über den Wolken' WHERE id = 'k1'`,
  `UPDATE conversations SET seq = 20 WHERE id = 'k2'`,
  `DELETE FROM conversations WHERE id = 'k2'`,
  `DELETE FROM assets WHERE id = 'a2'`,
  `DELETE FROM messages WHERE id = 'm1'`,
  `DELETE FROM shot_texts`,
  `DELETE FROM jobs WHERE id = 'v2'`,
];

function open() {
  const dataDir = tempDir('text-index');
  const store = openTestStore({ dataDir, clock: new TestClock() });
  const run = (text: string) => store.transaction((db) => db.run(sql('test.change', text)));
  return { store, run, faults: () => textIndexFaults(databaseFile(dataDir)) };
}

const found = (store: Store, table: TextTable, typed: string): number =>
  store.read.all(sql('test.found', matching(table)), { match: ftsQuery(typed) }).length;

test('the index holds the words of the rows after every change', () => {
  const { store, run, faults } = open();
  for (const change of [...ROWS, ...CHANGES]) {
    run(change);
    expect({ change, faults: faults() }).toEqual({ change, faults: [] });
  }
  store.close();
});

test('each trigger is needed: without it, the index is wrong after some change', () => {
  const { store } = open();
  const triggers = store.transaction((db) =>
    db.all<{ name: string }>(
      sql(
        'test.triggers',
        `SELECT name FROM temp.sqlite_master WHERE type = 'trigger' AND name LIKE '%word%' OR name LIKE '%answered%'`,
      ),
    ),
  );
  store.close();
  expect(triggers.length).toBe(17);
  for (const { name } of triggers) {
    const { store: lame, run, faults } = open();
    run(`DROP TRIGGER temp.${name}`);
    // A later change may hide an earlier fault.
    const isMissed = [...ROWS, ...CHANGES].some((change) => {
      run(change);
      return faults().length > 0;
    });
    expect({ name, isMissed }).toEqual({ name, isMissed: true });
    lame.close();
  }
});

test('rows are found by what stands in them', () => {
  const { store, run } = open();
  for (const row of ROWS) run(row);
  run(`UPDATE jobs SET result = '${RESULT}', state = 'succeeded' WHERE id = 'c1'`);
  expect(
    ['quay', '雪山', '山', '雪日', 'veo', 'moon far', '"night quay"'].map((typed) => found(store, 'job', typed)),
  ).toEqual([2, 2, 2, 0, 3, 1, 0]);
  expect(['name', 'quay', 'a2', 'a3'].map((typed) => found(store, 'asset', typed))).toEqual([2, 1, 1, 0]);
  expect(['far', 'kilometres', 'hund'].map((typed) => found(store, 'message', typed))).toEqual([1, 1, 1]);
  expect(['one', 'numb', 'pier'].map((typed) => found(store, 'chat', typed))).toEqual([1, 1, 0]);
  expect(['pier', 'dawn pier', 'ier'].map((typed) => found(store, 'shot', typed))).toEqual([1, 1, 0]);
  store.close();
});

test('whatever is typed is a question and no error', () => {
  const { store, run } = open();
  for (const row of ROWS) run(row);
  const odd = [
    '"',
    "'",
    '*',
    'a*',
    'AND',
    'quay OR',
    'NEAR(a b)',
    'words:quay',
    '-quay',
    '^quay',
    '\0',
    '\ud800',
    '(',
    '""',
  ];
  for (const typed of [...odd, '日*']) expect([typed, found(store, 'job', typed) >= 0]).toEqual([typed, true]);
  expect(found(store, 'job', '*')).toBe(0);
  store.close();
});
