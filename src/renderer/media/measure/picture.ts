import type { MediaMeasures } from '../../../shared/measures.ts';
import { GRID_SIDE } from '../../../shared/measures.ts';
import { CELL_PIXELS, gridOf, meanLab, textOfGrid } from '../../../shared/picture/grid.ts';

/** Measures a picture as a clip of one frame; throws with one sentence where it cannot be read. */
export async function measurePicture(bytes: Blob): Promise<MediaMeasures> {
  const bitmap = await createImageBitmap(bytes).catch(() => {
    throw new Error('The picture cannot be decoded.');
  });
  const { width, height } = bitmap;
  const side = GRID_SIDE * CELL_PIXELS;
  const context = new OffscreenCanvas(side, side).getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('This browser cannot draw pictures.');
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, side, side);
  bitmap.close();
  const grid = gridOf(context.getImageData(0, 0, side, side).data);
  const [l, a, b] = meanLab(grid);
  const cells = textOfGrid(grid);
  const frame = { at: 0, lab: [rounded(l), rounded(a), rounded(b)] as [number, number, number], change: null };
  return {
    seconds: 0,
    pictures: { width, height, frames: 1, fps: 0, first: cells, last: cells, start: [frame], end: [frame] },
  };
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;
