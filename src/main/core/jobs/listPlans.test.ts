import { expect, test } from 'vitest';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { withPlans } from '../../../../test/helpers/plans.ts';
import type { CallInput } from '../../../shared/contract.ts';
import { jobsListSchema } from '../../../shared/lists.ts';
import { sql } from '../store/index.ts';
import { inDoubtWithRecord } from './costRecords.ts';
import { listJobs } from './listJobs.ts';
import * as statements from './statements.ts';

const startEngine = engineHarnesses();

/** Statistics of a table of a few rows, of which each index seems to answer with one. */
const STALE = [
  'ANALYZE',
  `DELETE FROM sqlite_stat1 WHERE tbl = 'jobs'`,
  ...['state', 'kind', 'project', 'model', 'time', 'verdict'].map(
    (name) => `INSERT INTO sqlite_stat1 VALUES ('jobs', 'jobs_by_${name}', '4 1 1')`,
  ),
];

/** `state=?`: of jobs that run. */
const SMALL = /(INDEX (attempts_sending|jobs_in_doubt)|jobs_by_state \(state=\?\)|sqlite_autoindex_jobs_1 \(id=\?\))/;

const LISTED = /SEARCH jobs USING COVERING INDEX jobs_listed \((seq>\? AND )?seq<\?\)/;
const FOUND = /SCAN hit VIRTUAL TABLE INDEX \d+:M\d+<; SEARCH jobs USING COVERING INDEX jobs_listed \(seq=\?\)/;
const OPEN = ['queued', 'blocked', 'sending', 'running', 'fetching'] as const;
/** The few that are open, whatever else is asked of them. */
const OF_STATE = /SEARCH jobs USING (COVERING )?INDEX jobs_by_state \(state=\?\)/;
const PLANS: [CallInput<'jobs.list'>, RegExp, RegExp][] = [
  [{}, LISTED, /SCAN job_counts/],
  [{ offset: 50 }, LISTED, /SCAN job_counts/],
  [{ states: ['succeeded'], kinds: ['video'], projectId: 'p', play: true }, LISTED, /job_counts/],
  [{ states: [...OPEN] }, OF_STATE, /job_counts/],
  [{ states: ['queued'], offset: 50 }, OF_STATE, /job_counts/],
  [{ states: ['running', 'uncertain'], kinds: ['video'], projectId: 'p', play: true }, OF_STATE, /job_counts/],
  [{ states: [...OPEN], models: ['m'] }, OF_STATE, /job_counts/],
  [{ states: [...OPEN], verdict: 'keep' }, OF_STATE, /job_counts/],
  [{ states: [...OPEN], from: 1, to: 2 }, OF_STATE, OF_STATE],
  [{ models: ['m'] }, /COVERING INDEX jobs_by_model \(model=\? AND seq>\? AND seq<\?\)/, /job_counts/],
  [{ verdict: 'keep' }, /COVERING INDEX jobs_by_verdict \(verdict=\? AND seq>\? AND seq<\?\)/, /job_counts/],
  [
    { from: 1, to: 2 },
    /COVERING INDEX jobs_by_time \(created_at>\? AND created_at<\?\)/,
    /COVERING INDEX jobs_by_time/,
  ],
  [{ text: 'a' }, FOUND, /^SCAN hit VIRTUAL TABLE INDEX \d+:M\d*$/],
  [{ text: 'a', cursor: '7', states: ['failed'], projectId: 'p' }, FOUND, /COVERING INDEX jobs_listed \(seq=\?\)/],
];

test.each(PLANS)('a page of jobs reads the index of its order, and counts in one: %j', (filter, page, count) => {
  for (const statistics of [[], STALE]) {
    const { store } = startEngine();
    for (const text of statistics) store.transaction((db) => db.run(sql('test.statistics', text)));
    const db = withPlans(store.read);
    listJobs(db, jobsListSchema.parse(filter), true);
    const planOf = (wanted: string[]) => db.plans.find(({ name }) => wanted.includes(name))?.plan;
    expect(planOf(['jobs.list'])).toMatch(page);
    expect(planOf(['jobs.sum', 'jobs.count'])).toMatch(count);
    const blocks = planOf(['jobs.blocks']);
    if (blocks) expect(blocks).toMatch(/SEARCH b USING PRIMARY KEY \(facet=\? AND value=\? AND ended=\?/);
  }
});

test.each([
  statements.closeCanceledAttempts,
  statements.closeAsking,
  statements.polledJobs,
  statements.lostTasks,
  statements.openWebhooks,
  inDoubtWithRecord,
])('what a start looks for is in an index without the ended jobs: $name', (statement) => {
  const { store } = startEngine();
  store.transaction((db) => {
    for (const text of STALE) db.run(sql('test.statistics', text));
    const steps = db.all<{ detail: string }>(sql('test.plan', `EXPLAIN QUERY PLAN ${statement.text}`), {
      kinds: '[]',
      message: '',
      since: 0,
    });
    const read = steps.map(({ detail }) => detail).filter((detail) => /^(SCAN|SEARCH) (jobs|attempts)/.test(detail));
    expect(read.filter((detail) => !SMALL.test(detail))).toEqual([]);
    expect(read.length).toBeGreaterThan(0);
  });
});
