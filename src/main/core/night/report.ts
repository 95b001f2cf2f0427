import type { Nano } from '../../../shared/money.ts';
import type { NightReport, NightRun, NotRunReason } from '../../../shared/night.ts';
import { moneyOfRun } from '../ledger/index.ts';
import { type ReadDb, sql } from '../store/index.ts';
import { nightClosedText, nightGateOf } from './gate.ts';
import type { NightRunRow } from './nightRuns.ts';

type Outcome = 'made' | 'failed' | 'refused' | 'canceled' | 'inDoubt' | 'underWay' | 'notRun';

/** The outcome of a job in its night. One that failed without being sent, since its input had no result, counts as not run. */
const OUTCOME = `CASE
  WHEN night_jobs.left_at IS NOT NULL THEN 'notRun'
  WHEN jobs.state = 'succeeded' THEN 'made'
  WHEN jobs.state = 'failed' AND jobs.sent_at IS NULL THEN 'notRun'
  WHEN jobs.state = 'failed' AND jobs.error ->> 'kind' = 'moderation' THEN 'refused'
  WHEN jobs.state = 'failed' THEN 'failed'
  WHEN jobs.state = 'canceled' THEN 'canceled'
  WHEN jobs.state = 'uncertain' THEN 'inDoubt'
  WHEN jobs.state IN ('sending', 'running', 'fetching') THEN 'underWay'
  ELSE 'notRun' END`;

const outcomes = sql(
  'night.outcomes',
  `SELECT ${OUTCOME} AS outcome, count(*) AS n, sum(coalesce(jobs.verdict = 'keep', 0)) AS kept,
     total(CASE WHEN jobs.play = $play THEN jobs.estimate_nano END) AS nano,
     total(CASE WHEN jobs.play = $play THEN jobs.estimate_low_nano END) AS lowNano,
     sum(jobs.play = $play AND jobs.price = 'null') AS unpriced, min(jobs.sent_at) AS firstSentAt,
     max(CASE WHEN jobs.sent_at IS NOT NULL THEN jobs.finished_at END) AS lastEndedAt
   FROM night_jobs JOIN jobs ON jobs.id = night_jobs.job_id WHERE night_jobs.run_id = $runId GROUP BY 1`,
);
const notRun = sql(
  'night.notRunJobs',
  `SELECT jobs.id AS jobId, jobs.state, jobs.reason AS waitsFor, jobs.error ->> 'message' AS message, night_jobs.not_run AS reason,
     night_jobs.not_run_text AS text
   FROM night_jobs JOIN jobs ON jobs.id = night_jobs.job_id
   WHERE night_jobs.run_id = $runId AND ${OUTCOME} = 'notRun' ORDER BY jobs.position LIMIT 500`,
);

interface OutcomeRow {
  outcome: Outcome;
  n: number;
  kept: number;
  nano: Nano;
  lowNano: Nano;
  unpriced: number;
  firstSentAt: number | null;
  lastEndedAt: number | null;
}

interface NotRunRow {
  jobId: string;
  state: string;
  waitsFor: string | null;
  message: string | null;
  reason: NotRunReason | null;
  text: string | null;
}

/** The morning report: every job of the night counted once, and its money from the ledger's entries. */
export function reportOf(db: ReadDb, run: NightRunRow, shown: NightRun, now: number): NightReport {
  const rows = db.all<OutcomeRow>(outcomes, { runId: run.id, play: run.play });
  const count = (outcome: Outcome) => rows.find((row) => row.outcome === outcome)?.n ?? 0;
  const sum = (pick: (row: OutcomeRow) => number) => rows.reduce((total, row) => total + pick(row), 0);
  const times = (pick: (row: OutcomeRow) => number | null) => rows.flatMap((row) => pick(row) ?? []);
  const [first, last] = [times((row) => row.firstSentAt), times((row) => row.lastEndedAt)];
  const { spent, corrected } = moneyOfRun(db, run.play === 1, run.id);
  const isOver = nightGateOf(db, { run_id: run.id }, now).type === 'over';
  return {
    run: shown,
    complete: count('underWay') === 0 && (isOver || count('notRun') === 0),
    jobs: sum((row) => row.n),
    made: count('made'),
    kept: rows.find((row) => row.outcome === 'made')?.kept ?? 0,
    failed: count('failed'),
    refused: count('refused'),
    canceled: count('canceled'),
    inDoubt: count('inDoubt'),
    underWay: count('underWay'),
    notRun: count('notRun'),
    notRunJobs: db.all<NotRunRow>(notRun, { runId: run.id }).map((row) => whyNotRun(row, run, isOver)),
    plannedNano: sum((row) => row.nano),
    plannedLowNano: sum((row) => row.lowNano),
    plannedUnpriced: sum((row) => row.unpriced),
    spent,
    corrected: { settledNano: corrected.settledNano, settledLowNano: corrected.settledLowNano },
    ...(first.length === 0 ? {} : { firstSentAt: Math.min(...first) }),
    ...(last.length === 0 ? {} : { lastEndedAt: Math.max(...last) }),
  };
}

/** "Night 14 is over: 6 made, 1 refused, 1 not run." */
export function summaryOf({ run, made, failed, refused, inDoubt, underWay, notRun }: NightReport): string {
  const counts = [
    [made, 'made'],
    [failed, 'failed'],
    [refused, 'refused'],
    [inDoubt, 'in doubt'],
    [underWay, 'still under way'],
    [notRun, 'not run'],
  ].filter(([n]) => n !== 0);
  const words = counts.map(([n, what]) => `${n} ${what}`).join(', ');
  return `Night ${run.number} is over: ${words || 'there was nothing to do'}.`;
}

function whyNotRun(row: NotRunRow, run: NightRunRow, isOver: boolean): NightReport['notRunJobs'][number] {
  const { jobId, reason, text, message } = row;
  if (reason !== null && text !== null) return { jobId, reason, message: text };
  if (row.state === 'failed')
    return { jobId, reason: 'dependency', message: message ?? 'What it builds on has no result.' };
  if (isOver) {
    const byRule = run.ended_by !== null && run.ended_by !== 'window';
    return { jobId, reason: byRule ? 'stopped' : 'window', message: nightClosedText(run) };
  }
  if (row.waitsFor === 'budget') return { jobId, reason: 'budget', message: message ?? 'It does not fit under a cap.' };
  return { jobId, reason: 'waiting', message: 'It waits for its turn.' };
}
