import { expect, test } from 'vitest';
import { acceptance, aVideo, type EngineHarness, VIDEO_NANO } from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { withPlans } from '../../../../test/helpers/plans.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import { jobsListSchema } from '../../../shared/jobs/lists.ts';
import type { Sql, SqlParams } from '../store/index.ts';
import { listJobs } from './queries/listJobs.ts';

const start = engineHarnesses();

const enqueue = async (harness: EngineHarness, count: number): Promise<Job[]> => {
  const requests = Array.from({ length: count }, (_, n) => ({
    ...aVideo,
    prompt: `Shot ${n % 7 === 0 ? 'quay' : 'sea'}`,
  }));
  const result = await harness.engine.commands.enqueue({ requests });
  if (!result.ok) throw new Error(result.error.message);
  return result.data.jobs;
};

const inQueue = (harness: EngineHarness, more: object = {}) =>
  harness.engine.queries.list({ limit: 100, order: 'queue', ...more }, harness.isPlay());

/** Reports each statement that is run meanwhile, with its rows. */
function watching<T>(
  harness: EngineHarness,
  told: (statement: Sql, params: SqlParams, rows: unknown[]) => void,
  run: () => T,
): T {
  const { read } = harness.store;
  const { one, all } = read;
  const watched: Pick<typeof read, 'one' | 'all'> = {
    one<Row>(statement: Sql, params: SqlParams = {}): Row | undefined {
      const row = one.call(read, statement, params) as Row | undefined;
      told(statement, params, row === undefined ? [] : [row]);
      return row;
    },
    all<Row>(statement: Sql, params: SqlParams = {}): Row[] {
      const rows = all.call(read, statement, params) as Row[];
      told(statement, params, rows);
      return rows;
    },
  };
  Object.assign(read, watched);
  try {
    return run();
  } finally {
    Object.assign(read, { one, all });
  }
}

/** The number of statements that the list runs, and of the rows that they return. */
function countWork(harness: EngineHarness, offset: number): { statements: number; rows: number; jobs: number } {
  const work = { statements: 0, rows: 0, jobs: 0 };
  const told = ({ name }: Sql, _params: SqlParams, rows: unknown[]) => {
    work.statements += 1;
    work.rows += rows.length;
    if (name === 'jobs.listInQueue') work.jobs += rows.length;
  };
  watching(harness, told, () => inQueue(harness, { offset }));
  return work;
}

test('each page at any offset has the true places and the sums of all, and reads its own rows and one more', async () => {
  const harness = start();
  harness.engine.commands.setPaused(true);
  const ids = (await enqueue(harness, 300)).map(({ id }) => id);
  const waiting = { count: 300, reservedNano: 300 * VIDEO_NANO };
  for (const offset of [0, 150, 200]) {
    const page = inQueue(harness, { offset });
    const expected = ids.slice(offset, offset + 100).map((id, index) => [id, offset + index + 1]);
    expect(page.jobs.map(({ id, place }) => [id, place])).toEqual(expected);
    expect(page).toMatchObject({ total: 300, waiting });
  }
  const first = countWork(harness, 0);
  expect(first.jobs).toBe(101);
  expect(first.rows).toBeLessThan(500);
  for (const offset of [150, 199]) expect(countWork(harness, offset)).toEqual(first);
  expect(countWork(harness, 200)).toEqual({ ...first, rows: first.rows - 1, jobs: 100 });
  expect(inQueue(harness, { offset: 200 }).nextCursor).toBeUndefined();
  // A filter changes neither the places in the queue nor the sums of the queue.
  const quay = inQueue(harness, { text: 'quay', offset: 20 });
  expect(quay.jobs[0]?.place).toBe(141);
  expect(quay).toMatchObject({ total: 43, waiting });
});

test('the order is that in which jobs are sent: in progress first, then waiting, then ended', async () => {
  const harness = start({ profile: { limits: { videosAtOnce: 1 } } });
  harness.script.submit = [acceptance(harness.clock)];
  const [first, second, third] = await enqueue(harness, 3);
  await harness.until(first?.id ?? '', ({ state }) => state !== 'queued');
  harness.engine.commands.move(third?.id ?? '', second?.id ?? '');
  const [fourth] = await enqueue(harness, 1);
  harness.engine.commands.cancel(second?.id ?? '');
  expect(inQueue(harness).jobs.map(({ id, place }) => [id, place])).toEqual([
    [first?.id, undefined],
    [third?.id, 1],
    [fourth?.id, 2],
    [second?.id, undefined],
  ]);
  expect(
    harness.engine.queries.list({ limit: 10 }, harness.isPlay()).jobs.every((job) => job.place === undefined),
  ).toBe(true);
});

test('a page by cursor starts where the last one ended, even if jobs in front have left the queue meanwhile', async () => {
  const harness = start();
  harness.engine.commands.setPaused(true);
  const ids = (await enqueue(harness, 10)).map(({ id }) => id);
  const first = inQueue(harness, { limit: 4 });
  for (const id of ids.slice(0, 3)) harness.engine.commands.cancel(id);
  const second = inQueue(harness, { limit: 4, cursor: first.nextCursor });
  expect(second.jobs.map(({ id }) => id)).toEqual(ids.slice(4, 8));
  expect(second.jobs[0]?.place).toBe(2);
});

test('a cursor of the other order is refused, and so is an offset with a cursor', () => {
  const refused = (input: object) => jobsListSchema.safeParse(input).error?.issues[0];
  expect(refused({ order: 'queue', cursor: '12' })?.path).toEqual(['cursor']);
  expect(refused({ cursor: '[1,2,3]' })?.path).toEqual(['cursor']);
  expect(refused({ cursor: '12', offset: 1 })?.path).toEqual(['offset']);
  expect(refused({ order: 'queue', cursor: '[1,-2.5,7]' })).toBeUndefined();
});

test.each([{ offset: 2 }, { offset: 2, states: ['queued', 'blocked'] }])(
  'no page of the queue reads the rows that it skips: %j',
  async (filter) => {
    const harness = start();
    harness.engine.commands.setPaused(true);
    await enqueue(harness, 5);
    const db = withPlans(harness.store.read);
    listJobs(db, jobsListSchema.parse({ order: 'queue', ...filter }), false);
    const plans = db.plans.filter(({ name }) => /^jobs\.(list|count|sum|waiting|inLine)/.test(name));
    expect(plans.length).toBeGreaterThan(1);
    for (const { plan } of plans) {
      expect(plan).toMatch(/COVERING INDEX|INDEX jobs_waiting|INDEX jobs_by_state|job_counts/);
      expect(plan.replaceAll('SCAN jobs USING', '')).not.toMatch(/SCAN jobs\b/);
    }
  },
);

test('waiting jobs are summed by real and play money, and those without a price are counted separately', async () => {
  const harness = start();
  harness.engine.commands.setPaused(true);
  await enqueue(harness, 2);
  const none = { reservedNano: 0, unpriced: 0 };
  expect(inQueue(harness).waiting).toEqual({ count: 2, reservedNano: 2 * VIDEO_NANO, unpriced: 0, elsewhere: none });
  await harness.many(2, { kind: 'imagine', prompt: 'A quay' });
  const own = { reservedNano: 2 * VIDEO_NANO, unpriced: 2 };
  expect(inQueue(harness, { play: false }).waiting).toEqual({ count: 4, ...own, elsewhere: none });
  expect(inQueue(harness, { play: true }).waiting).toEqual({ count: 4, ...none, elsewhere: own });
});
