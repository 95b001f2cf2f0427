import type { CallParsed } from '../../../shared/contract.ts';
import type { Job, Verdict } from '../../../shared/job.ts';
import type { ShownPrice } from '../../../shared/ledger.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { currentNightRun } from '../night/index.ts';
import type { Store, WriteDb } from '../store/index.ts';
import { noSuchJob, notInDoubt } from './commandErrors.ts';
import type { EngineDeps } from './deps.ts';
import { type EnqueueInput, noNightPlanned, validateRequests, writeJobs } from './enqueue.ts';
import { streamDriverOf } from './kinds/index.ts';
import { moveToNight } from './nightMembership.ts';
import { readJob, rowById } from './records.ts';
import { retryAsNew } from './retryAsNew.ts';
import type { JobRow } from './row.ts';
import { watchSoftCaps } from './softCaps.ts';
import * as statements from './statements.ts';
import * as changes from './userChanges.ts';
import { reevaluate, reevaluateReservation, savePaused } from './waiting.ts';
import { type MadeClip, writeMade } from './writeMade.ts';

/** The parts of the running engine that commands act on. */
export interface EngineParts {
  scheduler: { prioritize(jobId: string): void };
  poller: { lookUp(jobId: string): Promise<void> };
  runner: { abort(jobId: string): void; isInFlight(jobId: string): boolean };
  /** After a commit: emits what changed, and sends what may be sent now. */
  announce(ids: string[]): void;
}

/** What the user and other modules ask of the engine. */
export class JobCommands {
  private readonly deps: EngineDeps;
  private readonly store: Store;
  private readonly parts: EngineParts;
  private readonly retrying = new Map<string, Promise<Result<Job>>>();

  constructor(deps: EngineDeps, parts: EngineParts) {
    this.deps = deps;
    this.store = deps.store;
    this.parts = parts;
  }

  async enqueue(input: EnqueueInput): Promise<Result<{ jobs: Job[] }>> {
    const profile = this.deps.profiles.active();
    const validated = await validateRequests(this.deps, profile, input.requests);
    if (!validated.ok) return validated;
    const softCaps = watchSoftCaps(this.deps, input);
    const written = this.store.transaction((db) => writeJobs(this.deps, db, profile, input));
    if (!written.ok) return written;
    this.prioritizeFirst(written.data);
    this.announce(written.data);
    softCaps.warn();
    const rows = written.data.flatMap((id) => rowById(this.store.read, id) ?? []);
    return ok({ jobs: rows.map((row) => readJob(this.store.read, row)) });
  }

  /**
   * For documents that write rows of their own with a job: validates the requests. Then {@link write} writes the jobs in the document's
   * transaction, and {@link announce} follows its commit.
   */
  validate(input: EnqueueInput): Promise<Result<null>> {
    return validateRequests(this.deps, this.deps.profiles.active(), input.requests);
  }

  write(db: WriteDb, input: EnqueueInput): Result<string[]> {
    const written = writeJobs(this.deps, db, this.deps.profiles.active(), input);
    if (written.ok) this.prioritizeFirst(written.data);
    return written;
  }

  /** Writes an ended job whose clip came with the program, in the caller's transaction; {@link announce} follows its commit. */
  writeMade(db: WriteDb, made: MadeClip): string {
    return writeMade(this.deps, db, made);
  }

  announce(ids: string[]): void {
    this.parts.announce(ids);
  }

  cancel(id: string): Result<Job> {
    const result = this.change(id, (db, row) => changes.cancel(this.deps, db, row));
    if (result.ok && streamDriverOf(result.data)) this.parts.runner.abort(id);
    return result;
  }

  /**
   * A blocked job goes on; a failed or canceled one is enqueued as a new job, since ended rows are kept as they are. Two calls at the same
   * time (a double click) enqueue one.
   */
  retry(id: string, shown?: ShownPrice): Promise<Result<Job>> {
    const known = this.retrying.get(id);
    if (known) return known;
    const started = this.retryOnce(id, shown).finally(() => this.retrying.delete(id));
    this.retrying.set(id, started);
    return started;
  }

  private async retryOnce(id: string, shown: ShownPrice | undefined): Promise<Result<Job>> {
    const row = rowById(this.store.read, id);
    if (!row) return noSuchJob;
    if (row.state === 'blocked') {
      return this.change(id, (db, fresh) => {
        const unblocked = changes.unblock(this.deps, db, fresh, shown);
        // A waiting time that the service asked for also applies to the user.
        if (unblocked.ok && row.reason !== 'rate') this.parts.scheduler.prioritize(id);
        return unblocked;
      });
    }
    if (row.state !== 'failed' && row.state !== 'canceled') {
      return fail('wrong_state', 'Only a failed, canceled or blocked job can be tried again.');
    }
    const retried = await retryAsNew(this.deps, row, shown);
    if (!retried.ok) return retried;
    this.parts.scheduler.prioritize(retried.data);
    this.announce([retried.data]);
    return this.get(retried.data);
  }

  /** Moves a waiting job before another one, or to the end. */
  move(id: string, before: string | undefined): Result<Job> {
    return this.change(id, (db, row) => changes.move(this.deps, db, row, before));
  }

  /** Allows a job of unknown price that a hard cap blocks to be sent once. */
  allowUnpriced(id: string, shown?: ShownPrice): Result<Job> {
    return this.change(id, (db, row) => changes.allowUnpriced(this.deps, db, row, shown));
  }

  setVerdict(id: string, verdict: Verdict | null): Result<Job> {
    return this.change(id, (db) => {
      db.run(statements.saveVerdict, { id, verdict });
      return ok([id]);
    });
  }

  /** The user's three ways out of doubt. A look-up never submits again, and changes nothing if the service does not know the task. */
  async resolve(id: string, as: 'lookup' | 'lost' | 'resend', shown?: ShownPrice): Promise<Result<Job>> {
    const row = rowById(this.store.read, id);
    if (!row) return noSuchJob;
    if (row.state !== 'uncertain') return notInDoubt;
    if (as === 'lookup') {
      if (row.remote) await this.parts.poller.lookUp(id);
      return this.get(id);
    }
    if (as === 'lost') return this.change(id, (db, fresh) => changes.writeOff(this.deps, db, fresh));
    return this.change(id, (db, fresh) => {
      const sent = changes.resend(this.deps, db, fresh, shown);
      if (sent.ok) this.parts.scheduler.prioritize(id);
      return sent;
    });
  }

  /** Settles the cost in doubt of an ended job by the bill. */
  settleDoubt(id: string, billedNano: number): Result<Job> {
    // An answer that is still awaited would be charged in addition to the bill.
    const isAwaited = this.parts.runner.isInFlight(id);
    return this.change(id, (db, row) => changes.settleDoubt(this.deps, db, row, { billedNano, isAwaited }));
  }

  setPaused(paused: boolean): void {
    const changed = this.store.transaction((db) => {
      savePaused(db, paused);
      if (paused) return db.all<{ id: string }>(statements.pauseAll);
      const held = db.all<JobRow>(statements.blockedBy, { reason: 'paused' });
      return held.filter((row) => reevaluate(this.deps, db, row));
    });
    this.announce(changed.map(({ id }) => id));
  }

  /** Moves waiting jobs into the night that is planned or open, or out of theirs. All or none. */
  assignNight({ ids, night, shown }: CallParsed<'night.assign'>): Result<null> {
    const moved = this.store.transaction((db) => {
      const run = night ? currentNightRun(db) : undefined;
      return night && !run ? noNightPlanned : moveToNight(this.deps, db, { ids, run, shown });
    });
    if (!moved.ok) return moved;
    this.announce(moved.data);
    return ok(null);
  }

  /** The price of waiting jobs was changed: they reserve their new cost, or wait for money. In the caller's transaction; {@link announce} follows. */
  repriced(db: WriteDb, ids: string[]): void {
    for (const id of ids) reevaluateReservation(this.deps, db, id);
  }

  /** Only one job of a batch is tried at once; the others follow if it was accepted. */
  private prioritizeFirst([first]: string[]): void {
    if (first !== undefined) this.parts.scheduler.prioritize(first);
  }

  /** Changes a job in one transaction, announces the changed ids, and returns the job. */
  private change(id: string, work: (db: WriteDb, row: JobRow) => Result<string[]>): Result<Job> {
    const result = this.store.transaction((db) => {
      const row = rowById(db, id);
      return row ? work(db, row) : noSuchJob;
    });
    if (!result.ok) return result;
    this.announce(result.data);
    return this.get(id);
  }

  private get(id: string): Result<Job> {
    const row = rowById(this.store.read, id);
    return row ? ok(readJob(this.store.read, row)) : noSuchJob;
  }
}
