import { SkipBack, SkipForward } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../../shared/text/texts.ts';
import { useShortcut } from '../../../app/index.ts';
import { FPS, timecode } from '../../../player/frames.ts';
import { LoopAndMute, PlayButtons, Rate } from '../../../player/PlayButtons.tsx';
import styles from '../../../player/player.module.css';
import type { Player } from '../../../player/player.ts';
import { usePlayer, usePlayerState } from '../../../player/usePlayer.ts';
import { Icon, IconButton } from '../../../ui/index.ts';

interface TransportProps {
  player: Player | undefined;
  /** Length of the board, in seconds. */
  total: number;
  onShot: (step: 1 | -1) => void;
  /** What this player has beside the switches. */
  children?: ReactNode;
}

export function Transport({ player, total, onShot, children }: TransportProps) {
  const { seconds } = usePlayerState(player);
  usePlayer(player, 'film');
  useFilmKeys(player, total);
  return (
    <div className={styles.transport} role="toolbar" aria-label={t`Player`}>
      <span className={`mono ${styles.tc}`} role="timer" aria-label={t`Time`}>
        {timecode(seconds)}
      </span>
      <span className="t3 mono">/ {timecode(total)}</span>
      <IconButton label={t`Previous shot`} onClick={() => onShot(-1)}>
        <Icon of={SkipBack} />
      </IconButton>
      <PlayButtons player={player} />
      <IconButton label={t`Next shot`} onClick={() => onShot(1)}>
        <Icon of={SkipForward} />
      </IconButton>
      {/* What comes and goes stands behind the buttons, so that none of them moves. */}
      <Rate player={player} />
      <span className="grow" />
      {children}
      <LoopAndMute of="film" />
    </div>
  );
}

/** Arrows a frame, Shift and arrows a second, Home and End. */
export function useFilmKeys(player: Player | undefined, total: number): void {
  useShortcut('board.frameBack', () => player?.step(-1));
  useShortcut('board.frameForward', () => player?.step(1));
  useShortcut('board.secondBack', () => player?.step(-FPS));
  useShortcut('board.secondForward', () => player?.step(FPS));
  useShortcut('board.start', () => player?.seek(0));
  useShortcut('board.end', () => player?.seek(total));
}
