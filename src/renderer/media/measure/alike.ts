import { GRID_SIDE } from '../../../shared/film/measures.ts';
import { CELL_PIXELS } from '../../../shared/library/picture/grid.ts';

/**
 * How often the same picture stands in a row. A frame is compared with the first of its row and not with the one before it, as FFmpeg's
 * `freezedetect` does, so that a slow pan, which differs little from frame to frame, is no repetition.
 */

/**
 * Mean absolute difference of two frames that are still the same, of full scale. An encoder leaves a repeated frame as it is: of H.264 at two
 * qualities no repetition differed by more than 0.00004. What `freezedetect` allows by default, 0.001 over two seconds, is more than a calm
 * scene changes in a third of a second.
 */
const ALIKE = 0.0001;

/** Mean absolute difference that one block of 8 × 8 pixels may have: one level of 255, so that something small that moves is seen. */
const BLOCK_ALIKE = 1 / 255;
const BLOCK = 8;
const SIDE = GRID_SIDE * CELL_PIXELS;
const BLOCKS = SIDE / BLOCK;

/** Counts repetitions of frames as they come, each `SIDE` pixels a side as red, green, blue, alpha. */
export class Repetitions {
  private reference: Uint8ClampedArray | undefined;
  private count = 0;

  /** 0 for a new picture, else which repetition of it this frame is. */
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

/** Whether no block has changed by more than what an encoder leaves of nothing, and neither has the whole. */
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
