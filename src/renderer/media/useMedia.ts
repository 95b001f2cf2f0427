import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { castOf } from '../../shared/board/castReferences.ts';
import type { Job } from '../../shared/jobs/job.ts';
import type { LookUpMedia, MediaRef } from '../../shared/library/mediaRef.ts';
import {
  cacheAssets,
  cacheJobs,
  keepCached,
  needsReading,
  useActiveProfile,
  useEntities,
  useNow,
  useStudio,
} from '../app/index.ts';
import { call } from '../client/index.ts';
import { factsOf, type KnownMedia } from './facts.ts';

/** The known facts of a draft's media; reads what the cache lacks. */
export function useKnownMedia(refs: readonly MediaRef[]): KnownMedia & { lookUp: LookUpMedia } {
  const cache = useCacheOf(refs);
  const profileId = useActiveProfile()?.id;
  const now = useNow();
  const gone = useMissing(refs);
  const known = useMemo(() => ({ ...cache, gone, profileId, now }), [cache, gone, profileId, now]);
  const lookUp = useCallback<LookUpMedia>((ref) => factsOf(ref, known), [known]);
  return useMemo(() => ({ ...known, lookUp }), [known, lookUp]);
}

type Cache = Pick<KnownMedia, 'jobs' | 'assets'>;

/** The cache, with a new render only if an object behind the references changes. */
export function useCacheOf(refs: readonly MediaRef[]): Cache {
  const things = useEntities(useShallow((cache) => refs.flatMap((ref) => thingsOf(ref, cache))));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cache is read again when one of `things` has changed.
  return useMemo(() => {
    const { jobs, assets } = useEntities.getState();
    return { jobs, assets };
  }, [things]);
}

function thingsOf(ref: MediaRef, { jobs, assets }: Cache): unknown[] {
  if ('jobId' in ref) return thingsOfJob(jobs.get(ref.jobId), assets);
  if (!('assetId' in ref)) return [];
  const asset = assets.get(ref.assetId);
  return [asset, jobs.get(asset?.jobId ?? '')];
}

/** A job, its results with their last frames (also before out points), and the reference images of its cast. */
function thingsOfJob(job: Job | undefined, assets: Cache['assets']): unknown[] {
  const outputs = job?.outputs.flatMap(({ id, lastFrameId = '', outFrames = {} }) =>
    [id, lastFrameId, ...Object.values(outFrames)].map((one) => assets.get(one)),
  );
  return [job, ...(outputs ?? []), ...(castOf(job) ?? []).map(({ assetId }) => assets.get(assetId ?? ''))];
}

/** Reads every referenced asset and job that is not cached; keeps the ids that do not exist. */
function useMissing(refs: readonly MediaRef[]): ReadonlySet<string> {
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const asking = useRef(new Set<string>());
  const ids = refs.flatMap((ref) =>
    'assetId' in ref ? [`asset ${ref.assetId}`] : 'jobId' in ref ? [`job ${ref.jobId}`] : [],
  );
  const key = [...new Set(ids)].sort().join('\n');
  // Shown objects stay cached.
  useEffect(() => keepCached(key.split('\n').map(idOf)), [key]);
  const unknown = useEntities(({ jobs, assets }) =>
    key
      .split('\n')
      .filter((entry) => entry !== '' && needsReading((entry.startsWith('asset ') ? assets : jobs).get(idOf(entry))))
      .join('\n'),
  );
  // A failed reading is repeated whenever the connection is back, since the database may have changed.
  const life = useStudio((state) => state.connection);
  useEffect(() => {
    for (const entry of unknown.split('\n')) {
      const question = `${life} ${entry}`;
      if (entry === '' || asking.current.has(question)) continue;
      asking.current.add(question);
      void read(entry).then((isGone) => {
        asking.current.delete(question);
        setGone((before) => withOrWithout(before, idOf(entry), isGone));
      });
    }
  }, [unknown, life]);
  return gone;
}

function withOrWithout(ids: ReadonlySet<string>, id: string, isIn: boolean): ReadonlySet<string> {
  if (ids.has(id) === isIn) return ids;
  return new Set(isIn ? [...ids, id] : [...ids].filter((other) => other !== id));
}

const idOf = (entry: string): string => entry.slice(entry.indexOf(' ') + 1);

async function read(entry: string): Promise<boolean> {
  const id = idOf(entry);
  if (entry.startsWith('asset ')) {
    if (!needsReading(useEntities.getState().assets.get(id))) return false;
    const answer = await call('library.get', { id });
    if (answer.ok) {
      cacheAssets([answer.data]);
      const { jobId } = answer.data;
      return jobId === undefined ? false : readJob(jobId).then(() => false);
    }
    return answer.error.code === 'not_found';
  }
  return readJob(id);
}

async function readJob(id: string): Promise<boolean> {
  if (!needsReading(useEntities.getState().jobs.get(id))) return false;
  const answer = await call('jobs.get', { id });
  if (answer.ok) cacheJobs([answer.data]);
  return !answer.ok && answer.error.code === 'not_found';
}
