/**
 * The largest lead of sound over its picture that nobody notices, in seconds (ITU-R BT.1359-1). Some players ignore packet times and put
 * packets end to end: their lead never exceeds this.
 */
const NOTICED_SECONDS = 0.045;

/** Tolerance, since times are sums of fractions. */
const EPSILON = 1e-6;

/** The place of a clip's picture in the film, in seconds. */
export interface ClipPlace {
  start: number;
  end: number;
  isFirst: boolean;
  isLast: boolean;
}

/**
 * The film times of each clip's sound packets. A packet keeps its exact time unless the previous packet reaches into it. Packets after the
 * end of the picture are left out; those before its start (the encoder's priming) are kept only in the first clip, where an edit list hides
 * them.
 */
export class SoundTimeline {
  /** The end of the last packet in film seconds; undefined before the first. */
  private end: number | undefined;
  /** The lead over the picture, in seconds, in a player that puts packets end to end. */
  private ahead = 0;

  /**
   * The film time of a packet `at` seconds after its clip's first frame, and the times of silent packets of the same length before it; null
   * if it is left out.
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

  /** The times of silent packets after the last one, so that the sound is as long as the film. */
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
