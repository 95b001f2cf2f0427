import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { tempDir } from '../../../../test/helpers/testPorts.ts';
import { databaseFile } from './index.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations.ts';

const JOB_COLUMNS =
  'seq, id, kind, state, request, profile_id, play, model, verdict, lane, idempotency_key, hook_secret, price, estimate_nano, estimate_low_nano, position, created_at';

test('what an older version had is counted by blocks as if it had been added today', () => {
  const own = MIGRATIONS.find(({ name }) => name === 'blocks');
  if (!own) throw new Error('there is no such migration');
  const filled = (before: boolean): unknown[] => {
    const db = new Database(databaseFile(tempDir('before-blocks')));
    migrate(db, { target: own.version - (before ? 1 : 0) });
    const job = db.prepare(
      `INSERT INTO jobs (${JOB_COLUMNS}) VALUES (?, ?, ?, ?, '{}', 'p', 1, ?, ?, 'l', ?, 's', 'null', 0, 0, 1, 0)`,
    );
    const asset = db.prepare(
      `INSERT INTO assets (seq, id, role, state, name, mime, model, project_id, starred, binned_at, created_at) VALUES (?, ?, ?, 'local', '', ?, ?, ?, ?, ?, 0)`,
    );
    for (const seq of [1, 2_047, 2_048, 2_049, 90_000]) {
      const end = seq === 90_000 ? 'queued' : 'succeeded';
      job.run(
        seq,
        `j${seq}`,
        seq % 2 ? 'video' : 'imagine',
        end,
        seq % 2 ? 'm' : null,
        seq % 3 ? 'keep' : null,
        `k${seq}`,
      );
      asset.run(
        seq,
        `a${seq}`,
        seq === 1 ? 'thumbnail' : 'output',
        'image/png',
        'm',
        seq % 2 ? 'p' : null,
        seq % 2,
        seq === 2_049 ? 7 : null,
      );
    }
    migrate(db, { target: own.version });
    const sums = ['job_blocks', 'asset_blocks'].map((table) =>
      db.prepare(`SELECT * FROM ${table} WHERE n <> 0 ORDER BY 1, 2, 3, 4`).all(),
    );
    db.close();
    return sums;
  };
  const upgraded = filled(true);
  expect(upgraded).toEqual(filled(false));
  expect(upgraded[0]).toContainEqual({ facet: 'all', value: '', ended: 'succeeded', block: 1, n: 2 });
  expect(upgraded[0]).toContainEqual({ facet: 'all', value: '', ended: 'open', block: 43, n: 1 });
  expect(upgraded[1]).toContainEqual({ facet: 'all', value: '', role: 'output', block: 0, n: 1 });
  expect(upgraded[1]).toContainEqual({ facet: 'all', value: '', role: 'output', block: 1, n: 1 });
});
