import { randomOf } from '../random.ts';

/** Smooth value noise in [0, 1]; `octaves` adds finer detail. */
export type Noise = (x: number, y: number, octaves?: number) => number;

const CELLS = 256;

export function noiseOf(seed: number): Noise {
  const random = randomOf(seed);
  const lattice = Float32Array.from({ length: CELLS * CELLS }, random);
  const at = (x: number, y: number) => lattice[((y & 255) << 8) | (x & 255)] ?? 0;
  const smooth = (x: number, y: number) => {
    const [left, top] = [Math.floor(x), Math.floor(y)];
    const [fx, fy] = [x - left, y - top];
    const [u, v] = [fx * fx * (3 - 2 * fx), fy * fy * (3 - 2 * fy)];
    const upper = at(left, top) * (1 - u) + at(left + 1, top) * u;
    const lower = at(left, top + 1) * (1 - u) + at(left + 1, top + 1) * u;
    return upper * (1 - v) + lower * v;
  };
  return (x, y, octaves = 4) => {
    let [sum, weight, total] = [0, 0.5, 0];
    for (let octave = 0; octave < octaves; octave += 1) {
      sum += weight * smooth(x, y);
      total += weight;
      x = x * 2.03 + 17;
      y = y * 2.03 + 9;
      weight *= 0.5;
    }
    return sum / total;
  };
}
