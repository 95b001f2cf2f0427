import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { placeEmptyDatabase } from '../../../test/helpers/emptyDatabase.ts';
import { tempDir } from '../../../test/helpers/testPorts.ts';
import { studiosOfThisFile } from '../../../test/helpers/testStudios.ts';
import type { Studio } from './createStudio.ts';
import { databaseFile } from './store/index.ts';

/**
 * What the contract shows of a job, an asset, a conversation, a message or a board never changes without its revision growing. Tried on
 * every column of every table, by statements that know nothing of revisions: a column or table added later is tried by itself.
 */

const CHAT = JSON.stringify({ kind: 'chat', model: 'm', messages: [{ role: 'user', content: 'Hello' }] });
const VIDEO = JSON.stringify({ kind: 'video', model: 'v', prompt: 'A quay' });
const ERROR = JSON.stringify({ kind: 'server', message: 'No.', retryable: false });
const SHOTS = JSON.stringify([{ id: 's1', takes: ['v1'] }]);

const aJob = (id: string, kind: string, state: string, position: number) =>
  `INSERT INTO jobs (id, kind, state, request, profile_id, project_id, model, lane, idempotency_key, hook_secret, price, estimate_nano,
     estimate_low_nano, position, created_at)
   VALUES ('${id}', '${kind}', '${state}', '${kind === 'chat' ? CHAT : VIDEO}', 'sandbox', 'p1', 'm', 'l', 'k', 's', '{}', 5, 1, ${position}, 1)`;
const anAsset = (id: string, job: string, role: string, parent: string, index: number) =>
  `INSERT INTO assets (id, sha256, mime, state, job_id, output_index, role, parent_id, name, created_at)
   VALUES ('${id}', 'ab', 'video/mp4', 'local', ${job}, ${index}, '${role}', ${parent}, '${id}', 1)`;

const ROWS = [
  `INSERT INTO projects (id, name, created_at) VALUES ('p1', 'One', 1), ('p2', 'Two', 2)`,
  aJob('c1', 'chat', 'succeeded', 1),
  aJob('c2', 'chat', 'canceled', 2),
  aJob('v1', 'video', 'succeeded', 3),
  aJob('v2', 'video', 'failed', 4),
  aJob('v3', 'video', 'uncertain', 5),
  `UPDATE jobs SET error = '${ERROR}' WHERE id = 'v2'`,
  `UPDATE jobs SET charged_nano = 500, charged_low_nano = 200 WHERE id = 'v1'`,
  `INSERT INTO job_deps VALUES ('v2', 'v1')`,
  `INSERT INTO attempts (job_id, n, at, outcome) VALUES ('v1', 1, 1, 'done'), ('v2', 1, 1, 'refused'), ('v3', 1, 1, 'lost')`,
  `INSERT INTO sent_requests (job_id, form, base_url, path, headers, key, account, bytes, sha256, body)
   VALUES ('v3', 'task', 'http://localhost:1', '/v1/videos', '{}', 'k', 'h', 2, 'ab', '{}')`,
  anAsset('a1', `'v1'`, 'output', 'NULL', 0),
  anAsset('a2', `'v1'`, 'output', 'NULL', 1),
  anAsset('a1t', `'v1'`, 'thumbnail', `'a1'`, 0),
  anAsset('a1f', `'v1'`, 'frame', `'a1'`, 0),
  anAsset('imp', 'NULL', 'source', 'NULL', 0),
  `INSERT INTO asset_tags (asset, fold, tag) SELECT seq, 'quay', 'Quay' FROM assets WHERE id IN ('a1', 'imp')`,
  `INSERT INTO conversations (id, title, branch_id, created_at, updated_at) VALUES ('k1', 'One', 'b1', 1, 1), ('k2', 'Two', 'b2', 2, 2)`,
  `INSERT INTO branches (id, conversation_id, created_at) VALUES ('b1', 'k1', 1), ('b2', 'k2', 2)`,
  `INSERT INTO messages (id, conversation_id, role, text, job_id, created_at, branch_id, parent_seq)
   VALUES ('m1', 'k1', 'user', 'Hello', NULL, 1, 'b1', NULL), ('m2', 'k1', 'assistant', '', 'c1', 1, 'b1', 1),
     ('m3', 'k2', 'assistant', '', 'c2', 1, 'b2', NULL)`,
  `INSERT INTO boards (project_id, revision, shots) VALUES ('p1', 3, '${SHOTS}')`,
];

/** For columns that hold JSON, and those whose words must be known ones. */
const SPECIAL: Record<string, unknown[]> = {
  'jobs.kind': ['imagine'],
  'jobs.request': [VIDEO.replace('quay', 'pier')],
  'jobs.error': [ERROR, ERROR.replace('No', 'Never')],
  'jobs.result': [JSON.stringify({ text: 'Hi', finishReason: 'stop' })],
  'jobs.inputs': [JSON.stringify([{ field: 'image', sha256: 'ab' }])],
  'jobs.omitted': [JSON.stringify(['seed'])],
  'jobs.differs': [JSON.stringify([{ what: 'seconds', ordered: '4 s', made: '8 s' }])],
  'assets.elsewhere': [JSON.stringify({ madeAt: 1, costNano: 5, play: false, kind: 'video' })],
  'jobs.elsewhere': [JSON.stringify({ gateway: 'Far', costNano: 5 })],
  'messages.pictures': [JSON.stringify(['a1'])],
  'messages.elsewhere': [JSON.stringify({ state: 'partial', finishReason: 'length' })],
  'messages.tool_results': [JSON.stringify([{ id: 'c', name: 'read_board', arguments: '{}', content: '{}' }])],
  'job_deps.on_id': ['c1'],
  'job_deps.job_id': ['c2'],
  'attempts.job_id': ['c1'],
  'boards.shots': [SHOTS.replace('s1', 's2')],
  'boards.content': ['{"cast":[]}'],
};

const openStudio = studiosOfThisFile();

async function harness() {
  const dataDir = tempDir('revisions');
  placeEmptyDatabase(dataDir);
  const db = new Database(databaseFile(dataDir));
  db.pragma('foreign_keys = ON');
  for (const row of ROWS) db.exec(row);
  return { db, ...(await openStudio({ dataDir })) };
}

type Seen = Map<string, { revision: number; content: string }>;

/** All that the contract shows, by kind and id. */
async function look(studio: Studio): Promise<Seen> {
  const seen: Seen = new Map();
  const add = (kind: string, id: string, thing: object) => {
    const content = JSON.stringify(thing, (name, value) => (name === 'revision' ? undefined : value));
    seen.set(`${kind} ${id}`, { revision: (thing as { revision: number }).revision, content });
  };
  const ask = async <T>(name: string, input: object): Promise<T | undefined> => {
    const answer = await studio.call(name, input);
    // A made-up value that cannot be shown at all proves nothing: its column needs one in `SPECIAL`.
    if (!answer.ok && answer.error.code === 'internal') seen.set(`${name} shown`, { revision: -1, content: '' });
    return answer.ok ? (answer.data as T) : undefined;
  };
  const jobs = await ask<{ jobs: { id: string }[] }>('jobs.list', { limit: 100 });
  for (const job of jobs?.jobs ?? []) add('job', job.id, job);
  const roles = ['output', 'grid', 'source', 'mask', 'frame'];
  const assets = await ask<{ assets: { id: string }[] }>('library.list', { limit: 100, roles });
  for (const asset of assets?.assets ?? []) add('asset', asset.id, asset);
  const thumbnail = await ask<{ id: string }>('library.get', { id: 'a1t' });
  if (thumbnail) add('asset', 'a1t', thumbnail);
  for (const id of ['k1', 'k2']) {
    const thread = await ask<{ conversation: object; messages: { id: string }[] }>('chat.get', { conversationId: id });
    if (!thread) continue;
    add('conversation', id, thread.conversation);
    for (const message of thread.messages) add('message', message.id, message);
  }
  for (const id of ['p1', 'p2']) {
    const board = await ask<object>('storyboard.get', { projectId: id });
    if (board) add('board', id, board);
  }
  return seen;
}

interface Column {
  table: string;
  name: string;
}

interface Trigger {
  name: string;
  /** Its table. */
  own: string;
  text: string;
}

const SKIPPED = /^(sqlite_|\w+_fts)/;

function columnsOf(db: Database.Database): Column[] {
  const tables = db.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all() as { name: string }[];
  return tables
    .filter(({ name }) => !SKIPPED.test(name))
    .flatMap(({ name: table }) =>
      (db.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => ({ table, name })),
    )
    .filter(({ name }) => name !== 'revision');
}

/** Runs a statement that knows nothing of revisions; false if the table does not allow it. */
function tried(db: Database.Database, text: string, ...values: unknown[]): boolean {
  try {
    return db.prepare(text).run(...values).changes > 0;
  } catch (error) {
    if (error instanceof Database.SqliteError) return false;
    throw error;
  }
}

/** Of all tables, or of a trigger's own: those first that it names, where its absence shows soonest. */
function columnsToTry(db: Database.Database, without: Trigger | undefined): Column[] {
  if (!without) return columnsOf(db);
  const words = new Set(without.text.match(/\w+/g));
  const own = columnsOf(db).filter(({ table }) => table === without.own);
  return own.toSorted((a, b) => Number(words.has(b.name)) - Number(words.has(a.name)));
}

/** Changes each cell to one value after the other and then back, and reports after each change, until that is enough. */
async function changeEverything(
  db: Database.Database,
  without: Trigger | undefined,
  told: (where: string) => Promise<{ isEnough: boolean }>,
): Promise<void> {
  for (const { table, name } of columnsToTry(db, without)) {
    const rows = db.prepare(`SELECT * FROM ${table}`).all() as Record<string, unknown>[];
    const known = rows.map((row) => row[name]);
    for (const [index, old] of known.entries()) {
      const others = SPECIAL[`${table}.${name}`] ?? [...new Set(known), typeof old === 'number' ? old + 1 : 'x', null];
      const { before, after } = keyOf(db, table, rows[index] ?? {}, name);
      let [where, now, isEnough] = [before, old, false];
      for (const value of [...others.filter((other) => other !== old), old]) {
        if (value === now || (isEnough && value !== old)) continue;
        if (!tried(db, `UPDATE ${table} SET ${name} = ? WHERE ${where}`, value)) continue;
        [where, now] = [after(value), value];
        isEnough ||= (await told(`${table}.${name}`)).isEnough;
      }
      if (isEnough) return;
    }
  }
}

const literal = (value: unknown): string =>
  value === null ? 'IS NULL' : typeof value === 'number' ? `= ${value}` : `= '${String(value).replaceAll("'", "''")}'`;

/** The key of a row before and after one of its columns has changed. */
function keyOf(db: Database.Database, table: string, row: Record<string, unknown>, changed: string) {
  const info = db.pragma(`table_info(${table})`) as { name: string; pk: number }[];
  const key = info.filter(({ pk }) => pk > 0).map(({ name }) => name);
  const clause = (over: Record<string, unknown>) =>
    key.map((name) => `${name} ${literal(name in over ? over[name] : row[name])}`).join(' AND ');
  return { before: clause({}), after: (value: unknown) => clause({ [changed]: value }) };
}

/** Each is added and then removed. */
const ADDED: [where: string, text: string][] = [
  ['attempts +', `INSERT INTO attempts (job_id, n, at, outcome) VALUES ('v1', 2, 2, 'done')`],
  ['attempts -', `DELETE FROM attempts WHERE job_id = 'v1' AND n = 2`],
  ['job_deps +', `INSERT INTO job_deps VALUES ('v1', 'c1')`],
  ['job_deps -', `DELETE FROM job_deps WHERE job_id = 'v1'`],
  ['assets +', anAsset('a3', `'v1'`, 'output', 'NULL', 3)],
  ['assets -', `DELETE FROM assets WHERE id = 'a3'`],
  ['asset_tags +', `INSERT INTO asset_tags (asset, fold, tag) SELECT seq, 'pier', 'Pier' FROM assets WHERE id = 'a2'`],
  ['asset_tags -', `DELETE FROM asset_tags WHERE fold = 'pier'`],
  ['thumbnails +', anAsset('a2t', 'NULL', 'thumbnail', `'a2'`, 0)],
  ['thumbnails -', `DELETE FROM assets WHERE id = 'a2t'`],
  [
    'messages +',
    `INSERT INTO messages (id, conversation_id, role, text, created_at, branch_id, parent_seq)
     VALUES ('m9', 'k1', 'user', 'More', 2, 'b1', 2)`,
  ],
  ['messages -', `DELETE FROM messages WHERE id = 'm9'`],
];

/** Of all tables, or where a trigger is gone until the first fault of its table. */
async function faultsOf(db: Database.Database, studio: Studio, without?: Trigger) {
  const faults = new Set<string>();
  const shown = new Set<string>();
  let before = await look(studio);
  const compare = async (where: string) => {
    const after = await look(studio);
    for (const [key, { revision, content }] of after) {
      const old = before.get(key);
      if (revision === -1) faults.add(`${where}: not ${key}`);
      if (!old) continue;
      if (old.content !== content) shown.add(where);
      if (
        !Number.isInteger(revision) ||
        revision < old.revision ||
        (old.content !== content && revision === old.revision)
      )
        faults.add(`${where}: ${key}`);
    }
    before = after;
    return { isEnough: without !== undefined && faults.size > 0 };
  };
  await changeEverything(db, without, compare);
  for (const [where, text] of ADDED) {
    // What was added is removed all the same.
    if (without !== undefined && faults.size > 0 && where.endsWith('+')) break;
    expect(tried(db, text), where).toBe(true);
    await compare(where);
  }
  return { faults: [...faults], shown };
}

test('nothing that is shown changes without a greater revision, whatever statement changed it', async () => {
  const { db, studio } = await harness();
  const { faults, shown } = await faultsOf(db, studio);
  expect(faults).toEqual([]);
  // The test would see it: these columns do change what is shown.
  const jobs = ['state', 'verdict', 'inputs', 'partial_text', 'charged_nano'].map((name) => `jobs.${name}`);
  const assets = ['state', 'parent_id', 'role', 'starred'].map((name) => `assets.${name}`);
  const messages = ['text', 'job_id', 'conversation_id'].map((name) => `messages.${name}`);
  const others = ['attempts.outcome', 'job_deps.on_id', 'asset_tags.tag', 'conversations.title'];
  const boards = ['boards.shots', 'boards.content'];
  const added = ['attempts +', 'assets +', 'thumbnails -', 'messages +'];
  expect([...shown]).toEqual(expect.arrayContaining([...jobs, ...assets, ...messages, ...others, ...boards, ...added]));
  db.close();
});

test('each trigger that raises a revision is needed: without it, something changes unseen', async () => {
  const { db, studio } = await harness();
  const triggers = db
    .prepare(
      `SELECT name, tbl_name AS own, sql AS text FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%revision%'`,
    )
    .all() as Trigger[];
  expect(triggers.length).toBeGreaterThan(15);
  const needless: string[] = [];
  for (const trigger of triggers) {
    db.exec(`DROP TRIGGER ${trigger.name}`);
    if ((await faultsOf(db, studio, trigger)).faults.length === 0) needless.push(trigger.name);
    db.exec(trigger.text);
  }
  db.close();
  expect(needless).toEqual([]);
});
