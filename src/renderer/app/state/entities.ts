import { useEffect, useMemo } from 'react';
import { create } from 'zustand';
import type { Conversation } from '../../../shared/chat/conversation.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { call, type StudioEvent } from '../../client/index.ts';
import { newerOf } from './newest.ts';
import { useStudio } from './studio.ts';

/**
 * Jobs, assets and conversations by id, kept fresh by events. Lists hold ids and read the objects here, so that a change arrives once and
 * shows everywhere. Of two copies the greater revision wins, whichever came last.
 */
export interface EntityState {
  jobs: ReadonlyMap<string, Job>;
  assets: ReadonlyMap<string, Asset>;
  conversations: ReadonlyMap<string, Conversation>;
}

export const useEntities = create<EntityState>()(() => ({
  jobs: new Map(),
  assets: new Map(),
  conversations: new Map(),
}));

/** Objects that nothing shows are dropped beyond this number, oldest first. */
const KEPT = 5_000;

/** The number of mounted components per object; those are not dropped. */
const held = new Map<string, number>();

/** Keeps these in the cache until the returned function is called. */
export function keepCached(ids: readonly string[]): () => void {
  for (const id of ids) held.set(id, (held.get(id) ?? 0) + 1);
  return () => {
    for (const id of ids) {
      const left = (held.get(id) ?? 0) - 1;
      if (left > 0) held.set(id, left);
      else held.delete(id);
    }
  };
}

function withAll<T extends { id: string; revision: number }>(
  map: ReadonlyMap<string, T>,
  items: readonly T[],
): ReadonlyMap<string, T> {
  if (items.length === 0) return map;
  const next = new Map(map);
  for (const item of items) {
    const newer = newerOf(next.get(item.id), item);
    next.delete(item.id);
    next.set(item.id, newer);
  }
  for (const id of next.keys()) {
    if (next.size <= KEPT) break;
    if (!held.has(id)) next.delete(id);
  }
  return next;
}

/** Gives a job its newest results: a result may change without an event about its job. */
function withResults(
  jobs: ReadonlyMap<string, Job>,
  assets: ReadonlyMap<string, Asset>,
  ids: readonly string[],
): ReadonlyMap<string, Job> {
  const changed = new Map<string, Job>();
  for (const id of ids) {
    const job = jobs.get(id);
    const outputs = job?.outputs.map((output) => newerOf(assets.get(output.id), output));
    if (job && outputs?.some((output, index) => output !== job.outputs[index])) changed.set(id, { ...job, outputs });
  }
  return changed.size === 0 ? jobs : new Map([...jobs, ...changed]);
}

/** The state with these jobs, their outputs, and these assets added. */
function withNews(state: EntityState, jobs: readonly Job[], news: readonly Asset[]): Partial<EntityState> {
  const assets = withAll(state.assets, [...jobs.flatMap(({ outputs }) => outputs), ...news]);
  const ids = [...jobs.map(({ id }) => id), ...news.flatMap(({ jobId }) => jobId ?? [])];
  return { jobs: withResults(withAll(state.jobs, jobs), assets, ids), assets };
}

/** Caches the jobs of an answer, with their outputs. */
export const cacheJobs = (jobs: readonly Job[]): void => useEntities.setState((state) => withNews(state, jobs, []));

export const cacheAssets = (news: readonly Asset[]): void => useEntities.setState((state) => withNews(state, [], news));

export const cacheConversations = (news: readonly Conversation[]): void =>
  useEntities.setState(({ conversations }) => ({ conversations: withAll(conversations, news) }));

/** The newest known copy of a job. */
export function knownJob(id: string): Job | undefined {
  const [cached, told] = [useEntities.getState().jobs.get(id), arrived.jobs.get(id)];
  return told ? newerOf(cached, told) : cached;
}

/** Whether a newer copy of this job is known. */
export function isOutdated(job: Job): boolean {
  const known = knownJob(job.id);
  return known !== undefined && job.revision < known.revision;
}

/**
 * After a lost connection changes may have been missed, and the studio may have an older, restored database. Everything read from now on
 * counts as newer than the cache.
 */
export function markEntitiesStale(): void {
  // Pending events belong to the old database.
  cacheAllArrived();
  const marked = <T extends { revision: number }>(thing: T): T => ({ ...thing, revision: STALE_REVISION });
  useEntities.setState(({ jobs, assets, conversations }) => ({
    jobs: new Map([...jobs].map(([id, job]) => [id, { ...marked(job), outputs: job.outputs.map(marked) }])),
    assets: new Map([...assets].map(([id, asset]) => [id, marked(asset)])),
    conversations: new Map([...conversations].map(([id, conversation]) => [id, marked(conversation)])),
  }));
}

/** Lower than every revision of the studio. */
const STALE_REVISION = 0;

/** Whether an object must be read: it is unknown, or from before the connection was lost. */
export const needsReading = (thing: { revision: number } | undefined): boolean =>
  thing === undefined || thing.revision === STALE_REVISION;

/** Objects of events in the current task, not cached yet. */
const arrived = { jobs: new Map<string, Job>(), assets: new Map<string, Asset>() };

/** Caches all events of a task at once: a busy stream delivers hundreds in one task, and every update copies the cache. */
export function patchEntities(event: StudioEvent): void {
  if (event.type !== 'job.changed' && event.type !== 'asset.changed') return;
  if (arrived.jobs.size + arrived.assets.size === 0) setTimeout(cacheAllArrived);
  if (event.type === 'job.changed') arrived.jobs.set(event.job.id, newerOf(arrived.jobs.get(event.job.id), event.job));
  else arrived.assets.set(event.asset.id, newerOf(arrived.assets.get(event.asset.id), event.asset));
}

function cacheAllArrived(): void {
  const [jobs, assets] = [[...arrived.jobs.values()], [...arrived.assets.values()]];
  arrived.jobs.clear();
  arrived.assets.clear();
  useEntities.setState((state) => withNews(state, jobs, assets));
}

/** Ids being read, so that a hundred rows do not read the same object a hundred times. */
const asking = new Set<string>();

async function read(key: string, work: () => Promise<void>): Promise<void> {
  if (asking.has(key)) return;
  asking.add(key);
  await work();
  asking.delete(key);
}

/** Keeps a shown object cached and reads it if missing. A failed reading is repeated whenever the studio comes back. */
function useRead(
  id: string | undefined,
  isMissing: boolean,
  readOne: (id: string, when: string) => Promise<void>,
): void {
  const life = useStudio((state) => state.connection);
  useEffect(() => (id === undefined ? undefined : keepCached([id])), [id]);
  useEffect(() => {
    if (id !== undefined && isMissing) void readOne(id, `${life}`);
  }, [id, isMissing, life, readOne]);
}

/** The newest copies of an answer's jobs. They stay cached while shown, since the answer's own copies become old. */
export function useListedJobs(listed: readonly Job[]): readonly Job[] {
  const jobs = useEntities((state) => state.jobs);
  useEffect(() => {
    cacheJobs(listed);
    return keepCached(listed.map(({ id }) => id));
  }, [listed]);
  return useMemo(() => listed.map((job) => jobs.get(job.id) ?? job), [listed, jobs]);
}

/** A job by id; read if no list has brought it yet. */
export function useJob(id: string | undefined): Job | undefined {
  const job = useEntities((state) => (id === undefined ? undefined : state.jobs.get(id)));
  useRead(id, needsReading(job), readJob);
  return job;
}

/**
 * A job by id with its whole request: lists and events cut long requests, and this reads the job once. Until then the cut one is returned
 * (`requestCut`).
 */
export function useWholeJob(id: string | undefined): Job | undefined {
  const job = useJob(id);
  const cut = job?.requestCut && !needsReading(job) ? job.revision : undefined;
  const life = useStudio((state) => state.connection);
  useEffect(() => {
    if (id !== undefined && cut !== undefined) void readJob(id, `${life} ${cut}`);
  }, [id, cut, life]);
  return job;
}

const readJob = (id: string, when: string): Promise<void> =>
  read(`job ${id} ${when}`, async () => {
    const answer = await call('jobs.get', { id });
    if (answer.ok) cacheJobs([answer.data]);
  });

const readAsset = (id: string, when: string): Promise<void> =>
  read(`asset ${id} ${when}`, async () => {
    const answer = await call('library.get', { id });
    if (answer.ok) cacheAssets([answer.data]);
  });

/** An asset by id; read if no list has brought it yet. */
export function useAsset(id: string | undefined): Asset | undefined {
  const asset = useEntities((state) => (id === undefined ? undefined : state.assets.get(id)));
  useRead(id, needsReading(asset), readAsset);
  return asset;
}
