import { isTerminal } from '../../../../shared/jobs/job.ts';
import { mediaRefsOf } from '../../../../shared/kinds/index.ts';
import { t } from '../../../../shared/text/texts.ts';
import type {
  ChatDelta,
  ChatOutcome,
  Gateway,
  GatewayError,
  RemoteOutput,
  SendOptions,
  SubmitOutcome,
} from '../../gateway/index.ts';
import type { PreparedOutput } from '../../library/index.ts';
import type { WriteDb } from '../../store/index.ts';
import type { EngineDeps } from '../deps.ts';
import { advance, closeAttempt, rowById, saveRemoteTask } from '../jobRepository.ts';
import type { Stream, StreamDriver } from '../kinds/driver.ts';
import { driverOf } from '../kinds/index.ts';
import type { Limits } from '../limits/limits.ts';
import { asksToWait, signalOf } from '../limits/throttle.ts';
import * as statements from '../queries/jobSql.ts';
import { reevaluateDependents } from '../reevaluate.ts';
import { costInDoubt, isTaskKnown, type JobRow, requestOf } from '../row.ts';
import { askedWait, resendDelay } from './backoff.ts';
import { adoptEarlierTask } from './duplicateTasks.ts';
import { receiveResults } from './finishDownloads.ts';
import * as outcomes from './outcomes.ts';
import { deltaTeller, type PartialWriter, partialWriter, persist } from './persist.ts';
import { noteRefusedSpelling, noteSent, SendWitness } from './recordSentRequest.ts';
import { type StoredRequests, taskNamedIn } from './storedRequests.ts';

/** Applies an outcome to its job. */
type ApplyOutcome = (db: WriteDb, row: JobRow) => void;

export interface RunnerHooks {
  /** After a commit: jobs changed. */
  changed(): void;
  /** A task was accepted and has to be polled. */
  taskAccepted(jobId: string): void;
  /** The answer was lost or is a refusal. If the job has a known, unconfirmed task, it is polled. */
  lostTask(jobId: string): void;
  /** A streamed answer has ended; a cost that it did not state may be recorded later. */
  streamEnded(jobId: string): void;
}

/** A job gets this many attempts at a service that says "not now" without a time, some twenty minutes, and then fails. */
const MAX_SERVER_ATTEMPTS = 12;

interface InFlight {
  done: Promise<void>;
  stop: AbortController;
}

/** Hands a claimed job to the gateway once and writes its outcome: another attempt needs another claim. */
export class Runner {
  private readonly flights = new Map<string, InFlight>();
  /** Writers of the answers that are being streamed. */
  private readonly writers = new Set<PartialWriter>();
  /** By job: the consecutive refusals of its last attempts. */
  private readonly refusals = new Map<string, Refusals>();
  private closed = false;
  private readonly deps: EngineDeps;
  private readonly limits: Pick<Limits, 'ended' | 'isFailing'>;
  private readonly hooks: RunnerHooks;
  private readonly kept: StoredRequests;

  constructor(deps: EngineDeps, limits: Pick<Limits, 'ended' | 'isFailing'>, kept: StoredRequests, hooks: RunnerHooks) {
    this.deps = deps;
    this.kept = kept;
    this.limits = limits;
    this.hooks = hooks;
  }

  /** The claim is committed before this is called. */
  send(row: JobRow, gateway: Gateway): Promise<void> {
    const stop = new AbortController();
    const done = this.attempt(row, gateway, stop.signal).finally(() => {
      // The user may have sent the job again meanwhile.
      if (this.flights.get(row.id)?.stop === stop) this.flights.delete(row.id);
    });
    this.flights.set(row.id, { done, stop });
    return done;
  }

  /** Whether an answer is still awaited, also for a job that the user has canceled. */
  isInFlight(jobId: string): boolean {
    return this.flights.has(jobId);
  }

  /** Stops waiting for a chat's answer. */
  abort(jobId: string): void {
    this.flights.get(jobId)?.stop.abort();
  }

  /** Text that was already shown is stored. Later text is not: its job becomes unconfirmed at the next start. */
  close(): void {
    for (const writer of this.writers) writer.flush();
    this.closed = true;
    for (const { stop } of this.flights.values()) stop.abort();
  }

  allInFlight(): Promise<void>[] {
    return [...this.flights.values()].map(({ done }) => done);
  }

  private async attempt(row: JobRow, gateway: Gateway, signal: AbortSignal): Promise<void> {
    const { deps } = this;
    try {
      const profile = deps.profiles.get(row.profile_id);
      if (!profile) return await this.failUnsent(row.id, t`Its gateway was removed.`);
      const driver = driverOf(row);
      const claimed = { profile, row, request: requestOf(row) };
      if (mediaRefsOf(claimed.request).length > 0) await deps.library.location.look();
      if (driver.protocol === 'stream') {
        const stream = driver.prepareStream(deps, claimed);
        if (!stream.ok) return await this.failUnsent(row.id, stream.error.message);
        return await this.sendStream(row, gateway, { driver, send: stream.data, signal });
      }
      const submit = driver.prepareSubmit(deps, claimed);
      if (!submit.ok) return await this.failUnsent(row.id, submit.error.message);
      let isCanceled = false;
      const witness = new SendWitness(deps.clock.now);
      const kept = profile.idempotency.kind === 'documented' ? this.kept : undefined;
      const options: SendOptions = {
        idempotencyKey: row.idempotency_key,
        witness,
        mayRetry: () => this.isWanted(row.id) && noteRefusedSpelling(deps, row.id, kept),
        keep: async (request) => {
          await noteSent(deps, row.id, request, kept);
          witness.kept();
          isCanceled = rowById(deps.store.read, row.id)?.state === 'canceled';
          return !isCanceled && !this.closed;
        },
      };
      const outcome = await submit.data(gateway, options);
      if (isCanceled) return await this.failUnsent(row.id, t`Canceled before it was sent.`);
      await this.concludeSubmit(row, witness.on(outcome), witness);
    } catch (error) {
      deps.log.error({ job: row.id, error: String(error) }, 'a send ended in an exception');
      const message = t`An error in Dailies after the request was sent.`;
      const lost: GatewayError = { kind: 'server', message, retryable: false, accepted: 'unknown' };
      const wasTaskKnown = await this.conclude(row.id, (db, fresh) => {
        // An outcome that is already written stays.
        if (db.one(statements.hasOpenAttempt, { id: row.id })) outcomes.applyLost(deps, db, fresh, lost);
      });
      if (wasTaskKnown) this.hooks.lostTask(row.id);
    }
  }

  /** Fails a job whose request was never sent. */
  private async failUnsent(id: string, message: string): Promise<void> {
    await this.conclude(id, (db, row) => {
      closeAttempt(db, row, 'unsent', { message });
      // Without a send time, the overnight run does not count this as a failure of the service. An earlier, unconfirmed attempt was sent.
      if (!costInDoubt(row)) row.sent_at = null;
      outcomes.attemptEnded(this.deps, db, row, {
        error: { kind: 'invalid', message, retryable: false },
        billed: 'no',
      });
    });
    if (!this.closed) this.hooks.lostTask(id);
  }

  private readonly isClosed = (): boolean => this.closed;

  /** False if the job was canceled meanwhile, or Dailies is closing. */
  private isWanted(id: string): boolean {
    return !this.closed && rowById(this.deps.store.read, id)?.state === 'sending';
  }

  /**
   * Applies an outcome to the current row in one transaction, repeated until it is on disk. Returns whether a webhook had already named the
   * task.
   */
  private async conclude(id: string, apply: ApplyOutcome): Promise<boolean> {
    let wasTaskKnown = false;
    const write = (db: WriteDb): void => {
      const row = rowById(db, id);
      if (!row) return;
      wasTaskKnown = isTaskKnown(row);
      apply(db, row);
      if (isTerminal(row.state)) reevaluateDependents(this.deps, db, id);
    };
    await persist(this.deps, this.isClosed, () => this.deps.store.grouped(write));
    if (!this.closed) this.hooks.changed();
    return wasTaskKnown;
  }

  private async concludeSubmit(row: JobRow, outcome: SubmitOutcome, witness: SendWitness): Promise<void> {
    const outputs = outcome.type === 'done' ? outcome.outputs : [];
    const prepared = await persist(this.deps, this.isClosed, () => this.deps.library.storeInlineOutputs(outputs));
    if (!prepared) return;
    const service = this.reportToLimits(row, outcome);
    let followed: string[] = [];
    const wasTaskKnown = await this.conclude(row.id, (db, fresh) => {
      witness.record(db, fresh);
      followed = adoptEarlierTask(this.deps, db, fresh, outcome);
      applySubmit(this.deps, db, fresh, outcome, { prepared, service });
    });
    if (this.closed) return;
    for (const id of followed) this.hooks.lostTask(id);
    if (outcome.type === 'accepted') this.hooks.taskAccepted(row.id);
    // The task may be that of this attempt, named by a webhook or the cut answer. Otherwise only an earlier attempt with a task is
    // unconfirmed now.
    const hasTask = outcome.type === 'unknown' && (wasTaskKnown || outcome.task !== undefined);
    if (hasTask || (outcome.type === 'refused' && outcome.billed === 'no')) this.hooks.lostTask(row.id);
    if (outcome.type !== 'done') return;
    await receiveResults(this.deps, this.isClosed, row.id, this.hooks.changed);
  }

  private async sendStream(
    row: JobRow,
    gateway: Gateway,
    { driver, send, signal }: { driver: StreamDriver; send: Stream; signal: AbortSignal },
  ): Promise<void> {
    const { deps } = this;
    const writer = partialWriter(deps, row.id, this.isClosed);
    const teller = deltaTeller((delta) => deps.events.emit('stream.delta', row.id, delta));
    this.writers.add(writer);
    let hasStarted = false;
    const start = (): void => {
      hasStarted = true;
      void this.conclude(row.id, (db, fresh) => {
        // A full disk may have delayed this until after the end of the answer.
        if (fresh.state === 'sending')
          advance(db, fresh, { type: 'accept' }, deps.clock.now(), { error: null, nextAt: null });
      });
    };
    const witness = new SendWitness(deps.clock.now);
    const options: SendOptions = { idempotencyKey: row.idempotency_key, signal, witness };
    const take = (delta: ChatDelta): void => {
      // Text that cannot be stored must not be shown.
      if (this.closed) return;
      if (!hasStarted) start();
      writer.add(delta);
      teller.add(delta);
    };
    let pictures = Promise.resolve();
    const takePicture = (output: RemoteOutput): void => {
      if (this.closed) return;
      if (!hasStarted) start();
      pictures = pictures.then(() => this.keepPicture(row.id, output));
    };
    const told = await send(gateway, options, take, takePicture).finally(() => {
      writer.flush();
      teller.flush();
      this.writers.delete(writer);
    });
    await pictures;
    const outcome = witness.on(told);
    // An answer that the user stopped says nothing about the service.
    const service = signal.aborted ? UNTOLD : this.reportToLimits(row, outcome);
    await this.conclude(row.id, (db, fresh) => {
      witness.record(db, fresh);
      if (outcome.type === 'answered') {
        outcomes.streamAnswered(deps, db, fresh, { driver, outcome });
        if (outcome.complete) deps.events.emit('answer.written', db, fresh.id);
      } else if (outcome.type === 'refused') applyRefusal(deps, db, fresh, { ...outcome, service });
      else outcomes.applyLost(deps, db, fresh, outcome.error, { stated: outcome.stated });
    });
    if (!this.closed && outcome.type === 'answered') this.hooks.streamEnded(row.id);
  }

  /** Stores a picture of an answer as it arrives. If that fails, the rest of the answer is not affected. */
  private async keepPicture(jobId: string, output: RemoteOutput): Promise<void> {
    const { deps } = this;
    try {
      const prepared = await persist(deps, this.isClosed, () => deps.library.storeInlineOutputs([output]));
      if (!prepared) return;
      await this.conclude(jobId, (db, row) => outcomes.pictureCame(deps, db, row, prepared));
      deps.library.wakeDownloads();
    } catch (error) {
      deps.log.error({ job: jobId, error: String(error) }, 'a picture of an answer could not be kept');
    }
  }

  /** Reports the outcome to the limits before anything else is claimed. */
  private reportToLimits(row: JobRow, outcome: SubmitOutcome | ChatOutcome): ServiceState {
    this.limits.ended(row.lane, { jobId: row.id, sentAt: row.sent_at ?? row.created_at }, signalOf(outcome));
    const isFailing = this.limits.isFailing(row.lane);
    return { isFailing, ...this.refusalsOf(row, outcome, isFailing) };
  }

  private refusalsOf({ id, tries }: JobRow, outcome: SubmitOutcome | ChatOutcome, isFailing: boolean): Refusals {
    const before = (tries > 1 ? this.refusals.get(id) : undefined) ?? NO_REFUSALS;
    if (outcome.type !== 'refused' || !outcome.error.retryable) {
      this.refusals.delete(id);
      return NO_REFUSALS;
    }
    const counted = isFailing ? before : countedWith(before, outcome.error);
    this.refusals.set(id, counted);
    return counted;
  }
}

/** Consecutive refusals of a job's attempts. Failures that are not about the job, such as an unreachable host, are not counted. */
interface Refusals {
  /** "Not now", without a delay. */
  notNow: number;
  /** "Too many requests" or "later", without a usable delay. */
  later: number;
}

const NO_REFUSALS: Refusals = { notNow: 0, later: 0 };

function countedWith({ notNow, later }: Refusals, error: GatewayError): Refusals {
  if (asksToWait(error)) return { notNow, later: askedWait(error.retryAfterMs) === undefined ? later + 1 : later };
  return isWithoutWay(error) ? { notNow, later } : { notNow: notNow + 1, later };
}

/** The state of the service according to an answer. */
interface ServiceState extends Refusals {
  /** The service fails for all jobs, so no single job is given up. */
  isFailing: boolean;
}

const UNTOLD: ServiceState = { isFailing: false, ...NO_REFUSALS };

const isWithoutWay = ({ kind }: GatewayError): boolean => kind === 'network' || kind === 'timeout';

function applySubmit(
  deps: EngineDeps,
  db: WriteDb,
  row: JobRow,
  outcome: SubmitOutcome,
  { prepared, service }: { prepared: PreparedOutput[]; service: ServiceState },
): void {
  switch (outcome.type) {
    case 'accepted':
      return outcomes.applyAccepted(deps, db, row, outcome);
    case 'done':
      closeAttempt(db, row, 'done', {
        status: outcome.status,
        requestId: outcome.requestId,
        task: taskNamedIn(outcome),
      });
      return outcomes.applyResults(deps, db, row, prepared, outcome);
    case 'refused':
      return applyRefusal(deps, db, row, { ...outcome, service });
    case 'unknown':
      if (outcome.task) saveRemoteTask(db, row, outcome.task);
      return outcomes.applyLost(deps, db, row, outcome.error, { stated: outcome.stated, task: outcome.task });
  }
}

function applyRefusal(
  deps: EngineDeps,
  db: WriteDb,
  row: JobRow,
  { service, ...refusal }: Omit<Extract<SubmitOutcome, { type: 'refused' }>, 'type'> & { service: ServiceState },
): void {
  const { error, billed } = refusal;
  const isRetryable = error.accepted === 'no' && error.retryable && billed === 'no';
  // If the service asks to wait or cannot be reached, the job waits without a limit.
  const keepsWaiting = asksToWait(error) || isWithoutWay(error);
  const hasAttemptsLeft = keepsWaiting || service.isFailing || service.notNow < MAX_SERVER_ATTEMPTS;
  if (error.accepted === 'no' && (error.kind === 'auth' || error.kind === 'quota'))
    return outcomes.blockedForUser(deps, db, row, error);
  if (isRetryable && hasAttemptsLeft) {
    const tries = pausesOfJob(row, error, service);
    const nextAt = deps.clock.now() + resendDelay(tries, error.retryAfterMs, deps.random);
    return outcomes.deferred(deps, db, row, error, nextAt);
  }
  outcomes.applyRefused(deps, db, row, refusal);
}

/**
 * The number that a job's delays grow with. A job that is refused again and again, for example by the limit of its model, waits longer than
 * its lane; otherwise it would be first whenever the lane opens. While the service fails for all, the delays of the lane grow instead.
 */
function pausesOfJob(row: JobRow, error: GatewayError, { isFailing, notNow, later }: ServiceState): number {
  if (isFailing) return 1;
  if (asksToWait(error)) return later > 1 ? later + 1 : later;
  return isWithoutWay(error) ? row.tries : notNow;
}
