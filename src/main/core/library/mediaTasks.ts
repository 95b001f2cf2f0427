import type { MeasuredFile, MediaMeasures } from '../../../shared/film/measures.ts';
import { type Asset, MEDIA_TASK_LIMIT_MS, type MediaTask } from '../../../shared/library/asset.ts';
import { displayedAs } from '../../../shared/library/mediaFormats.ts';
import { t } from '../../../shared/text/texts.ts';
import type { Logger } from '../ports.ts';
import { allOf, type ReadDb, type Store, sql, unfinishedProject, type WriteDb, whereIf } from '../store/index.ts';
import { assetRow } from './assetTable.ts';
import { recordInspected } from './recordEvidence.ts';

/** Work for the media page. It is in a table, so it survives a restart, and a page that dies loses its task after a while. */

export interface TaskRow {
  id: string;
  asset_id: string;
  kind: MediaTask['kind'];
  /** The out point before which a last frame is taken, in milliseconds; 0 for the clip's own end. */
  out_ms: number;
  state: 'waiting' | 'claimed' | 'done' | 'failed';
  claimed_at: number | null;
  tries: number;
  error: string | null;
}

/** The error of a task whose file could not be read, although the file may be intact. */
export const UNREAD = 'its file could not be read from the library.';
/** The same, and failures to store, as worded by version 0.1 and earlier builds of this version. */
const NO_FAULT_OF_THE_FILE = `error = '${UNREAD}' OR error LIKE 'The file is not served (status%' OR error LIKE 'The disk is full.%'
  OR error LIKE '%Nothing was stored.'`;

const insert = sql(
  'media.insert',
  `INSERT INTO media_tasks (id, asset_id, kind, state) VALUES ($id, $assetId, $kind, 'waiting')
   ON CONFLICT (asset_id, kind, out_ms) DO UPDATE SET state = 'waiting', tries = 0, error = NULL WHERE state = 'failed'`,
);
/** No work for assets that may not stay. */
const NOT_UNFINISHED = 'NOT EXISTS (SELECT 1 FROM assets a WHERE a.id = asset_id AND a.project_id = $unfinished)';
const claim = sql(
  'media.claim',
  `UPDATE media_tasks SET state = 'claimed', claimed_at = $now, tries = tries + 1 WHERE id = $id`,
);
const byId = sql('media.byId', 'SELECT * FROM media_tasks WHERE id = $id');
const finish = sql('media.finish', 'UPDATE media_tasks SET state = $state, error = $error WHERE id = $id');
const openTasks = sql(
  'media.open',
  `SELECT EXISTS (SELECT 1 FROM media_tasks WHERE state IN ('waiting', 'claimed')) AS n`,
);

const release = sql('media.release', `UPDATE media_tasks SET state = 'waiting' WHERE state = 'claimed'`);
const reopen = sql(
  'media.reopen',
  `UPDATE media_tasks SET state = 'waiting', tries = 0, error = NULL WHERE state = 'failed' AND (${NO_FAULT_OF_THE_FILE})`,
);

const releaseOne = sql(
  'media.releaseOne',
  `UPDATE media_tasks SET state = 'waiting', tries = tries - $back WHERE id = $id AND state = 'claimed'`,
);

export const MAX_TRIES = 3;

/** An asset that pictures can be taken from. */
export interface Pictured extends Pick<Asset, 'id' | 'mime' | 'role'> {
  hasThumbnail?: boolean;
}

/**
 * A new local picture or clip needs a thumbnail. A result clip also needs its last frame, because later shots start from it. Failed tasks
 * are retried, because the file has arrived again.
 */
export function planTasks(db: WriteDb, asset: Pictured, newId: () => string): boolean {
  if (!['output', 'grid', 'source'].includes(asset.role)) return false;
  // A sound has no picture, and no page can decode a file that is not displayed.
  const type = displayedAs(asset.mime);
  if (type === undefined || type === 'audio') return false;
  if (!asset.hasThumbnail) db.run(insert, { id: newId(), assetId: asset.id, kind: 'thumbnail' });
  if (type === 'video') db.run(insert, { id: newId(), assetId: asset.id, kind: 'lastFrame' });
  return true;
}

/** Gives one task to one page. Tasks that were tried too often fail instead of being retried for ever, and are returned as `givenUp`. */
export function claimTask(
  db: WriteDb,
  now: number,
): { task: Omit<MediaTask, 'name' | 'mime'> | null; givenUp: TaskRow[] } {
  const givenUp: TaskRow[] = [];
  const { where, params } = allOf(
    `(state = 'waiting' OR (state = 'claimed' AND claimed_at < $stale))`,
    whereIf(NOT_UNFINISHED, 'unfinished', unfinishedProject(db)),
  );
  // Last frames first, because a job may be waiting for one. Measures take longest and come last.
  const order = "kind = 'measure', kind = 'thumbnail', rowid";
  const next = sql('media.next', `SELECT * FROM media_tasks WHERE ${where} ORDER BY ${order} LIMIT 1`);
  for (;;) {
    const row = db.one<TaskRow>(next, { stale: now - MEDIA_TASK_LIMIT_MS, ...params });
    if (!row) return { task: null, givenUp };
    if (row.tries < MAX_TRIES) {
      db.run(claim, { id: row.id, now });
      const point = row.out_ms === 0 ? {} : { outMs: row.out_ms };
      return { task: { id: row.id, assetId: row.asset_id, kind: row.kind, ...point }, givenUp };
    }
    finishTask(db, row.id, 'no page could finish it.');
    givenUp.push(row);
  }
}

const endedLastFrameTask = sql(
  'media.lastFrameOf',
  `SELECT * FROM media_tasks WHERE asset_id = $assetId AND kind = 'lastFrame' AND out_ms = $outMs AND state IN ('done', 'failed')`,
);

const take = sql(
  'media.takeLastFrame',
  `INSERT INTO media_tasks (id, asset_id, kind, state, out_ms) VALUES ($id, $assetId, 'lastFrame', 'waiting', $outMs)
   ON CONFLICT (asset_id, kind, out_ms) DO UPDATE SET state = 'waiting', tries = 0 WHERE state = 'done'`,
);

/**
 * Requests a last frame that a clip lacks: it was not needed before, was deleted since, or its task made none. False if the task is open or
 * failed.
 */
export const takeLastFrame = (db: WriteDb, id: string, { assetId, outMs = 0 }: LastFrame): boolean =>
  db.run(take, { id, assetId, outMs }) > 0;

/** The last frame of a clip, or the last one before an out point. */
export interface LastFrame {
  assetId: string;
  outMs?: number | undefined;
}

/** Why a clip will never have that last frame; undefined while that is still open. */
export function lastFrameError(db: ReadDb, { assetId, outMs = 0 }: LastFrame): string | undefined {
  const row = db.one<TaskRow>(endedLastFrameTask, { assetId, outMs });
  return row && (row.error ?? 'no picture came of it.');
}

export const taskById = (db: ReadDb, id: string): TaskRow | undefined => db.one<TaskRow>(byId, { id });
export const finishTask = (db: WriteDb, id: string, error: string | undefined): number =>
  db.run(finish, { id, state: error === undefined ? 'done' : 'failed', error: error ?? null });
/**
 * At start no page holds a task, so claims of the previous run are released. Tasks that failed while the disk was missing or full are
 * retried; files that a decoder refused are not. If this cannot be written, each claim ends with its time limit.
 */
export function reopenTasks({ store, log }: { store: Pick<Store, 'transaction'>; log: Pick<Logger, 'warn'> }): void {
  try {
    store.transaction((db) => db.run(release) + db.run(reopen));
  } catch (error) {
    log.warn({ error: String(error) }, 'tasks that pages had begun could not be given back');
  }
}
/** The page is leaving: the next one gets the task at once. It counts as an attempt only if the page crashed. */
export const releaseTask = (db: WriteDb, id: string, died: boolean): boolean =>
  db.run(releaseOne, { id, back: died ? 0 : 1 }) > 0;
export const hasOpenTasks = (db: ReadDb): boolean => (db.one<{ n: number }>(openTasks)?.n ?? 0) > 0;

/** Measures by the media page, stored by content hash. */

/** Raised when measures change, so that files are measured again. */
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

/** Plans measures of files that were never measured. Returns whether there is work now. */
export function planMeasuring(db: WriteDb, sha256s: readonly string[], newId: () => string): boolean {
  const fresh = sha256s.filter((sha256) => knownFile(db, sha256) === 'plan');
  for (const sha256 of fresh)
    db.run(plan, { id: newId(), assetId: db.one<{ id: string }>(localFile, { sha256 })?.id ?? '' });
  return fresh.length > 0;
}

/** Known measures. Files that are still to be planned count as waiting. */
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
  if (task?.state === 'failed') return { state: 'failed', message: task.error ?? t`The file could not be measured.` };
  return task && task.state !== 'done' ? { state: 'waiting' } : 'plan';
}

/** Ends a measuring task and stores the measures by the file's hash. Without measures it has failed. */
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
