import { FULL_SCALE, MOST_SOUND_FAULTS, SHORTEST_SILENCE_S, SILENT_BELOW } from '../../../shared/film/measures.ts';

/** Finds silence and clipping in a stream of samples. */
export class SoundFaults {
  private readonly sampleRate: number;
  private at = 0;
  private silentFrom: number | undefined = 0;
  private readonly silent: [from: number, to: number][] = [];
  private readonly clipped: [at: number, samples: number][] = [];
  /** Consecutive samples at full scale per channel. */
  private readonly runs: number[] = [];

  constructor(sampleRate: number) {
    this.sampleRate = sampleRate;
  }

  /** One array for each channel, all of one length. */
  add(channels: readonly Float32Array[]): void {
    const length = channels[0]?.length ?? 0;
    for (let index = 0; index < length; index++) {
      let highest = 0;
      for (const [channel, samples] of channels.entries()) {
        const level = Math.abs(samples[index] ?? 0);
        if (level > highest) highest = level;
        this.countRun(channel, level >= FULL_SCALE);
      }
      if (highest > SILENT_BELOW) this.endSilence();
      else this.silentFrom ??= this.at;
      this.at += 1;
    }
  }

  private countRun(channel: number, isFull: boolean): void {
    const run = this.runs[channel] ?? 0;
    if (!isFull && run >= 2) keepLongest(this.clipped, [this.seconds(this.at - run), run], ([, samples]) => samples);
    this.runs[channel] = isFull ? run + 1 : 0;
  }

  private endSilence(): void {
    if (this.silentFrom === undefined) return;
    const [from, to] = [this.seconds(this.silentFrom), this.seconds(this.at)];
    this.silentFrom = undefined;
    if (to - from >= SHORTEST_SILENCE_S) keepLongest(this.silent, [from, to], ([start, end]) => end - start);
  }

  /** Closes open faults at the end of the sound; the rest of a longer file, in seconds, counts as silence. */
  found(fileSeconds: number): { silent: [number, number][]; clipped: [number, number][] } {
    for (const channel of this.runs.keys()) this.countRun(channel, false);
    const end = Math.round(fileSeconds * this.sampleRate);
    if (end - this.at >= SHORTEST_SILENCE_S * this.sampleRate) {
      this.silentFrom ??= this.at;
      this.at = end;
    }
    this.endSilence();
    const inOrder = (one: [number, number], other: [number, number]) => one[0] - other[0];
    return { silent: this.silent.toSorted(inOrder), clipped: this.clipped.toSorted(inOrder) };
  }

  private seconds(samples: number): number {
    return Math.round((samples / this.sampleRate) * 10_000) / 10_000;
  }
}

type Pair = [number, number];

/** Adds one, and drops the shortest beyond the limit. */
function keepLongest(kept: Pair[], one: Pair, length: (one: Pair) => number): void {
  kept.push(one);
  if (kept.length <= MOST_SOUND_FAULTS) return;
  let shortest = 0;
  for (const [index, other] of kept.entries()) if (length(other) < length(kept[shortest] ?? other)) shortest = index;
  kept.splice(shortest, 1);
}
