import { useEffect, useState } from 'react';
import { mediaUrl } from '../../../client/index.ts';
import type { ClipPlayer } from '../player/clipPlayer.ts';
import { useBoardView } from '../useBoard.ts';
import { TrackPlayer } from './trackPlayer.ts';
import type { FilmSound } from './useFilmSound.ts';

/** Lets the track be heard while the film plays; shows nothing. */
export function TrackSound({ sound, player }: { sound: FilmSound; player: ClipPlayer | undefined }) {
  const isMuted = useBoardView((view) => view.isMuted);
  const [track, setTrack] = useState<TrackPlayer>();
  useEffect(() => {
    if (!player) return;
    const created = new TrackPlayer(player.sound);
    setTrack(created);
    return () => {
      setTrack(undefined);
      created.dispose();
    };
  }, [player]);
  const { mix, master, layouts, trackAsset } = sound;
  useEffect(() => {
    const source = mix.sources.find(({ from }) => from === 'track');
    const isHere = source && trackAsset?.state === 'local';
    track?.load(
      isHere ? { url: mediaUrl(source.assetId), source, master, layout: layouts.get(source.assetId) } : undefined,
    );
  }, [track, mix, master, layouts, trackAsset?.state]);
  useEffect(() => track?.mute(isMuted), [track, isMuted]);
  useEffect(() => {
    if (!track || !player) return;
    const follow = () => track.follow(player.state());
    const stop = player.subscribe(follow);
    return () => {
      stop();
      track.follow({ seconds: 0, isPlaying: false, rate: 1 });
    };
  }, [track, player]);
  return null;
}
