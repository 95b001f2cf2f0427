import type { JobError, JobState } from '../../../shared/jobs/job.ts';
import { t } from '../../../shared/text/texts.ts';
import type { WriteDb } from '../store/index.ts';
import { endNightRun, type NightRunRow, nightRunById, rulesOf, saveStreaks } from './nightRuns.ts';

/** What the rules need of a job whose state has just changed. */
export interface EndedMember {
  run_id: string | null;
  state: JobState;
  /** JSON of a {@link JobError}. */
  error: string | null;
  sent_at: number | null;
}

type Outcome = 'success' | 'failure' | 'refusal';

/**
 * Counts outcomes in a row, in the transaction in which the job ends, and ends the night when a rule says so. A success resets both
 * counts; failures and refusals do not interrupt each other's row. A lost answer is a failure unless the night goes on in doubt. Not counted: a job that was never sent
 * (its input failed), one that the user canceled, and one that the end of Dailies cut off.
 */
export function recordOutcomeInNight(db: WriteDb, job: EndedMember, before: JobState, now: number): void {
  const outcome = job.run_id === null || job.state === before ? undefined : outcomeOf(job, before);
  const run = outcome && job.run_id !== null ? nightRunById(db, job.run_id) : undefined;
  if (!outcome || !run || run.ended_at !== null || isPassedOver(job, run)) return;
  const next = (inRow: number, counted: Outcome) => (outcome === 'success' ? 0 : inRow + (outcome === counted ? 1 : 0));
  const failures = next(run.failures_in_row, 'failure');
  const refusals = next(run.refusals_in_row, 'refusal');
  if (failures !== run.failures_in_row || refusals !== run.refusals_in_row) saveStreaks(db, run.id, failures, refusals);
  endByStreak(db, run, { failures, refusals }, now);
}

const isPassedOver = ({ state }: EndedMember, run: NightRunRow): boolean =>
  state === 'uncertain' && rulesOf(run).goOnInDoubt;

function outcomeOf({ state, error, sent_at }: EndedMember, before: JobState): Outcome | undefined {
  if (state === 'succeeded') return 'success';
  if (state === 'uncertain') return 'failure';
  // It was counted when it became uncertain.
  if (state !== 'failed' || before === 'uncertain' || sent_at === null) return undefined;
  const kind = error === null ? undefined : (JSON.parse(error) as JobError).kind;
  return kind === 'moderation' ? 'refusal' : 'failure';
}

function endByStreak(
  db: WriteDb,
  run: NightRunRow,
  streaks: { failures: number; refusals: number },
  now: number,
): void {
  const { failuresInRow, refusalsInRow } = rulesOf(run);
  if (failuresInRow !== null && streaks.failures >= failuresInRow)
    endNightRun(db, run, 'failures', t`The run was stopped: ${counted(streaks.failures, 'failure')}.`, now);
  else if (refusalsInRow !== null && streaks.refusals >= refusalsInRow)
    endNightRun(db, run, 'refusals', t`The run was stopped: ${counted(streaks.refusals, 'refusal')}.`, now);
}

const counted = (n: number, what: string): string => (n === 1 ? `1 ${what}` : `${n} ${what}s in a row`);
