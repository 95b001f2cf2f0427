import { areSameColours, coloursOf, withProfile } from './colours.ts';
import { compareOutside, isSameOutside, type OutsideChange, restoreOutside } from './compare.ts';
import type { MaskDocument, Point } from './document.ts';
import { type MaskReading, readAsMask } from './imported.ts';
import { encodeMaskPng } from './png.ts';
import { type DecodedPicture, type MaskProof, proveMask } from './proof.ts';
import { paintedPixels, rasterise } from './rasterise.ts';
import { floodRuns, type MaskRaster, type Runs, runsOf } from './runs.ts';

/** Pixel work for the worker; on the page it would drop frames. */
export type MaskTask =
  /** The mask file, and its pixels as the browser decodes them. */
  | { kind: 'prove'; document: MaskDocument; source: { width: number; height: number } }
  /** The white of a mask as pixels of a colour, for display. */
  | { kind: 'paint'; document: MaskDocument; colour: string }
  /** The area around a point, and whether that area is painted. */
  | { kind: 'flood'; document: MaskDocument; at: Point }
  /** A picture as a mask of a given size. With `fit`, a picture of another size is scaled; without it, refused. */
  | { kind: 'import'; picture: Blob; size: { width: number; height: number }; fit: boolean; reading: MaskReading }
  | { kind: 'compare'; before: Blob; after: Blob; mask: Blob }
  | { kind: 'restore'; before: Blob; after: Blob; mask: Blob; feather: number };

export interface MaskAnswers {
  prove: { file: Blob; proof: MaskProof };
  paint: { bitmap: ImageBitmap };
  flood: { runs: Runs; isPainted: boolean };
  import: { width: number; height: number; mask?: { runs: Runs; white: number; file: Blob } };
  compare: { change: OutsideChange | undefined };
  restore: { file: Blob | undefined };
}

async function run(task: MaskTask): Promise<MaskAnswers[MaskTask['kind']]> {
  if (task.kind === 'prove') return prove(task);
  if (task.kind === 'paint') return { bitmap: paintedPixels(task.document, task.colour) };
  if (task.kind === 'import') return readMask(task);
  if (task.kind === 'flood') return flood(task.document, task.at);
  const { before, after, profile } = await alike(task.before, task.after);
  const raster = rasterOf(await decode(task.mask));
  if (task.kind === 'compare') return { change: compareOutside(before, after, raster) };
  if ([before, after].some(({ width, height }) => width !== raster.width || height !== raster.height))
    return { file: undefined };
  restoreOutside(before, after, raster, task.feather);
  const drawn = await pictureFile(after);
  const file = drawn && profile ? await withProfile(drawn, profile) : drawn;
  // The finished file is decoded again. If a pixel outside the mask is not the original's, there is no file.
  return { file: file && isSameOutside(before, await decode(file), raster) ? file : undefined };
}

/**
 * Two pictures whose values mean the same colours: unchanged with their profile where both share one, otherwise converted to sRGB by the
 * browser.
 */
async function alike(one: Blob, other: Blob) {
  const [colours, others] = await Promise.all([coloursOf(one), coloursOf(other)]);
  const isSame = areSameColours(colours, others);
  const how: Decoding = { colorSpaceConversion: isSame ? 'none' : 'default' };
  const [before, after] = await Promise.all([decode(one, how), decode(other, how)]);
  return { before, after, profile: isSame && colours.type === 'profile' ? colours.profile : undefined };
}

async function prove({ document, source }: Extract<MaskTask, { kind: 'prove' }>) {
  const painted = rasterise(document);
  const png = await encodeMaskPng(painted);
  const file = new Blob([png], { type: 'image/png' });
  return { file, proof: proveMask({ png, decoded: await decode(file), painted, source }) };
}

function flood(document: MaskDocument, at: Point) {
  const raster = rasterise(document);
  const place = Math.floor(at.y) * raster.width + Math.floor(at.x);
  return { runs: floodRuns(raster, at), isPainted: raster.data[place] === 255 };
}

async function readMask({ picture, size, fit, reading }: Extract<MaskTask, { kind: 'import' }>) {
  const { width, height, rgba } = await decode(picture);
  const isSame = width === size.width && height === size.height;
  if (!isSame && !fit) return { width, height };
  const data = readAsMask(isSame ? rgba : (await decode(picture, { size })).rgba, reading);
  const file = new Blob([await encodeMaskPng({ ...size, data })], { type: 'image/png' });
  const white = data.reduce((sum, value) => sum + (value === 255 ? 1 : 0), 0);
  return { width, height, mask: { runs: runsOf(data, size.width), white, file } };
}

interface Decoding {
  size?: { width: number; height: number };
  colorSpaceConversion?: ColorSpaceConversion;
}

/** Every pixel as the file has it, at 8 bits. Colours are converted only on request. */
async function decode(file: Blob, { size, colorSpaceConversion = 'none' }: Decoding = {}): Promise<DecodedPicture> {
  const image = await createImageBitmap(file, { colorSpaceConversion, premultiplyAlpha: 'none' });
  const { width, height } = size ?? image;
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('This browser has no 2D canvas in workers.');
  context.drawImage(image, 0, 0, width, height);
  image.close();
  return { width, height, rgba: context.getImageData(0, 0, width, height).data };
}

const rasterOf = ({ width, height, rgba }: DecodedPicture): MaskRaster => {
  const data = new Uint8Array(width * height);
  for (let index = 0; index < data.length; index++) data[index] = (rgba[index * 4] ?? 0) >= 128 ? 255 : 0;
  return { width, height, data };
};

async function pictureFile({ width, height, rgba }: DecodedPicture): Promise<Blob | undefined> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  context?.putImageData(new ImageData(Uint8ClampedArray.from(rgba), width, height), 0, 0);
  return context ? canvas.convertToBlob({ type: 'image/png' }) : undefined;
}

self.addEventListener('message', ({ data }: MessageEvent<{ id: number; task: MaskTask }>) => {
  run(data.task).then(
    (answer) => self.postMessage({ id: data.id, answer }, { transfer: 'bitmap' in answer ? [answer.bitmap] : [] }),
    (error: unknown) =>
      self.postMessage({ id: data.id, error: error instanceof Error ? error.message : String(error) }),
  );
});
