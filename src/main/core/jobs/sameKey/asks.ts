import { askAgainOf } from '../../../../shared/idempotency.ts';
import { KEY_UNREADABLE } from '../../../../shared/profile.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { t } from '../../../../shared/texts.ts';
import type { Gateway, RepeatOutcome, SentRequest, SubmitOutcome } from '../../gateway/index.ts';
import type { WriteDb } from '../../store/index.ts';
import { noSuchJob, notInDoubt } from '../commandErrors.ts';
import type { EngineDeps } from '../deps.ts';
import { recordClaim } from '../journaled.ts';
import { signalOfSubmit } from '../limits/healthSignals.ts';
import type { Limits } from '../limits/limits.ts';
import { persist } from '../persist.ts';
import { rowById } from '../records.ts';
import type { JobRow } from '../row.ts';
import * as statements from '../statements.ts';
import { takeResults } from '../takeResults.ts';
import { type Answer, applyAnswer, showsIgnoredKey } from './applyAnswer.ts';
import type { ClockWatch } from './clockWatch.ts';
import type { KeptRequests } from './keptRequests.ts';
import { compareAccounts, keptOf, profilesWithKept } from './sentTable.ts';

export interface AskHooks {
  /** After a commit: these jobs changed. */
  changed(ids: string[]): void;
  taskAccepted(jobId: string): void;
}

interface Begun {
  row: JobRow;
  client: Gateway;
  request: SentRequest & { body: string };
}

const UNREADABLE: Extract<SubmitOutcome, { type: 'unknown' }> = {
  type: 'unknown',
  error: {
    kind: 'server',
    message: t`Something went wrong here while its answer was written.`,
    retryable: false,
    accepted: 'unknown',
  },
};

/** A wrong state while its answer is awaited. */
export const BEING_ASKED = fail('wrong_state', t`It is being asked for again just now; wait for the answer.`);

/**
 * Asks for jobs in doubt again: the same bytes under the same idempotency key, where the service documents that this gives the first
 * order back. The job stays in doubt until the answer is written, so a kill in between changes nothing.
 */
export class Asks {
  private readonly asking = new Map<string, { begun: Promise<unknown>; done: Promise<void> }>();
  private stopped = false;
  private closed = false;
  private readonly deps: EngineDeps;
  private readonly kept: Pick<KeptRequests, 'read'>;
  private readonly limits: Pick<Limits, 'submitStarted' | 'submitEnded'>;
  private readonly clockWatch: Pick<ClockWatch, 'check'>;
  private readonly hooks: AskHooks;

  constructor(
    deps: EngineDeps,
    kept: Pick<KeptRequests, 'read'>,
    limits: Pick<Limits, 'submitStarted' | 'submitEnded'>,
    clockWatch: Pick<ClockWatch, 'check'>,
    hooks: AskHooks,
  ) {
    this.deps = deps;
    this.kept = kept;
    this.limits = limits;
    this.clockWatch = clockWatch;
    this.hooks = hooks;
  }

  isAsking(jobId: string): boolean {
    return this.asking.has(jobId);
  }

  /** Ends once the answer about the job is written, if it is being asked for. */
  async answered(jobId: string): Promise<void> {
    await this.asking.get(jobId)?.done;
  }

  /**
   * Sends the job's request once more. Answers once the intent is on disk: `intend` writes it in one transaction and returns false if
   * it was written before. The answer comes as a change of the job.
   */
  async ask(jobId: string, intend: (write: (db: WriteDb) => Result<string>) => Result<boolean>): Promise<Result<null>> {
    const earlier = this.asking.get(jobId);
    if (earlier) {
      await earlier.begun;
      return BEING_ASKED;
    }
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const begun = this.begin(jobId, intend);
    this.asking.set(jobId, { begun: begun.catch(() => undefined), done });
    void done.then(() => this.asking.delete(jobId));
    const result = await begun.catch((error: unknown) => {
      resolve();
      throw error;
    });
    if (!result.ok || !result.data) {
      resolve();
      return result.ok ? ok(null) : result;
    }
    this.hooks.changed([jobId]);
    void this.send(result.data).finally(resolve);
    return ok(null);
  }

  private async begin(
    jobId: string,
    intend: (write: (db: WriteDb) => Result<string>) => Result<boolean>,
  ): Promise<Result<Begun | null>> {
    const { store, profiles, clock } = this.deps;
    this.clockWatch.check();
    const row = rowById(store.read, jobId);
    if (!row) return noSuchJob;
    const offer = this.offerOf(row);
    if (!offer.ok) return offer;
    const request = await this.kept.read(jobId);
    if (!request.ok) {
      this.hooks.changed([jobId]);
      return request;
    }
    const opened = await profiles.openClient(row.profile_id);
    if (opened.status === 'unreadable') return fail('wrong_state', KEY_UNREADABLE);
    if (opened.status !== 'ready') return fail('wrong_state', t`Its gateway has no key now.`);
    if (this.stopped) return fail('wrong_state', t`Dailies is closing.`);
    const intended = intend((db) => {
      const fresh = rowById(db, jobId);
      const offered = fresh ? this.offerOf(fresh) : noSuchJob;
      if (!offered.ok) return offered;
      db.run(statements.insertAttempt, { id: jobId, at: clock.now(), again: 1, key: request.data.key });
      if (fresh) recordClaim(db, fresh, { again: true });
      return ok(jobId);
    });
    if (!intended.ok) return intended;
    return ok(intended.data ? { row, client: opened.client, request: request.data } : null);
  }

  /** Until when it may be asked for again, or why not. */
  private offerOf(row: JobRow): Result<{ until: number }> {
    if (row.state !== 'uncertain') return notInDoubt;
    const { store, profiles, clock } = this.deps;
    const kept = keptOf(store.read, row);
    const job = { state: row.state, kind: row.kind, profileId: row.profile_id, ...(kept ? { kept } : {}) };
    const offer = askAgainOf(job, profiles.get(row.profile_id), clock.now());
    return offer.can ? ok({ until: offer.until }) : fail('wrong_state', offer.why);
  }

  private async send({ row, client, request }: Begun): Promise<void> {
    const { deps } = this;
    const sentAt = deps.clock.now();
    this.limits.submitStarted(row.lane);
    const answer = await client.repeat(request).catch((error: unknown): RepeatOutcome => {
      deps.log.error(
        { job: row.id, error: String(error) },
        'asking again ended in an exception; nothing is known by it',
      );
      const message = t`Something went wrong here while it was asked for again.`;
      return {
        outcome: { type: 'unknown', error: { kind: 'server', message, retryable: false, accepted: 'unknown' } },
        replayed: false,
      };
    });
    if (this.closed) return;
    this.limits.submitEnded(
      row.lane,
      { profileId: row.profile_id, jobId: row.id, sentAt },
      signalOfSubmit(answer.outcome),
    );
    await this.concludeOrStayInDoubt(row, { ...answer, key: request.key });
  }

  /** What cannot be written for another reason than the disk's is a bug; the job is in doubt again, and says so. */
  private async concludeOrStayInDoubt(row: JobRow, answer: Omit<Answer, 'prepared'>): Promise<void> {
    const failed = (error: unknown): void =>
      this.deps.log.error({ job: row.id, error: String(error) }, 'the answer to asking again could not be written');
    try {
      await this.conclude(row, answer);
    } catch (error) {
      failed(error);
      const task = answer.outcome.type === 'accepted' ? { task: answer.outcome.task } : {};
      await this.conclude(row, { ...answer, outcome: { ...UNREADABLE, ...task } }).catch(failed);
    }
  }

  private async conclude(row: JobRow, answer: Omit<Answer, 'prepared'>): Promise<void> {
    const { deps } = this;
    const isClosed = (): boolean => this.closed;
    const outputs = answer.outcome.type === 'done' ? answer.outcome.outputs : [];
    const prepared = await persist(deps, isClosed, () => deps.library.storeInlineOutputs(outputs));
    if (!prepared) return;
    // First of all, so that an end in between leaves no gateway that goes on taking second orders.
    if (showsIgnoredKey(deps.store.read, row, answer)) deps.events.emit('key.ignored', row.profile_id);
    const write = () =>
      deps.store.grouped((db) => {
        const fresh = rowById(db, row.id);
        return fresh && applyAnswer(deps, db, fresh, { ...answer, prepared });
      });
    const applied = await persist(deps, isClosed, write);
    if (!applied) return;
    this.hooks.changed(applied.changed);
    for (const id of applied.follow) this.hooks.taskAccepted(id);
    for (const id of applied.fetch) await takeResults(deps, isClosed, id, this.hooks.changed);
  }

  /** Compares the secrets of a profile, or of all that have jobs in doubt, with those that these were sent with. */
  async compareAccounts(profileIds: readonly string[] = profilesWithKept(this.deps.store.read)): Promise<void> {
    for (const profileId of profileIds) {
      const opened = await this.deps.profiles.openClient(profileId);
      if (opened.status === 'unreadable') this.deps.events.emit('key.unreadable', profileId);
      if (opened.status !== 'ready' || this.closed) continue;
      const accountOf = (key: string) => opened.client.accountOf(key);
      const changed = this.deps.store.transaction((db) => compareAccounts(db, profileId, accountOf));
      if (changed.length > 0) this.hooks.changed(changed);
    }
  }

  allInFlight(): Promise<void>[] {
    return [...this.asking.values()].map(({ done }) => done);
  }

  /** From now on nothing more is asked for, also where that has begun; answers are written until {@link close}. */
  stop(): void {
    this.stopped = true;
  }

  /** Answers that arrive later are not written: their jobs are in doubt as before. */
  close(): void {
    this.closed = true;
  }
}
