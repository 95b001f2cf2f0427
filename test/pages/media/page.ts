import { measureMedia } from '../../../src/renderer/media/measure/measure.ts';
import { makePicture } from '../../../src/renderer/media/pictures.ts';

/** Makes a picture of a file given as bytes, and tells its size and the colour of its middle. */
async function make(kind: 'thumbnail' | 'lastFrame', mime: string, bytes: number[]) {
  try {
    const picture = await makePicture({ kind, mime }, new Blob([Uint8Array.from(bytes)], { type: mime }));
    const bitmap = await createImageBitmap(picture);
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context?.drawImage(bitmap, 0, 0);
    const middle = context?.getImageData(bitmap.width / 2, bitmap.height / 2, 1, 1).data;
    return { type: picture.type, width: bitmap.width, height: bitmap.height, red: middle?.[0] };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** Measures a file given as bytes. */
const measure = (bytes: number[]) =>
  measureMedia(new Blob([Uint8Array.from(bytes)])).catch((error: unknown) => ({ error: String(error) }));

Object.assign(window, { handles: { make, measure } });
