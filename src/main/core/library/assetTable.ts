import type { Asset, AssetRole, AssetState } from '../../../shared/asset.ts';
import type { Difference } from '../../../shared/difference.ts';
import type { ErrorKind, Verdict } from '../../../shared/job.ts';
import { type ReadDb, type Sql, sql, type WriteDb } from '../store/index.ts';
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
  /** Its job's; maintained by triggers. */
  verdict: Verdict | null;
  created_at: number;
}

export interface AssetViewRow extends AssetRow {
  thumbnail_id: string | null;
  last_frame_id: string | null;
  /** The job's differences from its request, as JSON. */
  differs: string | null;
}

export const ASSET_VIEW = `SELECT a.*,
  (SELECT c.id FROM assets c WHERE c.parent_id = a.id AND c.role = 'thumbnail' LIMIT 1) AS thumbnail_id,
  (SELECT c.id FROM assets c WHERE c.parent_id = a.id AND c.role = 'frame' LIMIT 1) AS last_frame_id,
  (SELECT j.differs FROM jobs j WHERE j.id = a.job_id) AS differs
  FROM assets a`;

const byId = sql('assets.byId', `${ASSET_VIEW} WHERE a.id = $id`);
const ofJob = sql(
  'assets.ofJob',
  `${ASSET_VIEW} WHERE a.job_id = $jobId AND a.role IN ('output', 'grid') ORDER BY a.output_index`,
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
    ...withoutNulls({
      seconds: row.seconds,
      audio: row.audio === null ? null : row.audio === 1,
      differs: differsOf(row),
      fault: row.fault,
      jobId: row.job_id,
      verdict: row.verdict,
      outputIndex: row.output_index,
      parentId: row.parent_id,
      model: row.model,
      thumbnailId: row.thumbnail_id,
      lastFrameId: row.last_frame_id,
    }),
    ...expiryOf(row),
  };
}

/** How this result differs from what was ordered; null where it does not. */
function differsOf(row: AssetViewRow): Difference[] | null {
  if (row.differs === null || !['output', 'grid'].includes(row.role)) return null;
  const all = JSON.parse(row.differs) as Difference[];
  const own = all.filter(({ output }) => output === undefined || output === row.output_index);
  return own.length > 0 ? own : null;
}

type WithoutNulls<T> = { [K in keyof T]?: NonNullable<T[K]> };

/** A field that has no value is left out of what the contract shows. */
const withoutNulls = <T extends object>(fields: T): WithoutNulls<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as WithoutNulls<T>;

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
  const { id, state, role, name, file } = asset;
  insertRow(db, {
    id,
    state,
    role,
    name,
    sha256: file?.sha256 ?? '',
    mime: file?.mime ?? asset.mime ?? '',
    width: file?.width ?? 0,
    height: file?.height ?? 0,
    seconds: file?.seconds ?? null,
    audio: audioOf(file),
    bytes: file?.bytes ?? 0,
    remote_uri: asset.remoteUri ?? null,
    fetchable: asset.fetchable === false ? 0 : 1,
    expires_at: asset.expiresAt ?? null,
    job_id: asset.jobId ?? null,
    output_index: asset.outputIndex ?? null,
    parent_id: asset.parentId ?? null,
    profile_id: asset.profileId ?? null,
    project_id: asset.projectId ?? null,
    model: asset.model ?? null,
    created_at: asset.createdAt,
  });
}

/** The columns that a new row has no value for keep their default. */
type NewRow = Omit<AssetRow, 'seq' | 'revision' | 'tries' | 'next_at' | 'strikes' | 'fault' | 'refusal' | 'verdict'>;

function insertRow(db: WriteDb, row: NewRow): void {
  const columns = Object.keys(row);
  const values = columns.map((column) => `$${column}`);
  db.run(sql('assets.insert', `INSERT INTO assets (${columns.join(', ')}) VALUES (${values.join(', ')})`), { ...row });
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
