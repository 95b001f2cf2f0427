import type { MaskDocument } from './document.ts';
import { rasterise } from './rasterise.ts';

/** What was grown or filled is shown from pixels: of a larger picture from so many along its longer side. */
const MOST_SHOWN = 2_048;

/** The white of a document as pixels of a colour, the rest bare. */
export function paintedPixels(document: MaskDocument, colour: string): ImageBitmap {
  const scale = Math.min(1, MOST_SHOWN / Math.max(document.width, document.height));
  const { width, height, data } = rasterise(document, scale);
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) return canvas.transferToImageBitmap();
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  for (let index = 0; index < data.length; index++) if (data[index] === 255) pixels[index] = 0xff_ff_ff_ff;
  context.putImageData(image, 0, 0);
  context.globalCompositeOperation = 'source-in';
  context.fillStyle = colour;
  context.fillRect(0, 0, width, height);
  return canvas.transferToImageBitmap();
}
