import type { Export } from '../../../../shared/film/filmExport.ts';

/** How fast this machine makes a film: measured on the films that it made, kept by this window's storage. */

/** Pixels a frame, and frames. */
export interface FilmSize {
  pixels: number;
  frames: number;
}

const PLACES = { encode: 'dailies.encodedPixelsPerSecond', join: 'dailies.joinedPixelsPerSecond' } as const;

/** Pixels a second, of the last film that was made so; undefined before the first. */
export function knownSpeed(mode: keyof typeof PLACES): number | undefined {
  const kept = Number(window.localStorage.getItem(PLACES[mode]));
  return Number.isFinite(kept) && kept > 0 ? kept : undefined;
}

/** Seconds that a film would take at a speed in pixels a second; undefined where none was measured. */
export function secondsAt({ pixels, frames }: FilmSize, speed: number | undefined): number | undefined {
  return speed === undefined || pixels * frames === 0 ? undefined : (pixels * frames) / speed;
}

/** Remembers how long a film took from its start, waiting for others included. */
export function rememberSpeed(one: Pick<Export, 'state' | 'mode' | 'createdAt' | 'finishedAt'>, size: FilmSize): void {
  if (one.state !== 'done' || one.mode === undefined || one.finishedAt === undefined) return;
  const seconds = Math.max(0.1, (one.finishedAt - one.createdAt) / 1_000);
  window.localStorage.setItem(PLACES[one.mode], String(Math.round((size.pixels * size.frames) / seconds)));
}
