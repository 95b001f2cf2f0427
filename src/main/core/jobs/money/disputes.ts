import type { EvidenceOutcome, JobFigures } from '../../../../shared/evidence/figures.ts';
import { kindOf, promptOf } from '../../../../shared/kinds/index.ts';
import { formatNano } from '../../../../shared/money/money.ts';
import type { Cost } from '../../../../shared/money/price.ts';
import { t } from '../../../../shared/text/texts.ts';
import type { LedgerWriter, MismatchRow } from '../../ledger/index.ts';
import { type ReadDb, sql, type WriteDb } from '../../store/index.ts';
import { rowsByIds } from '../jobRepository.ts';
import { type JobRow, requestOf } from '../row.ts';

/** How a dispute changes single charges: of the job that blocked its price, and of jobs that were in progress at that time. */

type MismatchAmounts = Pick<MismatchRow, 'expected_nano' | 'stated_nano' | 'stated_by'>;

/** Such as: "Expected $0.40, stated $0.80 (usage.cost). The stated amount is charged." */
export const statedIsChargedText = (amounts: MismatchAmounts): string =>
  t`${expectedAndStatedText(amounts)} The stated amount is charged.`;

export const expectedAndStatedText = ({ expected_nano, stated_nano, stated_by }: MismatchAmounts): string =>
  t`Expected ${formatNano(expected_nano)}, stated ${formatNano(stated_nano)} (${stated_by}).`;

const amountsOf = (job: JobRow, statedNano: number, expected: Cost): MismatchAmounts => ({
  expected_nano: expected.nano,
  stated_nano: statedNano,
  stated_by: job.stated_by ?? '',
});

/**
 * Charges the price book's cost instead of the stated one. The difference may be billed anyway, so it is unconfirmed. A charge that a bill
 * or a correction has changed since is no longer the disputed one, and stays.
 */
export function chargePriceBook(ledger: LedgerWriter, db: WriteDb, job: JobRow, expected: Cost): void {
  const { stated_nano: statedNano } = job;
  if (job.quantity === null || statedNano === null || job.charged_nano !== statedNano) return;
  const change = {
    settledNano: expected.nano - statedNano,
    settledLowNano: Math.min(expected.lowNano, statedNano) - statedNano,
    uncertainNano: Math.max(0, statedNano - expected.nano),
  };
  ledger.adjust(db, job, change, 'disputed: the price book is charged, the rest is unconfirmed');
  ledger.explainCharge(
    db,
    job,
    t`${expectedAndStatedText(amountsOf(job, statedNano, expected))} Disputed: the price book is charged, any difference is unconfirmed.`,
  );
}

/**
 * Ends a dispute by charging the stated cost, unless a bill has settled the unconfirmed amount meanwhile or something else has changed the
 * charge.
 */
export function chargeStated(ledger: LedgerWriter, db: WriteDb, job: JobRow, expected: Cost): void {
  const { stated_nano: statedNano } = job;
  if (job.quantity === null || statedNano === null || statedNano === expected.nano) return;
  const uncertainNano = Math.max(0, statedNano - expected.nano);
  if (job.charged_nano !== expected.nano || job.uncertain_nano < uncertainNano) return;
  const change = {
    settledNano: statedNano - expected.nano,
    settledLowNano: statedNano - Math.min(expected.lowNano, statedNano),
    uncertainNano: -uncertainNano,
  };
  ledger.adjust(db, job, change, 'what was stated is adopted');
  ledger.explainCharge(db, job, statedIsChargedText(amountsOf(job, statedNano, expected)));
}

/** Jobs for a dispute. A job that was never sent proves nothing. */

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

/** The gateways that jobs of an overnight run were sent to, that of most jobs first. */
export const gatewaysOfNight = (db: ReadDb, runId: string): string[] =>
  db.all<{ id: string }>(profilesOfNight, { runId }).map(({ id }) => id);

/** The idempotency key of each attempt, and the request id of its answer. */
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

/** The figures of a job without records. They prove nothing. */
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
