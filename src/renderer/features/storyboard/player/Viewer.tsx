import { type CSSProperties, useEffect, useMemo, useRef, useState } from 'react';
import { filmFrameOf } from '../../../../shared/film/filmFormat.ts';
import { shortened } from '../../../../shared/text/shortened.ts';
import { usePlayerValue } from '../../../player/usePlayer.ts';
import { Loading } from '../ClipPicture.tsx';
import type { ShotView } from '../model/view.ts';
import type { FilmSound } from '../sound/useFilmSound.ts';
import { takeName } from '../takeWords.ts';
import { type BoardHandle, takeInView, useBoardView } from '../useBoard.ts';
import { ClipPlayer } from './clipPlayer.ts';
import { Placeholder } from './Placeholder.tsx';
import styles from './player.module.css';
import { clipOf, filmPlaylist, type PlayItem, trackOf } from './playlist.ts';

interface ViewerProps {
  board: BoardHandle;
  shot: ShotView;
  onPlayer: (player: ClipPlayer | undefined) => void;
  /** The gains of the shots during playback of the film. */
  heard: FilmSound;
}

/** The film; a skipped shot is shown alone. */
function playlistOf({ board, shot, heard }: ViewerProps, isFilm: boolean): PlayItem[] {
  if (isFilm) return filmPlaylist(board.shots, heard);
  const clip = clipOf(shot, shot.active);
  return clip ? [clip] : [];
}

/** The picture of the selected take, without tint or rounded corners; or why there is none. */
export function Viewer(props: ViewerProps) {
  const { board, shot, heard, onPlayer } = props;
  const { takes, tab } = useBoardView();
  const host = useRef<HTMLDivElement>(null);
  const [player, setPlayer] = useState<ClipPlayer>();
  useEffect(() => {
    if (!host.current) return;
    const created = new ClipPlayer(host.current);
    setPlayer(created);
    onPlayer(created);
    return () => {
      onPlayer(undefined);
      created.dispose();
    };
  }, [onPlayer]);

  const isFilm = tab === 'sound' || !shot.shot.skipped;
  const items = playlistOf(props, isFilm);
  usePlaylist(player, items, shot);
  const track = useMemo(() => trackOf(heard), [heard]);
  useEffect(() => player?.setTrack(isFilm ? track : undefined), [player, track, isFilm]);
  const error = usePlayerValue(player, (state) => state.error);
  const isLoading = usePlayerValue(player, (state) => state.isLoading);
  const seenId = usePlayerValue(player, (state) => state.shotId);
  const seen = board.shots.find((one) => one.shot.id === seenId) ?? shot;
  const take = takeInView(seen, takes);
  const isHeld = clipOf(seen, take) === undefined;
  return (
    <div className={styles.player} style={{ '--film-ratio': filmRatio(board) } as CSSProperties}>
      <div
        className={`media ${styles.frame}`}
        ref={host}
        role="img"
        aria-label={`${takeName(seen, take)}: ${shortened(seen.shot.prompt, 200)}`}
        hidden={isHeld}
      />
      {isHeld && <Placeholder key={take?.jobId} board={board} shot={seen} take={take} />}
      {isLoading && <Loading />}
      {error && <p className="ov bl">{error}</p>}
    </div>
  );
}

/** Loads a playlist into the player and shows the selected shot. */
function usePlaylist(player: ClipPlayer | undefined, items: readonly PlayItem[], { shot, span }: ShotView): void {
  const key = JSON.stringify(items);
  const { id } = shot;
  const { start } = span;
  useEffect(() => {
    if (!player) return;
    const list = JSON.parse(key) as PlayItem[];
    player.load(list);
    if (list.length > 0 && player.state().shotId !== id) player.seek(start);
  }, [player, key, id, start]);
}

/** The film's aspect ratio, for content drawn in its frame. */
function filmRatio({ board, shots }: BoardHandle): number {
  const { width, height } = filmFrameOf({ format: board?.format, shots: shots.map(({ shot }) => shot) });
  return width / height;
}
