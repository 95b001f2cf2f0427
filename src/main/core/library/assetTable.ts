import type { Asset, AssetRole, AssetState } from '../../../shared/asset.ts';
import type { CallParsed } from '../../../shared/contract.ts';
import type { Difference } from '../../../shared/difference.ts';
import type { ErrorKind, Verdict } from '../../../shared/job.ts';
import type { AssetPage } from '../../../shared/lists.ts';
import { type ReadDb, type Sql, type SqlParams, sql, type WriteDb } from '../store/index.ts';
import type { StoredFile } from './contentStore.ts';

export interface AssetRow {
  seq: number;
  id: string;
  /** Maintained by triggers. */
  revision: number;
  sha256: string;
  mime: string;
  width: number;
  height: number;
  seconds: number | null;
  /** Whether a clip has sound, as 0 or 1. */
  audio: 0 | 1 | null;
  bytes: number;
  state: AssetState;
  remote_uri: string | null;
  /** 0 for storage addresses that cannot be downloaded, such as gs://. */
  fetchable: 0 | 1;
  expires_at: number | null;
  tries: number;
  next_at: number | null;
  /** How often its address answered with something that is not the file. */
  strikes: number;
  /** Why the file is not here yet, or never will be. */
  fault: string | null;
  /** The kind of error, if its address answered that the request was refused and nothing was made. */
  refusal: ErrorKind | null;
  job_id: string | null;
  output_index: number | null;
  role: AssetRole;
  parent_id: string | null;
  profile_id: string | null;
  project_id: string | null;
  name: string;
  model: string | null;
  created_at: number;
}

interface AssetViewRow extends AssetRow {
  thumbnail_id: string | null;
  last_frame_id: string | null;
  verdict: Verdict | null;
  /** The job's differences from its request, as JSON. */
  differs: string | null;
}

const ASSET_VIEW = `SELECT a.*,
  (SELECT c.id FROM assets c WHERE c.parent_id = a.id AND c.role = 'thumbnail' LIMIT 1) AS thumbnail_id,
  (SELECT c.id FROM assets c WHERE c.parent_id = a.id AND c.role = 'frame' LIMIT 1) AS last_frame_id,
  (SELECT j.verdict FROM jobs j WHERE j.id = a.job_id) AS verdict,
  (SELECT j.differs FROM jobs j WHERE j.id = a.job_id) AS differs
  FROM assets a`;

const byId = sql('assets.byId', `${ASSET_VIEW} WHERE a.id = $id`);
const ofJob = sql(
  'assets.ofJob',
  `${ASSET_VIEW} WHERE a.job_id = $jobId AND a.role IN ('output', 'grid') ORDER BY a.output_index`,
);
const insert = sql(
  'assets.insert',
  `INSERT INTO assets (id, sha256, mime, width, height, seconds, audio, bytes, state, remote_uri, fetchable, expires_at, job_id, output_index,
     role, parent_id, profile_id, project_id, name, model, created_at)
   VALUES ($id, $sha256, $mime, $width, $height, $seconds, $audio, $bytes, $state, $remoteUri, $fetchable, $expiresAt, $jobId, $outputIndex,
     $role, $parentId, $profileId, $projectId, $name, $model, $createdAt)`,
);
const saveLocal = sql(
  'assets.settle',
  `UPDATE assets SET sha256 = $sha256, mime = $mime, width = $width, height = $height, seconds = $seconds, audio = $audio,
     bytes = $bytes, state = 'local', next_at = NULL, fault = NULL WHERE id = $id`,
);
const saveExpired = sql(
  'assets.giveUp',
  `UPDATE assets SET state = 'expired', next_at = NULL, fault = $fault, refusal = $refusal WHERE id = $id`,
);
const saveRemoteOnly = sql('assets.setStored', 'UPDATE assets SET fetchable = 0, fault = $fault WHERE id = $id');
const postpone = sql(
  'assets.postpone',
  `UPDATE assets SET tries = tries + $attempts, strikes = strikes + $badResponses, fault = $fault, next_at = $nextAt WHERE id = $id`,
);
const saveRestart = sql(
  'assets.wantAgain',
  `UPDATE assets SET state = 'remote', fetchable = 1, tries = 0, strikes = 0, next_at = NULL, refusal = NULL WHERE id = $id AND state <> 'local'`,
);

/** Links live for hours to days; this is assumed where the service does not say. */
export const ASSUMED_LINK_LIFE_MS = 24 * 3_600_000;

/** Links that expire first come first, over all jobs, without running downloads and held hosts. */
const due = sql(
  'assets.due',
  `SELECT * FROM assets a WHERE state = 'remote' AND fetchable = 1 AND coalesce(next_at, 0) <= $now
     AND id NOT IN (SELECT value FROM json_each($running))
     AND NOT EXISTS (SELECT 1 FROM json_each($heldOrigins) h WHERE substr(a.remote_uri, 1, length(h.value)) = h.value)
   ORDER BY coalesce(expires_at, created_at + ${ASSUMED_LINK_LIFE_MS}), seq LIMIT $limit`,
);
const nextDue = sql(
  'assets.nextDue',
  `SELECT min(next_at) AS at FROM assets WHERE state = 'remote' AND fetchable = 1 AND next_at > $now`,
);
const isWaiting = sql(
  'assets.isWaiting',
  `SELECT 1 AS yes FROM assets WHERE id = $id AND state = 'remote' AND fetchable = 1`,
);

export function assetOf(row: AssetViewRow): Asset {
  return {
    id: row.id,
    revision: row.revision,
    sha256: row.sha256,
    mime: row.mime,
    width: row.width,
    height: row.height,
    bytes: row.bytes,
    state: row.state,
    role: row.role,
    name: row.name,
    createdAt: row.created_at,
    ...(row.seconds === null ? {} : { seconds: row.seconds }),
    ...(row.audio === null ? {} : { audio: row.audio === 1 }),
    ...differsOf(row),
    ...expiryOf(row),
    ...(row.fault === null ? {} : { fault: row.fault }),
    ...(row.job_id === null ? {} : { jobId: row.job_id }),
    ...(row.verdict === null ? {} : { verdict: row.verdict }),
    ...(row.output_index === null ? {} : { outputIndex: row.output_index }),
    ...(row.parent_id === null ? {} : { parentId: row.parent_id }),
    ...(row.model === null ? {} : { model: row.model }),
    ...(row.thumbnail_id === null ? {} : { thumbnailId: row.thumbnail_id }),
    ...(row.last_frame_id === null ? {} : { lastFrameId: row.last_frame_id }),
  };
}

/** How this result differs from what was ordered. */
function differsOf(row: AssetViewRow): Pick<Asset, 'differs'> {
  if (row.differs === null || !['output', 'grid'].includes(row.role)) return {};
  const all = JSON.parse(row.differs) as Difference[];
  const own = all.filter(({ output }) => output === undefined || output === row.output_index);
  return own.length > 0 ? { differs: own } : {};
}

/** How long the link of a remote result lives: as the service said, or as assumed. */
function expiryOf(row: AssetRow): Pick<Asset, 'expiresAt' | 'expiryAssumed'> {
  if (row.expires_at !== null) return { expiresAt: row.expires_at };
  if (row.state !== 'remote' || row.fetchable === 0) return {};
  return { expiresAt: row.created_at + ASSUMED_LINK_LIFE_MS, expiryAssumed: true };
}

export const assetRow = (db: ReadDb, id: string): AssetRow | undefined => db.one<AssetViewRow>(byId, { id });

export function assetById(db: ReadDb, id: string): Asset | undefined {
  const row = db.one<AssetViewRow>(byId, { id });
  return row && assetOf(row);
}

/** A job's results in order. */
export const assetsOfJob = (db: ReadDb, jobId: string): Asset[] => db.all<AssetViewRow>(ofJob, { jobId }).map(assetOf);
export const assetRowsOfJob = (db: ReadDb, jobId: string): AssetRow[] => db.all<AssetViewRow>(ofJob, { jobId });

export interface NewAsset {
  id: string;
  state: AssetState;
  role: AssetRole;
  name: string;
  createdAt: number;
  file?: StoredFile;
  mime?: string;
  remoteUri?: string;
  fetchable?: boolean;
  expiresAt?: number;
  jobId?: string;
  outputIndex?: number;
  parentId?: string;
  profileId?: string;
  projectId?: string;
  model?: string;
}

export function insertAsset(db: WriteDb, asset: NewAsset): void {
  db.run(insert, {
    id: asset.id,
    sha256: asset.file?.sha256 ?? '',
    mime: asset.file?.mime ?? asset.mime ?? '',
    width: asset.file?.width ?? 0,
    height: asset.file?.height ?? 0,
    seconds: asset.file?.seconds ?? null,
    audio: audioOf(asset.file),
    bytes: asset.file?.bytes ?? 0,
    state: asset.state,
    remoteUri: asset.remoteUri ?? null,
    fetchable: asset.fetchable === false ? 0 : 1,
    expiresAt: asset.expiresAt ?? null,
    jobId: asset.jobId ?? null,
    outputIndex: asset.outputIndex ?? null,
    role: asset.role,
    parentId: asset.parentId ?? null,
    profileId: asset.profileId ?? null,
    projectId: asset.projectId ?? null,
    name: asset.name,
    model: asset.model ?? null,
    createdAt: asset.createdAt,
  });
}

/** The bytes are on disk and verified. */
export function makeLocal(db: WriteDb, id: string, file: StoredFile): void {
  const { sha256, mime, width, height, bytes } = file;
  const seconds = file.seconds ?? null;
  db.run(saveLocal, { id, sha256, mime, width, height, bytes, seconds, audio: audioOf(file) });
}

const audioOf = (file: StoredFile | undefined): 0 | 1 | null => (file?.audio === undefined ? null : file.audio ? 1 : 0);

/** No further download is attempted by itself; the address is kept, so that the user can retry. */
export const expireAsset = (db: WriteDb, id: string, fault: string, refusal: ErrorKind | null = null): number =>
  db.run(saveExpired, { id, fault, refusal });
/** It is in a storage that offers no download. */
export const markRemoteOnly = (db: WriteDb, id: string, fault: string): number => db.run(saveRemoteOnly, { id, fault });

export interface Postponement {
  nextAt: number;
  fault: string;
  /** False if the address was not asked, such as when the disk is full. */
  countsAsAttempt: boolean;
  /** The address answered with something that is not the file. */
  countsAsBadResponse: boolean;
}

export function postponeDownload(
  db: WriteDb,
  id: string,
  { nextAt, fault, countsAsAttempt, countsAsBadResponse }: Postponement,
): void {
  db.run(postpone, { id, nextAt, fault, attempts: countsAsAttempt ? 1 : 0, badResponses: countsAsBadResponse ? 1 : 0 });
}

/** Restarts a download with all counters at 0. False if the file is local. */
export const restartDownload = (db: WriteDb, id: string): boolean => db.run(saveRestart, { id }) > 0;

/** What to download now, links that expire first coming first. `heldOrigins` are origins with a trailing slash. */
export const dueDownloads = (
  db: ReadDb,
  {
    now,
    running,
    heldOrigins,
    limit,
  }: { now: number; running: readonly string[]; heldOrigins: readonly string[]; limit: number },
): AssetRow[] =>
  db.all<AssetRow>(due, { now, limit, running: JSON.stringify(running), heldOrigins: JSON.stringify(heldOrigins) });

/** When the next postponed download is due. */
export const nextDownloadAt = (db: ReadDb, now: number): number | undefined =>
  db.one<{ at: number | null }>(nextDue, { now })?.at ?? undefined;

export const isDownloadPending = (db: ReadDb, id: string): boolean => db.one(isWaiting, { id }) !== undefined;

/** Newest first, by cursor or by offset; thumbnails are never listed. */
export function listAssets(db: ReadDb, filter: CallParsed<'library.list'>): AssetPage {
  const { where, params } = conditionsOf(filter);
  const before = filter.cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(filter.cursor) || 0;
  // Skipped rows are skipped in the index alone.
  const page = sql(
    'assets.list',
    `${ASSET_VIEW} WHERE a.seq IN (SELECT a.seq FROM assets a WHERE ${where} AND a.seq < $before ORDER BY a.seq DESC LIMIT $limit OFFSET $offset)
     ORDER BY a.seq DESC`,
  );
  const rows = db.all<AssetViewRow>(page, { ...params, before, limit: filter.limit + 1, offset: filter.offset ?? 0 });
  const days = filter.days ? daysOf(db, where, params) : undefined;
  const shown = rows.slice(0, filter.limit);
  const last = shown.at(-1);
  const list: AssetPage = {
    assets: shown.map(assetOf),
    total: days ? days.reduce((sum, { count }) => sum + count, 0) : countOf(db, where, params),
    ...(days ? { days } : {}),
  };
  return rows.length > filter.limit && last ? { ...list, nextCursor: String(last.seq) } : list;
}

const countOf = (db: ReadDb, where: string, params: SqlParams): number =>
  db.one<{ n: number }>(sql('assets.count', `SELECT count(*) AS n FROM assets a WHERE ${where}`), params)?.n ?? 0;

/** Everywhere on earth local days begin at a full quarter of an hour. */
const QUARTER_MS = 900_000;

/** The count per local day, in the order of the list. Only quarters of an hour, which are few, are converted to days. */
function daysOf(db: ReadDb, where: string, params: SqlParams): { day: number; count: number }[] {
  const quarters = sql(
    'assets.quarters',
    `SELECT a.created_at / ${QUARTER_MS} AS quarter, count(*) AS n, max(a.seq) AS newest FROM assets a WHERE ${where}
     GROUP BY quarter ORDER BY newest DESC`,
  );
  const days: { day: number; count: number }[] = [];
  for (const { quarter, n } of db.all<{ quarter: number; n: number }>(quarters, params)) {
    const day = new Date(quarter * QUARTER_MS).setHours(0, 0, 0, 0);
    const last = days.at(-1);
    if (last?.day === day) last.count += n;
    else days.push({ day, count: n });
  }
  return days;
}

function conditionsOf(filter: CallParsed<'library.list'>): { where: string; params: SqlParams } {
  const params: SqlParams = {};
  const oneOf = (column: string, name: string, values: readonly string[] | undefined): string[] => {
    if (!values || values.length === 0) return [];
    params[name] = JSON.stringify(values);
    return [`${column} IN (SELECT value FROM json_each($${name}))`];
  };
  const type = (filter.types ?? []).map((kind) => `a.mime LIKE '${kind}/%'`).join(' OR ');
  const conditions = [
    `a.role <> 'thumbnail'`,
    ...(type === '' ? [] : [`(${type})`]),
    ...oneOf('a.role', 'roles', filter.roles),
    ...oneOf('a.state', 'states', filter.states),
    ...oneOf('a.model', 'models', filter.models),
  ];
  if (filter.projectId) {
    conditions.push('a.project_id = $projectId');
    params.projectId = filter.projectId;
  }
  if (filter.verdict) {
    const verdict = filter.verdict === 'none' ? 'verdict IS NULL' : 'verdict = $verdict';
    conditions.push(`a.job_id IN (SELECT id FROM jobs WHERE ${verdict})`);
    if (filter.verdict !== 'none') params.verdict = filter.verdict;
  }
  if (filter.text && filter.text.trim() !== '') {
    conditions.push(`(a.name LIKE $like ESCAPE '\\' OR a.job_id IN
      (SELECT j.id FROM jobs j JOIN jobs_fts f ON f.rowid = j.seq WHERE jobs_fts MATCH $match))`);
    params.like = `%${filter.text.trim().replaceAll(/[\\%_]/g, '\\$&')}%`;
    params.match = ftsQuery(filter.text);
  }
  return { where: conditions.join(' AND '), params };
}

/** Every word as a prefix, all required; quoted, so that nothing the user types acts as an operator. */
export function ftsQuery(text: string): string {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length === 0 ? '""' : words.map((word) => `"${word}"*`).join(' ');
}

const stats = sql(
  'assets.stats',
  `SELECT count(*) AS assets, coalesce(sum(bytes), 0) AS bytes, coalesce(sum(state = 'remote'), 0) AS remote,
     coalesce(sum(state = 'expired'), 0) AS expired FROM assets WHERE role <> 'thumbnail'`,
);

export function assetStats(db: ReadDb): { assets: number; bytes: number; remote: number; expired: number } {
  return (
    db.one<{ assets: number; bytes: number; remote: number; expired: number }>(stats as Sql) ?? {
      assets: 0,
      bytes: 0,
      remote: 0,
      expired: 0,
    }
  );
}
