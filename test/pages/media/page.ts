import { makeFilm } from '../../../src/renderer/media/film/makeFilm.ts';
import { measureMedia } from '../../../src/renderer/media/measure/measure.ts';
import { makePicture } from '../../../src/renderer/media/pictures.ts';
import type { FilmTask } from '../../../src/shared/filmTask.ts';

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

/** Makes a film of files that the server gives; answers its bytes, the largest piece that was written, and what was reported. */
async function film(task: Omit<FilmTask, 'id'>, files: Record<string, string>, softwareOnly: boolean) {
  let bytes = new Uint8Array(0);
  let largest = 0;
  const progress: number[] = [];
  const startedAt = performance.now();
  const desk = {
    bytes: async (assetId: string) => (await fetch(files[assetId] ?? '')).blob(),
    write: async (at: number, piece: Uint8Array) => {
      largest = Math.max(largest, piece.length);
      if (at + piece.length > bytes.length) {
        const longer = new Uint8Array(at + piece.length);
        longer.set(bytes);
        bytes = longer;
      }
      bytes.set(piece, at);
    },
    progress: async (percent: number) => void progress.push(percent),
  };
  try {
    const report = await makeFilm(task, desk, { softwareOnly });
    const ms = performance.now() - startedAt;
    return { report, largest, progress: [progress[0], progress.at(-1)], ms, bytes: base64(bytes) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 32_768) text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return btoa(text);
}

/** Measures a file given as bytes. */
const measure = (bytes: number[]) =>
  measureMedia(new Blob([Uint8Array.from(bytes)])).catch((error: unknown) => ({ error: String(error) }));

Object.assign(window, { handles: { make, measure, film } });
