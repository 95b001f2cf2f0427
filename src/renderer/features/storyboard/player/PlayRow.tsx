import { t } from '../../../../shared/texts.ts';
import { timecode } from '../../../player/frames.ts';
import { MuteButton, PlayButtons, Rate } from '../../../player/PlayButtons.tsx';
import playerStyles from '../../../player/player.module.css';
import { usePlayer, usePlayerState } from '../../../player/usePlayer.ts';
import { formatLength } from '../../../ui/index.ts';
import { clock } from '../model/timeline.ts';
import type { ShotView } from '../model/view.ts';
import type { FilmSound } from '../sound/useFilmSound.ts';
import type { BoardHandle } from '../useBoard.ts';
import type { ClipPlayer } from './clipPlayer.ts';
import { FilmStrip } from './FilmStrip.tsx';
import styles from './player.module.css';
import { ShotTrim } from './ShotTrim.tsx';
import { useFilmKeys } from './Transport.tsx';

interface PlayRowProps {
  board: BoardHandle;
  shot: ShotView;
  player: ClipPlayer | undefined;
  sound: FilmSound;
}

/** Plays the film, and shows where it is. */
export function PlayRow({ board, shot, player, sound: { total } }: PlayRowProps) {
  usePlayer(player, 'film');
  useFilmKeys(player, total);
  return (
    <div className={`${playerStyles.transport} ${styles.playRow}`} role="toolbar" aria-label={t`Player`}>
      <PlayButtons player={player} />
      <Time player={player} total={total} />
      <FilmStrip board={board} selected={shot} player={player}>
        <ShotTrim board={board} shot={shot} player={player} total={total} />
      </FilmStrip>
      <MuteButton />
    </div>
  );
}

/** The frame is spoken, and shown on hover; how fast it plays stands in the place of the length. */
function Time({ player, total }: { player: ClipPlayer | undefined; total: number }) {
  const { seconds } = usePlayerState(player);
  return (
    <span className={`nums ${styles.filmTime}`} role="timer" aria-label={t`Time`} title={timecode(seconds)}>
      <b>{clock(seconds)}</b> <Rate player={player} />
      <span className="t2">/ {formatLength(total)}</span>
    </span>
  );
}
