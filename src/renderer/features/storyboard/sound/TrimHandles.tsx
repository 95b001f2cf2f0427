import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { t } from '../../../../shared/texts.ts';
import { clock } from '../model/timeline.ts';
import type { BoardHandle } from '../useBoard.ts';
import { placeOf } from './Lane.tsx';
import styles from './sound.module.css';
import { patchTrack } from './soundEdits.ts';
import type { FilmSound } from './useFilmSound.ts';

/** Seconds of an arrow key, and with Shift. */
const STEP = 0.1;
const LARGE_STEP = 1;
/** What plays of a track is at least this long, in seconds. */
const SHORTEST = 0.1;
/** Of both handles side by side: those of a shorter track do not lie on each other. */
const BOTH_WIDE = 48;

/** Where the file begins and ends to play, at the ends of the track: dragged, or moved by the arrow keys. */
export function TrimHandles({ board, sound }: { board: BoardHandle; sound: FilmSound }) {
  const { track, trackAsset, mix, total } = sound;
  const source = mix.sources.find(({ from }) => from === 'track');
  const file = trackAsset?.seconds;
  if (!track || !source || file === undefined || total <= 0) return null;
  const out = Math.min(track.out ?? file, file);
  const set = (patch: { in?: number; out?: number }) => board.sync.editContent(patchTrack(patch));
  return (
    <>
      <Handle
        label={t`In point of the track`}
        side="l"
        at={0}
        total={total}
        value={track.in}
        range={[0, out - SHORTEST]}
        onValue={(value) => set({ in: value })}
      />
      <Handle
        label={t`Out point of the track`}
        side="r"
        at={source.end}
        total={total}
        value={track.in + source.end}
        range={[track.in + SHORTEST, file]}
        onValue={(value) => set({ out: value })}
      />
    </>
  );
}

interface HandleProps {
  label: string;
  side: 'l' | 'r';
  /** Seconds of the film at which it stands. */
  at: number;
  /** Of the film. */
  total: number;
  /** Seconds of the file. */
  value: number;
  range: readonly [least: number, most: number];
  onValue(value: number): void;
}

function Handle({ label, side, at, total, value, range: [least, most], onValue }: HandleProps) {
  const { left } = placeOf(at, at, total);
  const drag = useRef<{ x: number; from: number }>(undefined);
  const set = (next: number) => {
    const tidy = Math.round(Math.max(least, Math.min(most, next)) * 100) / 100;
    if (tidy !== value) onValue(tidy);
  };
  const move = (event: PointerEvent<HTMLElement>) => {
    const lane = event.currentTarget.parentElement?.clientWidth ?? 0;
    if (drag.current && lane > 0) set(drag.current.from + ((event.clientX - drag.current.x) / lane) * total);
  };
  const grab = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, from: value };
  };
  const key = (event: KeyboardEvent) => {
    const next = nextOf(event, value, [least, most]);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    set(next);
  };
  return (
    <span
      className={`${styles.trim} ${side}`}
      style={{ left: side === 'r' ? `max(${left}, ${BOTH_WIDE}px)` : left }}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={value}
      aria-valuetext={t`${clock(value, 1)} of the file`}
      title={t`Drag, or arrow keys; with Shift by a second`}
      onPointerDown={grab}
      onPointerMove={move}
      onPointerUp={() => {
        drag.current = undefined;
      }}
      onKeyDown={key}
    />
  );
}

function nextOf(
  { key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent,
  value: number,
  [least, most]: HandleProps['range'],
): number | undefined {
  if (altKey || ctrlKey || metaKey) return undefined;
  if (key === 'Home') return least;
  if (key === 'End') return most;
  const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[key];
  return step === undefined ? undefined : value + step * (shiftKey ? LARGE_STEP : STEP);
}
