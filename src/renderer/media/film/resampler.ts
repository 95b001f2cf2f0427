/** Zero crossings of the filter on each side, and its table steps between two samples. */
const CROSSINGS = 16;
const STEPS = 512;

/**
 * Changes the sample rate of one channel, block by block, with a Hann-windowed sinc filter (J. O. Smith, "Digital Audio Resampling"): flat
 * up to 90 % of the narrower band. Output sample `n` is the input at `n · from / to`.
 */
export class Resampler {
  private readonly step: number;
  private readonly cutoff: number;
  private readonly table: Float64Array;
  /** Input from `first` on; earlier input is no longer needed. */
  private kept = new Float32Array(0);
  private first = 0;
  private made = 0;

  constructor(from: number, to: number) {
    this.step = from / to;
    this.cutoff = Math.min(1, to / from) * 0.95;
    this.table = Float64Array.from({ length: CROSSINGS * STEPS + 2 }, (_, index) => filterAt(index / STEPS));
  }

  /** The output that the input so far suffices for. */
  push(input: Float32Array): Float32Array {
    const joined = new Float32Array(this.kept.length + input.length);
    joined.set(this.kept);
    joined.set(input, this.kept.length);
    this.kept = joined;
    const reach = CROSSINGS / this.cutoff;
    const last = this.first + this.kept.length - 1;
    const count = Math.max(0, Math.floor((last - reach) / this.step) + 1 - this.made);
    const output = new Float32Array(count);
    for (let index = 0; index < count; index += 1) output[index] = this.at((this.made + index) * this.step, reach);
    this.made += count;
    const keepFrom = Math.max(this.first, Math.floor(this.made * this.step - reach) - 1);
    this.kept = this.kept.subarray(keepFrom - this.first).slice();
    this.first = keepFrom;
    return output;
  }

  private at(position: number, reach: number): number {
    const from = Math.max(this.first, Math.ceil(position - reach));
    const to = Math.min(this.first + this.kept.length - 1, Math.floor(position + reach));
    let sum = 0;
    for (let index = from; index <= to; index += 1) {
      const place = Math.abs(index - position) * this.cutoff * STEPS;
      const below = Math.floor(place);
      const low = this.table[below] ?? 0;
      sum += (this.kept[index - this.first] ?? 0) * (low + ((this.table[below + 1] ?? 0) - low) * (place - below));
    }
    return sum * this.cutoff;
  }
}

function filterAt(x: number): number {
  if (x >= CROSSINGS) return 0;
  const window = 0.5 + 0.5 * Math.cos((Math.PI * x) / CROSSINGS);
  return x === 0 ? 1 : (Math.sin(Math.PI * x) / (Math.PI * x)) * window;
}
