import type { EvidenceOutcome, JobFigures } from '../../../shared/evidence/figures.ts';
import { kindOf, promptOf } from '../../../shared/kinds/index.ts';
import { type ReadDb, sql } from '../store/index.ts';
import { rowsByIds } from './records.ts';
import { type JobRow, requestOf } from './row.ts';

/** Jobs as a dispute needs them. What was never sent is no evidence against anybody. */

const sentOfNight = sql(
  'jobs.sentOfNight',
  `SELECT id FROM jobs WHERE run_id = $runId AND profile_id = $profileId AND sent_at IS NOT NULL ORDER BY seq LIMIT $limit`,
);
const sentBetween = sql(
  'jobs.sentBetween',
  `SELECT id FROM jobs WHERE profile_id = $profileId AND sent_at >= $from AND sent_at < $to ORDER BY seq LIMIT $limit`,
);
const profilesOfNight = sql(
  'jobs.profilesOfNight',
  `SELECT profile_id AS id, count(*) AS n FROM jobs WHERE run_id = $runId AND sent_at IS NOT NULL GROUP BY profile_id ORDER BY n DESC`,
);

export const idsOfNight = (db: ReadDb, runId: string, profileId: string, limit: number): string[] =>
  db.all<{ id: string }>(sentOfNight, { runId, profileId, limit }).map(({ id }) => id);

export const idsBetween = (
  db: ReadDb,
  { profileId, from, to }: { profileId: string; from: number; to: number },
  limit: number,
): string[] => db.all<{ id: string }>(sentBetween, { profileId, from, to, limit }).map(({ id }) => id);

/** The gateways that jobs of a night were sent to, that of most jobs first. */
export const gatewaysOfNight = (db: ReadDb, runId: string): string[] =>
  db.all<{ id: string }>(profilesOfNight, { runId }).map(({ id }) => id);

/** What each attempt was sent with, and what its answer was known by. */
const namesOf = sql(
  'jobs.namesOf',
  `SELECT job_id AS id, key, request_id AS requestId FROM attempts WHERE job_id IN (SELECT value FROM json_each($ids))`,
);
type AttemptNames = { id: string; key: string | null; requestId: string | null };

/** In the order of the ids. */
export function disputedJobs(db: ReadDb, ids: readonly string[]) {
  const attempts = Map.groupBy(db.all<AttemptNames>(namesOf, { ids: JSON.stringify(ids) }), ({ id }) => id);
  return rowsByIds(db, ids).map((row) => disputedJob(row, attempts.get(row.id) ?? []));
}

const disputedJob = (row: JobRow, attempts: readonly AttemptNames[]) => ({
  id: row.id,
  profileId: row.profile_id,
  ...(row.project_id === null ? {} : { projectId: row.project_id }),
  words: promptOf(requestOf(row)),
  figures: figuresOfRow(row),
  names: [row.remote_id, row.idempotency_key, ...attempts.flatMap(({ key, requestId }) => [key, requestId])].filter(
    (name) => name !== null,
  ),
});

const OUTCOMES: Readonly<Partial<Record<JobRow['state'], EvidenceOutcome>>> = {
  succeeded: 'made',
  failed: 'failed',
  uncertain: 'inDoubt',
  canceled: 'canceled',
};

/** What is known of a job without records: nothing of it is proven. */
function figuresOfRow(row: JobRow): JobFigures {
  const { stated_by: by, stated_as: as, stated_nano: nano, model, remote_id: operation } = row;
  return {
    kind: row.kind,
    settings: kindOf(row).facts(requestOf(row)),
    orderedAt: row.created_at,
    attempts: row.tries,
    outcome: OUTCOMES[row.state] ?? 'open',
    chargedNano: row.charged_nano,
    doubtNano: row.uncertain_nano,
    made: { results: 0, bytes: 0, sha256s: [] },
    differs: [],
    compared: false,
    ...(model === null ? {} : { model }),
    ...(row.play === 1 ? { play: true as const } : {}),
    ...(row.sent_at === null ? {} : { sentAt: row.sent_at }),
    ...(operation === null ? {} : { operation }),
    ...(row.price === 'null' ? {} : { ordered: { nano: row.estimate_nano, lowNano: row.estimate_low_nano } }),
    ...(by === null ? {} : { stated: { by, as: as ?? '', ...(nano === null ? {} : { nano }) } }),
  };
}
