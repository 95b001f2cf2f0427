import { GRID_SIDE, type Lab, type MediaMeasures } from '../../../shared/film/measures.ts';
import { deltaE2000 } from '../../../shared/library/picture/colour.ts';
import { cellLab, type Grid, gridOfText, type Part, partOf } from '../../../shared/library/picture/grid.ts';

/**
 * How far a take is from a reference image, in two figures without a verdict: main tones and outline. The box that the user placed in a
 * frame is compared with the whole image; without a box the whole frame, the nearer of first and last. No face detection.
 */
export interface Drift {
  /** Mean CIEDE2000 from each main tone of the reference image to the nearest one of the frame, weighted by its share. */
  colour: number;
  /** 0 (the same outline) to 1. */
  shape: number;
}

/** A part of the first or the last frame. */
export interface DriftBox extends Part {
  frame: 'first' | 'last';
}

export function driftOf(reference: MediaMeasures, take: MediaMeasures, box?: DriftBox): Drift | undefined {
  if (!reference.pictures || !take.pictures) return undefined;
  const wanted = gridOfText(reference.pictures.first);
  const frames = box
    ? [partOf(gridOfText(take.pictures[box.frame]), box)]
    : [gridOfText(take.pictures.first), gridOfText(take.pictures.last)];
  const tones = tonesOf(wanted);
  const outline = outlineOf(wanted);
  return {
    colour: Math.min(...frames.map((frame) => toneDistance(tones, tonesOf(frame)))),
    shape: Math.min(...frames.map((frame) => 1 - cosine(outline, outlineOf(frame)))),
  };
}

interface Tone {
  lab: Lab;
  /** Share of all cells, 0 to 1. */
  share: number;
}

const TONES = 5;
const ROUNDS = 12;
const CELLS = GRID_SIDE * GRID_SIDE;

/** The main colours of a picture: k-means over its cells in CIE L*a*b*, started at the cells farthest apart, so that it is repeatable. */
function tonesOf(grid: Grid): Tone[] {
  const cells = Array.from({ length: CELLS }, (_, cell) => cellLab(grid, cell));
  let centres = farthestApart(cells);
  for (let round = 0; round < ROUNDS; round++) {
    const groups = grouped(cells, centres);
    centres = centres.map((centre, index) => meanOf(groups[index] ?? []) ?? centre);
  }
  const groups = grouped(cells, centres);
  return centres.flatMap((lab, index) => {
    const share = (groups[index]?.length ?? 0) / CELLS;
    return share > 0 ? [{ lab, share }] : [];
  });
}

const squared = ([l1, a1, b1]: Lab, [l2, a2, b2]: Lab): number => (l1 - l2) ** 2 + (a1 - a2) ** 2 + (b1 - b2) ** 2;

function farthestApart(cells: readonly Lab[]): Lab[] {
  const centres = [meanOf(cells) ?? [0, 0, 0]] satisfies Lab[];
  const distances = cells.map(() => Number.POSITIVE_INFINITY);
  while (centres.length < TONES) {
    const last = centres.at(-1);
    let best = 0;
    for (const [index, cell] of cells.entries()) {
      distances[index] = Math.min(distances[index] ?? 0, last ? squared(cell, last) : 0);
      if ((distances[index] ?? 0) > (distances[best] ?? 0)) best = index;
    }
    centres.push(cells[best] ?? [0, 0, 0]);
  }
  return centres;
}

function grouped(cells: readonly Lab[], centres: readonly Lab[]): Lab[][] {
  const groups = centres.map((): Lab[] => []);
  for (const cell of cells) {
    let nearest = 0;
    for (const [index, centre] of centres.entries())
      if (squared(cell, centre) < squared(cell, centres[nearest] ?? centre)) nearest = index;
    groups[nearest]?.push(cell);
  }
  return groups;
}

function meanOf(labs: readonly Lab[]): Lab | undefined {
  if (labs.length === 0) return undefined;
  const sum: Lab = [0, 0, 0];
  for (const [l, a, b] of labs) {
    sum[0] += l;
    sum[1] += a;
    sum[2] += b;
  }
  return [sum[0] / labs.length, sum[1] / labs.length, sum[2] / labs.length];
}

/**
 * One direction only, since a frame may show more than its reference image. A directed mean of nearest distances, weighted by share;
 * unweighted it is the directed distance of the modified Hausdorff distance (M.-P. Dubuisson, A. K. Jain, "A Modified Hausdorff Distance
 * for Object Matching", Proc. 12th International Conference on Pattern Recognition, 1994, pp. 566–568).
 */
const toneDistance = (from: readonly Tone[], to: readonly Tone[]): number =>
  from.reduce((sum, { lab, share }) => sum + share * Math.min(...to.map((tone) => deltaE2000(lab, tone.lab))), 0);

const BLOCKS = 4;
const BINS = 9;

/**
 * A histogram of edge orientations in 4 × 4 blocks, 9 undirected orientations, weighted by strength. Only lightness counts, so that a
 * change of colour is no change of shape. A simple form of the histogram of oriented gradients (N. Dalal, B. Triggs, "Histograms of
 * Oriented Gradients for Human Detection", CVPR 2005), without overlapping blocks and their normalisation: the picture's one histogram is
 * compared by its direction.
 */
function outlineOf(grid: Grid): Float64Array {
  const lightness = Float64Array.from({ length: CELLS }, (_, cell) => cellLab(grid, cell)[0]);
  const at = (x: number, y: number) => lightness[clamp(y) * GRID_SIDE + clamp(x)] ?? 0;
  const histogram = new Float64Array(BLOCKS * BLOCKS * BINS);
  for (let y = 0; y < GRID_SIDE; y++) {
    for (let x = 0; x < GRID_SIDE; x++) {
      const [dx, dy] = [at(x + 1, y) - at(x - 1, y), at(x, y + 1) - at(x, y - 1)];
      const angle = (Math.atan2(dy, dx) + Math.PI) % Math.PI;
      const bin = Math.min(BINS - 1, Math.floor((angle / Math.PI) * BINS));
      const block = Math.floor((y * BLOCKS) / GRID_SIDE) * BLOCKS + Math.floor((x * BLOCKS) / GRID_SIDE);
      const place = block * BINS + bin;
      histogram[place] = (histogram[place] ?? 0) + Math.hypot(dx, dy);
    }
  }
  return histogram;
}

const clamp = (value: number): number => Math.max(0, Math.min(GRID_SIDE - 1, value));

/** 1 for the same direction, or if both are empty; 0 if only one is. */
function cosine(one: Float64Array, other: Float64Array): number {
  let [product, own, others] = [0, 0, 0];
  for (const [index, value] of one.entries()) {
    const second = other[index] ?? 0;
    product += value * second;
    own += value * value;
    others += second * second;
  }
  if (own === 0 || others === 0) return own === others ? 1 : 0;
  return Math.min(1, product / Math.sqrt(own * others));
}
