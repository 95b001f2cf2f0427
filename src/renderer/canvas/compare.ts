import { labOf } from '../../shared/library/picture/colour.ts';
import { distancesTo } from './distance.ts';
import type { DecodedPicture } from './proof.ts';
import type { MaskRaster } from './runs.ts';

/**
 * How an edit changed the picture outside its mask. The service promises to keep the black pixels (spec 2.6), but services re-encode their
 * pictures, so a difference is measured as the eye sees it: CIE 1976 ΔE in Lab, where 1 is about the smallest difference that can be seen
 * side by side.
 */
export interface OutsideChange {
  outside: number;
  /** Outside pixels that differ by more than {@link VISIBLE_DELTA_E}. */
  changed: number;
  /** `changed` as a share of `outside`, 0 to 1. */
  share: number;
  /** ΔE over the changed pixels; 0 where none changed. */
  mean: number;
  worst: { deltaE: number; x: number; y: number } | undefined;
  /** Every pixel outside the mask is identical, bit for bit. */
  identical: boolean;
  /** The strongest ΔE of each cell of a coarse map, row by row, for a heat picture. */
  map: { width: number; height: number; deltaE: Float32Array<ArrayBuffer> };
}

const VISIBLE_DELTA_E = 1;

const MAP_WIDTH = 280;

/** Undefined unless all three have the same size: pictures of different sizes cannot be compared pixel by pixel. */
export function compareOutside(
  before: DecodedPicture,
  after: DecodedPicture,
  mask: MaskRaster,
): OutsideChange | undefined {
  const { width, height } = mask;
  if (![before, after].every((picture) => picture.width === width && picture.height === height)) return undefined;
  const map = emptyMap(width, height);
  const seen = { outside: 0, different: 0, changed: 0, sum: 0 };
  let worst: OutsideChange['worst'];
  for (let index = 0; index < mask.data.length; index++) {
    if (mask.data[index] === 255) continue;
    seen.outside++;
    if (sameColour(before.rgba, after.rgba, index * 4)) continue;
    seen.different++;
    const deltaE = deltaEAt(before.rgba, after.rgba, index * 4);
    if (deltaE <= VISIBLE_DELTA_E) continue;
    const x = index % width;
    const y = (index - x) / width;
    seen.changed++;
    seen.sum += deltaE;
    if (!worst || deltaE > worst.deltaE) worst = { deltaE, x, y };
    const cell = Math.floor((y * map.height) / height) * map.width + Math.floor((x * map.width) / width);
    if (deltaE > (map.deltaE[cell] ?? 0)) map.deltaE[cell] = deltaE;
  }
  return {
    outside: seen.outside,
    changed: seen.changed,
    share: ratio(seen.changed, seen.outside),
    mean: ratio(seen.sum, seen.changed),
    worst,
    identical: seen.different === 0,
    map,
  };
}

const ratio = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

function emptyMap(width: number, height: number) {
  const mapWidth = Math.min(width, MAP_WIDTH);
  const mapHeight = Math.max(1, Math.round((mapWidth * height) / width));
  return { width: mapWidth, height: mapHeight, deltaE: new Float32Array(mapWidth * mapHeight) };
}

function sameColour(a: Uint8ClampedArray, b: Uint8ClampedArray, at: number): boolean {
  return a[at] === b[at] && a[at + 1] === b[at + 1] && a[at + 2] === b[at + 2];
}

function deltaEAt(a: Uint8ClampedArray, b: Uint8ClampedArray, at: number): number {
  const [l1, a1, b1] = labAt(a, at);
  const [l2, a2, b2] = labAt(b, at);
  return Math.hypot(l1 - l2, a1 - a2, b1 - b2);
}

const labAt = (rgba: Uint8ClampedArray, at: number) => labOf(rgba[at] ?? 0, rgba[at + 1] ?? 0, rgba[at + 2] ?? 0);

/**
 * `after` inside the mask, `before` outside: restores the original where the edit should have kept it. Works in place on `after`. `feather`
 * is the width of a blend inside the mask's edge, in pixels; outside, every bit is the original's.
 */
export function restoreOutside(before: DecodedPicture, after: DecodedPicture, mask: MaskRaster, feather = 0): void {
  const steps = feather + 1;
  const squares = distancesTo('black', mask, steps);
  for (let index = 0; index < mask.data.length; index++) {
    const square = squares[index] ?? 0;
    if (square >= steps * steps) continue;
    const share = Math.sqrt(square) / steps;
    for (let at = index * 4; at < index * 4 + 4; at++) {
      const old = before.rgba[at] ?? 0;
      after.rgba[at] = Math.round(old + ((after.rgba[at] ?? 0) - old) * share);
    }
  }
}

/** Whether the pixels outside of the mask are the same, bit for bit. */
export function isSameOutside(before: DecodedPicture, after: DecodedPicture, mask: MaskRaster): boolean {
  const [a, b] = [wordsOf(before), wordsOf(after)];
  return (
    mask.data.length === a.length && a.length === b.length && mask.data.every((v, at) => v === 255 || a[at] === b[at])
  );
}

const wordsOf = ({ rgba }: DecodedPicture): Uint32Array =>
  new Uint32Array(rgba.buffer, rgba.byteOffset, rgba.length / 4);
