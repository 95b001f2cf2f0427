import type { CallParsed } from '../../../shared/contract/contract.ts';
import { ok, type Result } from '../../../shared/contract/result.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import type { EndedCounts, JobPage } from '../../../shared/jobs/lists.ts';
import type { Ancestry } from '../../../shared/library/ancestry.ts';
import { jobsBeingFetched } from '../library/index.ts';
import type { ReadDb, Sql, Store } from '../store/index.ts';
import { ancestryOf } from './ancestry.ts';
import { noSuchJob } from './commandErrors.ts';
import { hasWebhook, kindsWithDriver } from './kinds/index.ts';
import { countEnded, listJobs, type MadeJobs, madeJobs } from './listJobs.ts';
import { isQueuePaused } from './pauses.ts';
import { lacksTaskId } from './polls/webhookTaskId.ts';
import { readJob, rowById } from './records.ts';
import * as statements from './statements.ts';

/** Reads jobs for other modules. It needs only the database, so modules that the engine depends on can use it too. */
export class JobQueries {
  private readonly store: Pick<Store, 'read' | 'readTransaction'>;

  constructor(store: Pick<Store, 'read' | 'readTransaction'>) {
    this.store = store;
  }

  get(id: string): Result<Job> {
    const row = rowById(this.store.read, id);
    return row ? ok(readJob(this.store.read, row)) : noSuchJob;
  }

  /** `isPlay`: whether the active profile spends play money. */
  list(filter: CallParsed<'jobs.list'>, isPlay: boolean, within?: ReadDb): JobPage {
    const read = (db: ReadDb) => listJobs(db, filter, isPlay);
    return within ? read(within) : this.store.readTransaction(read);
  }

  /** `isPlay`: whether the active profile spends play money. */
  ended({ since, play }: CallParsed<'jobs.ended'>, isPlay: boolean): EndedCounts {
    return countEnded(this.store.read, since, play ?? isPlay);
  }

  /** Jobs with results, of a night or since a moment, at most 100 at once. */
  made(which: MadeJobs): ReturnType<typeof madeJobs> {
    return madeJobs(this.store.read, which);
  }

  /** What an asset was made from, and what was made from it; undefined if there is no such asset. */
  ancestry(assetId: string): Ancestry | undefined {
    return this.store.readTransaction((db) => ancestryOf(db, assetId));
  }

  isPaused(): boolean {
    return isQueuePaused(this.store.read);
  }

  /** The number of jobs of a profile that wait, are in progress or in doubt, or whose results are being downloaded: they need the profile. */
  openJobs(profileId: string): number {
    return this.countOfProfile(statements.openOfProfile, profileId);
  }

  /**
   * The number of jobs of a profile that its service has accepted, or may be accepting, or whose results it still holds: only this service
   * knows their tasks.
   */
  jobsAtService(profileId: string): number {
    return this.countOfProfile(statements.atService, profileId);
  }

  private countOfProfile(statement: Sql, profileId: string): number {
    const fetched = JSON.stringify(jobsBeingFetched(this.store.read, profileId));
    return this.store.read.one<{ n: number }>(statement, { profileId, fetched })?.n ?? 0;
  }

  /** The jobs for which a service may still call a webhook, with the secrets of their addresses. */
  openWebhooks(): { jobId: string; secret: string }[] {
    return this.store.read.all(statements.openWebhooks, { kinds: kindsWithDriver(hasWebhook) });
  }

  /** Whether the job's task is unknown, so that the body of a webhook may name it. */
  lacksTaskId(jobId: string): boolean {
    return lacksTaskId(this.store.read, jobId);
  }

  /** When the next job is due that waits for a time only, not for the user or the network; 0 if one is in progress. */
  nextDueAt(exceptRun?: string): number | undefined {
    const { read } = this.store;
    if (read.one(statements.anyInProgress)) return 0;
    if (isQueuePaused(read)) return undefined;
    return read.one<{ at: number }>(statements.nextTimedWork, { exceptRun: exceptRun ?? '' })?.at;
  }
}
