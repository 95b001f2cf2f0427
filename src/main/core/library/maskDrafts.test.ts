import { expect, test } from 'vitest';
import { memoryDb } from '../../../../test/helpers/memoryDb.ts';
import { sql, type WriteDb } from '../store/index.ts';
import { insertAsset } from './assetColumns.ts';
import { keepDraft } from './assetMarks.ts';
import { emptyAssets } from './bin/emptiedTable.ts';

const drafts = sql(
  'test.drafts',
  'SELECT a.id, d.draft, a.seq FROM mask_drafts d JOIN assets a ON a.seq = d.asset ORDER BY d.turn',
);
const kept = (db: WriteDb) => db.all<{ id: string; draft: string }>(drafts).map(({ id, draft }) => `${id} ${draft}`);
const row = sql('test.asset', 'SELECT * FROM assets WHERE id = $id');

function withPictures(...ids: string[]): WriteDb {
  const db = memoryDb();
  for (const id of ids) {
    const file = { sha256: id, bytes: 1, mime: 'image/png', extension: 'png', width: 1, height: 1 };
    insertAsset(db, { id, state: 'local', role: 'output', name: id, createdAt: 0, file });
  }
  return db;
}

test('a picture has one draft: the one that was kept last, or none any more', () => {
  const db = withPictures('a', 'b');
  keepDraft(db, 'a', 'one');
  keepDraft(db, 'b', 'two');
  keepDraft(db, 'a', 'three');
  expect(kept(db)).toEqual(['b two', 'a three']);
  keepDraft(db, 'b', undefined);
  expect(kept(db)).toEqual(['a three']);
});

test('beyond the most that is kept, the drafts that were kept longest ago go', () => {
  const db = withPictures('a', 'b', 'c');
  keepDraft(db, 'a', '12345', 12);
  keepDraft(db, 'b', '12345', 12);
  keepDraft(db, 'a', '54321', 12);
  keepDraft(db, 'c', '12345', 12);
  expect(kept(db)).toEqual(['a 54321', 'c 12345']);
});

test('what is deleted from the bin takes its draft with it, and gets none any more', () => {
  const db = withPictures('a', 'b');
  keepDraft(db, 'a', 'one');
  keepDraft(db, 'b', 'two');
  const gone = db.one<Parameters<typeof emptyAssets>[1][number]>(row, { id: 'a' });
  emptyAssets(db, gone ? [gone] : [], 1);
  keepDraft(db, 'a', 'late');
  expect(kept(db)).toEqual(['b two']);
});
