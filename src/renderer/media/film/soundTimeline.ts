/**
 * What the ear notices of sound that is early against its picture, in seconds (ITU-R BT.1359-1). Some players put packets of sound end to
 * end whatever their times are: they are never further ahead than this.
 */
const NOTICED_SECONDS = 0.045;

/** Times in seconds are sums of fractions. */
const EPSILON = 1e-6;

/** Where a clip's picture lies in the film, in seconds. */
export interface ClipPlace {
  start: number;
  end: number;
  isFirst: boolean;
  isLast: boolean;
}

/**
 * Where the packets of each clip's sound go in the film. A packet keeps its exact time unless the packet before it lies there; of a clip
 * whose sound is longer than its picture the packets behind the end are left out, and those before its start (the encoder's run-up) are
 * kept only in the first clip, where an edit list hides them.
 */
export class SoundTimeline {
  /** Where the last packet ends, in seconds of the film; before the first packet none does. */
  private end: number | undefined;
  /** How far ahead of the picture a player is that puts packets end to end, in seconds. */
  private ahead = 0;

  /**
   * The time of a packet that lies `at` seconds after its clip's first frame, in seconds of the film, and the times at which packets of
   * silence of the same length go before it; null if it is left out.
   */
  place({ start, end, isFirst, isLast }: ClipPlace, at: number, duration: number): Placed | null {
    if (!isFirst && at <= -duration / 2) return null;
    const before = this.end ?? Math.min(0, start + at);
    const exact = start + at;
    const time = before - exact > EPSILON ? before : exact;
    if (!(isFirst && isLast) && time + duration / 2 > end + EPSILON) return null;
    const silences = this.silences(before, time, duration);
    this.ahead += time - before - silences.length * duration;
    this.end = time + duration;
    return { time, silences };
  }

  /** The times at which whole packets of silence go behind the last packet, so that the sound is as long as the film. */
  restTo(end: number, duration: number): number[] {
    const from = this.end ?? 0;
    const count = Math.max(0, Math.floor((end - from) / duration + EPSILON));
    return Array.from({ length: count }, (_, index) => from + index * duration);
  }

  private silences(from: number, to: number, duration: number): number[] {
    const whole = Math.floor((to - from) / duration + EPSILON);
    const rest = to - from - whole * duration;
    const count = this.ahead + rest > NOTICED_SECONDS && rest > EPSILON ? whole + 1 : whole;
    return Array.from({ length: count }, (_, index) => from + index * duration);
  }
}

export interface Placed {
  time: number;
  silences: number[];
}
