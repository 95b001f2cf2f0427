import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallParsed } from '../../../../shared/contract/contract.ts';
import { fail, ok, type Reason, type Result } from '../../../../shared/contract/result.ts';
import type { Profile } from '../../../../shared/gateway/profile.ts';
import type { Job, Verdict } from '../../../../shared/jobs/job.ts';
import type { StudioRequest } from '../../../../shared/kinds/index.ts';
import { en } from '../../../../shared/text/texts.ts';
import { priceChanged } from '../../ledger/index.ts';
import { earlierResult, type KeyedCall, keyedCall, onceByKey } from '../../requestKeys/index.ts';
import type { ReadDb, Store, WriteDb } from '../../store/index.ts';
import { FOLLOWED_PER_TURN, PER_SLICE } from '../../timeSlicing.ts';
import type { EngineDeps } from '../deps.ts';
import { advance, readJob, readJobs, rowById, rowsByIds } from '../jobRepository.ts';
import { streamDriverOf } from '../kinds/index.ts';
import { isPaused, savePaused } from '../limits/lanes.ts';
import { noSuchJob, noSuchProject, notInDoubt, otherProfileChosen } from '../machine.ts';
import { isShortOfMoney } from '../nightMembership.ts';
import * as statements from '../queries/jobSql.ts';
import { reevaluate, reevaluateReservation } from '../reevaluate.ts';
import { type JobRow, priceOfRow } from '../row.ts';
import { BEING_ASKED, type IdempotentRetries } from '../sending/idempotentRetries.ts';
import type { BatchWriter } from './batchWriter.ts';
import type { BulkHooks } from './bulkWrites.ts';
import {
  type EnqueueInput,
  RequestsInHand,
  reasonsAgainst,
  retryAsNew,
  validateRequests,
  type WriteInput,
  writeJobs,
} from './enqueue.ts';
import { type ImportedJob, type MadeClip, writeImportedJob, writeSampleJob } from './importedJobs.ts';
import { goneOf, type PlannedJobs } from './mediaFacts.ts';
import * as changes from './userChanges.ts';

/** The parts of the running engine that commands act on. */
export interface EngineParts extends Pick<BulkHooks, 'announce' | 'canceled'> {
  /** Sums, budgets or pauses have changed; jobs may be unchanged. */
  sumsChanged(): void;
  scheduler: { prioritize(jobId: string): void };
  poller: { lookUp(jobId: string): Promise<void>; isAsking(jobId: string): boolean };
  runner: { abort(jobId: string): void; isInFlight(jobId: string): boolean };
  asks: Pick<IdempotentRetries, 'ask' | 'isAsking'>;
  /** Writes many in slices, all or none, and announces them. */
  enqueueMany: BatchWriter['enqueueAll'];
}

/** Commands of the user and of other modules. */
export class JobCommands {
  private readonly deps: EngineDeps;
  private readonly store: Store;
  private readonly parts: EngineParts;
  readonly inUse = new RequestsInHand();

  constructor(deps: EngineDeps, parts: EngineParts) {
    this.deps = deps;
    this.store = deps.store;
    this.parts = parts;
  }

  enqueue(input: EnqueueInput): Promise<Result<{ jobs: Job[] }>> {
    return this.inUse.during(input.requests, () => this.enqueueOnce(input));
  }

  private async enqueueOnce(input: EnqueueInput): Promise<Result<{ jobs: Job[] }>> {
    const call = keyedCall('jobs.enqueue', input);
    const earlier = earlierResult<string[]>(this.store.read, call);
    const profile = this.deps.profiles.active();
    // The jobs of the first call may still be being written.
    if (earlier?.ok && areMany(input)) return this.enqueueMany(input, profile, call);
    if (earlier) return earlier.ok ? ok({ jobs: this.jobsOf(earlier.data) }) : earlier;
    const validated = await validateRequests(this.deps, profile, input.requests);
    if (!validated.ok) return validated;
    if (areMany(input)) return this.enqueueMany(input, profile, call);
    const { projectId } = input;
    const isKnown = (db: ReadDb) => projectId === undefined || this.deps.projects.has(db, projectId);
    const written = this.once(call, (db) => (isKnown(db) ? this.writeFirst(db, profile, input) : noSuchProject));
    if (!written.ok) return written;
    const { made: ids, isRepeat } = written.data;
    if (!isRepeat) this.announce();
    return ok({ jobs: this.jobsOf(ids) });
  }

  /** As a batch: one transaction of hundreds of jobs would be one long turn of the event loop. */
  private async enqueueMany(
    { requests, projectId, night, shown }: EnqueueInput,
    profile: Profile,
    call: KeyedCall | undefined,
  ): Promise<Result<{ jobs: Job[] }>> {
    const written = await this.parts.enqueueMany(
      { call, shown, made: (ids) => ids },
      profile,
      requests.map((request) => ({ request, projectId, night })),
    );
    if (!written.ok) return written;
    const jobs: Job[] = [];
    for (let from = 0; from < written.data.length; from += READ_PER_TURN) {
      if (from > 0) await nextTurn();
      jobs.push(...this.jobsOf(written.data.slice(from, from + READ_PER_TURN)));
    }
    return ok({ jobs });
  }

  /**
   * For documents that write rows of their own with a job: validates the requests, which may refer to jobs that are `planned`, to be
   * written with them. Answers the profile that they were validated for, by default the active one. Then {@link write} writes the jobs
   * for it in the document's transaction, and {@link announce} follows its commit.
   */
  async validate(
    input: EnqueueInput,
    { planned, profile = this.deps.profiles.active() }: { planned?: PlannedJobs; profile?: Profile | undefined } = {},
  ): Promise<Result<Profile>> {
    const validated = await validateRequests(this.deps, profile, input.requests, planned);
    return validated.ok ? ok(profile) : validated;
  }

  /** All reasons why a request cannot be enqueued for this profile. */
  reasons(profile: Profile, request: StudioRequest, planned?: PlannedJobs): Promise<Reason[]> {
    return reasonsAgainst(this.deps, profile, request, planned);
  }

  write(db: WriteDb, profile: Profile, input: WriteInput): Result<string[]> {
    if (this.deps.profiles.active().id !== profile.id) return otherProfileChosen;
    return this.writeFirst(db, profile, input);
  }

  /** Writes the jobs; the first of them is tried at once. */
  private writeFirst(db: WriteDb, profile: Profile, input: WriteInput): Result<string[]> {
    const written = writeJobs(this.deps, db, profile, input);
    if (written.ok) this.prioritizeFirst(written.data);
    return written;
  }

  /** Writes an ended job whose clip came with the program, in the caller's transaction; {@link announce} follows its commit. */
  writeSampleJob(db: WriteDb, made: MadeClip): string {
    return writeSampleJob(this.deps, db, made);
  }

  /** Writes an ended job that a bundle brought from another library, in the caller's transaction. */
  writeImportedJob(db: WriteDb, job: ImportedJob): void {
    writeImportedJob(this.deps, db, job);
  }

  announce(): void {
    this.parts.announce();
  }

  sumsChanged(): void {
    this.parts.sumsChanged();
  }

  cancel(id: string): Result<Job> {
    const result = this.change(id, (db, row) => changes.cancel(this.deps, db, row));
    if (!result.ok) return result;
    if (streamDriverOf(result.data)) this.parts.runner.abort(id);
    this.parts.canceled([id]);
    return result;
  }

  /** The assets of these that can no longer be used in a request to the active gateway. */
  gone(ids: readonly string[]): Promise<string[]> {
    return goneOf(this.deps, ids, this.deps.profiles.active().id);
  }

  /**
   * Resumes a blocked job. A failed or canceled job is enqueued as a new one, because ended rows stay unchanged. Concurrent calls (a double
   * click, or a call about many jobs) enqueue only one, and all of them return it.
   */
  async retry(input: CallParsed<'jobs.retry'>): Promise<Result<Job>> {
    const { id, shown, night } = input;
    const call = keyedCall('jobs.retry', input);
    const earlier = this.earlierJob(call);
    if (earlier) return earlier;
    const row = rowById(this.store.read, id);
    if (!row) return noSuchJob;
    if (row.state === 'blocked') {
      if (night) return fail('wrong_state', en`It waits already; \`night.assign\` moves it into the run.`);
      const unblock = (db: WriteDb, fresh: JobRow) => {
        const unblocked = changes.unblock(this.deps, db, fresh, shown);
        // A waiting time that the service asked for also applies to the user.
        if (unblocked.ok && row.reason !== 'rate') this.parts.scheduler.prioritize(id);
        return unblocked;
      };
      return this.change(id, unblock, call);
    }
    if (row.state !== 'failed' && row.state !== 'canceled') {
      return fail('wrong_state', en`Only a failed, canceled or blocked job can be tried again.`);
    }
    const retried = await retryAsNew(this.deps, row, { shown, night, call, meanwhile: ok });
    if (!retried.ok) return retried;
    const { made: newId, isRepeat } = retried.data;
    if (!isRepeat) {
      this.parts.scheduler.prioritize(newId);
      this.announce();
    }
    return this.get(newId);
  }

  /** Moves a waiting job before another one, or to the end. */
  move(id: string, before: string | undefined): Result<Job> {
    const moved = this.change(id, (db, row) => changes.move(db, row, before));
    // Jobs in front get the money of their overnight run first.
    const { runId } = moved.ok ? moved.data : {};
    if (runId !== undefined && isShortOfMoney(this.store.read, runId)) this.deps.events.emit('night.changed', runId);
    return moved;
  }

  /** Allows a job of unknown price that a hard budget blocks to be sent once. */
  allowUnpriced(input: CallParsed<'jobs.allowUnpriced'>): Result<Job> {
    const { id, shown } = input;
    const call = keyedCall('jobs.allowUnpriced', input);
    return this.change(id, (db, row) => changes.allowUnpriced(this.deps, db, row, shown), call);
  }

  setVerdict(id: string, verdict: Verdict | null): Result<Job> {
    return this.change(id, (db) => {
      db.run(statements.saveVerdict, { id, verdict });
      return ok(null);
    });
  }

  /** Rates many jobs in one transaction. */
  setVerdicts(ids: readonly string[], verdict: Verdict | null): Result<{ judged: number }> {
    this.store.transaction((db) => db.run(statements.saveVerdicts, { ids: JSON.stringify(ids), verdict }));
    this.announce();
    return ok({ judged: ids.length });
  }

  /**
   * The user's decision about an unconfirmed job. A look-up never submits again, and changes nothing if the service does not know the task.
   * A new request is answered once it is stored; its result changes the job later.
   */
  async resolve(input: CallParsed<'jobs.resolve'>): Promise<Result<Job>> {
    const { id, as, shown } = input;
    const call = keyedCall('jobs.resolve', input);
    const earlier = this.earlierJob(call);
    if (earlier) return earlier;
    const row = rowById(this.store.read, id);
    if (!row) return noSuchJob;
    if (row.state !== 'uncertain') return notInDoubt;
    if (as === 'lookup') {
      if (call) this.once(call, () => ok(id));
      if (row.remote) await this.parts.poller.lookUp(id);
      return this.get(id);
    }
    if (as === 'again') return this.askAgain(input, call);
    if (this.parts.asks.isAsking(id)) return BEING_ASKED;
    if (as === 'lost') return this.change(id, (db, fresh) => changes.writeOff(this.deps, db, fresh), call);
    const resend = (db: WriteDb, fresh: JobRow) => {
      const sent = changes.resend(this.deps, db, fresh, shown);
      if (sent.ok) this.parts.scheduler.prioritize(id);
      return sent;
    };
    return this.change(id, resend, call);
  }

  private async askAgain({ id, shown }: CallParsed<'jobs.resolve'>, call: KeyedCall | undefined): Promise<Result<Job>> {
    const asked = await this.parts.asks.ask(id, (write) => {
      const once = this.once(call, (db) => {
        const row = rowById(db, id);
        return (row && priceChanged(shown, priceOfRow(row))) ?? write(db);
      });
      return once.ok ? ok(!once.data.isRepeat) : once;
    });
    return this.earlierJob(call) ?? (asked.ok ? this.get(id) : asked);
  }

  /** The bill lists a job twice whose request was repeated under its key: its cost is the sum, and its gateway ignores idempotency keys. */
  billedTwice(input: CallParsed<'jobs.billedTwice'>): Result<Job> {
    const { id, billedNano } = input;
    let isNew = false;
    const add = (db: WriteDb, row: JobRow) => {
      const added = changes.billedTwice(this.deps, db, row, billedNano);
      isNew = added.ok;
      return added;
    };
    const billed = this.change(id, add, keyedCall('jobs.billedTwice', input));
    if (billed.ok && isNew) this.deps.events.emit('key.ignored', billed.data.profileId);
    return billed;
  }

  /** Settles the unconfirmed cost of an ended job by the bill. */
  settleDoubt(id: string, billedNano: number): Result<Job> {
    // If the answer is still awaited, it would be charged in addition to the bill, and its result would not be fetched.
    const isAwaited = this.parts.runner.isInFlight(id) || this.parts.poller.isAsking(id);
    return this.change(id, (db, row) => changes.settleDoubt(this.deps, db, row, { billedNano, isAwaited }));
  }

  /** Pauses or resumes the queue or one lane. Resumed jobs are evaluated a few at a time. */
  async setPaused(paused: boolean, lane?: { kind: string; profileId: string }): Promise<void> {
    const name = lane && `${lane.kind}:${lane.profileId}`;
    // From this commit on, no job of the lane is sent. The job rows follow, a few at a time.
    this.store.transaction((db) => savePaused(db, name, paused));
    const { read } = this.store;
    const jobs: { id: string }[] = paused
      ? read.all(statements.queuedIds)
      : read.all(statements.blockedBy, { reason: 'paused' });
    const ids = jobs.map(({ id }) => id);
    for (let from = 0; from < ids.length; from += FOLLOWED_PER_TURN) {
      if (from > 0) await nextTurn();
      const slice = ids.slice(from, from + FOLLOWED_PER_TURN);
      this.store.transaction((db) => {
        for (const id of slice) followPause(this.deps, db, id);
      });
      this.announce();
    }
    this.sumsChanged();
  }

  /** Replaces the request of a waiting job that was never sent. */
  async edit(input: CallParsed<'jobs.edit'>): Promise<Result<Job>> {
    const { id, request } = input;
    const call = keyedCall('jobs.edit', input);
    const earlier = this.earlierJob(call);
    if (earlier) return earlier;
    const row = rowById(this.store.read, id);
    if (!row) return noSuchJob;
    const refusal = changes.whyNoEdit(row, input);
    if (refusal) return refusal;
    const profile = this.deps.profiles.get(row.profile_id);
    if (!profile) return fail('wrong_state', en`Its gateway was removed.`);
    const validated = await validateRequests(this.deps, profile, [request]);
    if (!validated.ok) return validated;
    const edit = (db: WriteDb, fresh: JobRow) => {
      const current = this.deps.profiles.get(fresh.profile_id) ?? profile;
      return changes.editJob(this.deps, db, fresh, { profile: current, edit: input });
    };
    return this.change(id, edit, call);
  }

  /** The price of waiting jobs was changed: they reserve their new cost, or wait for money. In the caller's transaction; {@link announce} follows. */
  repriced(db: WriteDb, ids: string[]): void {
    for (const id of ids) reevaluateReservation(this.deps, db, id);
  }

  /** Only the first job of a batch is tried at once; the others follow if it is accepted. */
  prioritizeFirst([first]: string[]): void {
    if (first !== undefined) this.parts.scheduler.prioritize(first);
  }

  /** Changes a job in one transaction, once for the key of the call, and returns it. */
  private change(
    id: string,
    work: (db: WriteDb, row: JobRow) => Result<unknown>,
    call?: KeyedCall | undefined,
  ): Result<Job> {
    const result = this.once(call, (db) => {
      const row = rowById(db, id);
      const worked = row ? work(db, row) : noSuchJob;
      return worked.ok ? ok(id) : worked;
    });
    if (!result.ok) return result;
    if (!result.data.isRepeat) this.announce();
    return this.get(id);
  }

  /** One transaction, once for the key of the call. */
  private once<T>(call: KeyedCall | undefined, make: (db: WriteDb) => Result<T>) {
    return this.store.transaction((db) => onceByKey(db, call, this.deps.clock.now(), () => make(db)));
  }

  /** The job that the first call with this key made or changed, as it is now. */
  private earlierJob(call: KeyedCall | undefined): Result<Job> | undefined {
    const earlier = earlierResult<string>(this.store.read, call);
    return earlier?.ok ? this.get(earlier.data) : earlier;
  }

  private get(id: string): Result<Job> {
    const row = rowById(this.store.read, id);
    return row ? ok(readJob(this.store.read, row)) : noSuchJob;
  }

  private jobsOf(ids: readonly string[]): Job[] {
    return this.store.readTransaction((db) => readJobs(db, rowsByIds(db, ids)));
  }
}

const READ_PER_TURN = 50;

/** Jobs with dependencies or a start time are written at once, because batches support neither. */
const areMany = ({ requests, dependsOn, notBefore }: EnqueueInput): boolean =>
  requests.length > PER_SLICE && dependsOn === undefined && notBefore === undefined;

/** Checks the current pause, which may have changed since the slices began. */
function followPause(deps: EngineDeps, db: WriteDb, id: string): void {
  const row = rowById(db, id);
  if (row?.reason === 'paused') reevaluate(deps, db, row);
  else if (row?.state === 'queued' && isPaused(db, row.lane))
    advance(db, row, { type: 'block', reason: 'paused' }, deps.clock.now());
}
