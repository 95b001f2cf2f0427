import type { Doubt, QueueStatus } from '../../../shared/contract/events.ts';
import { isPlayMoney } from '../../../shared/gateway/profile.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import { kindOf } from '../../../shared/kinds/index.ts';
import { t } from '../../../shared/text/texts.ts';
import { lastEntry, openMismatchOf } from '../ledger/index.ts';
import { RevisionCounter } from '../revisionCounter.ts';
import { restoredFrom, unfinishedProject } from '../store/index.ts';
import type { EngineDeps } from './deps.ts';
import { readJobs, rowsByIds } from './jobRepository.ts';
import { laneStates, type OpenCount, pausedLanes } from './limits/lanes.ts';
import { expectedAndStatedText } from './money/disputes.ts';
import * as statements from './queries/jobSql.ts';
import { truncatedForList } from './row.ts';
import { SoftCaps } from './sending/affordable.ts';

/** A job is emitted once for all its changes of this window, in its last state. */
const WINDOW_MS = 25;

/**
 * While jobs keep changing, sums follow no more often than this, because they count every open job. The first change is reported at once.
 */
const SUMS_EVERY_MS = 250;

/** When thousands of jobs change together, this many are emitted per window, each in its state at that time. */
const MAX_JOBS_PER_WINDOW = 20;

type QueueFacts = Pick<QueueStatus, 'paused' | 'offline' | 'waitsForRoom'>;

/**
 * Emits changes after their commit. The last state of every job is emitted; intermediate states of a burst may not be. Errors here never
 * reach the callers, which have a request to send or an answer to finish.
 */
export class JobEvents {
  private readonly deps: EngineDeps;
  private readonly queueState: () => QueueFacts;
  private readonly revisions: RevisionCounter<Omit<QueueStatus, 'revision'>>;
  readonly softCaps: SoftCaps;
  private readonly pending = new Set<string>();
  private readonly doubtsEmitted = new Set<string>();
  private readonly mismatchesEmitted = new Set<string>();
  private cancelWindow: (() => void) | undefined;
  private sumsAt = -Infinity;
  /** The state that the last notice about sums was for. */
  private told = { status: 0, entry: -1 };
  private cancelSums: (() => void) | undefined;
  private closed = false;

  constructor(deps: EngineDeps, queueFacts: () => QueueFacts) {
    this.deps = deps;
    this.queueState = queueFacts;
    this.revisions = new RevisionCounter(deps.clock);
    this.softCaps = new SoftCaps(deps);
    deps.store.onRevised('jobs', (ids) => this.changed(ids));
  }

  /** The store names the jobs whose revision grew. Without ids, only the sums changed. */
  changed(ids: readonly string[]): void {
    if (this.closed) return;
    if (ids.length === 0) this.told.entry = -1;
    for (const id of ids) this.pending.add(id);
    this.openWindow();
  }

  status(): QueueStatus {
    const { read } = this.deps.store;
    const counts = read.all<OpenCount>(statements.openCounts);
    const sum = (...states: string[]) =>
      counts.reduce((total, { state, n }) => total + (states.includes(state) ? n : 0), 0);
    const isPlay = isPlayMoney(this.deps.profiles.active().id);
    const doubts = read.all<Doubt & { play: number }>(statements.doubtSums);
    const doubtOf = (play: boolean): Doubt => {
      const { count = 0, nano = 0, unpriced = 0 } = doubts.find((sums) => (sums.play === 1) === play) ?? {};
      return { count, nano, unpriced };
    };
    const restoredAt = restoredFrom(read);
    return this.revisions.stamp({
      ...this.queueState(),
      ...(restoredAt === undefined ? {} : { restoredFrom: restoredAt }),
      running: sum('sending', 'running', 'fetching'),
      waiting: sum('queued', 'blocked'),
      lanes: laneStates(this.deps.profiles, counts, pausedLanes(read)),
      doubt: doubtOf(isPlay),
      doubtElsewhere: doubtOf(!isPlay),
    });
  }

  /** Sends pending notices before closing. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.cancelWindow?.();
    this.cancelSums?.();
    this.logErrors(() => this.emitPending(this.pending.size));
    if (this.cancelWindow || this.cancelSums) this.emitSums();
  }

  private openWindow(): void {
    this.cancelWindow ??= this.deps.clock.after(WINDOW_MS, () => this.nextWindow());
  }

  private nextWindow(): void {
    this.cancelWindow = undefined;
    this.logErrors(() => this.emitPending(MAX_JOBS_PER_WINDOW));
    this.sumsChanged();
    if (this.pending.size > 0) this.openWindow();
  }

  private sumsChanged(): void {
    if (this.cancelSums) return;
    const since = Math.max(0, this.deps.clock.now() - this.sumsAt);
    if (since >= SUMS_EVERY_MS) this.emitSums();
    else this.cancelSums = this.deps.clock.after(SUMS_EVERY_MS - since, () => this.emitSums());
  }

  private emitSums(): void {
    this.cancelSums = undefined;
    this.sumsAt = this.deps.clock.now();
    this.logErrors(() => {
      const status = this.status();
      const entry = lastEntry(this.deps.store.read);
      const before = this.told;
      this.told = { status: status.revision, entry };
      if (status.revision !== before.status) this.deps.emit({ type: 'queue.changed', status });
      if (entry === before.entry) return;
      this.deps.emit({ type: 'ledger.changed' });
      this.softCaps.moneyChanged();
    });
  }

  private emitPending(most: number): void {
    const ids = [...this.pending].slice(0, most);
    if (ids.length === 0) return;
    const jobs = this.deps.store.readTransaction((db) => {
      const unseen = unfinishedProject(db) ?? '';
      const shown = rowsByIds(db, ids).filter((row) => row.project_id !== unseen);
      return readJobs(db, shown).map(truncatedForList);
    });
    for (const id of ids) this.pending.delete(id);
    for (const job of jobs) this.logErrors(() => this.emitJob(job));
  }

  private logErrors(emit: () => void): void {
    try {
      emit();
    } catch (error) {
      this.deps.log.error({ error: String(error) }, 'a change could not be emitted');
    }
  }

  private emitJob(job: Job): void {
    this.deps.emit({ type: 'job.changed', job });
    if (kindOf(job).makes === 'text') this.deps.events.emit('textJob.changed', job.id);
    if (job.money.statedNano !== undefined) this.emitMismatch(job);
    if (job.state !== 'uncertain') this.doubtsEmitted.delete(job.id);
    else if (!this.doubtsEmitted.has(job.id)) this.emitDoubt(job.id);
  }

  /** Notifies the user once that the cost stated by an answer differs from its price, which now blocks other jobs. */
  private emitMismatch(job: Job): void {
    const { store } = this.deps;
    const row = openMismatchOf(store.read, job.id);
    if (!row || this.mismatchesEmitted.has(row.id)) return;
    this.mismatchesEmitted.add(row.id);
    const text = t`${expectedAndStatedText(row)} Nothing more is sent at this price until you choose.`;
    this.deps.emit({ type: 'notice', level: 'error', text, jobId: job.id, urgent: true, about: row.id });
    this.deps.notifier.notify({ title: t`Price differs`, body: text, jobId: job.id });
  }

  private emitDoubt(id: string): void {
    this.doubtsEmitted.add(id);
    const text = t`No reply from the gateway. The request was not sent again; the job is under Unconfirmed.`;
    this.deps.emit({ type: 'notice', level: 'doubt', text, jobId: id });
    this.deps.notifier.notify({ title: t`Unconfirmed`, body: text, jobId: id });
  }
}
