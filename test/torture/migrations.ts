import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { databaseFile, listBackups, openStore } from '../../src/main/core/store/index.ts';
import { MIGRATIONS, migrate, newestVersion, versionOf } from '../../src/main/core/store/migrations/migrate.ts';
import { silentLog, tempDir } from '../helpers/testPorts.ts';
import { hasStrace, killAfter, killAt, killPointsOf, timeOf } from './killPoints.ts';
import { randomOf, type TortureOptions } from './options.ts';

/**
 * Opens data folders of every version so far and kills the program midway, at every kind of disk call of the backup and the migrations.
 * Afterwards the data is complete, the file opens again, and a backup is complete or absent.
 */
const OPEN = join(import.meta.dirname, 'programs', 'openStore.ts');
/** Kill points per version. */
const POINTS = 50;
const SHORT_POINTS = 3;
const JOBS = 120;
/** At every so many points, a second kill hits the recovery from the first. */
const TWICE_EVERY = 5;

export async function run(options: Partial<TortureOptions> = {}): Promise<string[]> {
  const random = randomOf(options.seed ?? 1);
  const points = options.short ? SHORT_POINTS : (options.kills ?? POINTS);
  const lines: string[] = [];
  for (const version of [0, ...EARLIER]) lines.push(await tortureVersion(version, points, random));
  return lines;
}

const EARLIER = MIGRATIONS.slice(0, -1).map(({ version }) => version);

async function tortureVersion(version: number, points: number, random: () => number): Promise<string> {
  const original = createFolderOfVersion(version);
  const before = contentOf(databaseFile(original), version);
  const killAtPoint = await killer(original);
  let killed = 0;
  let backups = 0;
  for (let point = 0; point < points; point += 1) {
    const dir = copyOf(original);
    const first = await killAtPoint(dir, (point + random()) / points);
    const name = `version ${version}, ${first.where}`;
    if (first.killed) killed += 1;
    backups += countIntactBackups(dir, version, before, name);
    if (point % TWICE_EVERY === 0) {
      const second = await killAtPoint(dir, random());
      if (second.killed) killed += 1;
      countIntactBackups(dir, version, before, name);
    }
    assertOpensIntact(dir, version, before, name);
    rmSync(dir, { recursive: true });
  }
  assertHolds(killed > 0, `version ${version}: it was never killed while it opened`);
  return `from version ${version} to ${newestVersion()}: ${killed} kills at ${points} points, ${JOBS} jobs whole after each, ${backups} backups found whole, opened again every time`;
}

interface Kill {
  where: string;
  /** False if the program ended first. */
  killed: boolean;
}

/** Kills the opening of a folder at this share (0 to 1) of it. */
async function killer(original: string): Promise<(dir: string, share: number) => Promise<Kill>> {
  if (hasStrace()) {
    const reference = copyOf(original);
    const points = await killPointsOf(OPEN, [reference]);
    return async (dir, share) => {
      const point = points[Math.floor(share * points.length)];
      if (!point) throw new Error('There is no point to kill at.');
      return { where: `killed at ${point.call} ${point.nth}`, killed: await killAt(point, OPEN, [dir]) };
    };
  }
  const wholeMs = await timeOf(OPEN, [copyOf(original)]);
  return async (dir, share) => {
    const ms = wholeMs * share;
    return { where: `killed after ${ms.toFixed(1)} ms`, killed: await killAfter(ms, OPEN, [dir]) };
  };
}

function copyOf(original: string): string {
  const dir = tempDir('torture-migration');
  cpSync(original, dir, { recursive: true });
  return dir;
}

/** Creates a folder as a Dailies of that version left it when killed: its last commits are only in the journal. */
function createFolderOfVersion(version: number): string {
  const dir = tempDir('torture-version');
  const connection = new Database(databaseFile(dir));
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = FULL');
  migrate(connection, { target: version });
  if (version > 0) fill(connection);
  const left = copyOf(dir);
  connection.close();
  return left;
}

/** Fills columns of the first version, which every later one must keep. */
function fill(connection: Database.Database): void {
  const job = connection.prepare(
    `INSERT INTO jobs (id, kind, state, request, profile_id, lane, remote_id, partial_text, idempotency_key, hook_secret, price,
       estimate_nano, estimate_low_nano, charged_nano, uncertain_nano, position, created_at)
     VALUES ($id, 'chat', $state, $request, 'p', 'chat p', $remote, $text, $id, $id, '{}', 5, 3, $charged, $uncertain, $n, $n)`,
  );
  const entry = connection.prepare(
    `INSERT INTO ledger_entries (id, job_id, at, counted_at, day, type, settled_nano, uncertain_nano, kind)
     VALUES ($id, $job, 0, 0, '2026-11-21', $type, $charged, $uncertain, 'chat')`,
  );
  const attempt = connection.prepare(`INSERT INTO attempts (job_id, n, at, outcome) VALUES ($id, 1, $n, 'done')`);
  connection.exec(`INSERT INTO projects (id, name, created_at) VALUES ('project', 'Last Ferry', 0)`);
  const states = ['succeeded', 'queued', 'uncertain', 'sending', 'running', 'failed'];
  for (let n = 0; n < JOBS; n += 1) {
    const id = `job_${n}`;
    const [charged, uncertain] = n % 3 === 0 ? [0, 5] : [5, 0];
    const request = JSON.stringify({ kind: 'chat', model: 'm', messages: [{ role: 'user', content: `word ${n}` }] });
    const text = `answer ${n} `.repeat(20);
    connection.transaction(() => {
      job.run({ id, state: states[n % states.length], request, remote: `r${n}`, text, charged, uncertain, n });
      attempt.run({ id, n });
      entry.run({ id: `le_${n}`, job: id, type: uncertain ? 'doubt' : 'charge', charged, uncertain });
    })();
  }
}

const KEPT: Record<string, string> = {
  jobs: 'id, kind, state, request, remote_id, partial_text, idempotency_key, charged_nano, uncertain_nano, position',
  attempts: 'job_id, n, at, outcome',
  ledger_entries: 'id, job_id, type, settled_nano, uncertain_nano',
  projects: 'id, name',
};

/** A hash of all user data. */
function contentOf(file: string, version: number): string {
  if (version === 0) return '';
  const connection = new Database(file, { readonly: true });
  try {
    const hash = createHash('sha256');
    for (const [table, columns] of Object.entries(KEPT)) {
      for (const row of connection.prepare(`SELECT ${columns} FROM ${table} ORDER BY 1, 2`).raw().iterate())
        hash.update(JSON.stringify(row));
    }
    return hash.digest('hex');
  } finally {
    connection.close();
  }
}

/** Asserts that every backup with a final name is complete; returns their number. */
function countIntactBackups(dir: string, version: number, before: string, name: string): number {
  const backups = listBackups(dir).map((backup) => join(dir, 'backups', backup.name));
  for (const file of backups) {
    assertHolds(integrityOf(file) === 'ok', `${name}: the backup ${file} is damaged`);
    assertHolds(contentOf(file, version) === before, `${name}: the backup ${file} does not hold what there was`);
  }
  return backups.length;
}

function assertOpensIntact(dir: string, version: number, before: string, name: string): void {
  const opened = openStore({ dataDir: dir, clock: { now: Date.now }, log: silentLog });
  assertHolds(opened.ok, `${name}: it does not open again`);
  if (!opened.ok) return;
  assertHolds(opened.data.recovery === undefined, `${name}: it was taken for damaged`);
  opened.data.close();
  const file = databaseFile(dir);
  const connection = new Database(file);
  const now = versionOf(connection);
  connection.close();
  assertHolds(now === newestVersion(), `${name}: it is at version ${now}`);
  assertHolds(integrityOf(file) === 'ok', `${name}: the database is damaged`);
  assertHolds(contentOf(file, version) === before, `${name}: something is lost or changed`);
  if (version > 0) assertHolds(countIntactBackups(dir, version, before, name) > 0, `${name}: there is no backup`);
  const strays = existsSync(join(dir, 'backups')) ? readdirSync(join(dir, 'backups')) : [];
  assertHolds(
    !strays.some((stray) => stray.endsWith('.part')),
    `${name}: half a backup is left over: ${strays.join(', ')}`,
  );
}

function integrityOf(file: string): unknown {
  const connection = new Database(file, { readonly: true });
  try {
    return connection.pragma('integrity_check', { simple: true });
  } finally {
    connection.close();
  }
}

function assertHolds(holds: boolean, message: string): void {
  if (!holds) throw new Error(message);
}
