import { MOMENTARY_STEP_S } from '../../../shared/film/measures.ts';
import type { Stereo } from '../stereo.ts';

/** Loudness by ITU-R BS.1770-4: K-weighting, mean square over 400 ms, two gates; true peak by its annex 2. */

interface Biquad {
  b: readonly [number, number, number];
  a: readonly [number, number];
}

/** The two K-weighting filters at any sample rate: the analogue filters behind the standard's table, equal to it at 48 kHz. */
export function kWeighting(sampleRate: number): readonly [shelf: Biquad, highPass: Biquad] {
  return [shelfOf(sampleRate), highPassOf(sampleRate)];
}

function shelfOf(sampleRate: number): Biquad {
  const k = Math.tan((Math.PI * 1681.974450955533) / sampleRate);
  const q = 0.7071752369554196;
  const gain = 10 ** (3.999843853973347 / 20);
  const band = gain ** 0.4996667741545416;
  const norm = 1 + k / q + k * k;
  return {
    b: [(gain + (band * k) / q + k * k) / norm, (2 * (k * k - gain)) / norm, (gain - (band * k) / q + k * k) / norm],
    a: [(2 * (k * k - 1)) / norm, (1 - k / q + k * k) / norm],
  };
}

function highPassOf(sampleRate: number): Biquad {
  const k = Math.tan((Math.PI * 38.13547087602444) / sampleRate);
  const q = 0.5003270373238773;
  const norm = 1 + k / q + k * k;
  return { b: [1, -2, 1], a: [(2 * (k * k - 1)) / norm, (1 - k / q + k * k) / norm] };
}

/** One channel through both filters, sample by sample (direct form 2, transposed). */
class KFilter {
  private readonly stages: readonly [Biquad, Biquad];
  private state = [0, 0, 0, 0];

  constructor(sampleRate: number) {
    this.stages = kWeighting(sampleRate);
  }

  /** Sum of the squares of the filtered samples from `from` up to `to`. */
  energy(samples: Float32Array, from: number, to: number): number {
    const [{ b, a }, { b: d, a: c }] = this.stages;
    let [s1 = 0, s2 = 0, t1 = 0, t2 = 0] = this.state;
    let sum = 0;
    for (let index = from; index < to; index++) {
      const x = samples[index] ?? 0;
      const y = b[0] * x + s1;
      s1 = b[1] * x - a[0] * y + s2;
      s2 = b[2] * x - a[1] * y;
      const z = d[0] * y + t1;
      t1 = d[1] * y - c[0] * z + t2;
      t2 = d[2] * y - c[1] * z;
      sum += z * z;
    }
    this.state = [s1, s2, t1, t2];
    return sum;
  }
}

/** Annex 2: 4 phases of 12 taps. */
const OVERSAMPLING = [
  [
    0.001708984375, 0.010986328125, -0.0196533203125, 0.033203125, -0.0594482421875, 0.1373291015625, 0.97216796875,
    -0.102294921875, 0.047607421875, -0.026611328125, 0.014892578125, -0.00830078125,
  ],
  [
    -0.0291748046875, 0.029296875, -0.0517578125, 0.089111328125, -0.16650390625, 0.465087890625, 0.77978515625,
    -0.2003173828125, 0.1015625, -0.0582275390625, 0.0330810546875, -0.0189208984375,
  ],
] as const;
const TAPS = 12;
/** The other two phases are these reversed. */
const PHASES: readonly (readonly number[])[] = [
  ...OVERSAMPLING,
  [...OVERSAMPLING[1]].reverse(),
  [...OVERSAMPLING[0]].reverse(),
];

/** The highest value between the samples of one channel. */
export class TruePeak {
  private before: Float32Array = new Float32Array(TAPS - 1);
  peak = 0;

  add(samples: Float32Array): void {
    const line = new Float32Array(this.before.length + samples.length);
    line.set(this.before);
    line.set(samples, this.before.length);
    for (let end = TAPS - 1; end < line.length; end++) this.look(line, end);
    this.before = line.slice(line.length - (TAPS - 1));
  }

  /** Returns the highest value since the last call. */
  take(): number {
    const { peak } = this;
    this.peak = 0;
    return peak;
  }

  private look(line: Float32Array, end: number): void {
    for (const taps of PHASES) {
      let sum = 0;
      for (let tap = 0; tap < TAPS; tap++) sum += (taps[tap] ?? 0) * (line[end - tap] ?? 0);
      if (sum > this.peak) this.peak = sum;
      else if (-sum > this.peak) this.peak = -sum;
    }
  }
}

/** LUFS of a weighted mean square; null for practical silence. */
export const lufsOf = (meanSquare: number): number | null =>
  meanSquare > 1e-15 ? -0.691 + 10 * Math.log10(meanSquare) : null;

const ABSOLUTE_GATE = 10 ** ((-70 + 0.691) / 10);
const STEPS_PER_WINDOW = 4;
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** For stereo: left and right count alike. Takes any number of samples at a time. */
export class LoudnessMeter {
  private readonly filters: readonly KFilter[];
  private readonly peaks: readonly TruePeak[] = [new TruePeak(), new TruePeak()];
  private readonly stepLength: number;
  /** The energy of every complete 100 ms step. */
  private readonly steps: number[] = [];
  private energy = 0;
  private filled = 0;

  constructor(sampleRate: number) {
    this.filters = [new KFilter(sampleRate), new KFilter(sampleRate)];
    this.stepLength = Math.round(sampleRate * MOMENTARY_STEP_S);
  }

  add(sides: Stereo): void {
    const length = sides[0].length;
    for (let from = 0; from < length; ) {
      const to = Math.min(length, from + this.stepLength - this.filled);
      for (const [index, filter] of this.filters.entries()) {
        this.energy += filter.energy(sides[index] ?? sides[0], from, to);
      }
      this.filled += to - from;
      from = to;
      if (this.filled === this.stepLength) this.endStep();
    }
    for (const [index, samples] of sides.entries()) this.peaks[index]?.add(samples);
  }

  private endStep(): void {
    this.steps.push(this.energy / this.stepLength);
    this.energy = 0;
    this.filled = 0;
  }

  /** Mean squares of 400 ms, every 100 ms. */
  private windows(): number[] {
    const windows: number[] = [];
    for (let end = STEPS_PER_WINDOW; end <= this.steps.length; end++)
      windows.push(mean(this.steps.slice(end - STEPS_PER_WINDOW, end)));
    return windows;
  }

  /** Loudness of every 400 ms, in LUFS. */
  momentary(): (number | null)[] {
    return this.windows().map(lufsOf);
  }

  /** Integrated loudness: parts below -70 LUFS, then parts 10 LU below the rest, do not count. */
  integrated(): number | null {
    const loud = this.windows().filter((window) => window > ABSOLUTE_GATE);
    if (loud.length === 0) return null;
    const relativeGate = mean(loud) / 10;
    return lufsOf(mean(loud.filter((window) => window > relativeGate)));
  }

  /** In dBTP; null for digital silence. */
  truePeakDb(): number | null {
    const peak = Math.max(0, ...this.peaks.map((channel) => channel.peak));
    return peak > 1e-9 ? 20 * Math.log10(peak) : null;
  }
}
