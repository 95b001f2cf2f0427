import { makePicture } from '../../../src/renderer/media/pictures.ts';

/** Makes a picture of a file given as bytes, and tells its size and the colour of its middle. */
async function make(kind: 'thumbnail' | 'lastFrame', mime: string, bytes: number[]) {
  const task = { id: 'task', assetId: 'asset', kind, mime, name: 'file' };
  try {
    const picture = await makePicture(task, new Blob([Uint8Array.from(bytes)], { type: mime }));
    const bitmap = await createImageBitmap(picture);
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context?.drawImage(bitmap, 0, 0);
    const middle = context?.getImageData(bitmap.width / 2, bitmap.height / 2, 1, 1).data;
    return { type: picture.type, width: bitmap.width, height: bitmap.height, red: middle?.[0] };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

Object.assign(window, { handles: { make } });
