import { useEffect } from 'react';
import { create } from 'zustand';
import type { Asset } from '../../../shared/asset.ts';
import type { Job } from '../../../shared/job.ts';
import { call, type StudioEvent } from '../../client/index.ts';

/**
 * Jobs and assets that a page has shown, by id, kept fresh by events. Lists keep ids and read the things here, so that a change
 * arrives once and is seen everywhere.
 */
export interface EntityState {
  jobs: ReadonlyMap<string, Job>;
  assets: ReadonlyMap<string, Asset>;
}

export const useEntities = create<EntityState>()(() => ({ jobs: new Map(), assets: new Map() }));

/** More than any page shows at once; the oldest shown are forgotten first. */
const KEPT = 5_000;

function withAll<T extends { id: string }>(map: ReadonlyMap<string, T>, items: readonly T[]): ReadonlyMap<string, T> {
  const next = new Map(map);
  for (const item of items) {
    next.delete(item.id);
    next.set(item.id, item);
  }
  for (const id of next.keys()) {
    if (next.size <= KEPT) break;
    next.delete(id);
  }
  return next;
}

/** Puts jobs of an answer, with their outputs, into the cache. */
export function rememberJobs(jobs: readonly Job[]): void {
  if (jobs.length === 0) return;
  useEntities.setState((state) => ({
    jobs: withAll(state.jobs, jobs),
    assets: withAll(
      state.assets,
      jobs.flatMap((job) => job.outputs),
    ),
  }));
}

export function rememberAssets(assets: readonly Asset[]): void {
  if (assets.length > 0) useEntities.setState((state) => ({ assets: withAll(state.assets, assets) }));
}

export function patchEntities(event: StudioEvent): void {
  if (event.type === 'job.changed') rememberJobs([event.job]);
  if (event.type === 'asset.changed') rememberAssets([event.asset]);
}

/** Ids that are being read, so that a hundred rows do not ask a hundred times. */
const asking = new Set<string>();

async function read(key: string, work: () => Promise<void>): Promise<void> {
  if (asking.has(key)) return;
  asking.add(key);
  await work();
  asking.delete(key);
}

/** A job by id; reads it where no list has brought it yet. */
export function useJob(id: string | undefined): Job | undefined {
  const job = useEntities((state) => (id === undefined ? undefined : state.jobs.get(id)));
  const missing = id !== undefined && job === undefined;
  useEffect(() => {
    if (!missing) return;
    void read(`job ${id}`, async () => {
      const answer = await call('jobs.get', { id });
      if (answer.ok) rememberJobs([answer.data]);
    });
  }, [id, missing]);
  return job;
}

/** An asset by id; reads it where no list has brought it yet. */
export function useAsset(id: string | undefined): Asset | undefined {
  const asset = useEntities((state) => (id === undefined ? undefined : state.assets.get(id)));
  const missing = id !== undefined && asset === undefined;
  useEffect(() => {
    if (!missing) return;
    void read(`asset ${id}`, async () => {
      const answer = await call('library.get', { id });
      if (answer.ok) rememberAssets([answer.data]);
    });
  }, [id, missing]);
  return asset;
}
