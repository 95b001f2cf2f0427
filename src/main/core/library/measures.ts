import type { MeasuredFile, MediaMeasures } from '../../../shared/film/measures.ts';
import { displayedAs } from '../../../shared/library/mediaFormats.ts';
import { t } from '../../../shared/text/texts.ts';
import { type ReadDb, sql, type WriteDb } from '../store/index.ts';
import { assetRow } from './assetTable.ts';
import { recordInspected } from './journaled.ts';
import { finishTask, type TaskRow } from './mediaTasks.ts';

/** What the media page measured, kept by content hash. */

/** Goes up when files are to be measured anew, because what is measured has changed. */
const METHOD = 4;

const read = sql('measures.read', 'SELECT measures FROM media_measures WHERE sha256 = $sha256 AND method = $method');
const write = sql(
  'measures.write',
  `INSERT INTO media_measures (sha256, method, measures) VALUES ($sha256, $method, $measures)
   ON CONFLICT (sha256) DO UPDATE SET method = excluded.method, measures = excluded.measures`,
);
const localFile = sql(
  'measures.localFile',
  `SELECT id, mime FROM assets WHERE sha256 = $sha256 AND state = 'local' ORDER BY seq LIMIT 1`,
);
const taskOf = sql('measures.task', `SELECT * FROM media_tasks WHERE asset_id = $assetId AND kind = 'measure'`);
const plan = sql(
  'measures.plan',
  `INSERT INTO media_tasks (id, asset_id, kind, state) VALUES ($id, $assetId, 'measure', 'waiting')
   ON CONFLICT (asset_id, kind, out_ms) DO UPDATE SET state = 'waiting', tries = 0, error = NULL`,
);

/** Plans the measuring of what was never measured. Returns whether there is work now. */
export function planMeasuring(db: WriteDb, sha256s: readonly string[], newId: () => string): boolean {
  const fresh = sha256s.filter((sha256) => knownFile(db, sha256) === 'plan');
  for (const sha256 of fresh)
    db.run(plan, { id: newId(), assetId: db.one<{ id: string }>(localFile, { sha256 })?.id ?? '' });
  return fresh.length > 0;
}

/** What is known; what is still to be planned waits, too. */
export function measuredFiles(db: ReadDb, sha256s: readonly string[]): Record<string, MeasuredFile> {
  return Object.fromEntries(
    sha256s.map((sha256): [string, MeasuredFile] => {
      const file = knownFile(db, sha256);
      return [sha256, file === 'plan' ? { state: 'waiting' } : file];
    }),
  );
}

function knownFile(db: ReadDb, sha256: string): MeasuredFile | 'plan' {
  const row = db.one<{ measures: string }>(read, { sha256, method: METHOD });
  if (row) return { state: 'measured', measures: JSON.parse(row.measures) as MediaMeasures };
  const file = db.one<{ id: string; mime: string }>(localFile, { sha256 });
  if (!file || displayedAs(file.mime) === undefined) return { state: 'missing' };
  const task = db.one<TaskRow>(taskOf, { assetId: file.id });
  if (task?.state === 'failed') return { state: 'failed', message: task.error ?? t`It could not be measured.` };
  return task && task.state !== 'done' ? { state: 'waiting' } : 'plan';
}

/** Ends a task that measures: what came of it is kept under the hash of its file. Without any it has failed. */
export function finishMeasuring(
  db: WriteDb,
  task: TaskRow,
  { error, measures }: { error?: string | undefined; measures?: MediaMeasures | undefined },
): void {
  const asset = assetRow(db, task.asset_id);
  const sha256 = asset?.sha256;
  if (error === undefined && measures && sha256) {
    db.run(write, { sha256, method: METHOD, measures: JSON.stringify(measures) });
    finishTask(db, task.id, undefined);
    if (asset) recordInspected(db, asset, measures);
  } else finishTask(db, task.id, error ?? 'nothing was measured.');
}
