import type { KeptRequest } from '../../../../shared/keptRequest.ts';
import type { SentRequest } from '../../gateway/index.ts';
import { type ReadDb, sql, type WriteDb } from '../../store/index.ts';
import type { JobRow } from '../row.ts';
import { STEP_MS } from './clockWatch.ts';

/** The rows of requests that are kept as they were sent. */

/** A request without its body, which is in the row, in a file, or nowhere. */
export interface SentRow {
  job_id: string;
  form: SentRequest['form'];
  base_url: string;
  path: string;
  /** JSON of names and values. */
  headers: string;
  auth_header: string | null;
  key: string;
  account: string;
  other_account: number;
  /** Of the body: its length, and its hash in lower-case hex. */
  bytes: number;
  sha256: string;
  body: string | null;
  in_file: number;
  /** Why the body is not kept. */
  missing: string | null;
}

const insert = sql(
  'jobs.insertSent',
  `INSERT OR REPLACE INTO sent_requests (job_id, form, base_url, path, headers, auth_header, key, account, bytes, sha256, body, in_file, missing)
   VALUES ($id, $form, $baseUrl, $path, $headers, $authHeader, $key, $account, $bytes, $sha256, $body, $inFile, $missing)`,
);
const remove = sql('jobs.removeSent', 'DELETE FROM sent_requests WHERE job_id = $id');
const byJob = sql('jobs.sentOf', 'SELECT * FROM sent_requests WHERE job_id = $id');
/** A request of the attempt may have reached the service. */
const LEFT = `NOT (outcome = 'unsent' AND status IS NULL AND reached = 0)`;
/**
 * Counted from the first request of the job that may have reached the service, also one that it refused: it may remember the key from then
 * on. One of another spelling counts too, which makes the time shorter, never longer.
 */
const facts = sql(
  'jobs.sentFacts',
  `SELECT base_url, key, bytes, missing, other_account,
     (SELECT min(at) FROM attempts WHERE job_id = $id AND ${LEFT}) AS at,
     (SELECT max(clock_set_back) FROM attempts WHERE job_id = $id AND ${LEFT}) = 1 OR EXISTS (
       SELECT 1 FROM attempts AS before JOIN attempts AS after ON after.job_id = before.job_id AND after.n > before.n
       WHERE before.job_id = $id AND after.at < before.at - ${STEP_MS}) AS set_back
   FROM sent_requests WHERE job_id = $id`,
);
const inDoubtOfProfile = sql(
  'jobs.sentOfProfile',
  `SELECT job_id AS id, key, account, other_account AS other FROM sent_requests
     JOIN jobs ON jobs.id = job_id WHERE jobs.state = 'uncertain' AND jobs.profile_id = $profileId`,
);
const profilesInDoubt = sql(
  'jobs.sentProfiles',
  `SELECT DISTINCT jobs.profile_id AS id FROM sent_requests JOIN jobs ON jobs.id = job_id WHERE jobs.state = 'uncertain'`,
);
const saveOther = sql('jobs.saveOtherAccount', 'UPDATE sent_requests SET other_account = $other WHERE job_id = $id');
const saveMissing = sql(
  'jobs.saveMissingSent',
  'UPDATE sent_requests SET missing = $missing WHERE job_id = $id AND sha256 = $sha256 AND missing IS NULL',
);
const clearMissing = sql(
  'jobs.clearMissingSent',
  'UPDATE sent_requests SET missing = NULL WHERE missing = $missing AND in_file = 1',
);
const allFiles = sql('jobs.sentFiles', 'SELECT job_id AS id, sha256 FROM sent_requests WHERE in_file = 1');

/** Where the body is: in the row, in a file, or not kept for a reason. */
export interface BodyPlace {
  bytes: number;
  sha256: string;
  body?: string;
  inFile?: true;
  missing?: string;
}

export function saveSent(db: WriteDb, id: string, request: SentRequest, place: BodyPlace): void {
  db.run(insert, {
    id,
    form: request.form,
    baseUrl: request.baseUrl,
    path: request.path,
    headers: JSON.stringify(request.headers),
    authHeader: request.authHeader ?? null,
    key: request.key,
    account: request.account,
    bytes: place.bytes,
    sha256: place.sha256,
    body: place.body ?? null,
    inFile: place.inFile ? 1 : 0,
    missing: place.missing ?? null,
  });
}

/** What was kept cannot be used, for this reason. Returns 0 if it was changed meanwhile. */
export const markMissing = (db: WriteDb, { job_id: id, sha256 }: SentRow, missing: string): number =>
  db.run(saveMissing, { id, sha256, missing });

/** Files that could not be used for this reason may be used again. */
export const unmarkMissing = (db: WriteDb, missing: string): number => db.run(clearMissing, { missing });

export const removeSent = (db: WriteDb, id: string): number => db.run(remove, { id });

export const sentRowOf = (db: ReadDb, id: string): SentRow | undefined => db.one<SentRow>(byJob, { id });

export const filesOfSent = (db: ReadDb): { id: string; sha256: string }[] => db.all(allFiles);

type KeptFacts = Pick<SentRow, 'base_url' | 'key' | 'bytes' | 'missing' | 'other_account'> & {
  at: number | null;
  set_back: number;
};

/** What a job in doubt shows of its kept request. */
export function keptOf(db: ReadDb, { id, state }: Pick<JobRow, 'id' | 'state'>): KeptRequest | undefined {
  if (state !== 'uncertain') return undefined;
  const row = db.one<KeptFacts>(facts, { id });
  if (!row || row.at === null) return undefined;
  return {
    at: row.at,
    bytes: row.bytes,
    key: `${row.key.slice(0, 4)}…${row.key.slice(-2)}`,
    baseUrl: row.base_url,
    ...(row.missing === null ? {} : { missing: row.missing }),
    ...(row.other_account === 1 ? { otherAccount: true } : {}),
    ...(row.set_back === 1 ? { clockSetBack: true } : {}),
  };
}

export const profilesWithKept = (db: ReadDb): string[] => db.all<{ id: string }>(profilesInDoubt).map(({ id }) => id);

/** Compares the secrets of the profile with those that its jobs in doubt were sent with. Returns the ids that changed by it. */
export function compareAccounts(db: WriteDb, profileId: string, accountOf: (key: string) => string): string[] {
  const rows = db.all<{ id: string; key: string; account: string; other: number }>(inDoubtOfProfile, { profileId });
  return rows.flatMap(({ id, key, account, other }) => {
    const isOther = account === accountOf(key) ? 0 : 1;
    if (isOther === other) return [];
    db.run(saveOther, { id, other: isOther });
    return [id];
  });
}
