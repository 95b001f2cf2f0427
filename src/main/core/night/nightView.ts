import type { NightRun } from '../../../shared/jobs/night.ts';
import { capOfRun, spendOfRun } from '../ledger/index.ts';
import type { ReadDb } from '../store/index.ts';
import type { NightJobs } from './nightJobs.ts';
import { type NightRunRow, rulesOf, settingsOf } from './nightRuns.ts';

const WAITING = ['queued', 'blocked'];
const UNDER_WAY = ['sending', 'running', 'fetching'];

/** A night as pages see it. */
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
