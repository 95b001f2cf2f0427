import { expect, test } from 'vitest';
import { memoryDb } from '../../../../test/helpers/memoryDb.ts';
import { sql, type WriteDb } from '../store/index.ts';
import { insertAsset } from './assetColumns.ts';
import { figuresOfChosen, jobsOfAssets } from './chosenAssets.ts';

const insertJob = sql(
  'test.job',
  `INSERT INTO jobs (id, kind, state, request, profile_id, lane, idempotency_key, hook_secret, price, estimate_nano, estimate_low_nano,
     position, created_at, charged_nano, charged_low_nano)
   VALUES ($id, 'video', 'succeeded', '{}', 'p', 'video', $id, 'h', 'null', 0, 0, 0, 0, $charged, $low)`,
);
const tag = sql(
  'test.tag',
  'INSERT INTO asset_tags (asset, fold, tag) SELECT seq, lower($tag), $tag FROM assets WHERE id = $id',
);
const judge = sql('test.judge', 'UPDATE jobs SET verdict = $verdict WHERE id = $id');

/** Two clips of one job, a picture of another and a file that came from elsewhere. */
function library(): WriteDb {
  const db = memoryDb();
  db.run(insertJob, { id: 'clips', charged: 6_000, low: 2_000 });
  db.run(insertJob, { id: 'picture', charged: 500, low: 500 });
  const stored = { sha256: 'a', bytes: 100, mime: 'video/mp4', extension: 'mp4', width: 1920, height: 1080 };
  const made = { state: 'local' as const, role: 'output' as const };
  const clip = { ...made, file: { ...stored, seconds: 4 }, jobId: 'clips', model: 'pro' };
  for (const [index, id] of ['one', 'two'].entries())
    insertAsset(db, { ...clip, id, name: id, createdAt: 10 + index, outputIndex: index });
  const picture = { ...stored, mime: 'image/png', extension: 'png', width: 8, height: 6, bytes: 7 };
  const ofPicture = { file: picture, jobId: 'picture', model: 'imagine' };
  insertAsset(db, { ...made, ...ofPicture, id: 'three', name: 'three', createdAt: 30 });
  insertAsset(db, { ...made, id: 'own', role: 'source', name: 'own', createdAt: 5, file: picture });
  db.run(judge, { id: 'clips', verdict: 'keep' });
  return db;
}

const counts = (of: Record<string, number>) => Object.entries(of).map(([value, count]) => ({ value, count }));

test('many assets are summed up: what they share, and in what they differ', () => {
  expect(figuresOfChosen(library(), { ids: ['one', 'two', 'three', 'own', 'no such'] })).toEqual({
    ...{ count: 4, bytes: 214, seconds: 8, ofJobs: 3, local: 4, firstAt: 5, lastAt: 30 },
    ...{ costNano: 6_500, costLowNano: 2_500, playNano: 0, playLowNano: 0, unpriced: 0 },
    types: counts({ image: 2, video: 2 }),
    models: counts({ pro: 2, imagine: 1 }),
    verdicts: counts({ keep: 2, none: 2 }),
    sizes: counts({ '1920 × 1080': 2, '8 × 6': 2 }),
    tags: [],
  });
});

test('all that a filter matches are summed up, those left out that are named', () => {
  const filter = { types: ['image', 'video'], roles: ['output'] } as const;
  const figures = figuresOfChosen(library(), { filter: { ...filter } as never, except: ['two'] });
  expect(figures).toMatchObject({ count: 2, bytes: 107, costNano: 3_500, costLowNano: 1_500, firstAt: 10 });
  expect(figuresOfChosen(library(), { ids: ['no such'] })).toMatchObject({
    ...{ count: 0, bytes: 0, firstAt: 0, models: [] },
  });
});

test('the jobs of results are named once each; what came from elsewhere has none', () => {
  expect(jobsOfAssets(library(), ['one', 'two', 'three', 'own']).sort()).toEqual(['clips', 'picture']);
});

test('the tags of many are those that they have', () => {
  const db = library();
  db.run(tag, { id: 'one', tag: 'plate' });
  for (const id of ['one', 'two', 'own']) db.run(tag, { id, tag: 'Night' });
  const tagsOf = (chosen: Parameters<typeof figuresOfChosen>[1]) => figuresOfChosen(db, chosen).tags;
  expect(tagsOf({ filter: { tags: ['night'] }, except: ['two'] })).toEqual(counts({ Night: 2, plate: 1 }));
  expect(tagsOf({ ids: ['two'] })).toEqual([{ value: 'Night', count: 1 }]);
});

test('play money stands apart from real money, and what has no price is counted', () => {
  const db = library();
  db.run(sql('test.play', `UPDATE assets SET profile_id = 'sandbox' WHERE job_id = 'clips'`), {});
  db.run(sql('test.unpriced', `UPDATE jobs SET unpriced = 1 WHERE id = 'picture'`), {});
  expect(figuresOfChosen(db, { ids: ['one', 'two', 'three', 'own'] })).toMatchObject({
    ...{ costNano: 500, costLowNano: 500, playNano: 6_000, playLowNano: 2_000, unpriced: 1 },
  });
});
