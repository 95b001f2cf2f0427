import type { AssetState } from '../../../shared/library/asset.ts';
import { ignoringDiskFull, type ReadDb, type Store, sql, withoutChangeTracking } from '../store/index.ts';
import type { ClipFacts } from './media/clipFacts.ts';
import { clipFactsInProcess } from './media/inspector.ts';

const byHash = sql('clipFacts.byHash', 'SELECT facts FROM clip_facts WHERE sha256 = $sha256');
const save = sql(
  'clipFacts.save',
  'INSERT INTO clip_facts (sha256, facts) VALUES ($sha256, $facts) ON CONFLICT DO UPDATE SET facts = $facts',
);

function knownFacts(db: ReadDb, sha256: string): ClipFacts | undefined {
  const row = db.one<{ facts: string }>(byHash, { sha256 });
  return row && (JSON.parse(row.facts) as ClipFacts);
}

/** Facts about the streams of a local clip, read once for each content; `null` if it cannot be read now. */
export async function clipFactsOf(store: Store, sha256: string, file: string): Promise<ClipFacts | null> {
  const known = knownFacts(store.read, sha256);
  if (known) return known;
  const facts = await clipFactsInProcess(file);
  const keep = () => store.transaction((db) => db.run(save, { sha256, facts: JSON.stringify(facts) }));
  // If the facts cannot be stored, they are read again next time.
  if (facts) ignoringDiskFull(() => withoutChangeTracking(keep));
  return facts;
}

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
  /** The clip is in object storage, where addresses do not expire. */
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
