import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { LookUpMedia } from '../../shared/readiness.ts';
import type { MediaRef } from '../../shared/request.ts';
import { rememberAssets, rememberJobs, useActiveProfile, useEntities, useNow } from '../app/index.ts';
import { call } from '../client/index.ts';
import { factsOf, type KnownMedia } from './facts.ts';

/** What is known of the media a draft points at; reads what the cache does not have yet. */
export function useKnownMedia(refs: readonly MediaRef[]): KnownMedia & { lookUp: LookUpMedia } {
  const { jobs, assets } = useEntities();
  const profileId = useActiveProfile()?.id;
  const now = useNow();
  const gone = useMissing(refs);
  const known = useMemo(() => ({ jobs, assets, gone, profileId, now }), [jobs, assets, gone, profileId, now]);
  const lookUp = useCallback<LookUpMedia>((ref) => factsOf(ref, known), [known]);
  return useMemo(() => ({ ...known, lookUp }), [known, lookUp]);
}

/** Asks once for every referenced asset and job; keeps the ids that do not exist. */
function useMissing(refs: readonly MediaRef[]): ReadonlySet<string> {
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const asked = useRef(new Set<string>());
  const ids = refs.flatMap((ref) =>
    'assetId' in ref ? [`asset ${ref.assetId}`] : 'jobId' in ref ? [`job ${ref.jobId}`] : [],
  );
  const key = [...new Set(ids)].sort().join('\n');
  useEffect(() => {
    for (const entry of key.split('\n')) {
      if (entry === '' || asked.current.has(entry)) continue;
      asked.current.add(entry);
      void read(entry).then((isGone) => {
        if (isGone) setGone((before) => new Set(before).add(entry.slice(entry.indexOf(' ') + 1)));
      });
    }
  }, [key]);
  return gone;
}

async function read(entry: string): Promise<boolean> {
  const id = entry.slice(entry.indexOf(' ') + 1);
  if (entry.startsWith('asset ')) {
    if (useEntities.getState().assets.has(id)) return false;
    const answer = await call('library.get', { id });
    if (answer.ok) {
      rememberAssets([answer.data]);
      const { jobId } = answer.data;
      return jobId === undefined ? false : readJob(jobId).then(() => false);
    }
    return answer.error.code === 'not_found';
  }
  return readJob(id);
}

async function readJob(id: string): Promise<boolean> {
  if (useEntities.getState().jobs.has(id)) return false;
  const answer = await call('jobs.get', { id });
  if (answer.ok) rememberJobs([answer.data]);
  return !answer.ok && answer.error.code === 'not_found';
}
