import type { CallParsed } from '../../../shared/contract/contract.ts';
import { withoutNulls } from '../../../shared/contract/values.ts';
import type { Difference } from '../../../shared/jobs/difference.ts';
import type { ErrorKind, Verdict } from '../../../shared/jobs/job.ts';
import {
  ASSUMED_LINK_LIFE_MS,
  type Asset,
  type AssetOrder,
  type AssetRole,
  type AssetState,
  type FacetName,
} from '../../../shared/library/asset.ts';
import { MEDIA_CLASSES } from '../../../shared/library/mediaRef.ts';
import type { ImportedOrigin } from '../../../shared/library/sidecar.ts';
import { sql, type WriteDb } from '../store/index.ts';
import type { StoredFile } from './content/contentStore.ts';

/** Everything about an asset's columns: its row, its view for the contract, and how it is inserted, filtered and counted. */

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
  /** For the last frame before an out point of a clip: that point, in milliseconds. */
  out_ms: number | null;
  profile_id: string | null;
  project_id: string | null;
  name: string;
  model: string | null;
  /** The rating of its job, maintained by triggers; for an imported file, that of its sidecar. */
  verdict: Verdict | null;
  /** The asset's share of its job's charge; maintained by triggers. */
  cost_nano: number;
  created_at: number;
  /** What its sidecar said of how it was made elsewhere ({@link ImportedOrigin}), as JSON. */
  elsewhere: string | null;
  starred: 0 | 1;
  binned_at: number | null;
  /** Deleted from the bin. The row stays, because payments and requests refer to it. */
  emptied: 0 | 1;
}

export interface AssetViewRow extends AssetRow {
  thumbnail_id: string | null;
  last_frame_id: string | null;
  /** Ids of last frames before out points, as a JSON object by out point. */
  out_frames: string;
  /** The share of the cost at the lower price. */
  cost_low_nano: number;
  /** The job's differences from its request, as JSON. */
  differs: string | null;
  /** The seed that its job was sent with, or that its sidecar states. */
  seed: number | null;
  /** As a JSON list. */
  tags: string;
}

/** The asset's part of the job's low charge; null if the job was not charged. */
const LOW_SHARE = 'CAST(round(1.0 * a.cost_nano * j.charged_low_nano / nullif(j.charged_nano, 0)) AS INTEGER)';
/** The asset's share of its job's charge at the lower price, as SQL. */
export const COST_LOW = `CASE WHEN a.cost_nano = 0 THEN 0 ELSE coalesce((SELECT ${LOW_SHARE} FROM jobs j WHERE j.id = a.job_id), a.cost_nano) END`;

/** Whether the asset's job has no known price, as SQL. */
export const IS_UNPRICED = 'EXISTS (SELECT 1 FROM jobs j WHERE j.id = a.job_id AND j.unpriced > 0)';

/** The job is joined once for all its columns. A frame that the user took belongs to no job and is not the last frame. */
export const ASSET_VIEW = `SELECT a.*,
  (SELECT c.id FROM assets c WHERE c.parent_id = a.id AND c.role = 'thumbnail' LIMIT 1) AS thumbnail_id,
  (SELECT c.id FROM assets c WHERE c.parent_id = a.id AND c.role = 'frame' AND c.job_id IS a.job_id AND c.emptied = 0
   AND c.out_ms IS NULL ORDER BY c.seq LIMIT 1) AS last_frame_id,
  (SELECT json_group_object(CAST(c.out_ms AS TEXT), c.id) FROM assets c WHERE c.parent_id = a.id AND c.role = 'frame' AND c.out_ms IS NOT NULL
   AND c.emptied = 0) AS out_frames,
  j.differs,
  coalesce(${LOW_SHARE}, a.cost_nano) AS cost_low_nano,
  coalesce(iif(EXISTS (SELECT 1 FROM json_each(j.omitted) WHERE value = 'seed'), NULL, json_extract(j.request, '$.config.seed')),
    json_extract(a.elsewhere, '$.seed')) AS seed,
  (SELECT json_group_array(tag) FROM (SELECT t.tag FROM asset_tags t WHERE t.asset = a.seq ORDER BY t.fold)) AS tags
  FROM assets a LEFT JOIN jobs j ON j.id = a.job_id`;

export function toAsset(row: AssetViewRow): Asset {
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
      costNano: row.cost_nano === 0 ? null : row.cost_nano,
      costLowNano: row.cost_low_nano === row.cost_nano ? null : row.cost_low_nano,
      outputIndex: row.output_index,
      parentId: row.parent_id,
      model: row.model,
      seed: row.seed,
      projectId: row.project_id,
      thumbnailId: row.thumbnail_id,
      lastFrameId: row.last_frame_id,
      outFrames: row.out_frames === '{}' ? null : (JSON.parse(row.out_frames) as Record<string, string>),
      outMs: row.out_ms,
      elsewhere: shownElsewhere(row),
      starred: row.starred === 1 ? (true as const) : null,
      binnedAt: row.binned_at,
      deleted: row.emptied === 1 ? (true as const) : null,
      tags: row.tags === '[]' ? null : (JSON.parse(row.tags) as string[]),
    }),
    ...expiryOf(row),
  };
}

/** Prompts and requests may be long, so the list shows only the short fields (`library.found` has all). */
function shownElsewhere(row: AssetRow): Asset['elsewhere'] | null {
  if (row.elsewhere === null) return null;
  const { madeAt, costNano, play, project, kind } = JSON.parse(row.elsewhere) as ImportedOrigin;
  const known = { madeAt, costNano, play, project, kind };
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
}

/** The differences between this result and its request; null if there are none. */
function differsOf(row: AssetViewRow): Difference[] | null {
  if (row.differs === null || !['output', 'grid'].includes(row.role)) return null;
  const all = JSON.parse(row.differs) as Difference[];
  const own = all.filter(({ output }) => output === undefined || output === row.output_index);
  return own.length > 0 ? own : null;
}

/** How long the link of a remote result lives: as the service said, or as assumed. */
function expiryOf(row: AssetRow): Pick<Asset, 'expiresAt' | 'expiryAssumed'> {
  if (row.expires_at !== null) return { expiresAt: row.expires_at };
  if (row.state !== 'remote' || row.fetchable === 0) return {};
  return { expiresAt: row.created_at + ASSUMED_LINK_LIFE_MS, expiryAssumed: true };
}

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
  outMs?: number;
  profileId?: string;
  projectId?: string;
  model?: string;
  verdict?: Verdict;
  elsewhere?: ImportedOrigin;
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
    out_ms: asset.outMs ?? null,
    profile_id: asset.profileId ?? null,
    project_id: asset.projectId ?? null,
    created_at: asset.createdAt,
    ...saidColumns(asset),
  });
}

const saidColumns = ({ model, verdict, elsewhere }: NewAsset) => ({
  model: model ?? null,
  verdict: verdict ?? null,
  elsewhere: elsewhere ? JSON.stringify(elsewhere) : null,
});

/** A new row without the columns that keep their default. */
type NewRow = Omit<
  AssetRow,
  'seq' | 'revision' | 'tries' | 'next_at' | 'strikes' | 'fault' | 'refusal' | 'cost_nano' | MarkColumn
>;
type MarkColumn = 'starred' | 'binned_at' | 'emptied';

function insertRow(db: WriteDb, row: NewRow): void {
  const columns = Object.keys(row);
  const values = columns.map((column) => `$${column}`);
  db.run(sql('assets.insert', `INSERT INTO assets (${columns.join(', ')}) VALUES (${values.join(', ')})`), { ...row });
}

export const audioOf = (file: StoredFile | undefined): 0 | 1 | null =>
  file?.audio === undefined ? null : file.audio ? 1 : 0;

type Filter = Omit<CallParsed<'library.facets'>, 'upTo'>;

export type ColumnFacet = Exclude<FacetName, 'tag'>;

interface Facet {
  /** The value to count by, as SQL; null for assets without one. */
  value: string;
  /** The values of the filter, of which one must match; undefined or empty if it sets none. */
  chosen(filter: Filter): readonly string[] | undefined;
}

const listOf = (value: string | readonly string[] | undefined): readonly string[] =>
  typeof value === 'string' ? [value] : (value ?? []);
const ofClass = MEDIA_CLASSES.map((name) => `WHEN a.mime LIKE '${name}/%' THEN '${name}'`).join(' ');

/**
 * Facets with one value per asset; tags, with many, are separate. A new facet needs a line here, in `FACETS`, in the filter's schema and in
 * `TOGETHER`, and a column in both indexes and in the sums (a migration).
 */
export const FACET_TABLE: Record<ColumnFacet, Facet> = {
  type: { value: `CASE ${ofClass} END`, chosen: ({ types }) => types },
  state: { value: 'a.state', chosen: ({ states }) => states },
  verdict: { value: `coalesce(a.verdict, 'none')`, chosen: ({ verdict }) => listOf(verdict) },
  model: { value: 'a.model', chosen: ({ models }) => models },
  project: { value: 'a.project_id', chosen: ({ projectId }) => listOf(projectId) },
  starred: {
    value: `CASE a.starred WHEN 1 THEN 'true' ELSE 'false' END`,
    chosen: ({ starred }) => (starred === undefined ? undefined : [String(starred)]),
  },
};

/** Assets by the index in list order, which covers all filters. The bin has its own index. */
export const listSource = ({ binned }: Filter): string =>
  `assets a INDEXED BY ${binned ? BINNED_INDEX : 'assets_listed'}`;
/** Assets by the index that keeps rows counted together adjacent. */
export const countSource = ({ binned }: Filter): string =>
  `assets a INDEXED BY ${binned ? BINNED_INDEX : 'assets_counted'}`;
export const FACET_COLUMNS = 'a.role, a.state, a.mime, a.model, a.project_id, a.verdict, a.starred';
/** The bin has few items, so any other sequence is sorted. */
export const BINNED_INDEX = 'assets_binned';
/** The condition of {@link BINNED_INDEX}, and that of all others. */
export const inBin = ({ binned }: Filter): string =>
  binned ? 'a.binned_at IS NOT NULL AND a.emptied = 0' : 'a.binned_at IS NULL';

interface SortColumn {
  /** A column with an index of its own. */
  column: string;
  index: string;
  of(row: AssetRow): number | string;
}

/** Sort columns of the library, as SQL; `made` sorts by the number, in which assets are added. */
export const ORDER_TABLE: Record<Exclude<AssetOrder, 'made'>, SortColumn> = {
  cost: { column: 'a.cost_nano', index: 'assets_by_cost', of: (row) => row.cost_nano },
  bytes: { column: 'a.bytes', index: 'assets_by_bytes', of: (row) => row.bytes },
  seconds: { column: 'coalesce(a.seconds, 0)', index: 'assets_by_seconds', of: (row) => row.seconds ?? 0 },
  name: { column: 'a.name COLLATE NOCASE', index: 'assets_by_name', of: (row) => row.name },
};
