import { formatLength } from '../../../../shared/contract/duration.ts';

/** The place of each shot in film time, in seconds. */
export interface Span {
  shotId: string;
  start: number;
  seconds: number;
  /** The start in its own time, if its take is trimmed. */
  from?: number;
}

export function spansOf(shots: readonly Omit<Span, 'start'>[]): Span[] {
  let start = 0;
  return shots.map((shot) => {
    const span = { ...shot, start };
    start += shot.seconds;
    return span;
  });
}

/** The film time at which a shot's own time would begin without its trim. */
export const ownStart = ({ start, from = 0 }: Span): number => start - from;

/** The end of its part in its own time, in milliseconds. */
export const ownEndMs = ({ seconds, from = 0 }: Span): number => Math.round((from + seconds) * 1_000);

export const totalSeconds = (spans: readonly Span[]): number => spans.reduce((sum, { seconds }) => sum + seconds, 0);

/** The span at a time; the last one at and after the end. */
export function spanAt(spans: readonly Span[], at: number): Span | undefined {
  return spans.findLast(({ start }) => at >= start) ?? spans[0];
}

/** `0:12`, `2:59:34`, or `0:12.6` with one decimal. */
export function clock(seconds: number, decimals = 0): string {
  const unit = 10 ** decimals;
  const units = Math.max(0, decimals === 0 ? Math.floor(seconds) : Math.round(seconds * unit));
  const rest = decimals === 0 ? '' : `.${String(units % unit).padStart(decimals, '0')}`;
  return `${formatLength(Math.floor(units / unit))}${rest}`;
}

/** Distances between printed ticks that leave about `least` pixels for each. */
export function tickStep(total: number, width: number, least = 64): number {
  const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600];
  return steps.find((step) => (step / Math.max(1, total)) * width >= least) ?? 1_200;
}
