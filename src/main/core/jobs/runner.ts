import { isTerminal } from '../../../shared/job.ts';
import type { ChatOutcome, Gateway, GatewayError, SubmitOutcome } from '../gateway/index.ts';
import type { PreparedOutput } from '../library/index.ts';
import type { WriteDb } from '../store/index.ts';
import { resendDelay } from './backoff.ts';
import type { EngineDeps } from './deps.ts';
import { finishFetched } from './fetched.ts';
import type { Stream, StreamDriver } from './kinds/driver.ts';
import { driverOf } from './kinds/index.ts';
import type { Limits } from './limits/limits.ts';
import { reportOfOrder } from './limits/reports.ts';
import * as outcomes from './outcomes.ts';
import { persist } from './persist.ts';
import { advance, closeAttempt, keepRemote, rowById } from './records.ts';
import { costInDoubt, type JobRow, requestOf } from './row.ts';
import * as statements from './statements.ts';
import { reconsiderDependents } from './waiting.ts';

/** What an answer does to its job. Returns the ids of others that changed with it, if any did. */
type Change = (db: WriteDb, row: JobRow) => string[];
const none: string[] = [];

export interface RunnerHooks {
  /** After a commit: these jobs changed. */
  changed(ids: string[]): void;
  /** A task was accepted and has to be followed. */
  follow(jobId: string): void;
  /** An answer has ended; what it answer did not state may be told later. */
  streamEnded(jobId: string): void;
}

/** A service that says "not now" without a time gets this many tries, some twenty minutes, then it is a failure. */
const SERVER_TRIES = 12;

/** Deltas are written in batches this far apart: one commit each, so that a kill loses no more than this. */
const FLUSH_MS = 40;

interface Flight {
  done: Promise<void>;
  stop: AbortController;
}

/** Sends a claimed job once and writes down what happened. It never sends twice: another try is another claim. */
export class Runner {
  private readonly flights = new Map<string, Flight>();
  private closed = false;
  private readonly deps: EngineDeps;
  private readonly limits: Pick<Limits, 'heardOfOrder' | 'isOut'>;
  private readonly hooks: RunnerHooks;

  constructor(deps: EngineDeps, limits: Pick<Limits, 'heardOfOrder' | 'isOut'>, hooks: RunnerHooks) {
    this.deps = deps;
    this.limits = limits;
    this.hooks = hooks;
  }

  /** The claim is committed before this is called. */
  send(row: JobRow, gateway: Gateway): Promise<void> {
    const stop = new AbortController();
    const done = this.attempt(row, gateway, stop.signal).finally(() => {
      // By then the user may have had it sent again.
      if (this.flights.get(row.id)?.stop === stop) this.flights.delete(row.id);
    });
    this.flights.set(row.id, { done, stop });
    return done;
  }

  /** Whether an answer to this order is on its way; also of one that the user has canceled. */
  awaits(jobId: string): boolean {
    return this.flights.has(jobId);
  }

  /** Stops waiting for a chat's answer. */
  abort(jobId: string): void {
    this.flights.get(jobId)?.stop.abort();
  }

  /** What still comes in is not written any more: its job is in doubt at the next start. */
  close(): void {
    this.closed = true;
    for (const { stop } of this.flights.values()) stop.abort();
  }

  inFlight(): Promise<void>[] {
    return [...this.flights.values()].map(({ done }) => done);
  }

  private async attempt(row: JobRow, gateway: Gateway, signal: AbortSignal): Promise<void> {
    const { deps } = this;
    try {
      const profile = deps.profiles.get(row.profile_id);
      if (!profile) return await this.unsent(row.id, 'The profile it was made for is gone.');
      const driver = driverOf(row);
      const claimed = { profile, row, request: requestOf(row) };
      if (driver.way === 'stream') {
        const order = driver.order(deps, claimed);
        if (!order.ok) return await this.unsent(row.id, order.error.message);
        return await this.sendStream(row, gateway, { driver, send: order.data, signal });
      }
      const order = driver.order(deps, claimed);
      if (!order.ok) return await this.unsent(row.id, order.error.message);
      const options = { idempotencyKey: row.idempotency_key, mayGoOn: () => this.isWanted(row.id) };
      await this.concludeSubmit(row, await order.data(gateway, options));
    } catch (error) {
      deps.log.error({ job: row.id, error: String(error) }, 'a send ended in an exception; its outcome is not known');
      const message = 'Something went wrong here after the request was sent.';
      const lost: GatewayError = { kind: 'server', message, retryable: false, accepted: 'unknown' };
      await this.conclude(row.id, (db, fresh) => {
        outcomes.lost(deps, db, fresh, lost);
        return none;
      });
    }
  }

  /** Nothing left this machine. */
  private unsent(id: string, message: string): Promise<void> {
    return this.conclude(id, (db, row) => {
      closeAttempt(db, row, 'unsent', { message });
      // So it is no failure of the service in its night either; an earlier order of it that is in doubt was sent.
      if (!costInDoubt(row)) row.sent_at = null;
      outcomes.ended(this.deps, db, row, { error: { kind: 'invalid', message, retryable: false }, billed: 'no' });
      return none;
    });
  }

  private readonly isClosed = (): boolean => this.closed;

  /** Nobody has canceled it meanwhile, and Dailies goes on. */
  private isWanted(id: string): boolean {
    return !this.closed && rowById(this.deps.store.read, id)?.state === 'sending';
  }

  /** One transaction on the row as it is now, tried until it is on disk; then everyone is told. */
  private async conclude(id: string, change: Change): Promise<void> {
    const changed = await persist(this.deps, this.isClosed, () => this.write(id, change));
    if (changed) this.hooks.changed(changed);
  }

  private write(id: string, change: Change): Promise<string[]> {
    return this.deps.store.grouped((db) => {
      const row = rowById(db, id);
      if (!row) return [];
      return [id, ...change(db, row), ...(isTerminal(row.state) ? reconsiderDependents(this.deps, db, id) : [])];
    });
  }

  private async concludeSubmit(row: JobRow, outcome: SubmitOutcome): Promise<void> {
    const outputs = outcome.type === 'done' ? outcome.outputs : [];
    const prepared = await persist(this.deps, this.isClosed, () => this.deps.library.storeInlineOutputs(outputs));
    if (!prepared) return;
    const spared = this.heard(row, outcome);
    await this.conclude(row.id, (db, fresh) => applySubmit(this.deps, db, fresh, outcome, { prepared, spared }));
    if (this.closed) return;
    if (outcome.type === 'accepted') this.hooks.follow(row.id);
    if (outcome.type === 'done') await this.settleInline(row.id);
  }

  /** What came inside the answer is here already; the rest is downloaded. */
  private async settleInline(jobId: string): Promise<void> {
    this.deps.library.wakeDownloads();
    const finish = () => this.deps.store.grouped((db) => finishFetched(this.deps, db, jobId));
    const changed = await persist(this.deps, this.isClosed, finish);
    if (changed) this.hooks.changed(changed);
  }

  private async sendStream(
    row: JobRow,
    gateway: Gateway,
    { driver, send, signal }: { driver: StreamDriver; send: Stream; signal: AbortSignal },
  ): Promise<void> {
    const { deps } = this;
    const writer = partialWriter(deps, row.id, this.isClosed);
    let begun = false;
    const begin = (): void => {
      begun = true;
      void this.conclude(row.id, (db, fresh) => {
        // Not where a full disk has held this back until the answer was over.
        if (fresh.state === 'sending')
          advance(db, fresh, { type: 'accept' }, deps.clock.now(), { error: null, nextAt: null });
        return none;
      });
    };
    const outcome = await send(gateway, { idempotencyKey: row.idempotency_key, signal }, (delta) => {
      if (!begun) begin();
      writer.add(delta);
      deps.onDelta(row.id, delta);
    });
    writer.close();
    // What the user stopped says nothing about the service.
    const spared = !signal.aborted && this.heard(row, outcome);
    await this.conclude(row.id, (db, fresh) => {
      if (outcome.type === 'answered') return outcomes.streamAnswered(deps, db, fresh, { driver, outcome });
      if (outcome.type === 'refused') applyRefusal(deps, db, fresh, { ...outcome, spared });
      else outcomes.lost(deps, db, fresh, outcome.error, outcome.stated);
      return none;
    });
    if (!this.closed && outcome.type === 'answered') this.hooks.streamEnded(row.id);
  }

  /**
   * Tells the limits before anything else is claimed. Returns whether the service is out of order for everyone, so that no order is
   * given up for it.
   */
  private heard(row: JobRow, outcome: SubmitOutcome | ChatOutcome): boolean {
    const asked = { profileId: row.profile_id, order: row.id, at: row.sent_at ?? row.created_at };
    this.limits.heardOfOrder(row.lane, asked, reportOfOrder(outcome));
    return this.limits.isOut(row.lane);
  }
}

function applySubmit(
  deps: EngineDeps,
  db: WriteDb,
  row: JobRow,
  outcome: SubmitOutcome,
  { prepared, spared }: { prepared: PreparedOutput[]; spared: boolean },
): string[] {
  switch (outcome.type) {
    case 'accepted':
      outcomes.accepted(deps, db, row, outcome);
      return none;
    case 'done':
      closeAttempt(db, row, 'done', { requestId: outcome.requestId });
      return outcomes.answered(deps, db, row, prepared, outcome);
    case 'refused':
      applyRefusal(deps, db, row, { ...outcome, spared });
      return none;
    case 'unknown':
      if (outcome.task) keepRemote(db, row, outcome.task);
      outcomes.lost(deps, db, row, outcome.error, outcome.stated);
      return none;
  }
}

/** `spared`: the service is out of order for everyone, which is not counted against this order. */
function applyRefusal(
  deps: EngineDeps,
  db: WriteDb,
  row: JobRow,
  { spared, ...refusal }: Omit<Extract<SubmitOutcome, { type: 'refused' }>, 'type'> & { spared: boolean },
): void {
  const { error, billed } = refusal;
  const mayGoAgain = error.accepted === 'no' && error.retryable && billed === 'no';
  const comesBack = error.kind === 'rate_limit' || error.kind === 'network' || error.kind === 'timeout';
  const patient = comesBack || spared || row.tries < SERVER_TRIES;
  if (error.accepted === 'no' && (error.kind === 'auth' || error.kind === 'quota'))
    return outcomes.mendable(deps, db, row, error);
  if (mayGoAgain && patient) {
    // In an outage it is the service that is waited for, not the order.
    const nextAt = deps.clock.now() + resendDelay(spared ? 1 : row.tries, error.retryAfterMs, deps.random);
    return outcomes.deferred(deps, db, row, error, nextAt);
  }
  outcomes.refused(deps, db, row, refusal);
}

/** Stores the text as it arrives, a commit every {@link FLUSH_MS}; what cannot be written goes with the next piece, or with the whole answer. */
function partialWriter(deps: EngineDeps, jobId: string, isClosed: () => boolean) {
  let text = '';
  let reasoning = '';
  let cancel: (() => void) | undefined;
  const flush = (): void => {
    cancel?.();
    cancel = undefined;
    if (isClosed() || (text === '' && reasoning === '')) return;
    try {
      deps.store.transaction((db) => db.run(statements.appendPartial, { id: jobId, text, reasoning }));
    } catch (error) {
      deps.log.error({ job: jobId, error: String(error) }, 'a piece of an answer cannot be written yet');
      return;
    }
    text = '';
    reasoning = '';
  };
  return {
    add: (delta: { channel: 'text' | 'reasoning'; text: string }): void => {
      if (delta.channel === 'text') text += delta.text;
      else reasoning += delta.text;
      cancel ??= deps.clock.after(FLUSH_MS, flush);
    },
    close: flush,
  };
}
