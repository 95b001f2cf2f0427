import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { writeJobs } from '../../src/main/core/jobs/commands/enqueue.ts';
import { dayOf, LedgerWriter, monthOf, setBudget } from '../../src/main/core/ledger/index.ts';
import { insertNightRun, nightRunById } from '../../src/main/core/night/nightRuns.ts';
import { openStore, type ReadDb, type Store, sql, type WriteDb } from '../../src/main/core/store/index.ts';
import { createIds } from '../../src/main/hosts/common/ids.ts';
import { profileSchema } from '../../src/shared/gateway/profile.ts';
import { nightRulesSchema } from '../../src/shared/jobs/night.ts';
import type { StudioRequest } from '../../src/shared/kinds/index.ts';
import { formatNano, type Nano } from '../../src/shared/money/money.ts';
import { PICTURE_PRICE } from '../helpers/prices.ts';
import { silentLog, tempDir } from '../helpers/testPorts.ts';
import { NO_CEILING, randomOf, type TortureOptions } from './options.ts';
import type { ClaimerOptions } from './programs/claimer.ts';
import { retryWhileLocked } from './retryWhileLocked.ts';

/**
 * Many claimers on one database, each on its own connection, killed again and again; the program itself has only one. Hard budgets of a
 * day, a month, projects and a run apply, midnight passes, and a budget is lowered on the way. Then the ledger entries are replayed in
 * order: no reservation may exceed a budget in force, nothing may be claimed twice or sent outside the run's window, and entries, sums and
 * jobs must agree to the nano-dollar.
 */
const CLAIMER = join(import.meta.dirname, 'programs', 'claimer.ts');
const FULL = { jobs: 10_000, processes: 8, threads: 8, kills: 40 };
const SHORT = { jobs: 600, processes: 3, threads: 3, kills: 4 };

/** 21:00 local. The night opened a day earlier and closes at 04:00, so it includes midnight. */
const FROM = new Date(2026, 10, 21, 21).getTime();
const HOUR_MS = 3_600_000;
const DOLLAR = 1_000_000_000;
const NIGHT = 'night_torture';

export async function run(options: Partial<TortureOptions> = {}): Promise<string[]> {
  const size = options.short ? SHORT : { ...FULL, kills: options.kills ?? FULL.kills };
  const dir = tempDir('torture-claimers');
  const store = opened(dir);
  const caps = prepare(store, size.jobs, options.seed ?? 1);
  const pool = new ClaimerPool(dir, options.seed ?? 1, size, store);
  const lowered = await pool.work(caps);
  const facts = audit(store.read, caps, lowered);
  store.close();
  if (pool.killed < size.kills) throw new Error(`Only ${pool.killed} of ${size.kills} kills came in time.`);
  return [
    `${size.processes * size.threads} claimers on one file, ${size.jobs} jobs, ${pool.killed} processes killed: ${facts.claims} claims, 0 twice, 0 outside the window`,
    `${facts.entries} ledger entries replayed: 0 of ${facts.reserves} reservations beyond a cap in force; ${facts.fullest}`,
    `entries, sums and jobs agree to the nano-dollar (settled ${formatNano(facts.settled)}, reserved ${formatNano(facts.reserved)}, in doubt ${formatNano(facts.uncertain)})`,
  ];
}

interface Size {
  jobs: number;
  processes: number;
  threads: number;
  kills: number;
}

/** Keeps some claimer processes running, kills them at intervals, and lowers a cap half-way. */
class ClaimerPool {
  killed = 0;
  private readonly order: Omit<ClaimerOptions, 'seed'>;
  private readonly seed: number;
  private readonly size: Size;
  private readonly store: Store;
  private started = 0;
  /** The number of claims at which all claimers pause. */
  private ceiling = 0;

  constructor(dir: string, seed: number, size: Size, store: Store) {
    const fromSeq = store.read.one<{ seq: number }>(newest)?.seq ?? 0;
    this.order = { dir, threads: size.threads, from: FROM, fromSeq, msPerEntry: (6 * HOUR_MS) / size.jobs };
    this.seed = seed;
    this.size = size;
    this.store = store;
  }

  async work(caps: Cap[]): Promise<Lowered> {
    const random = randomOf(this.seed);
    // Claims between kills, so that the last kill comes well before everything is claimed.
    const step = Math.floor((this.size.jobs * 0.45) / (this.size.kills + 1));
    this.ceiling = 2 * step;
    const pool = Array.from({ length: this.size.processes }, () => this.start());
    let lowered: Lowered | undefined;
    for (let n = 1; n <= this.size.kills; n += 1) {
      await this.claimed(n * step);
      const victim = Math.floor(random() * pool.length);
      const dying = pool[victim];
      if (dying && (await kill(dying))) this.killed += 1;
      this.ceiling = n < this.size.kills ? (n + 2) * step : NO_CEILING;
      pool[victim] = this.start();
      for (const child of pool) child.send(this.ceiling);
      if (n === Math.floor(this.size.kills / 2)) lowered = retryWhileLocked(() => lower(this.store, caps));
    }
    for (const child of pool) if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    const failed = pool.find((child) => child.exitCode !== 0);
    if (failed) throw new Error(`A claimer ended with ${failed.exitCode ?? failed.signalCode}.`);
    if (!lowered) throw new Error('No cap was lowered.');
    return lowered;
  }

  private start(): ChildProcess {
    this.started += 1;
    const order: ClaimerOptions = { ...this.order, seed: this.seed * 100 + this.started };
    const child = spawn(process.execPath, [CLAIMER, JSON.stringify(order)], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child.send(this.ceiling);
    return child;
  }

  private async claimed(wanted: number): Promise<void> {
    let before = -1;
    for (let still = 0; still < 200; ) {
      const n = this.store.read.one<{ n: number }>(attempts)?.n ?? 0;
      if (n >= wanted) return;
      still = n === before ? still + 1 : 0;
      before = n;
      await wait(20);
    }
  }
}

/** False if it had already ended. */
async function kill(child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) return false;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
  return child.signalCode === 'SIGKILL';
}

const attempts = sql('torture.attempts', 'SELECT count(*) AS n FROM attempts');
const newest = sql('torture.newest', 'SELECT coalesce(max(seq), 0) AS seq FROM ledger_entries');

interface Cap {
  scope: 'day' | 'month' | 'project' | 'run';
  projectId?: string;
  runId?: string;
  hardNano: Nano;
}

interface Lowered {
  cap: Cap;
  /** Entries after this one were written under the lower cap. */
  afterSeq: number;
}

function lower(store: Store, caps: Cap[]): Lowered {
  const month = caps.find(({ scope }) => scope === 'month');
  if (!month) throw new Error('There is no cap of the month.');
  const cap = { ...month, hardNano: Math.floor(month.hardNano * 0.9) };
  return store.transaction((db) => {
    setBudget(db, cap);
    return { cap, afterSeq: db.one<{ seq: number }>(newest)?.seq ?? 0 };
  });
}

function opened(dataDir: string): Store {
  const store = openStore({ dataDir, clock: { now: Date.now }, log: silentLog });
  if (!store.ok) throw new Error(store.error.message);
  return store.data;
}

const PROJECTS = ['ferry', 'road', undefined];
const REQUESTS: StudioRequest[] = [
  { kind: 'imagine', prompt: 'a lamp' },
  { kind: 'imagine', prompt: 'a moth' },
  { kind: 'video', model: 'video-standard', prompt: 'a quay', config: { durationSeconds: 4 } },
  { kind: 'video', model: 'video-standard', prompt: 'a ferry', config: { durationSeconds: 8 } },
];

/** Creates yesterday's jobs, so that every claim must reserve again, under caps too low for all of them. */
function prepare(store: Store, jobs: number, seed: number): Cap[] {
  const random = randomOf(seed);
  const ids = createIds(Date.now);
  const clock = { now: () => FROM - 24 * HOUR_MS, after: () => () => undefined };
  const library = { mediaWork: { wantLastFrame: () => undefined } };
  const deps = { ids, clock, library, ledger: new LedgerWriter({ clock, ids }) };
  // A picture without a price is blocked by any hard budget.
  const profile = {
    ...profileSchema.parse({ baseUrl: 'http://127.0.0.1:1', prices: [PICTURE_PRICE] }),
    id: 'p',
    name: 'P',
  };
  const share = jobs * DOLLAR;
  const caps: Cap[] = [
    { scope: 'month', hardNano: 0.8 * share },
    { scope: 'project', projectId: 'ferry', hardNano: 0.2 * share },
    { scope: 'project', projectId: 'road', hardNano: 0.3 * share },
    { scope: 'run', runId: NIGHT, hardNano: 0.4 * share },
  ];
  store.transaction((db) => plan(db, caps));
  for (let n = 0; n < jobs; n += 200) {
    store.transaction((db) => {
      for (let one = n; one < Math.min(jobs, n + 200); one += 1) {
        const request = pick(REQUESTS, random);
        const projectId = pick(PROJECTS, random);
        const written = writeJobs({ ...deps, random: () => 0.5, profiles: { get: () => profile } }, db, profile, {
          requests: [request],
          night: random() < 0.5,
          ...(projectId === undefined ? {} : { projectId }),
        });
        if (!written.ok) throw new Error(written.error.message);
      }
    });
  }
  const day: Cap = { scope: 'day', hardNano: 0.3 * share };
  store.transaction((db) => setBudget(db, day));
  return [...caps, day];
}

const NO_SETTINGS = { days: [], keepAwake: true, notify: true };

function plan(db: WriteDb, caps: Cap[]): void {
  const window = { start: '20:00', end: '04:00', startsAt: FROM - 25 * HOUR_MS, endsAt: FROM + 7 * HOUR_MS };
  insertNightRun(
    db,
    { id: NIGHT, ...window, rules: nightRulesSchema.parse({}), settings: NO_SETTINGS, play: false },
    FROM,
  );
  for (const cap of caps) setBudget(db, cap);
}

function pick<T>(list: readonly T[], random: () => number): T {
  return list[Math.floor(random() * list.length)] as T;
}

interface Entry {
  seq: number;
  at: number;
  type: string;
  countedAt: number;
  projectId: string | null;
  runId: string | null;
  settled: Nano;
  reserved: Nano;
  uncertain: Nano;
}
const entries = sql(
  'torture.entries',
  `SELECT seq, at, type, counted_at AS countedAt, project_id AS projectId, run_id AS runId, settled_nano AS settled,
     reserved_nano AS reserved, uncertain_nano AS uncertain FROM ledger_entries ORDER BY seq`,
);
const spendRows = sql(
  'torture.spend',
  'SELECT scope, key, settled_nano AS settled, reserved_nano AS reserved, uncertain_nano AS uncertain FROM spend WHERE play = 0',
);
const jobSums = sql(
  'torture.jobSums',
  `SELECT sum(charged_nano) AS settled, sum(reserved_nano) AS reserved, sum(uncertain_nano) AS uncertain FROM jobs`,
);
const twice = sql(
  'torture.twice',
  `SELECT job_id AS id FROM attempts WHERE outcome <> 'unsent' GROUP BY job_id HAVING count(*) > 1`,
);
const outside = sql(
  'torture.outside',
  `SELECT attempts.job_id AS id FROM attempts JOIN jobs ON jobs.id = attempts.job_id
   WHERE jobs.run_id = $run AND (attempts.at < $from OR attempts.at >= $to)`,
);

interface Money {
  settled: Nano;
  reserved: Nano;
  uncertain: Nano;
}

function audit(db: ReadDb, caps: Cap[], lowered: Lowered) {
  expectNone('claimed twice', db.all<{ id: string }>(twice));
  const night = nightRunById(db, NIGHT);
  if (!night) throw new Error('The night is gone.');
  expectNone(
    'sent outside the window',
    db.all<{ id: string }>(outside, { run: NIGHT, from: night.starts_at, to: night.ends_at }),
  );
  const list = db.all<Entry>(entries);
  const sums = replay(list, caps, lowered);
  for (const row of db.all<Money & { scope: string; key: string }>(spendRows))
    expectSame(`${row.scope} ${row.key}`, row, sums.get(`${row.scope} ${row.key}`));
  const all = db.one<Money>(jobSums);
  const total = sumOf(list);
  expectSame('all jobs', all, total);
  return {
    claims: db.one<{ n: number }>(attempts)?.n ?? 0,
    entries: list.length,
    reserves: list.filter(({ type }) => type === 'reserve').length,
    fullest: fullest(sums, caps, lowered),
    ...total,
  };
}

/** Sums entry by entry; a reservation that exceeds a cap in force at that point is a violation. */
function replay(list: Entry[], caps: Cap[], { cap: lowerCap, afterSeq }: Lowered): Map<string, Money> {
  const sums = new Map<string, Money>();
  for (const entry of list) {
    for (const key of keysOf(entry)) sums.set(key, added(sums.get(key), entry));
    if (entry.type !== 'reserve') continue;
    for (const cap of caps) {
      // The daily cap was set after yesterday's jobs were written.
      if (cap.scope === 'day' && entry.countedAt < FROM) continue;
      const inForce = cap.scope === lowerCap.scope && entry.seq > afterSeq ? lowerCap : cap;
      const key = keyOf(cap, entry);
      const counted = key === undefined ? 0 : countedNano(sums.get(key));
      if (counted > inForce.hardNano)
        throw new Error(
          `Entry ${entry.seq} took ${key} to ${formatNano(counted)}, over ${formatNano(inForce.hardNano)}.`,
        );
    }
  }
  return sums;
}

const countedNano = (money: Money | undefined): Nano =>
  money === undefined ? 0 : money.settled + money.reserved + money.uncertain;

const added = (money: Money | undefined, entry: Money): Money => ({
  settled: (money?.settled ?? 0) + entry.settled,
  reserved: (money?.reserved ?? 0) + entry.reserved,
  uncertain: (money?.uncertain ?? 0) + entry.uncertain,
});

const sumOf = (list: Entry[]): Money =>
  list.reduce<Money>((sum, entry) => added(sum, entry), { settled: 0, reserved: 0, uncertain: 0 });

function keysOf(entry: Entry): string[] {
  const scopes = ['day', 'month', 'project', 'run'] as const;
  return scopes.flatMap((scope) => keyOf({ scope, hardNano: 0 }, entry) ?? []);
}

/** The key of the sum that a cap applies to for this entry; undefined if it does not apply. */
function keyOf(cap: Cap, entry: Entry): string | undefined {
  if (cap.scope === 'day') return `day ${dayOf(entry.countedAt)}`;
  if (cap.scope === 'month') return `month ${monthOf(entry.countedAt)}`;
  const [owner, wanted] = cap.scope === 'project' ? [entry.projectId, cap.projectId] : [entry.runId, cap.runId];
  return owner === null || (wanted !== undefined && wanted !== owner) ? undefined : `${cap.scope} ${owner}`;
}

/** How full the budgets were: a budget that is never nearly full proves nothing. */
function fullest(sums: Map<string, Money>, caps: Cap[], { cap: lowerCap }: Lowered): string {
  const shares = caps.flatMap((cap) => {
    const hardNano = cap.scope === lowerCap.scope ? lowerCap.hardNano : cap.hardNano;
    return [...sums].flatMap(([key, money]) => {
      const concerned = key.startsWith(`${cap.scope} ${cap.projectId ?? cap.runId ?? ''}`) && key !== YESTERDAY;
      return concerned ? [{ key, percent: Math.floor((countedNano(money) * 100) / hardNano) }] : [];
    });
  });
  return `in the end ${shares.map(({ key, percent }) => `${key} is at ${percent} %`).join(', ')}`;
}

const YESTERDAY = `day ${dayOf(FROM - 24 * HOUR_MS)}`;

function expectNone(what: string, rows: { id: string }[]): void {
  if (rows.length > 0) throw new Error(`${rows.length} jobs ${what}, ${rows[0]?.id} first.`);
}

function expectSame(what: string, a: Money | undefined, b: Money | undefined): void {
  for (const figure of ['settled', 'reserved', 'uncertain'] as const) {
    if ((a?.[figure] ?? 0) !== (b?.[figure] ?? 0))
      throw new Error(`${what}: ${figure} is ${a?.[figure]} here and ${b?.[figure]} in the entries.`);
  }
}
