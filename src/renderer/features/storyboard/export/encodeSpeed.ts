import { useEffect, useState } from 'react';
import type { Export } from '../../../../shared/filmExport.ts';

/** How fast this machine encodes a film: measured on the films that it encoded, kept by this window's storage. */

/** What a film is to the encoder: pixels a frame, and frames. */
export interface FilmSize {
  pixels: number;
  frames: number;
}

const PLACE = 'dailies.encodedPixelsPerSecond';

/** Pixels a second, of the last film that was encoded; undefined before the first. */
export function knownSpeed(): number | undefined {
  const kept = Number(window.localStorage.getItem(PLACE));
  return Number.isFinite(kept) && kept > 0 ? kept : undefined;
}

/** Seconds that a film would take at a speed in pixels a second; undefined where none was measured. */
export function encodeSeconds({ pixels, frames }: FilmSize, speed: number | undefined): number | undefined {
  return speed === undefined || pixels * frames === 0 ? undefined : (pixels * frames) / speed;
}

/** Remembers how long a film took from its start, waiting for others included. */
export function rememberSpeed(one: Pick<Export, 'state' | 'mode' | 'createdAt' | 'finishedAt'>, size: FilmSize): void {
  if (one.state !== 'done' || one.mode !== 'encode' || one.finishedAt === undefined) return;
  const seconds = Math.max(0.1, (one.finishedAt - one.createdAt) / 1_000);
  window.localStorage.setItem(PLACE, String(Math.round((size.pixels * size.frames) / seconds)));
}

/** Whether this browser encodes H.264 itself; undefined while it is asked. Without it the encoder that is shipped does, in software. */
export function useEncodesH264({ width, height }: { width: number; height: number }): boolean | undefined {
  const [can, setCan] = useState<boolean>();
  useEffect(() => {
    let isCurrent = true;
    void canEncode(width, height).then((answer) => isCurrent && setCan(answer));
    return () => {
      isCurrent = false;
    };
  }, [width, height]);
  return can;
}

/** High profile, level 4.0: what a film is encoded as. */
const CODEC = 'avc1.640028';

async function canEncode(width: number, height: number): Promise<boolean> {
  if (width === 0 || typeof VideoEncoder === 'undefined') return false;
  try {
    return (await VideoEncoder.isConfigSupported({ codec: CODEC, width, height })).supported === true;
  } catch {
    return false;
  }
}
