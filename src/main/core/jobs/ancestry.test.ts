import { describe, expect, test } from 'vitest';
import { memoryDb } from '../../../../test/helpers/memoryDb.ts';
import { withPlans } from '../../../../test/helpers/plans.ts';
import type { JobInput } from '../../../shared/jobs/job.ts';
import { MAX_ANCESTRY_DEPTH, MAX_ANCESTRY_STEPS } from '../../../shared/library/ancestry.ts';
import { type ReadDb, type Sql, type SqlParams, sql, type WriteDb } from '../store/index.ts';
import { ancestryOf } from './queries/jobQueries.ts';

const addJob = sql(
  'test.job',
  `INSERT INTO jobs (id, kind, state, request, profile_id, lane, idempotency_key, hook_secret, price, estimate_nano, estimate_low_nano, position, created_at, inputs)
   VALUES ($id, 'video', 'succeeded', $request, 'p', 'video p', $id, $id, '{}', 0, 0, 0, 0, $inputs)`,
);
const addAsset = sql(
  'test.asset',
  `INSERT INTO assets (id, sha256, mime, width, height, bytes, state, job_id, output_index, role, parent_id, name, created_at)
   VALUES ($id, $id, 'video/mp4', 0, 0, 1, 'local', $jobId, $index, $role, $parentId, $id, 0)`,
);

interface Made {
  /** Also the name of its job. */
  id: string;
  from?: JobInput[];
  request?: object;
}

function result(db: WriteDb, { id, from, request = {} }: Made): void {
  const asked = { kind: 'video', model: 'm', prompt: id, config: {}, ...request };
  db.run(addJob, { id, request: JSON.stringify(asked), inputs: from ? JSON.stringify(from) : null });
  db.run(addAsset, { id: `${id}-0`, jobId: id, index: 0, role: 'output', parentId: null });
}
const file = (db: WriteDb, id: string, role = 'source', parentId: string | null = null): void => {
  db.run(addAsset, { id, jobId: null, index: null, role, parentId });
};
const by = (field: string, assetId: string): JobInput => ({ field, assetId });

/** `field of<id` or `field of<(what the request named)`. */
const lines = (db: WriteDb, id: string, side: 'from' | 'made'): string[] =>
  (ancestryOf(db, id)?.[side] ?? []).map(
    ({ field, of, depth, asset, assetId, jobId, uri }) =>
      `${depth} ${field} ${of} ${asset ? asset.id : `(${assetId ?? jobId ?? uri})`}`,
  );

test('both ways over an edit, a frame of it, and an extension', () => {
  const db = memoryDb();
  file(db, 'photo');
  file(db, 'mask', 'mask');
  result(db, { id: 'edit', from: [by('base', 'photo'), by('mask', 'mask')] });
  result(db, { id: 'clip', from: [by('image', 'edit-0'), by('referenceImages.0', 'photo')] });
  file(db, 'frame', 'frame', 'clip-0');
  file(db, 'small', 'thumbnail', 'clip-0');
  result(db, { id: 'longer', from: [by('video', 'clip-0')] });
  result(db, { id: 'next', from: [by('image', 'frame')] });
  expect(lines(db, 'next-0', 'from')).toEqual([
    '1 image next-0 frame',
    '2 parent frame clip-0',
    '3 image clip-0 edit-0',
    '3 referenceImages.0 clip-0 photo',
    '4 mask edit-0 mask',
  ]);
  expect(lines(db, 'photo', 'made')).toEqual([
    '1 referenceImages.0 photo clip-0',
    '1 base photo edit-0',
    '2 parent clip-0 frame',
    '2 video clip-0 longer-0',
    '3 image frame next-0',
  ]);
  expect(ancestryOf(db, 'photo')).not.toHaveProperty('truncated');
  expect(ancestryOf(db, 'nothing')).toBeUndefined();
});

test('what is not here is named as the request named it', () => {
  const db = memoryDb();
  const uri = 'https://bucket.example/quay.png';
  result(db, {
    id: 'clip',
    from: [by('image', 'gone'), { field: 'lastFrame', uri }, { field: 'video', jobId: 'lost' }],
  });
  expect(lines(db, 'clip-0', 'from')).toEqual([
    '1 image clip-0 (gone)',
    `1 lastFrame clip-0 (${uri})`,
    '1 video clip-0 (lost)',
  ]);
});

test('what is not here is listed once where it leads to one picture in two fields', () => {
  const db = memoryDb();
  result(db, { id: 'still', from: [by('image', 'gone')] });
  result(db, { id: 'clip', from: [by('image', 'still-0'), by('lastFrame', 'still-0')] });
  expect(lines(db, 'clip-0', 'from')).toEqual([
    '1 image clip-0 still-0',
    '1 lastFrame clip-0 still-0',
    '2 image still-0 (gone)',
  ]);
});

test('of a job that did not keep what it had sent, its request is read', () => {
  const db = memoryDb();
  file(db, 'photo');
  result(db, { id: 'clip', request: { image: { assetId: 'photo' } } });
  expect(lines(db, 'clip-0', 'from')).toEqual(['1 image clip-0 photo']);
});

test('what a job that is sent again uses replaces what it used', () => {
  const db = memoryDb();
  for (const id of ['one', 'two']) file(db, id);
  result(db, { id: 'clip', from: [by('image', 'one')] });
  db.run(sql('test.again', `UPDATE jobs SET inputs = $inputs`), { inputs: JSON.stringify([by('image', 'two')]) });
  expect(lines(db, 'one', 'made')).toEqual([]);
  expect(lines(db, 'two', 'made')).toEqual(['1 image two clip-0']);
});

describe('has bounds', () => {
  test('of things made from one', () => {
    const db = memoryDb();
    file(db, 'photo');
    for (let n = 0; n < 1_000; n += 1) result(db, { id: `clip${n}`, from: [by('image', 'photo')] });
    const { from, made, truncated, cut } = ancestryOf(db, 'photo') ?? { from: [], made: [] };
    expect([from.length, made.length, truncated, cut]).toEqual([0, MAX_ANCESTRY_STEPS, true, ['made']]);
    const sizes: number[] = [];
    const counted: ReadDb = {
      one: (statement, params) => db.one(statement, params),
      all: <T>(statement: Sql, params?: SqlParams) => {
        const rows = db.all<T>(statement, params);
        sizes.push(rows.length);
        return rows;
      },
    };
    ancestryOf(counted, 'photo');
    expect(Math.max(...sizes)).toBe(MAX_ANCESTRY_STEPS + 1);
  });

  test('of steps, and it ends where it comes back to itself', () => {
    const db = memoryDb();
    result(db, { id: 'clip0' });
    for (let n = 1; n < 30; n += 1) result(db, { id: `clip${n}`, from: [by('video', `clip${n - 1}-0`)] });
    expect(ancestryOf(db, 'clip29-0')?.from.at(-1)?.depth).toBe(MAX_ANCESTRY_DEPTH);
    expect(ancestryOf(db, 'clip29-0')).toMatchObject({ truncated: true, cut: ['from'] });
    const round = memoryDb();
    result(round, { id: 'a', from: [by('video', 'b-0')] });
    result(round, { id: 'b', from: [by('video', 'a-0')] });
    expect(lines(round, 'a-0', 'from')).toEqual(['1 video a-0 b-0']);
    expect(lines(round, 'a-0', 'made')).toEqual(['1 video a-0 b-0']);
  });
});

test('no table is read whole', () => {
  const db = memoryDb();
  file(db, 'photo');
  result(db, { id: 'clip', from: [by('image', 'photo')] });
  const planned = withPlans(db);
  for (const id of ['photo', 'clip-0']) ancestryOf(planned, id);
  expect(planned.plans.length).toBeGreaterThan(4);
  expect(planned.plans.filter(({ plan }) => /SCAN (?!json_each|\(subquery|.* VIRTUAL TABLE)/.test(plan))).toEqual([]);
});
