import type { Doubt, QueueStatus } from '../../../shared/events.ts';
import type { Job } from '../../../shared/job.ts';
import { kindOf } from '../../../shared/kinds/index.ts';
import { isPlayMoney } from '../../../shared/profile.ts';
import { openMismatchOf } from '../ledger/index.ts';
import { RevisionCounter } from '../revisionCounter.ts';
import type { EngineDeps } from './deps.ts';
import { expectedAndStated } from './disputes.ts';
import { jobFrom, rowById } from './records.ts';
import { listed } from './row.ts';
import * as statements from './statements.ts';

/** Sums are said once for all the changes of this long. */
const WINDOW_MS = 25;

/** So many jobs are told of at once in a window; when a night's thousands change together the rest follow, each as it is by then. */
const JOBS_A_WINDOW = 50;

/**
 * Says what has changed, after it is committed. Every job's last state is told; states it passed through in a burst may not be.
 * Nothing that goes wrong here reaches those who changed the jobs: they have an order to send, or an answer to finish.
 */
export class Announcer {
  private readonly deps: EngineDeps;
  private readonly queueFacts: () => { paused: boolean; offline: boolean };
  private readonly revisions: RevisionCounter<Omit<QueueStatus, 'revision'>>;
  private readonly untold = new Set<string>();
  private readonly inDoubt = new Set<string>();
  private readonly mismatched = new Set<string>();
  private told = 0;
  private endWindow: (() => void) | undefined;
  private closed = false;

  constructor(deps: EngineDeps, queueFacts: () => { paused: boolean; offline: boolean }) {
    this.deps = deps;
    this.queueFacts = queueFacts;
    this.revisions = new RevisionCounter(deps.clock);
    deps.store.onRevised('jobs', (ids) => this.revised(ids));
  }

  /** These jobs changed; with none, only the sums did. */
  changed(ids: string[]): void {
    if (this.closed) return;
    for (const id of ids) this.untold.add(id);
    this.safely(() => this.tellSome());
    this.endWindow ??= this.deps.clock.after(WINDOW_MS, () => this.nextWindow());
  }

  /** What nobody names after its commit is told at the end of the window. */
  private revised(ids: readonly string[]): void {
    if (this.closed) return;
    for (const id of ids) this.untold.add(id);
    this.endWindow ??= this.deps.clock.after(WINDOW_MS, () => this.nextWindow());
  }

  status(): QueueStatus {
    const { read } = this.deps.store;
    const counts = new Map(
      read.all<{ state: string; n: number }>(statements.openCounts).map(({ state, n }) => [state, n]),
    );
    const sum = (...states: string[]) => states.reduce((total, state) => total + (counts.get(state) ?? 0), 0);
    const isPlay = isPlayMoney(this.deps.profiles.active().id);
    const doubts = read.all<Doubt & { play: number }>(statements.doubtSums);
    const doubtOf = (play: boolean): Doubt => {
      const { count = 0, nano = 0, unpriced = 0 } = doubts.find((sums) => (sums.play === 1) === play) ?? {};
      return { count, nano, unpriced };
    };
    return this.revisions.stamp({
      ...this.queueFacts(),
      running: sum('sending', 'running', 'fetching'),
      waiting: sum('queued', 'blocked'),
      doubt: doubtOf(isPlay),
      doubtElsewhere: doubtOf(!isPlay),
    });
  }

  close(): void {
    this.closed = true;
    this.endWindow?.();
  }

  private nextWindow(): void {
    this.told = 0;
    this.endWindow = undefined;
    this.safely(() => {
      this.deps.emit({ type: 'queue.changed', status: this.status() });
      this.deps.emit({ type: 'ledger.changed' });
    });
    if (this.untold.size > 0) this.changed([]);
  }

  private tellSome(): void {
    const ids = firstOf(this.untold, JOBS_A_WINDOW - this.told);
    if (ids.length === 0) return;
    const jobs = this.deps.store.readTransaction((db) =>
      ids.flatMap((id) => {
        const row = rowById(db, id);
        return row ? [listed(jobFrom(db, row))] : [];
      }),
    );
    this.told += ids.length;
    for (const id of ids) this.untold.delete(id);
    for (const job of jobs) this.safely(() => this.tell(job));
  }

  private safely(tell: () => void): void {
    try {
      tell();
    } catch (error) {
      this.deps.log.error({ error: String(error) }, 'a change could not be told');
    }
  }

  private tell(job: Job): void {
    this.deps.emit({ type: 'job.changed', job });
    if (kindOf(job).makes === 'text') this.deps.onChatChanged(job.id);
    if (job.money.statedNano !== undefined) this.tellMismatch(job);
    if (job.state !== 'uncertain') this.inDoubt.delete(job.id);
    else if (!this.inDoubt.has(job.id)) this.tellDoubt(job.id);
  }

  /** What its answer stated does not agree with its price, and has stopped it: said once, whatever else changes about the job. */
  private tellMismatch(job: Job): void {
    const { store } = this.deps;
    const row = openMismatchOf(store.read, job.id);
    if (!row || this.mismatched.has(row.id)) return;
    this.mismatched.add(row.id);
    const text = `${expectedAndStated(row)} Nothing more is ordered at this price until you choose.`;
    this.deps.emit({ type: 'notice', level: 'error', text, jobId: job.id, urgent: true, about: row.id });
    this.deps.notifier.notify({ title: 'Not the price', body: text, jobId: job.id });
  }

  private tellDoubt(id: string): void {
    this.inDoubt.add(id);
    const text = 'An answer was lost. It was not sent again; it waits in the doubt inbox.';
    this.deps.emit({ type: 'notice', level: 'doubt', text, jobId: id });
    this.deps.notifier.notify({ title: 'In doubt', body: text, jobId: id });
  }
}

function firstOf<T>(set: Set<T>, most: number): T[] {
  const first: T[] = [];
  for (const value of set) {
    if (first.length >= most) break;
    first.push(value);
  }
  return first;
}
