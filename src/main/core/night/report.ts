import type { StudioEvent } from '../../../shared/contract/events.ts';
import { NEWEST_ENDED, type NightReport, type NightRun, type NotRunReason } from '../../../shared/jobs/night.ts';
import type { Verdict } from '../../../shared/jobs/verdict.ts';
import type { Nano } from '../../../shared/money/money.ts';
import { t } from '../../../shared/text/texts.ts';
import { capOfRun, moneyOfRun, spendOfRun } from '../ledger/index.ts';
import type { Notifier } from '../ports.ts';
import { type ReadDb, sql } from '../store/index.ts';
import { nightClosedText, nightGateOf } from './gate.ts';
import type { NightJobs } from './nightJobs.ts';
import { type NightRunRow, NO_SOURCE, PRICE_ROSE, rulesOf, settingsOf } from './nightRuns.ts';

type Outcome = 'made' | 'failed' | 'refused' | 'canceled' | 'inDoubt' | 'underWay' | 'notRun';

/** The outcome of a job in its run. One that failed unsent, since its input had no result, counts as not run. */
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
     sum(jobs.verdict IS NOT NULL) AS judged,
     sum(night_jobs.left_at IS NULL AND jobs.sent_at IS NOT NULL) AS sent,
     sum(night_jobs.left_at IS NULL AND jobs.sent_at IS NOT NULL AND jobs.finished_at IS NOT NULL) AS ended,
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

/**
 * If there are more than can be listed, first come those that need attention, at least 180 of each group: in progress, without result,
 * without verdict. The last one sent is always included, since the money graph ends with it, and so are the one that took longest and those
 * that ended last.
 */
const sentJobs = sql(
  'night.sentJobs',
  `WITH counted AS (
     SELECT jobs.id, jobs.seq, jobs.sent_at, jobs.finished_at,
       CASE WHEN jobs.state IN ('sending', 'running', 'fetching') THEN 0 WHEN jobs.state <> 'succeeded' THEN 2
         WHEN jobs.verdict IS NULL THEN 3 ELSE 4 END AS part,
       iif(jobs.play <> $play, 0, jobs.uncertain_nano + iif($reading = 'low',
         jobs.charged_low_nano + jobs.reserved_low_nano, jobs.charged_nano + jobs.reserved_nano)) AS nano
     FROM night_jobs JOIN jobs ON jobs.id = night_jobs.job_id
     WHERE night_jobs.run_id = $runId AND night_jobs.left_at IS NULL AND jobs.sent_at IS NOT NULL
   ), placed AS (
     SELECT id, sent_at, seq, finished_at, part, sum(nano) OVER line AS byThen, lead(id) OVER line IS NULL AS isNewest,
       row_number() OVER (PARTITION BY part ORDER BY sent_at, seq) AS nth,
       row_number() OVER (ORDER BY finished_at DESC, seq DESC) AS nthFromEnd,
       row_number() OVER (ORDER BY coalesce(finished_at, sent_at) - sent_at DESC, sent_at, seq) AS nthInLength
     FROM counted WINDOW line AS (ORDER BY sent_at, seq ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
   ), listed AS (
     SELECT id, byThen FROM placed
     ORDER BY CASE WHEN part = 0 OR isNewest OR nthInLength = 1 OR (finished_at IS NOT NULL AND nthFromEnd <= $newest) THEN 0 WHEN part < 4 AND nth <= 180 THEN 1 ELSE part END, sent_at, seq LIMIT 500
   )
   SELECT jobs.id AS jobId, jobs.lane, jobs.state, jobs.sent_at AS startsAt, jobs.finished_at AS endsAt,
     jobs.charged_nano + jobs.reserved_nano + jobs.uncertain_nano AS nano,
     jobs.charged_low_nano + iif(jobs.reserved_nano > 0, jobs.estimate_low_nano, 0) AS lowNano,
     listed.byThen AS countedByThenNano, jobs.verdict,
     jobs.price = 'null' AND (jobs.unpriced > 0 OR jobs.state NOT IN ('succeeded', 'failed', 'canceled')) AS unpriced,
     coalesce(jobs.error ->> 'kind' = 'moderation', 0) AS refused
   FROM listed JOIN jobs ON jobs.id = listed.id ORDER BY jobs.sent_at, jobs.seq`,
);

type Sent = NightReport['sent'][number];
type SentRow = Omit<Sent, 'endsAt' | 'verdict' | 'refused' | 'unpriced'> & {
  endsAt: number | null;
  unpriced: number;
  verdict: Verdict | null;
  refused: number;
};

interface OutcomeRow {
  outcome: Outcome;
  n: number;
  kept: number;
  judged: number;
  sent: number;
  ended: number;
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

/** The morning report: every job of the run once, and its money from ledger entries. */
export function reportOf(
  db: ReadDb,
  run: NightRunRow,
  { shown, now, jobTable }: { shown: NightRun; now: number; jobTable: Pick<NightJobs, 'askedAgainInNight'> },
): NightReport {
  const rows = db.all<OutcomeRow>(outcomes, { runId: run.id, play: run.play });
  const made = rows.find((row) => row.outcome === 'made');
  const count = (outcome: Outcome) => rows.find((row) => row.outcome === outcome)?.n ?? 0;
  const sum = (pick: (row: OutcomeRow) => number) => rows.reduce((total, row) => total + pick(row), 0);
  const times = (pick: (row: OutcomeRow) => number | null) => rows.flatMap((row) => pick(row) ?? []);
  const [first, last] = [times((row) => row.firstSentAt), times((row) => row.lastEndedAt)];
  const asked = jobTable.askedAgainInNight(db, run.id, { from: run.starts_at, to: run.ends_at });
  const { spent, corrected } = moneyOfRun(db, run.play === 1, run.id);
  const isOver = nightGateOf(db, { run_id: run.id }, now).type === 'over';
  return {
    run: shown,
    complete: count('underWay') === 0 && (isOver || count('notRun') === 0),
    jobs: sum((row) => row.n),
    made: count('made'),
    kept: made?.kept ?? 0,
    judged: made?.judged ?? 0,
    failed: count('failed'),
    refused: count('refused'),
    canceled: count('canceled'),
    canceledSent: rows.find((row) => row.outcome === 'canceled')?.sent ?? 0,
    inDoubt: count('inDoubt'),
    ...(asked.jobs > 0 ? { askedAgain: asked } : {}),
    underWay: count('underWay'),
    notRun: count('notRun'),
    ended: sum((row) => row.ended),
    notRunJobs: db.all<NotRunRow>(notRun, { runId: run.id }).map((row) => whyNotRun(row, run, isOver)),
    sent: db
      .all<SentRow>(sentJobs, { runId: run.id, play: run.play, reading: shown.capReading, newest: NEWEST_ENDED })
      .map(sentOf),
    plannedNano: sum((row) => row.nano),
    plannedLowNano: sum((row) => row.lowNano),
    plannedUnpriced: sum((row) => row.unpriced),
    spent,
    corrected: { settledNano: corrected.settledNano, settledLowNano: corrected.settledLowNano },
    ...(first.length === 0 ? {} : { firstSentAt: Math.min(...first) }),
    ...(last.length === 0 ? {} : { lastEndedAt: Math.max(...last) }),
  };
}

const sentOf = ({ endsAt, verdict, refused, unpriced, ...job }: SentRow): Sent => ({
  ...job,
  ...(endsAt === null ? {} : { endsAt }),
  ...(unpriced === 1 ? { unpriced: true } : {}),
  ...(verdict === null ? {} : { verdict }),
  ...(refused === 1 && job.state === 'failed' ? { refused: true } : {}),
});

/** "Overnight run 14 is over: 6 made, 1 refused, 1 not run." */
export function summaryOf(report: NightReport, how: 'over' | 'done'): string {
  const { run, made, failed, refused, inDoubt, askedAgain, underWay, notRun } = report;
  const counts = [
    [made, 'made'],
    [failed, 'failed'],
    [refused, 'refused'],
    [inDoubt, 'unconfirmed'],
    [underWay, 'still under way'],
    [notRun, 'not run'],
  ].filter(([n]) => n !== 0);
  const words = counts.map(([n, what]) => `${n} ${what}`).join(', ');
  const asked = askedAgain
    ? ` Asked again after a lost answer: ${askedAgain.jobs}, answered: ${askedAgain.answered}.`
    : '';
  return `Overnight run ${run.number} is ${how}: ${words || 'there was nothing to do'}.${asked}`;
}

function whyNotRun(row: NotRunRow, run: NightRunRow, isOver: boolean): NightReport['notRunJobs'][number] {
  const { jobId, reason, text, message } = row;
  if (reason !== null && text !== null) return { jobId, reason, message: text };
  if (row.state === 'failed') return { jobId, reason: 'dependency', message: message ?? NO_SOURCE };
  if (isOver) {
    const byRule = run.ended_by !== null && run.ended_by !== 'window';
    return { jobId, reason: byRule ? 'stopped' : 'window', message: nightClosedText(run) };
  }
  if (row.waitsFor === 'budget') return { jobId, reason: 'budget', message: message ?? t`Over budget` };
  if (row.waitsFor === 'priceRose') return { jobId, reason: 'priceRose', message: PRICE_ROSE };
  return { jobId, reason: 'waiting', message: t`Queued` };
}

const WAITING = ['queued', 'blocked'];
const UNDER_WAY = ['sending', 'running', 'fetching'];

export function nightRunOf(
  db: ReadDb,
  run: NightRunRow,
  jobs: Pick<NightJobs, 'statesOfNight'>,
  now: number,
): NightRun {
  const counts = jobs.statesOfNight(db, run.id);
  const sum = (states: string[]) => counts.reduce((n, row) => n + (states.includes(row.state) ? row.n : 0), 0);
  const [waiting, underWay] = [sum(WAITING), sum(UNDER_WAY)];
  const play = run.play === 1;
  const cap = capOfRun(db, play, run.id);
  const isOpen = run.ended_at === null && now >= run.starts_at;
  return {
    id: run.id,
    number: run.number,
    start: run.start_hour,
    end: run.end_hour,
    startsAt: run.starts_at,
    endsAt: run.ends_at,
    state: run.ended_at !== null ? 'ended' : isOpen ? 'open' : 'planned',
    capNano: cap?.hardNano ?? 0,
    capReading: cap?.reading ?? 'high',
    rules: rulesOf(run),
    ...settingsOf(run),
    inRow: { failures: run.failures_in_row, refusals: run.refusals_in_row },
    ...(isOpen && run.held !== null ? { held: run.held } : {}),
    play,
    used: spendOfRun(db, play, run.id),
    countedNano: cap?.countedNano ?? 0,
    jobs: { waiting, underWay, ended: counts.reduce((n, row) => n + row.n, 0) - waiting - underWay },
    ...(run.ended_at === null ? {} : { endedAt: run.ended_at }),
    ...(run.ended_by === null ? {} : { endedBy: run.ended_by }),
    ...(run.ended_text === null ? {} : { endedText: run.ended_text }),
    ...(run.not_opened === null ? {} : { notOpened: run.not_opened }),
  };
}

interface Deps {
  emit(event: StudioEvent): void;
  notifier: Notifier;
}

/** Tells the user that a run has ended: by a rule, or with its window and a summary. */
export function notifyEnd(deps: Deps, run: NightRunRow, summary: () => string): void {
  const byRule = run.ended_by !== 'window' && run.ended_by !== 'user';
  if (byRule) {
    const text = run.ended_text ?? t`Overnight run ${run.number}`;
    deps.emit({ type: 'notice', level: 'error', text, urgent: true });
    notify(deps, run, text);
  }
  if (run.ended_by === 'window') {
    const text = summary();
    deps.emit({ type: 'notice', level: 'info', text });
    if (run.done_at === null) notify(deps, run, text);
  }
}

/** Tells the user that a run which was to open again does not. */
export function notifyNotOpened(deps: Deps, run: NightRunRow, text: string): void {
  deps.emit({ type: 'notice', level: 'error', text });
  notify(deps, run, text);
}

function notify({ notifier }: Deps, run: NightRunRow, body: string): void {
  if (settingsOf(run).notify) notifier.notify({ title: `Overnight run ${run.number}`, body, place: 'night' });
}
