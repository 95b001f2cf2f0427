import { useEffect, useMemo } from 'react';
import { create } from 'zustand';
import type { Conversation } from '../../../shared/chat/conversation.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { call, type StudioEvent } from '../../client/index.ts';
import { newerOf } from './newest.ts';
import { useStudio } from './studio.ts';

/**
 * Jobs, assets and conversations that a page has shown, by id, kept fresh by events. Lists keep ids and read the things here, so that a change
 * arrives once and is seen everywhere. Of two copies the one with the greater revision is kept, whichever came last.
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

/** What nothing shows any more is forgotten beyond so many, the oldest first. */
const KEPT = 5_000;

/** How many of what is mounted show a thing; it is not forgotten. */
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

/** A job shows its results as they are known: a result may change without an event about its job. */
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

/** What is known with these jobs, their outputs, and these assets. */
function withNews(state: EntityState, jobs: readonly Job[], news: readonly Asset[]): Partial<EntityState> {
  const assets = withAll(state.assets, [...jobs.flatMap(({ outputs }) => outputs), ...news]);
  const ids = [...jobs.map(({ id }) => id), ...news.flatMap(({ jobId }) => jobId ?? [])];
  return { jobs: withResults(withAll(state.jobs, jobs), assets, ids), assets };
}

/** Puts jobs of an answer, with their outputs, into the cache. */
export const cacheJobs = (jobs: readonly Job[]): void => useEntities.setState((state) => withNews(state, jobs, []));

export const cacheAssets = (news: readonly Asset[]): void => useEntities.setState((state) => withNews(state, [], news));

export const cacheConversations = (news: readonly Conversation[]): void =>
  useEntities.setState(({ conversations }) => ({ conversations: withAll(conversations, news) }));

/** The job as it was told last. */
export function knownJob(id: string): Job | undefined {
  const [cached, told] = [useEntities.getState().jobs.get(id), arrived.jobs.get(id)];
  return told ? newerOf(cached, told) : cached;
}

/** Whether a newer copy of this job is known than the one that has come. */
export function isOutdated(job: Job): boolean {
  const known = knownJob(job.id);
  return known !== undefined && job.revision < known.revision;
}

/**
 * The studio was away: changes may have been missed, and it may have come back with an older database, put back from a backup. What is
 * read from now on is newer than what is known.
 */
export function markEntitiesStale(): void {
  // What was told before is of the old database.
  cacheAllArrived();
  const marked = <T extends { revision: number }>(thing: T): T => ({ ...thing, revision: STALE_REVISION });
  useEntities.setState(({ jobs, assets, conversations }) => ({
    jobs: new Map([...jobs].map(([id, job]) => [id, { ...marked(job), outputs: job.outputs.map(marked) }])),
    assets: new Map([...assets].map(([id, asset]) => [id, marked(asset)])),
    conversations: new Map([...conversations].map(([id, conversation]) => [id, marked(conversation)])),
  }));
}

/** Older than every revision of the studio. */
const STALE_REVISION = 0;

/** Whether a thing has to be read: it is not known, or was known before the studio was away. */
export const needsReading = (thing: { revision: number } | undefined): boolean =>
  thing === undefined || thing.revision === STALE_REVISION;

/** Those that came in a task that is not over yet. */
const arrived = { jobs: new Map<string, Job>(), assets: new Map<string, Asset>() };

/** In one go right after: a stream that was busy delivers hundreds of changes in one task, and each change of the cache copies it. */
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

/** Ids that are being read, so that a hundred rows do not ask a hundred times. */
const asking = new Set<string>();

async function read(key: string, work: () => Promise<void>): Promise<void> {
  if (asking.has(key)) return;
  asking.add(key);
  await work();
  asking.delete(key);
}

/** Keeps a thing that is shown, and reads it where it is missing; a reading that failed is tried again each time the studio comes back. */
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

/** The jobs of an answer as they are known by now. They are not forgotten while they are shown: the answer's own copies are old by then. */
export function useListedJobs(listed: readonly Job[]): readonly Job[] {
  const jobs = useEntities((state) => state.jobs);
  useEffect(() => {
    cacheJobs(listed);
    return keepCached(listed.map(({ id }) => id));
  }, [listed]);
  return useMemo(() => listed.map((job) => jobs.get(job.id) ?? job), [listed, jobs]);
}

/** A job by id; reads it where no list has brought it yet. */
export function useJob(id: string | undefined): Job | undefined {
  const job = useEntities((state) => (id === undefined ? undefined : state.jobs.get(id)));
  useRead(id, needsReading(job), readJob);
  return job;
}

/**
 * A job by id with its whole request, for what takes words from it: a list and an event bring the beginning of a long one, and each of
 * those is read once. Until it is there, it is the one that was cut (`requestCut`).
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

/** An asset by id; reads it where no list has brought it yet. */
export function useAsset(id: string | undefined): Asset | undefined {
  const asset = useEntities((state) => (id === undefined ? undefined : state.assets.get(id)));
  useRead(id, needsReading(asset), readAsset);
  return asset;
}
