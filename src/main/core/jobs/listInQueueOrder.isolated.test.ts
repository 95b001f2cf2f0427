import fc from 'fast-check';
import { expect, test } from 'vitest';
import { acceptance, aVideo, type EngineHarness, VIDEO_NANO } from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import type { Job } from '../../../shared/job.ts';
import { jobsListSchema } from '../../../shared/lists.ts';
import { formatNano } from '../../../shared/money.ts';
import { type Sql, type SqlParams, sql } from '../store/index.ts';

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

/** Every statement that the list runs, with its plan. */
function plansOf(harness: EngineHarness, filter: object): string[] {
  const run: [Sql, SqlParams][] = [];
  const told = (statement: Sql, params: SqlParams) => void run.push([statement, params]);
  watching(harness, told, () => harness.engine.queries.list(jobsListSchema.parse(filter), harness.isPlay()));
  return run
    .filter(([{ name }]) => /^jobs\.(list|count|sum|waiting|inLine)/.test(name))
    .map(([{ name, text }, params]) => {
      const explain = sql('test.plan', `EXPLAIN QUERY PLAN ${text}`);
      const steps = harness.store.read.all<{ detail: string }>(explain, params);
      return `${name}: ${steps.map(({ detail }) => detail).join('; ')}`;
    });
}

test('of 5,000 waiting jobs, each page at any offset has their true places and the sums of all', async () => {
  const harness = start();
  harness.engine.commands.setPaused(true);
  const ids: string[] = [];
  for (let batch = 0; batch < 5; batch++) ids.push(...(await enqueue(harness, 1_000)).map(({ id }) => id));
  for (const offset of [0, 2_500, 4_900]) {
    const page = inQueue(harness, { offset });
    expect(page.jobs.map(({ id }) => id)).toEqual(ids.slice(offset, offset + 100));
    expect(page.jobs.map(({ place }) => place)).toEqual(page.jobs.map((_, index) => offset + index + 1));
    expect(page).toMatchObject({ total: 5_000, waiting: { count: 5_000, reservedNano: 5_000 * VIDEO_NANO } });
    expect(page.jobs.filter(({ place }) => place === 1).map(({ id }) => id)).toEqual(offset === 0 ? [ids[0]] : []);
  }
  expect(formatNano(inQueue(harness).waiting?.reservedNano ?? 0)).toBe('$8,000.00');
  // A page costs the same at any offset: it reads its own rows and one more, and none before them.
  const first = countWork(harness, 0);
  expect(first.jobs).toBe(101);
  expect(first.rows).toBeLessThan(500);
  expect(countWork(harness, 2_500)).toEqual(first);
  expect(countWork(harness, 4_899)).toEqual(first);
  expect(countWork(harness, 4_900)).toEqual({ ...first, rows: first.rows - 1, jobs: 100 });
  expect(inQueue(harness, { offset: 4_900 }).nextCursor).toBeUndefined();
  // A filter changes neither the places in the queue nor the sums of the queue.
  const quay = inQueue(harness, { text: 'quay', offset: 700 });
  expect(quay.jobs[0]?.place).toBe(4_897);
  expect(quay).toMatchObject({ total: 715, waiting: { count: 5_000, reservedNano: 5_000 * VIDEO_NANO } });
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

test('after any moves and cancels, pages by cursor and by offset are in queue order', async () => {
  const step = fc.record({ kind: fc.constantFrom('move', 'end', 'cancel', 'add'), at: fc.nat(30), before: fc.nat(30) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.integer({ min: 1, max: 6 }), async (steps, limit) => {
      const harness = start();
      harness.engine.commands.setPaused(true);
      let line = (await enqueue(harness, 8)).map(({ id }) => id);
      for (const { kind, at, before } of steps) {
        const id = line[at % Math.max(1, line.length)];
        const target = line[before % Math.max(1, line.length)];
        if (kind === 'add') line.push(...(await enqueue(harness, 1)).map((job) => job.id));
        else if (id === undefined || target === undefined || id === target) continue;
        else if (kind === 'cancel') harness.engine.commands.cancel(id);
        else harness.engine.commands.move(id, kind === 'end' ? undefined : target);
        if (kind === 'add' || id === undefined) continue;
        const others = line.filter((other) => other !== id);
        const place = kind === 'end' ? others.length : others.indexOf(target ?? '');
        line = kind === 'cancel' ? others : [...others.slice(0, place), id, ...others.slice(place)];
      }
      const expected = line.map((id, index) => [id, index + 1]);
      const states = ['queued', 'blocked'] as const;
      const byCursor: unknown[] = [];
      let cursor: string | undefined;
      do {
        const input = jobsListSchema.parse({ order: 'queue', states, limit, ...(cursor ? { cursor } : {}) });
        const page = harness.engine.queries.list(input, harness.isPlay());
        byCursor.push(...page.jobs.map(({ id, place }) => [id, place]));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(byCursor).toEqual(expected);
      const byPlace = expected.flatMap((_, offset) =>
        inQueue(harness, { states, limit: 1, offset }).jobs.map(({ id, place }) => [id, place]),
      );
      expect(byPlace).toEqual(expected);
    }),
    { numRuns: 25 },
  );
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
  expect(refused({ cursor: '1.2.3' })?.path).toEqual(['cursor']);
  expect(refused({ cursor: '12', offset: 1 })?.path).toEqual(['offset']);
  expect(refused({ order: 'queue', cursor: '1.7.-2.5' })).toBeUndefined();
});

test('no list reads the rows that it skips: neither to reach an offset nor to count', async () => {
  const harness = start();
  harness.engine.commands.setPaused(true);
  await enqueue(harness, 5);
  const states = { waiting: ['queued', 'blocked'], ended: ['succeeded', 'canceled', 'failed'] };
  const filters = [
    { order: 'queue', offset: 2, states: states.waiting },
    { order: 'queue', offset: 2 },
    { offset: 2, states: states.ended },
    { offset: 2, states: states.ended, projectId: 'p', kinds: ['video'] },
    { offset: 2 },
  ];
  for (const filter of filters) {
    const plans = plansOf(harness, filter);
    expect(plans.length).toBeGreaterThan(1);
    for (const plan of plans) {
      expect(plan, JSON.stringify(filter)).toMatch(/COVERING INDEX|INDEX jobs_waiting|INDEX jobs_by_state|job_counts/);
      // Only the rows of the page are read.
      expect(plan.replaceAll('SCAN jobs USING', '')).not.toMatch(/SCAN jobs\b/);
    }
  }
});

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
