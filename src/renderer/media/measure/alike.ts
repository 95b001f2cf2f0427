import { GRID_SIDE } from '../../../shared/film/measures.ts';
import { CELL_PIXELS } from '../../../shared/library/picture/grid.ts';

/**
 * Counts how often a picture repeats. As in FFmpeg's `freezedetect`, a frame is compared with the first of its run, not the previous one: a
 * slow pan, which changes little per frame, is no repetition.
 */

/**
 * The mean absolute difference, as a share of full scale, up to which two frames are the same. Encoders keep repeated frames unchanged: in
 * H.264 at two qualities no repetition differed by more than 0.00004. The default of `freezedetect`, 0.001 over two seconds, is more than a
 * calm scene changes in a third of a second.
 */
const ALIKE = 0.0001;

/** The mean absolute difference up to which a block of 8 × 8 pixels is the same: one level of 255, so that small moving things count. */
const BLOCK_ALIKE = 1 / 255;
const BLOCK = 8;
const SIDE = GRID_SIDE * CELL_PIXELS;
const BLOCKS = SIDE / BLOCK;

/** Counts repetitions in a stream of frames of `SIDE` × `SIDE` pixels in RGBA. */
export class Repetitions {
  private reference: Uint8ClampedArray | undefined;
  private count = 0;

  /** 0 for a new picture, otherwise the number of the repetition. */
  next(pixels: Uint8ClampedArray): number {
    if (this.reference && areAlike(this.reference, pixels)) {
      this.count += 1;
      return this.count;
    }
    this.reference = pixels;
    this.count = 0;
    return 0;
  }
}

/** Whether neither any block nor the whole has changed beyond encoding noise. */
export function areAlike(one: Uint8ClampedArray, other: Uint8ClampedArray): boolean {
  const blocks = new Uint32Array(BLOCKS * BLOCKS);
  let sum = 0;
  for (let y = 0; y < SIDE; y++) {
    const row = Math.floor(y / BLOCK) * BLOCKS;
    for (let x = 0; x < SIDE; x++) {
      const at = (y * SIDE + x) * 4;
      const difference =
        Math.abs((one[at] ?? 0) - (other[at] ?? 0)) +
        Math.abs((one[at + 1] ?? 0) - (other[at + 1] ?? 0)) +
        Math.abs((one[at + 2] ?? 0) - (other[at + 2] ?? 0));
      if (difference === 0) continue;
      sum += difference;
      const block = row + Math.floor(x / BLOCK);
      blocks[block] = (blocks[block] ?? 0) + difference;
    }
  }
  const limit = BLOCK_ALIKE * BLOCK * BLOCK * 3 * 255;
  return sum <= ALIKE * SIDE * SIDE * 3 * 255 && blocks.every((block) => block <= limit);
}
