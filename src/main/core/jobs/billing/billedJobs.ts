import { lastPartOf, type ReadDb, sql } from '../../store/index.ts';
import type { JobRow } from '../row.ts';

/** What a gateway's statement is compared with: every job of that gateway that was sent. */

export type BilledJob = Pick<
  JobRow,
  | 'seq'
  | 'id'
  | 'kind'
  | 'model'
  | 'state'
  | 'remote_id'
  | 'idempotency_key'
  | 'price'
  | 'quantity'
  | 'charged_nano'
  | 'charged_low_nano'
  | 'uncertain_nano'
  | 'unpriced'
  | 'unpriced_doubt'
  | 'finished_at'
> & {
  sent_at: number;
  /** 1: the service can be asked for its result. */
  has_task: 0 | 1;
};

/** An id that an attempt of a job is known by, besides its task id: the key it was sent with, or the id its answer had. */
export interface AttemptName {
  jobId: string;
  name: string;
}

const COLUMNS = `seq, id, kind, model, state, remote_id, idempotency_key, price, quantity, charged_nano, charged_low_nano, uncertain_nano, unpriced,
  unpriced_doubt, finished_at, sent_at, remote IS NOT NULL AS has_task`;

const sentIn = sql(
  'billing.sentIn',
  `SELECT ${COLUMNS} FROM jobs WHERE profile_id = $profileId AND sent_at IS NOT NULL AND (sent_at, seq) > ($afterAt, $afterSeq) AND sent_at < $to
   ORDER BY sent_at, seq LIMIT $limit`,
);
const attemptNames = sql(
  'billing.attemptNames',
  `SELECT job_id AS jobId, key AS name FROM attempts WHERE key IN (SELECT value FROM json_each($names))
   UNION ALL SELECT job_id, request_id FROM attempts WHERE request_id IN (SELECT value FROM json_each($names))`,
);
const namesOfAttempts = sql(
  'billing.namesOfAttempts',
  `SELECT job_id AS jobId, key AS name FROM attempts WHERE job_id IN (SELECT value FROM json_each($ids)) AND key IS NOT NULL
   UNION ALL SELECT job_id, request_id FROM attempts WHERE job_id IN (SELECT value FROM json_each($ids)) AND request_id IS NOT NULL`,
);
const named = sql(
  'billing.named',
  `SELECT ${COLUMNS} FROM jobs WHERE profile_id = $profileId AND sent_at IS NOT NULL
     AND (remote_id IN (SELECT value FROM json_each($names)) OR idempotency_key IN (SELECT value FROM json_each($names))
       OR (instr(remote_id, '/') > 0 AND ${lastPartOf('remote_id')} IN (SELECT value FROM json_each($names)))
       OR id IN (SELECT value FROM json_each($ids)))
   ORDER BY sent_at, seq`,
);
const OF_OTHERS = 'j.profile_id <> $profileId AND j.play = $play AND j.sent_at IS NOT NULL';
const namedElsewhere = sql(
  'billing.namedElsewhere',
  `WITH wanted (name) AS MATERIALIZED (SELECT value FROM json_each($names))
   SELECT id AS jobId, profile_id AS profileId, charged_nano AS chargedNano, remote_id AS name FROM jobs j
     WHERE ${OF_OTHERS} AND (remote_id IN wanted OR (instr(remote_id, '/') > 0 AND ${lastPartOf('remote_id')} IN wanted))
   UNION ALL SELECT id, profile_id, charged_nano, idempotency_key FROM jobs j WHERE ${OF_OTHERS} AND idempotency_key IN wanted
   UNION ALL SELECT j.id, j.profile_id, j.charged_nano, a.key FROM attempts a CROSS JOIN jobs j ON j.id = a.job_id
     WHERE a.key IN wanted AND ${OF_OTHERS}
   UNION ALL SELECT j.id, j.profile_id, j.charged_nano, a.request_id FROM attempts a CROSS JOIN jobs j ON j.id = a.job_id
     WHERE a.request_id IN wanted AND ${OF_OTHERS}`,
);
const modelsOf = sql(
  'billing.kindOfModel',
  'SELECT kind FROM jobs WHERE profile_id = $profileId AND model = $model ORDER BY seq DESC LIMIT 1',
);

export const billedJobs = {
  /** Those that were sent in a period, oldest first, behind `after` of the page before. */
  sentIn: (
    db: ReadDb,
    { profileId, from, to }: { profileId: string; from: number; to: number },
    { after, limit }: { after?: BilledJob | undefined; limit: number },
  ) => {
    const start = after ? { afterAt: after.sent_at, afterSeq: after.seq } : { afterAt: from, afterSeq: -1 };
    return db.all<BilledJob>(sentIn, { profileId, to, ...start, limit });
  },
  /** The attempts that have one of these keys, or whose answer had one of these ids. */
  attemptNames: (db: ReadDb, names: readonly string[]) =>
    db.all<AttemptName>(attemptNames, { names: JSON.stringify(names) }),
  /** What the attempts of these jobs are known by. */
  namesOfAttempts: (db: ReadDb, ids: readonly string[]) =>
    db.all<AttemptName>(namesOfAttempts, { ids: JSON.stringify(ids) }),
  /** Whenever they were sent: those with one of these task ids, whole or by their last part, or keys, or of these ids. Oldest first. Reads every job. */
  named: (db: ReadDb, profileId: string, { names, ids }: { names: readonly string[]; ids: readonly string[] }) =>
    db.all<BilledJob>(named, { profileId, names: JSON.stringify(names), ids: JSON.stringify(ids) }),
  /** The jobs of other profiles of the same side that are known by one of these names. Reads every job. */
  namedElsewhere: (
    db: ReadDb,
    { profileId, play, names }: { profileId: string; play: boolean; names: readonly string[] },
  ) =>
    db.all<AttemptName & { profileId: string; chargedNano: number }>(namedElsewhere, {
      ...{ profileId, play: play ? 1 : 0, names: JSON.stringify(names) },
    }),
  /** The kind that a model was used for at this gateway last. */
  kindOfModel: (db: ReadDb, profileId: string, model: string): string | undefined =>
    db.one<{ kind: string }>(modelsOf, { profileId, model })?.kind,
};
