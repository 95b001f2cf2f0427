import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { ErrorKind } from '../../../shared/jobs/job.ts';
import { ASSUMED_LINK_LIFE_MS, type Asset, type AssetRole } from '../../../shared/library/asset.ts';
import { en } from '../../../shared/text/texts.ts';
import type { Clock, Ids } from '../ports.ts';
import { allOf, type ReadDb, sql, type WriteDb, withoutUnfinishedProject } from '../store/index.ts';
import { ASSET_VIEW, type AssetRow, type AssetViewRow, audioOf, type NewAsset, toAsset } from './assetColumns.ts';
import type { StoredFile } from './content/contentStore.ts';
import { LONGEST_PAUSE_MS } from './downloads/downloadDecision.ts';

const byId = sql('assets.byId', `${ASSET_VIEW} WHERE a.id = $id`);
const byIds = sql('assets.byIds', `${ASSET_VIEW} WHERE a.id IN (SELECT value FROM json_each($ids))`);
const ofJobs = sql(
  'assets.ofJobs',
  `${ASSET_VIEW} WHERE a.job_id IN (SELECT value FROM json_each($jobIds)) AND a.role IN ('output', 'grid')
   ORDER BY a.job_id, a.output_index`,
);
const takenFrom = sql(
  'assets.takenFrom',
  `${ASSET_VIEW} WHERE a.parent_id = $id AND a.role <> 'thumbnail' ORDER BY a.seq LIMIT $limit`,
);
const sameAs = sql(
  'assets.sameChild',
  `SELECT id FROM assets WHERE parent_id = $parentId AND role = $role AND job_id IS $jobId AND sha256 = $sha256 AND out_ms IS $outMs AND state = 'local'
     AND emptied = 0 AND binned_at IS (SELECT p.binned_at FROM assets p WHERE p.id = $parentId) LIMIT 1`,
);
const saveLocal = sql(
  'assets.settle',
  `UPDATE assets SET sha256 = $sha256, mime = $mime, width = $width, height = $height, seconds = $seconds, audio = $audio,
     bytes = $bytes, state = 'local', next_at = NULL, fault = NULL, refusal = NULL WHERE id = $id AND emptied = 0`,
);
const saveExpired = sql(
  'assets.giveUp',
  `UPDATE assets SET state = 'expired', next_at = NULL, fault = $fault, refusal = $refusal WHERE id = $id AND emptied = 0`,
);
const saveRemoteOnly = sql(
  'assets.setStored',
  'UPDATE assets SET fetchable = 0, fault = $fault WHERE id = $id AND emptied = 0',
);
const postpone = sql(
  'assets.postpone',
  `UPDATE assets SET tries = tries + $attempts, strikes = strikes + $badResponses, fault = $fault, next_at = $nextAt
   WHERE id = $id AND state = 'remote' AND emptied = 0`,
);
const saveRestart = sql(
  'assets.wantAgain',
  `UPDATE assets SET state = 'remote', fetchable = 1, tries = 0, strikes = 0, next_at = NULL, refusal = NULL WHERE id = $id AND emptied = 0`,
);
const saveRenewed = sql(
  'assets.renewLink',
  `UPDATE assets SET remote_uri = $uri, expires_at = $expiresAt, tries = 0, strikes = 0, next_at = NULL, fault = NULL
   WHERE id = $id AND state = 'remote' AND emptied = 0`,
);

const saveStillLocal = sql(
  'assets.keepLocal',
  `UPDATE assets SET state = 'local', next_at = NULL, fault = $fault
   WHERE id = $id AND state = 'remote' AND sha256 <> '' AND emptied = 0`,
);

/**
 * Due downloads of all jobs, links that expire first coming first. Running downloads, waiting hosts and profiles that have their share are
 * left out.
 */
const due = sql(
  'assets.due',
  `SELECT * FROM assets a WHERE state = 'remote' AND fetchable = 1 AND (coalesce(next_at, 0) <= $now OR next_at > $now + ${LONGEST_PAUSE_MS})
     AND id NOT IN (SELECT value FROM json_each($running))
     AND coalesce(profile_id, '') NOT IN (SELECT value FROM json_each($waitingProfiles))
     AND NOT EXISTS (SELECT 1 FROM json_each($waitingOrigins) h WHERE substr(a.remote_uri, 1, length(h.value)) = h.value)
   ORDER BY coalesce(expires_at, created_at + ${ASSUMED_LINK_LIFE_MS}), seq LIMIT $limit`,
);
const nextDue = sql(
  'assets.nextDue',
  `SELECT min(next_at) AS at FROM assets WHERE state = 'remote' AND fetchable = 1 AND next_at > $now`,
);
const firstLinkEnd = sql(
  'assets.firstLinkEnds',
  `SELECT profile_id AS profileId, min(coalesce(expires_at, created_at + ${ASSUMED_LINK_LIFE_MS})) AS at
   FROM assets WHERE state = 'remote' AND fetchable = 1 AND profile_id IS NOT NULL GROUP BY profile_id`,
);
const isWaiting = sql(
  'assets.isWaiting',
  `SELECT 1 AS yes FROM assets WHERE id = $id AND state = 'remote' AND fetchable = 1`,
);

const pendingOfProfile = sql(
  'assets.pendingOfProfile',
  `SELECT DISTINCT job_id AS id FROM assets INDEXED BY assets_by_state
   WHERE state = 'remote' AND fetchable = 1 AND profile_id = $profileId AND job_id IS NOT NULL`,
);

export const assetRow = (db: ReadDb, id: string): AssetRow | undefined => db.one<AssetViewRow>(byId, { id });

export function assetById(db: ReadDb, id: string): Asset | undefined {
  const row = db.one<AssetViewRow>(byId, { id });
  return row && toAsset(row);
}

/** The existing assets, in the sequence of the ids. One statement reads all, because it costs far more than a row. */
export function assetsByIds(db: ReadDb, ids: readonly string[]): Asset[] {
  const rows = db.all<AssetViewRow>(byIds, { ids: JSON.stringify(ids) });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []).map(toAsset);
}

/**
 * The results of jobs, by job and in sequence; `jobIds` is a JSON array. Includes results whose address answered with a refusal, because
 * references name a result by its index.
 */
export function assetsOfJobs(db: ReadDb, jobIds: string): Map<string, Asset[]> {
  const assets = db.all<AssetViewRow>(ofJobs, { jobIds }).map(toAsset);
  return Map.groupBy(assets, ({ jobId = '' }) => jobId);
}
/** The frames of an asset, such as its last frame, without its thumbnail. */
export const framesOf = (db: ReadDb, id: string, limit: number): Asset[] =>
  db.all<AssetViewRow>(takenFrom, { id, limit }).map(toAsset);

/** The id of an earlier extract of the same asset for its job, with the same role and content, unless it is in the bin by itself. */
export const sameChild = (db: ReadDb, { parentId = '', jobId, role, file, outMs }: NewAsset): string | undefined =>
  db.one<{ id: string }>(sameAs, {
    parentId,
    jobId: jobId ?? null,
    role,
    sha256: file?.sha256 ?? '',
    outMs: outMs ?? null,
  })?.id;

export const assetRowsOfJob = (db: ReadDb, jobId: string): AssetRow[] =>
  db.all<AssetViewRow>(ofJobs, { jobIds: JSON.stringify([jobId]) });

/** The bytes are on disk and verified. False if it was deleted meanwhile. */
export function makeLocal(db: WriteDb, id: string, file: StoredFile): boolean {
  const { sha256, mime, width, height, bytes } = file;
  const seconds = file.seconds ?? null;
  return db.run(saveLocal, { id, sha256, mime, width, height, bytes, seconds, audio: audioOf(file) }) > 0;
}

/** No further download is attempted by itself; the address is kept, so that the user can retry. */
export const giveUpDownload = (db: WriteDb, id: string, fault: string, refusal: ErrorKind | null = null): number =>
  db.run(saveExpired, { id, fault, refusal });
/** The result is in a storage that offers no download. */
export const setRemoteOnly = (db: WriteDb, id: string, fault: string): number => db.run(saveRemoteOnly, { id, fault });

interface Postponement {
  nextAt: number;
  fault: string;
  /** False if the address was not asked, such as when the disk is full. */
  countsAsAttempt: boolean;
  /** The address answered with something that is not the file. */
  countsAsBadResponse: boolean;
}

/** Affects only a download that is still wanted. */
export function postponeDownload(
  db: WriteDb,
  id: string,
  { nextAt, fault, countsAsAttempt, countsAsBadResponse }: Postponement,
): void {
  db.run(postpone, { id, nextAt, fault, attempts: countsAsAttempt ? 1 : 0, badResponses: countsAsBadResponse ? 1 : 0 });
}

/** The earlier file stays although it is damaged, because no better one came. If a copy came meanwhile, that is used. */
export const setStillLocal = (db: WriteDb, id: string, fault: string): number => db.run(saveStillLocal, { id, fault });

/** Restarts a download with all counters at 0; the checksum of a file that is gone or damaged here is kept. */
export const restartDownload = (db: WriteDb, id: string): boolean => db.run(saveRestart, { id }) > 0;

/** The time at which the first link to a result that is not stored here expires, by profile; UNIX time in ms. */
export const firstLinkEnds = (db: ReadDb) => db.all<{ profileId: string; at: number }>(firstLinkEnd, {});

/** The task names another link: all counters restart at 0, and received bytes are kept. */
export const renewLink = (db: WriteDb, id: string, link: { uri: string; expiresAt: number | null }): boolean =>
  db.run(saveRenewed, { id, ...link }) > 0;

interface Due {
  now: number;
  limit: number;
  /** Ids of running downloads. Also the origins, with a trailing slash, and profiles from which nothing is downloaded now. */
  running: readonly string[];
  waitingOrigins?: readonly string[];
  waitingProfiles?: readonly string[];
}

/** The downloads that are due, links that expire first coming first. */
export const dueDownloads = (
  db: ReadDb,
  { now, limit, running, waitingOrigins = [], waitingProfiles = [] }: Due,
): AssetRow[] =>
  db.all<AssetRow>(due, {
    now,
    limit,
    running: JSON.stringify(running),
    waitingOrigins: JSON.stringify(waitingOrigins),
    waitingProfiles: JSON.stringify(waitingProfiles),
  });

/** When the next postponed download is due. */
export const nextDownloadAt = (db: ReadDb, now: number): number | undefined =>
  db.one<{ at: number | null }>(nextDue, { now })?.at ?? undefined;

/** The jobs of which results are still to be downloaded with this profile. */
export const jobsBeingFetched = (db: ReadDb, profileId: string): string[] =>
  db.all<{ id: string }>(pendingOfProfile, { profileId }).map(({ id }) => id);

export const isDownloadPending = (db: ReadDb, id: string): boolean => db.one(isWaiting, { id }) !== undefined;

const stats = (where: string) =>
  sql(
    'assets.stats',
    `SELECT coalesce(sum(n), 0) AS assets, coalesce(sum(bytes), 0) AS bytes,
     coalesce(sum(n) FILTER (WHERE state = 'remote'), 0) AS remote, coalesce(sum(n) FILTER (WHERE state = 'expired'), 0) AS expired
   FROM asset_counts WHERE ${where}`,
  );

interface AssetStats {
  assets: number;
  bytes: number;
  remote: number;
  expired: number;
}

export function assetStats(db: ReadDb): AssetStats {
  const { where, params } = allOf(withoutUnfinishedProject(db, 'project_id'));
  return db.one<AssetStats>(stats(where), params) ?? { assets: 0, bytes: 0, remote: 0, expired: 0 };
}

/** The asset that something is made from. It must not be in the bin, because the new asset would be in the bin with it. */
export function parentOf(db: ReadDb, id: string): Result<AssetRow> {
  const parent = assetRow(db, id);
  if (!parent || parent.emptied === 1) return fail('not_found', 'parent: there is no such asset.', { field: 'parent' });
  if (parent.binned_at === null) return ok(parent);
  return fail('wrong_state', en`parent: it is in the bin. Take it out of the bin first.`, { field: 'parent' });
}

/** The asset that a file of the user's is recorded as. */
export const importedAsset =
  ({ ids, clock }: { ids: Ids; clock: Clock }, name: string, role: AssetRole = 'source') =>
  (file: StoredFile): NewAsset => ({ id: ids.id('as'), state: 'local', role, name, file, createdAt: clock.now() });
