import type { Job } from '../../../shared/job.ts';
import { oneSide } from '../../media/oneSide.ts';
import { endOf, ordinal } from './JobRow.tsx';
import { OPEN_STATES, type QueueTab, RUNNING_STATES, WAITING_STATES } from './state.ts';

/** A line of the list: a group's heading or a job. */
export type Row =
  | { type: 'group'; key: string; title: string; count: number; reservedNano?: number }
  | { type: 'job'; key: string; job: Job; end: string };

const jobRow = (job: Job, end: string): Row => ({ type: 'job', key: job.id, job, end });

function group(title: string, count: number, jobs: readonly Job[], end: (job: Job, index: number) => string): Row[] {
  if (count === 0) return [];
  const reservedNano = oneSide(jobs).reduce((sum, job) => sum + job.money.reservedNano, 0);
  const heading: Row = { type: 'group', key: title, title, count, ...(reservedNano > 0 ? { reservedNano } : {}) };
  return [heading, ...jobs.map((job, index) => jobRow(job, end(job, index)))];
}

export interface RowParts {
  tab: QueueTab;
  /** Jobs that are not ended, in any order. */
  open: readonly Job[];
  openTotal: number;
  /** Ended jobs, newest first. */
  ended: readonly Job[];
  endedTotal: number;
  now: number;
}

/** The list in the order of the eye: what runs, what waits in its order, what has ended. */
export function rowsOf({ tab, open, openTotal, ended, endedTotal, now }: RowParts): Row[] {
  const running = open.filter(({ state }) => RUNNING_STATES.includes(state));
  const waiting = open.filter(({ state }) => WAITING_STATES.includes(state)).sort((a, b) => a.position - b.position);
  const unseen = Math.max(0, openTotal - open.length);
  const rows: Row[] = [];
  if (tab === 'all' || tab === 'open') {
    rows.push(...group('Running', running.length, running, (job) => endOf(job, now)));
    rows.push(...group('Waiting', waiting.length + unseen, waiting, (_, index) => ordinal(index + 1)));
  }
  if (tab === 'open') return rows;
  const closed = ended.filter(({ state }) => !OPEN_STATES.includes(state) && state !== 'uncertain');
  const title = tab === 'failed' ? 'Failed' : 'Ended';
  return [...rows, ...group(title, endedTotal, closed, (job) => endOf(job, now))];
}
