import type { AssetState } from '../../../shared/library/asset.ts';
import { type ReadDb, sql } from '../store/index.ts';

/** Clips as the gateway that made them holds them: only there can they be extended (spec 2.2). */

export interface ClipSource {
  jobId: string;
  output: number;
  id: string;
  mime: string;
  state: AssetState;
  thumbnailId: string | null;
  /** The gateway has given its address. */
  isHeld: 0 | 1;
  /** When that address expires, milliseconds since 1970; null where the gateway does not say. */
  expiresAt: number | null;
  /** It is in object storage, where addresses do not expire. */
  isStorage: 0 | 1;
}

const sources = sql(
  'assets.clipSources',
  `SELECT a.job_id AS jobId, coalesce(a.output_index, 0) AS output, a.id, a.mime, a.state,
     (SELECT c.id FROM assets c WHERE c.parent_id = a.id AND c.role = 'thumbnail' LIMIT 1) AS thumbnailId,
     a.remote_uri IS NOT NULL AND a.profile_id = $profileId AS isHeld, a.expires_at AS expiresAt,
     coalesce(a.remote_uri NOT LIKE 'http%', 0) AS isStorage
   FROM assets a WHERE a.job_id IN (SELECT value FROM json_each($jobIds)) AND a.role = 'output' AND a.emptied = 0
   ORDER BY a.job_id, a.output_index`,
);

/** The results of these jobs, as this profile's gateway holds them. */
export const clipSources = (db: ReadDb, profileId: string, jobIds: readonly string[]): ClipSource[] =>
  db.all<ClipSource>(sources, { profileId, jobIds: JSON.stringify(jobIds) });
