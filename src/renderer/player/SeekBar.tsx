import type { KeyboardEvent, PointerEvent, ReactNode } from 'react';
import styles from './player.module.css';
import type { Player } from './player.ts';
import { usePlayerValue } from './usePlayer.ts';

interface SeekBarProps {
  player: Player | undefined;
  /** The accessible name. */
  label: string;
  /** Length in seconds, if it differs from the player's; 0 while unknown. */
  total?: number;
  /** The time for screen readers. */
  textOf: (seconds: number) => string;
  /** Called instead of seeking the player. */
  onSeek?: (seconds: number) => void;
  children?: ReactNode;
}

/** Drag or keys: arrows a second, Page five, Home and End. */
export function SeekBar({ player, label, textOf, children, ...props }: SeekBarProps) {
  const seconds = usePlayerValue(player, (state) => state.seconds);
  const length = usePlayerValue(player, (state) => state.total);
  const { total = length, onSeek = (at: number) => player?.seek(at) } = props;
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (event.type === 'pointerdown') event.currentTarget.setPointerCapture(event.pointerId);
    else if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const box = event.currentTarget.getBoundingClientRect();
    onSeek(((event.clientX - box.left) / box.width) * total);
  };
  const key = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -5, PageDown: 5, Home: -total, End: total }[event.key];
    if (step === undefined || event.altKey || event.shiftKey) return;
    event.preventDefault();
    onSeek(seconds + step);
  };
  return (
    <div
      className={styles.seek}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.round(total * 100) / 100}
      aria-valuenow={Math.round(seconds * 100) / 100}
      aria-valuetext={textOf(seconds)}
      onPointerDown={drag}
      onPointerMove={drag}
      onKeyDown={key}
    >
      {children}
      {total > 0 && <span className={styles.head} style={{ left: `${Math.min(100, (seconds / total) * 100)}%` }} />}
    </div>
  );
}
