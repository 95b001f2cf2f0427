import { type CSSProperties, type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { clock } from '../model/timeline.ts';

/** Seconds per arrow key with Shift. */
const LARGE_STEP = 1;

interface TrimHandleProps {
  label: string;
  className: string;
  style: CSSProperties;
  /** The width of its track in seconds. */
  total: number;
  /** Position in seconds of the file. */
  value: number;
  range: readonly [least: number, most: number];
  /** Seconds per arrow key. */
  step: number;
  /** Positions per second. */
  perSecond: number;
  onValue(value: number): void;
}

/** The in or out point of a file: dragged, or moved by arrow keys. */
export function TrimHandle({
  label,
  className,
  style,
  total,
  value,
  range,
  step,
  perSecond,
  onValue,
}: TrimHandleProps) {
  const drag = useRef<{ x: number; from: number; perPixel: number }>(undefined);
  const [least, most] = range;
  const set = (next: number) => {
    const tidy = Math.max(least, Math.min(most, Math.round(next * perSecond) / perSecond));
    if (tidy !== value) onValue(tidy);
  };
  const move = ({ clientX }: PointerEvent<HTMLElement>) => {
    if (drag.current) set(drag.current.from + (clientX - drag.current.x) * drag.current.perPixel);
  };
  const grab = ({ currentTarget, pointerId, clientX }: PointerEvent<HTMLElement>) => {
    const width = currentTarget.parentElement?.clientWidth ?? 0;
    if (width <= 0) return;
    currentTarget.setPointerCapture(pointerId);
    // Trimming changes the track's length, so the scale of this drag is kept.
    drag.current = { x: clientX, from: value, perPixel: total / width };
  };
  const key = (event: KeyboardEvent) => {
    const next = nextOf(event, { value, range, step });
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    set(next);
  };
  return (
    <span
      className={className}
      style={style}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={value}
      aria-valuetext={clock(value, 1)}
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
  { value, range: [least, most], step }: Pick<TrimHandleProps, 'value' | 'range' | 'step'>,
): number | undefined {
  if (altKey || ctrlKey || metaKey) return undefined;
  if (key === 'Home') return least;
  if (key === 'End') return most;
  const way = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[key];
  return way === undefined ? undefined : value + way * (shiftKey ? LARGE_STEP : step);
}
