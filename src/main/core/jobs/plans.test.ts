import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openTestStore } from '../../../../test/helpers/emptyDatabase.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { withPlans } from '../../../../test/helpers/plans.ts';
import { silentLog, TestClock, tempDir } from '../../../../test/helpers/testPorts.ts';
import type { CallInput } from '../../../shared/contract/contract.ts';
import { jobsListSchema } from '../../../shared/jobs/lists.ts';
import { setBudget } from '../ledger/index.ts';
import { jobsBeingFetched } from '../library/index.ts';
import { databaseFile, type ReadDb, type SqlParams, sql } from '../store/index.ts';
import { jobsFromBackup } from './commands/jobsFromBackup.ts';
import { inDoubtWithRecord } from './money/costRecords.ts';
import * as statements from './queries/jobSql.ts';
import { listJobs } from './queries/listJobs.ts';
import { nextAffordable } from './sending/affordable.ts';

/** What is read at every change, and at a start, is read from an index. */

const startEngine = engineHarnesses();

/** Statistics of a table of a few rows, of which each index seems to answer with one. */
const STALE = [
  'ANALYZE',
  `DELETE FROM sqlite_stat1 WHERE tbl = 'jobs'`,
  ...['state', 'kind', 'project', 'model', 'time', 'verdict'].map(
    (name) => `INSERT INTO sqlite_stat1 VALUES ('jobs', 'jobs_by_${name}', '4 1 1')`,
  ),
];
const planOf = (db: ReadDb, text: string, params: SqlParams = {}): string[] =>
  db.all<{ detail: string }>(sql('test.plan', `EXPLAIN QUERY PLAN ${text}`), params).map(({ detail }) => detail);

const RUN = `SELECT * FROM night_runs WHERE`;
const OF_LANE = `FROM jobs WHERE lane = 'x' AND state`;
test.each<[string, string, RegExp, SqlParams?]>([
  ['open jobs', statements.openCounts.text, /^SCAN jobs USING COVERING INDEX jobs_open$/],
  ['doubt', statements.doubtSums.text, /^SCAN doubt_sums$/],
  [
    'the job of a task',
    statements.jobByRemoteId.text,
    /^SEARCH jobs USING INDEX jobs_by_remote \(remote_id=\?\)/,
    { kinds: '[]', profileId: 'p', remoteId: 't' },
  ],
  ['whether anything runs', statements.anyInProgress.text, /USING (COVERING )?INDEX jobs_by_state/],
  ['the next that is due', statements.nextTimedWork.text, /USING INDEX jobs_due/, { exceptRun: '' }],
  [
    'the next of a lane',
    `SELECT * ${OF_LANE} = 'queued' AND (next_at IS NULL OR next_at <= 5) ORDER BY position LIMIT 1`,
    /^SEARCH jobs USING INDEX jobs_by_lane \(lane=\? AND state=\?\)$/,
  ],
  ['those of a lane', `SELECT count(*) ${OF_LANE} IN ('sending', 'running')`, /jobs_by_lane/],
  ['a page', 'SELECT * FROM jobs WHERE seq < 5 ORDER BY seq DESC LIMIT 10', /^SEARCH jobs/],
  ['a night', `${RUN} id = 'x'`, /USING INDEX/],
  ['the night of now', `${RUN} ended_at IS NULL`, /USING INDEX night_runs_current/],
  [
    'what a night has reserved',
    "SELECT sum(reserved_nano) FROM jobs WHERE run_id = 'x' AND state IN ('sending', 'running')",
    /USING INDEX jobs_by_run/,
  ],
  ['what a night cost', "SELECT sum(settled_nano) FROM ledger_entries WHERE run_id = 'x'", /USING INDEX ledger_by_run/],
])('%s', (_, text, index, params) => {
  const { read } = startEngine().store;
  const plan = planOf(read, text, params).join('; ');
  expect(plan).toMatch(index);
  expect(plan).not.toMatch(/TEMP B-TREE|SCAN jobs$/);
});

const LISTED = /SCAN jobs USING COVERING INDEX jobs_listed/;
const FOUND = /SCAN hit VIRTUAL TABLE INDEX \d+:M\d+; SEARCH jobs USING COVERING INDEX jobs_listed \(seq=\?\)/;
const FOUND_BEHIND = /SCAN hit VIRTUAL TABLE INDEX \d+:M\d+<; SEARCH jobs USING COVERING INDEX jobs_listed \(seq=\?\)/;
const OPEN = ['queued', 'blocked', 'sending', 'running', 'fetching'] as const;
/** The few that are open, whatever else is asked of them. */
const OF_STATE = /SEARCH jobs USING (COVERING )?INDEX jobs_by_state \(state=\?\)/;
const BY_TIME = /COVERING INDEX jobs_by_time \(created_at>\? AND created_at<\?\)/;
const PLANS: [CallInput<'jobs.list'>, RegExp, RegExp][] = [
  [{}, LISTED, /SCAN job_counts/],
  [{ offset: 50 }, LISTED, /SCAN job_counts/],
  [{ cursor: '50' }, /SEARCH jobs USING COVERING INDEX jobs_listed \(seq<\?\)/, /SCAN job_counts/],
  [{ states: ['succeeded'], kinds: ['video'], projectId: 'p', play: true }, LISTED, /job_counts/],
  [{ states: [...OPEN] }, OF_STATE, /job_counts/],
  [{ states: ['queued'], offset: 50 }, OF_STATE, /job_counts/],
  [{ states: ['running', 'uncertain'], kinds: ['video'], projectId: 'p', play: true }, OF_STATE, /job_counts/],
  [{ states: [...OPEN], models: ['m'] }, OF_STATE, /job_counts/],
  [{ states: [...OPEN], verdict: 'keep' }, OF_STATE, /job_counts/],
  [{ states: [...OPEN], from: 1, to: 2 }, OF_STATE, OF_STATE],
  [{ models: ['m'] }, /COVERING INDEX jobs_by_model \(model=\?\)/, /job_counts/],
  [{ verdict: 'keep' }, /COVERING INDEX jobs_by_verdict \(verdict=\?\)/, /job_counts/],
  [{ from: 1, to: 2 }, BY_TIME, /COVERING INDEX jobs_by_time/],
  [{ text: 'a' }, FOUND, /^SCAN hit VIRTUAL TABLE INDEX \d+:M\d*$/],
  [
    { text: 'a', cursor: '7', states: ['failed'], projectId: 'p' },
    FOUND_BEHIND,
    /COVERING INDEX jobs_listed \(seq=\?\)/,
  ],
];

test.each(PLANS)('a page of jobs reads the index of its order, and counts in one: %j', (filter, page, count) => {
  for (const statistics of [[], STALE]) {
    const { store } = startEngine();
    for (const text of statistics) store.transaction((db) => db.run(sql('test.statistics', text)));
    const db = withPlans(store.read);
    listJobs(db, jobsListSchema.parse(filter), true);
    const planned = (wanted: string[]) => db.plans.find(({ name }) => wanted.includes(name))?.plan;
    expect(planned(['jobs.list'])).toMatch(page);
    expect(planned(['jobs.sum', 'jobs.count'])).toMatch(count);
  }
});

/** `state=?`: of jobs that run. */
const SMALL = /(INDEX (attempts_sending|jobs_in_doubt)|jobs_by_state \(state=\?\)|sqlite_autoindex_jobs_1 \(id=\?\))/;

test.each([
  statements.closeCanceledAttempts,
  statements.closeAsking,
  statements.polledJobs,
  statements.lostTasks,
  statements.openWebhooks,
  inDoubtWithRecord,
])('what a start looks for is in an index without the ended jobs: $name', ({ text }) => {
  startEngine().store.transaction((db) => {
    for (const statistics of STALE) db.run(sql('test.statistics', statistics));
    const steps = planOf(db, text, { kinds: '[]', message: '', since: 0 });
    const read = steps.filter((step) => /^(SCAN|SEARCH) (jobs|attempts)/.test(step));
    expect(read.filter((step) => !SMALL.test(step))).toEqual([]);
    expect(read.length).toBeGreaterThan(0);
  });
});

test('results that are still to come, and the next job that can be paid, are found by their index', async () => {
  const { store, clock, enqueue } = startEngine();
  store.transaction((db) => setBudget(db, { scope: 'day', play: false, hardNano: 1 }));
  await enqueue({ kind: 'video', model: 'video-standard', prompt: 'A quay' });
  const db = withPlans(store.read);
  jobsBeingFetched(db, 'p');
  expect(db.plans[0]?.plan).toContain('SEARCH assets USING INDEX assets_by_state (state=?)');
  nextAffordable(db, clock.now());
  const planned = (wanted: string) => db.plans.find(({ name }) => name === wanted)?.plan;
  expect(planned('jobs.groupsShortOfMoney')).toBe('SCAN jobs USING INDEX jobs_short_of_money');
  expect(planned('jobs.nextAffordable')).toContain(
    'INDEX jobs_short_of_money (play=? AND run_id=? AND project_id=? AND <expr>=? AND position>?)',
  );
});

/** The row is read by its number at most, and of it only what stands before the long columns. */
const CHEAP = /COVERING INDEX|INTEGER PRIMARY KEY/;

test('the verdicts of two sides are compared in their indexes, without the rows of jobs', async () => {
  const dataDir = tempDir('verdicts');
  const store = openTestStore({ dataDir, clock: new TestClock() });
  const past = path.join(tempDir('past'), 'past.db');
  fs.copyFileSync(databaseFile(dataDir), past);
  const plan = store.readWithBackup(past, (read) => {
    const db = withPlans(read);
    jobsFromBackup({ log: silentLog }, { finish: () => Promise.reject() }, () => false).preview(db);
    return db.plans.find(({ name }) => name === 'jobs.otherVerdictsThanBackup')?.plan ?? '';
  });
  await store.close();
  const ofJobs = plan.split('; ').filter((step) => /^(SCAN|SEARCH) .*\b(p|m|jobs)\b/.test(step));
  expect(ofJobs.filter((step) => !CHEAP.test(step))).toEqual([]);
  expect(ofJobs).toHaveLength(6);
});
