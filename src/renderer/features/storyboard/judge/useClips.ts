import { useEffect, useRef, useState } from 'react';
import type { Asset } from '../../../../shared/asset.ts';
import { isPlayable } from '../../../../shared/film.ts';
import { type Job, resultsOf } from '../../../../shared/job.ts';
import { useEntities } from '../../../app/index.ts';
import { type SyncedClip, SyncPlayer } from '../audition/syncPlayer.ts';
import { useBoardView } from '../useBoard.ts';

/** Clips of a job that can be played: those on this disk. */
export const clipsOf = (job: Job | undefined): Asset[] => (job ? resultsOf(job).filter(isPlayable) : []);

const SECONDS_UNKNOWN = 8;

/** Plays the clips among the results of these jobs in step; the first one of the job that is looked at is heard. */
export function useClips(ids: readonly string[], soloId: string) {
  const [player] = useState(() => new SyncPlayer());
  const videos = useRef(new Map<string, HTMLVideoElement>());
  const { isMuted, isLooping } = useBoardView();
  const key = useEntities(({ jobs }) => ids.flatMap((id) => clipsOf(jobs.get(id)).map((clip) => clip.id)).join());
  const { jobs } = useEntities.getState();
  const clips = ids.flatMap((id) => clipsOf(jobs.get(id)));
  const heard = clipsOf(jobs.get(soloId))[0]?.id ?? '';
  const latest = useRef(clips);
  latest.current = clips;
  useEffect(() => {
    const synced = latest.current.flatMap(({ id, seconds = SECONDS_UNKNOWN }): SyncedClip[] => {
      const video = videos.current.get(id);
      return video ? [{ video, seconds }] : [];
    });
    player.load(synced, key, 0);
  }, [player, key]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other clips begin without a sound.
  useEffect(() => player.listenTo(videos.current.get(heard), 1, isMuted), [player, heard, isMuted, key]);
  useEffect(() => {
    player.isLooping = isLooping;
  }, [player, isLooping]);
  useEffect(() => () => player.dispose(), [player]);
  const onVideo = (id: string) => (video: HTMLVideoElement | null) => {
    if (video) videos.current.set(id, video);
    else videos.current.delete(id);
  };
  return { player, onVideo, seconds: Math.max(0, ...clips.map(({ seconds = SECONDS_UNKNOWN }) => seconds)) };
}
