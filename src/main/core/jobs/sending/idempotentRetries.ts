import { fail, ok, type Result } from '../../../../shared/contract/result.ts';
import { retryOfferOf } from '../../../../shared/gateway/idempotency.ts';
import { KEY_UNREADABLE } from '../../../../shared/gateway/profile.ts';
import { en, t } from '../../../../shared/text/texts.ts';
import type { Gateway, RepeatOutcome, SubmitOutcome } from '../../gateway/index.ts';
import type { PreparedOutput } from '../../library/index.ts';
import { claimInNight, currentNightRun, nightGateOf } from '../../night/index.ts';
import { type ReadDb, sql, type WriteDb } from '../../store/index.ts';
import type { EngineDeps } from '../deps.ts';
import { closeAttempt, rowById, saveRemoteTask } from '../jobRepository.ts';
import { isPaused } from '../limits/lanes.ts';
import type { Limits } from '../limits/limits.ts';
import { signalOf } from '../limits/throttle.ts';
import { noSuchJob } from '../machine.ts';
import { setUncertain } from '../money/charging.ts';
import * as statements from '../queries/jobSql.ts';
import { jobTable } from '../queries/jobTable.ts';
import { recordClaim } from '../recordEvidence.ts';
import { exceedsHardCap, reevaluateDependents } from '../reevaluate.ts';
import { type JobRow, remoteOf } from '../row.ts';
import { adoptDuplicateTask } from './duplicateTasks.ts';
import { receiveResults } from './finishDownloads.ts';
import * as outcomes from './outcomes.ts';
import { persist } from './persist.ts';
import type { RunnerHooks } from './runner.ts';
import {
  type ReadableRequest,
  type StoredRequests,
  showsIgnoredKey,
  storedRequestOf,
  taskNamedIn,
} from './storedRequests.ts';

/** Writes the decision in one transaction. False if it was already written. */
type Intend = (write: (db: WriteDb) => Result<string>) => Result<boolean>;

/**
 * Delays before each repeat in an overnight run, counted from the lost answer, in milliseconds. After the last one the job waits for the
 * user.
 */
const WAITS_MS = [30_000, 2 * 60_000, 5 * 60_000, 10 * 60_000, 20 * 60_000, 40 * 60_000];
/** The delay after an attempt that could not be made, for example without a key. */
const FAILED_MS = 15 * 60_000;
/** The interval of checks for due jobs in an overnight run. */
const LOOK_MS = 5_000;

const inDoubtOfNight = sql(
  'jobs.inDoubtOfNight',
  `SELECT jobs.*, (SELECT max(at) FROM attempts WHERE job_id = jobs.id) AS asked_at,
     (SELECT count(*) FROM attempts WHERE job_id = jobs.id AND again = 1) AS asks
   FROM jobs WHERE run_id = $runId AND state = 'uncertain' ORDER BY position`,
);
type DoubtRow = JobRow & { asked_at: number | null; asks: number };

const HERE = t`An error in Dailies after the request was sent.`;
const FAILED_HERE = { kind: 'server', message: HERE, retryable: false, accepted: 'unknown' } as const;
/** Refused while the answer to an earlier repeat is awaited. */
export const BEING_ASKED = fail('wrong_state', en`It is being asked for again just now; wait for the answer.`);

/**
 * Repeats the requests of unconfirmed jobs: the same bytes under the same idempotency key, if the service documents that this returns the
 * first task. The job stays unconfirmed until the answer is written, so a kill in between changes nothing. The user starts this; in an
 * overnight run Dailies does it too, a few times at growing intervals, if the profile allows it.
 */
export class IdempotentRetries {
  private readonly asking = new Map<string, { begun: Promise<unknown>; done: Promise<void> }>();
  /** When jobs whose request could not be repeated overnight are tried again. */
  private readonly failed = new Map<string, number>();
  private cancelLook: (() => void) | undefined;
  private stopped = false;
  private closed = false;
  private readonly deps: EngineDeps;
  private readonly kept: StoredRequests;
  private readonly limits: Pick<Limits, 'started' | 'ended' | 'next'>;
  private readonly hooks: Pick<RunnerHooks, 'changed' | 'taskAccepted'>;

  constructor(
    deps: EngineDeps,
    kept: StoredRequests,
    limits: IdempotentRetries['limits'],
    hooks: IdempotentRetries['hooks'],
  ) {
    this.deps = deps;
    this.kept = kept;
    this.limits = limits;
    this.hooks = hooks;
  }

  isAsking(jobId: string): boolean {
    return this.asking.has(jobId);
  }

  /** Repeats the job's request. Resolves once the decision is on disk; the gateway's answer later changes the job. */
  async ask(jobId: string, intend: Intend): Promise<Result<unknown>> {
    const earlier = this.asking.get(jobId);
    if (earlier) {
      await earlier.begun;
      return BEING_ASKED;
    }
    const begun = this.begin(jobId, intend);
    const done = begun
      .then((result) => (result.ok ? result.data?.() : undefined))
      .catch(() => undefined)
      .finally(() => this.asking.delete(jobId));
    this.asking.set(jobId, { begun: begun.catch(() => undefined), done });
    return begun;
  }

  /** Returns the function that sends the request; null if it was already sent. */
  private async begin(jobId: string, intend: Intend): Promise<Result<(() => Promise<void>) | null>> {
    const { store, profiles, clock } = this.deps;
    this.kept.clockWatch.check();
    const offered = this.offered(store.read, jobId);
    if (!offered.ok) return offered;
    const request = this.kept.read(jobId);
    if (!request) {
      this.hooks.changed();
      return fail('wrong_state', en`What was sent is damaged on disk, so it cannot be sent again.`);
    }
    const opened = await profiles.openClient(offered.data.profile_id);
    if (opened.status === 'unreadable') return fail('wrong_state', KEY_UNREADABLE);
    if (opened.status !== 'ready') return fail('wrong_state', en`Its gateway has no key now.`);
    if (this.stopped) return fail('wrong_state', en`Dailies is closing.`);
    const intended = intend((db) => {
      const fresh = this.offered(db, jobId);
      if (!fresh.ok) return fresh;
      db.run(statements.insertAttempt, { id: jobId, at: clock.now(), again: 1, key: request.key });
      recordClaim(db, fresh.data, { again: true });
      return ok(jobId);
    });
    if (!intended.ok) return intended;
    return ok(intended.data ? () => this.send(offered.data, opened.client, request) : null);
  }

  /** The job, if it may be asked for again now. */
  private offered(db: ReadDb, jobId: string): Result<JobRow> {
    const row = rowById(db, jobId);
    if (!row) return noSuchJob;
    const kept = storedRequestOf(db, row);
    const job = { state: row.state, kind: row.kind, profileId: row.profile_id, ...(kept ? { kept } : {}) };
    const offer = retryOfferOf(job, this.deps.profiles.get(row.profile_id), this.deps.clock.now());
    return offer.can ? ok(row) : fail('wrong_state', offer.why);
  }

  private async send(row: JobRow, client: Gateway, request: ReadableRequest): Promise<void> {
    const { deps, limits } = this;
    const { key } = request;
    const failed = (error: unknown): RepeatOutcome => {
      deps.log.error({ job: row.id, error: String(error) }, 'asking again ended in an exception');
      return { outcome: { type: 'unknown', error: FAILED_HERE }, replayed: false };
    };
    this.hooks.changed();
    const sentAt = deps.clock.now();
    limits.started(row.lane);
    const answer = await client.repeat(request).catch(failed);
    if (this.closed) return;
    const { outcome } = answer;
    limits.ended(row.lane, { jobId: row.id, sentAt }, signalOf(outcome));
    try {
      await this.conclude(row, key, answer);
    } catch (error) {
      // The job is unconfirmed again; a task that the answer named is known.
      const task = outcome.type === 'accepted' ? { task: outcome.task } : {};
      const { replayed } = failed(error);
      await this.conclude(row, key, { outcome: { type: 'unknown', error: FAILED_HERE, ...task }, replayed }).catch(
        failed,
      );
    }
  }

  private async conclude(row: JobRow, key: string, answer: RepeatOutcome): Promise<void> {
    const { deps, hooks } = this;
    const isClosed = (): boolean => this.closed;
    const outputs = answer.outcome.type === 'done' ? answer.outcome.outputs : [];
    // Done first, so that a kill in between cannot leave a gateway that accepts second requests unmarked.
    if (showsIgnoredKey(deps.store.read, row.id, key, answer.outcome)) deps.events.emit('key.ignored', row.profile_id);
    const follow = await persist(deps, isClosed, async () => {
      const prepared = await deps.library.storeInlineOutputs(outputs);
      return deps.store.grouped((db) => {
        const fresh = rowById(db, row.id);
        return fresh && applyAnswer(deps, db, fresh, { ...answer, prepared });
      });
    });
    if (!follow) return;
    hooks.changed();
    for (const id of follow) hooks.taskAccepted(id);
    const last = follow.at(-1);
    if (answer.outcome.type === 'done' && last !== undefined) await receiveResults(deps, isClosed, last, hooks.changed);
  }

  /** A job of the overnight run may be unconfirmed. */
  wake(): void {
    const { store, clock } = this.deps;
    if (this.stopped || this.cancelLook || this.kept.jobs.size === 0 || !currentNightRun(store.read)) return;
    this.cancelLook = clock.after(LOOK_MS, () => {
      this.cancelLook = undefined;
      this.look();
      this.wake();
    });
  }

  private look(): void {
    const { store, clock } = this.deps;
    const run = currentNightRun(store.read);
    if (!run) return;
    const rows = store.read.all<DoubtRow>(inDoubtOfNight, { runId: run.id });
    // One job per lane: its answer shows whether the service can be asked about the next.
    const busyLanes = new Set(rows.filter(({ id }) => this.isAsking(id)).map(({ lane }) => lane));
    for (const row of rows) {
      if (busyLanes.has(row.lane) || !this.isDue(row, clock.now())) continue;
      busyLanes.add(row.lane);
      void this.askInNight(row.id);
    }
  }

  private isDue(row: DoubtRow, now: number): boolean {
    const { store, profiles } = this.deps;
    const { idempotency } = profiles.get(row.profile_id) ?? {};
    const at = Math.max((row.asked_at ?? now) + (WAITS_MS[row.asks] ?? Infinity), this.failed.get(row.id) ?? 0);
    if (now < at || idempotency?.kind !== 'documented' || !idempotency.night) return false;
    const may = mayGoOn(store.read, row, now) && this.offered(store.read, row.id).ok;
    return may && this.limits.next(row.lane).waitMs === 0;
  }

  /** Checks the overnight run, its limits, the budgets and the pause again in the transaction that writes the decision. */
  private async askInNight(id: string): Promise<void> {
    const { store, clock, freeBytes, log } = this.deps;
    const measures = { freeBytes, reservedUnderWay: jobTable.reservedUnderWay };
    this.failed.set(id, clock.now() + FAILED_MS);
    try {
      const asked = await this.ask(id, (write) =>
        store.transaction((db) => {
          const row = rowById(db, id);
          // If a limit of the run is reached, this ends the run.
          const may = row && mayGoOn(db, row, clock.now()) && claimInNight(db, row, clock.now(), measures);
          const written = may ? write(db) : fail('wrong_state', 'the night is over, or it is held back');
          return written.ok ? ok(true) : written;
        }),
      );
      if (asked.ok) this.failed.delete(id);
    } catch (error) {
      log.error({ job: id, error: String(error) }, 'a job in doubt could not be asked for');
    }
  }

  allInFlight(): Promise<void>[] {
    return [...this.asking.values()].map(({ done }) => done);
  }

  /** Starts no more repeats, even if one was being prepared. Answers are still written until {@link close}. */
  stop(): void {
    this.stopped = true;
    this.cancelLook?.();
  }

  /** Later answers are not written; their jobs stay unconfirmed. */
  close(): void {
    this.closed = true;
  }
}

/**
 * A repeat may create the task, if the first request never arrived, so the same limits apply as for a waiting job. Its cost already counts
 * as unconfirmed.
 */
const mayGoOn = (db: ReadDb, row: JobRow, now: number): boolean =>
  !isPaused(db, row.lane) && !exceedsHardCap(db, row, now) && nightGateOf(db, row, now).type === 'open';

/**
 * The meaning of the answer to a repeated request. A task, a result, an accepted request that failed, or a refusal marked as replayed is
 * the answer to the first request. Any other refusal is only about the repeat (a service checks key, quota and rate before it looks for the
 * first request), so the first stays unconfirmed.
 *
 * A job follows one task. A different task belongs to a separate request and gets a job of its own. Only two different tasks in answers to
 * the same key show that the service ignores keys: a webhook may have named a task of another request.
 */

type Deps = Pick<EngineDeps, 'clock' | 'ids' | 'ledger' | 'library'>;

type Taken = Exclude<SubmitOutcome, { type: 'refused' }>;

const BACK = 'the gateway returned the first task under its key';

/**
 * `prepared`: the files of the answer, already on disk. Returns the jobs to follow: their task is polled, or the results of the last one
 * are taken.
 */
function applyAnswer(
  deps: Deps,
  db: WriteDb,
  row: JobRow,
  { outcome, replayed, prepared }: RepeatOutcome & { prepared: PreparedOutput[] },
): string[] {
  const { id } = row;
  const task = taskNamedIn(outcome);
  const followed = remoteOf(row)?.id;
  if (outcome.type !== 'refused' && task !== undefined && followed !== undefined && followed !== task)
    return applyOther(deps, db, row, outcome, prepared);
  if (row.state !== 'uncertain') {
    // A poll or a webhook has already resolved the job.
    closeAttempt(db, row, outcome.type === 'refused' ? 'unknown' : outcome.type, { task });
    return [];
  }
  switch (outcome.type) {
    case 'accepted':
      deps.ledger.reserveDoubt(db, row, BACK);
      outcomes.applyAccepted(deps, db, row, outcome);
      return [id];
    case 'done':
      deps.ledger.reserveDoubt(db, row, BACK);
      closeAttempt(db, row, 'done', { task, requestId: outcome.requestId });
      outcomes.applyResults(deps, db, row, prepared, outcome);
      return [id];
    case 'refused':
      // A known task is resolved by its polls.
      if ((!replayed && outcome.error.accepted !== 'yes') || row.remote !== null) break;
      outcomes.applyRefused(deps, db, row, outcome);
      reevaluateDependents(deps, db, id);
      return [];
    case 'unknown':
      if (outcome.task && row.remote === null) saveRemoteTask(db, row, outcome.task);
  }
  stayInDoubt(deps, db, row, outcome);
  return [id];
}

/** Follows both tasks: the known one, and the one that the answer names. */
function applyOther(deps: Deps, db: WriteDb, row: JobRow, outcome: Taken, prepared: PreparedOutput[]): string[] {
  const task = taskNamedIn(outcome) ?? '';
  const message = t`The gateway accepted it as a second request, ${task}.`;
  closeAttempt(db, row, outcome.type, { task, message });
  // If the same answer came before, another job already follows the task.
  const known = { kinds: JSON.stringify([row.kind]), profileId: row.profile_id, remoteId: task };
  return db.one(statements.jobByRemoteId, known)
    ? [row.id]
    : [row.id, adoptDuplicateTask(deps, db, row, outcome, prepared)];
}

/** The job stays unconfirmed, and so does its cost: once, or the stated amount if that is higher. */
function stayInDoubt(
  deps: Deps,
  db: WriteDb,
  row: JobRow,
  outcome: Extract<SubmitOutcome, { type: 'refused' | 'unknown' }>,
): void {
  const { error, stated } = outcome;
  const refused = error.status === undefined ? 'unsent' : 'refused';
  const facts = { ...outcomes.attemptFields(error), task: taskNamedIn(outcome) };
  closeAttempt(db, row, error.accepted === 'no' ? refused : 'unknown', facts);
  const isFree = outcome.type === 'refused' && outcome.billed === 'no';
  if (stated && !isFree) setUncertain(deps, db, row, { note: 'asked for again in vain', stated });
  const message = `Asked for again, without an answer about the first request: ${error.message}`;
  row.error = JSON.stringify({ ...outcomes.toJobError(error), message });
  db.run(statements.saveError, { id: row.id, error: row.error });
}
