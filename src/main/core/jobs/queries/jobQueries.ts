import type { CallParsed } from '../../../../shared/contract/contract.ts';
import { ok, type Result } from '../../../../shared/contract/result.ts';
import type { Job, JobInput } from '../../../../shared/jobs/job.ts';
import type { EndedCounts, JobPage } from '../../../../shared/jobs/lists.ts';
import { promptOf } from '../../../../shared/kinds/index.ts';
import {
  type Ancestry,
  type AncestryStep,
  MAX_ANCESTRY_DEPTH,
  MAX_ANCESTRY_STEPS,
} from '../../../../shared/library/ancestry.ts';
import type { Asset } from '../../../../shared/library/asset.ts';
import { taskFromWebhook } from '../../gateway/index.ts';
import { assetById, assetsOfJobs, framesOf, jobsBeingFetched } from '../../library/index.ts';
import { type ReadDb, type Sql, type Store, sql, type WriteDb } from '../../store/index.ts';
import type { EngineDeps } from '../deps.ts';
import { readJob, rowById, saveRemoteTask } from '../jobRepository.ts';
import { driverOf, hasWebhook, kindsWithDriver } from '../kinds/index.ts';
import { isQueuePaused } from '../limits/lanes.ts';
import { noSuchJob } from '../machine.ts';
import { inputsOf } from '../references.ts';
import { costInDoubt, hasOpenTask, isTaskKnown, type JobRow, requestOf } from '../row.ts';
import * as statements from './jobSql.ts';
import { countEnded, listJobs, type MadeJobs, madeJobs } from './listJobs.ts';

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

  /** Jobs with results, of an overnight run or since a time, at most 100 at once. */
  made(which: MadeJobs): ReturnType<typeof madeJobs> {
    return madeJobs(this.store.read, which);
  }

  /** The sources of an asset and the assets made from it; undefined if there is no such asset. */
  ancestry(assetId: string): Ancestry | undefined {
    return this.store.readTransaction((db) => ancestryOf(db, assetId));
  }

  isPaused(): boolean {
    return isQueuePaused(this.store.read);
  }

  /**
   * The number of jobs of a profile that wait, are in progress or unconfirmed, or whose results are being downloaded: they need the
   * profile.
   */
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
    const row = rowById(this.store.read, jobId);
    return row !== undefined && canTakeTaskId(row);
  }

  /** When the next job is due that waits for a time only, not for the user or the network; 0 if one is in progress. */
  nextDueAt(exceptRun?: string): number | undefined {
    const { read } = this.store;
    if (read.one(statements.anyInProgress)) return 0;
    if (isQueuePaused(read)) return undefined;
    return read.one<{ at: number }>(statements.nextTimedWork, { exceptRun: exceptRun ?? '' })?.at;
  }
}

const madeWith = sql(
  'jobInputs.ofAsset',
  'SELECT job_id AS jobId, field FROM job_inputs WHERE asset_id = $id ORDER BY job_id, field LIMIT $limit',
);

type Found = Pick<AncestryStep, 'field' | 'asset' | 'assetId' | 'jobId' | 'uri'>;

/** All sources of an asset and all assets made from it, over any number of steps; undefined if there is no such asset. */
export function ancestryOf(db: ReadDb, id: string): Ancestry | undefined {
  const asset = assetById(db, id);
  if (!asset) return undefined;
  const from = walk(asset, (one) => originsOf(db, one));
  const made = walk(asset, (one) => madeFrom(db, one));
  const cut = [...(from.isCut ? (['from'] as const) : []), ...(made.isCut ? (['made'] as const) : [])];
  return { from: from.steps, made: made.steps, ...(cut.length > 0 ? { truncated: true, cut } : {}) };
}

/** Nearest first. An asset that is reached twice is listed once. */
function walk(start: Asset, next: (asset: Asset) => Found[]): { steps: AncestryStep[]; isCut: boolean } {
  const seen = new Set([start.id]);
  const steps: AncestryStep[] = [];
  const open = [{ asset: start, depth: 0 }];
  for (const { asset: of, depth: before } of open) {
    const depth = before + 1;
    for (const found of next(of).filter(({ asset }) => !asset || !seen.has(asset.id))) {
      if (steps.length === MAX_ANCESTRY_STEPS || depth > MAX_ANCESTRY_DEPTH) return { steps, isCut: true };
      steps.push({ ...found, of: of.id, depth });
      // A source in two fields is listed twice but followed once.
      if (!found.asset || seen.has(found.asset.id)) continue;
      seen.add(found.asset.id);
      open.push({ asset: found.asset, depth });
    }
  }
  return { steps, isCut: false };
}

/** The parent is the clip of a frame, or the edit whose unmasked part was put back. Their own sources follow from them. */
const parentField = ({ role }: Asset): string => (role === 'source' ? 'putBack' : 'parent');

function originsOf(db: ReadDb, asset: Asset): Found[] {
  if (asset.parentId !== undefined) return [{ field: parentField(asset), ...assetOrId(db, asset.parentId) }];
  const row = asset.jobId === undefined ? undefined : rowById(db, asset.jobId);
  if (!row) return [];
  // Jobs of the first versions did not store their inputs.
  const inputs = row.inputs === null ? inputsOf(db, requestOf(row)) : (JSON.parse(row.inputs) as JobInput[]);
  return inputs.map(({ field, assetId, jobId, uri }) => {
    if (assetId !== undefined) return { field, ...assetOrId(db, assetId) };
    return { field, ...(jobId === undefined ? {} : { jobId }), ...(uri === undefined ? {} : { uri }) };
  });
}

function assetOrId(db: ReadDb, assetId: string): Pick<Found, 'asset' | 'assetId'> {
  const asset = assetById(db, assetId);
  return asset ? { asset } : { assetId };
}

function madeFrom(db: ReadDb, { id }: Asset): Found[] {
  const most = MAX_ANCESTRY_STEPS + 1;
  const frames = framesOf(db, id, most).map((asset) => ({ field: parentField(asset), asset }));
  const jobs = db.all<{ jobId: string; field: string }>(madeWith, { id, limit: most });
  const results = assetsOfJobs(db, JSON.stringify(jobs.map(({ jobId }) => jobId)));
  const outputs = jobs.flatMap(({ jobId, field }) => (results.get(jobId) ?? []).map((asset) => ({ field, asset })));
  return [...frames, ...outputs];
}

/**
 * Whether the body of a webhook may name the task of this job: its answer was lost or has not arrived yet, even if an earlier attempt had a
 * task. The id only says which task to poll; the answer to that poll decides.
 */
const canTakeTaskId = (row: JobRow): boolean => !isTaskKnown(row) && awaitsAnswer(row) && hasWebhook(driverOf(row));

/** A canceled job may still be billed, if its task was never known or its polls have ended. */
const awaitsAnswer = (row: JobRow): boolean =>
  row.state === 'sending' ||
  row.state === 'uncertain' ||
  (row.state === 'canceled' && (row.remote_id === null || hasOpenTask(row)) && costInDoubt(row));

/** Saves the task that a webhook's body names, so that it can be polled. Returns whether it was saved. */
export function saveTaskIdFromWebhook(
  deps: Pick<EngineDeps, 'clock'>,
  db: WriteDb,
  jobId: string,
  body: string,
): boolean {
  const row = rowById(db, jobId);
  if (!row || !canTakeTaskId(row)) return false;
  const task = taskFromWebhook(body, { prompt: promptOf(requestOf(row)), at: deps.clock.now() });
  if (!task) return false;
  // The id may be another job's task, such as the base image of an edit.
  const known = { kinds: kindsWithDriver(hasWebhook), profileId: row.profile_id, remoteId: task.id };
  if (db.one(statements.jobByRemoteId, known)) return false;
  saveRemoteTask(db, row, task);
  return true;
}
