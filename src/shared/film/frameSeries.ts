import { z } from 'zod';

/** Every analysed frame of a clip in ten bytes each, so that limits can change without decoding again. */

/** Up to this length a clip is analysed whole; a longer one in pieces of this total, spread evenly over it. */
export const LOOKED_AT_S = 30;
/** Length of one such piece, in seconds. */
export const PIECE_S = 2;

const PIECES = LOOKED_AT_S / PIECE_S;
/** 120 frames per second, and one more at each end. */
const MOST_FRAMES = LOOKED_AT_S * 120 + 2;
const BYTES = 10;

export interface SeriesFrame {
  /** Seconds since the start of the file. */
  at: number;
  /** Mean brightness of its pixels as they are coded (Rec. 709 luma of sRGB), 0 (black) to 1 (white). */
  light: number;
  /** The same of its brightest cell. */
  peak: number;
  /** Mean absolute difference from the frame before it, 0 to 1; 0 at the first frame of a piece. */
  change: number;
  /** The smallest difference of one of the four frames before it from itself and the three after it: high at a cut, low at a flash. */
  lasting: number;
  /** 0 for a new picture, else the index of the repetition, at most 255. */
  repeats: number;
  /** The first frame of a piece: nothing before it was analysed. */
  isFirst: boolean;
}

export const frameSeriesSchema = z.strictObject({
  /** The start of each piece in seconds, and its number of frames. */
  pieces: z
    .array(z.strictObject({ at: z.number().min(0).max(86_400), frames: z.int().min(1).max(MOST_FRAMES) }))
    .min(1)
    .max(PIECES),
  /** Ten bytes a frame, as base64. */
  frames: z
    .base64()
    .min(4)
    .max(Math.ceil((MOST_FRAMES * BYTES) / 3) * 4),
});
export type FrameSeries = z.infer<typeof frameSeriesSchema>;

const FULL = 65_535;
/** The unit of stored frame times, in seconds. */
const TICK_S = 0.0001;

const whole = (value: number, most: number): number => Math.min(most, Math.max(0, Math.round(value)));

export function packFrames(frames: readonly SeriesFrame[]): FrameSeries {
  const bytes = new DataView(new ArrayBuffer(frames.length * BYTES));
  const pieces: FrameSeries['pieces'] = [];
  let at = 0;
  frames.forEach((frame, index) => {
    const piece = pieces.at(-1);
    if (frame.isFirst || !piece) {
      at = whole(frame.at / TICK_S, Number.MAX_SAFE_INTEGER) * TICK_S;
      pieces.push({ at: Math.round(at * 1e4) / 1e4, frames: 1 });
    } else piece.frames += 1;
    const step = whole((frame.at - at) / TICK_S, FULL);
    at += step * TICK_S;
    const offset = index * BYTES;
    bytes.setUint16(offset, step);
    bytes.setUint16(offset + 2, whole(frame.light * FULL, FULL));
    bytes.setUint16(offset + 4, whole(frame.change * FULL, FULL));
    bytes.setUint16(offset + 6, whole(frame.lasting * FULL, FULL));
    bytes.setUint8(offset + 8, whole(frame.peak * 255, 255));
    bytes.setUint8(offset + 9, whole(frame.repeats, 255));
  });
  return { pieces, frames: textOf(new Uint8Array(bytes.buffer)) };
}

/** The frames in the text, whatever number the series states. */
export function unpackFrames({ pieces, frames: text }: FrameSeries): SeriesFrame[] {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const bytes = new DataView(packed.buffer);
  const frames: SeriesFrame[] = [];
  for (const piece of pieces) {
    let { at } = piece;
    for (let nth = 0; nth < piece.frames; nth++) {
      const offset = frames.length * BYTES;
      if (offset + BYTES > packed.length) return frames;
      at += bytes.getUint16(offset) * TICK_S;
      frames.push({
        at: Math.round(at * 1e4) / 1e4,
        light: bytes.getUint16(offset + 2) / FULL,
        change: bytes.getUint16(offset + 4) / FULL,
        lasting: bytes.getUint16(offset + 6) / FULL,
        peak: bytes.getUint8(offset + 8) / 255,
        repeats: bytes.getUint8(offset + 9),
        isFirst: nth === 0,
      });
    }
  }
  return frames;
}

function textOf(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 32_768) text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return btoa(text);
}

/** The analysed parts of a clip: one if it is short, else pieces of {@link PIECE_S} from start to end. */
export function piecesOf(start: number, end: number): { from: number; to: number }[] {
  if (end - start <= LOOKED_AT_S) return [{ from: start, to: end }];
  const step = (end - start - PIECE_S) / (PIECES - 1);
  return Array.from({ length: PIECES }, (_, index) => {
    const from = start + index * step;
    return { from, to: from + PIECE_S };
  });
}
