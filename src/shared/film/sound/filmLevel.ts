import { masterGain } from './levelling.ts';
import { dbOfGain, HIGHEST_PEAK_DB } from './levels.ts';
import type { MixLoudness } from './mixLoudness.ts';
import type { MixPlan } from './mixPlan.ts';

/** How loud a film is that is mixed, and how loud it leaves: the figures of every page, and the gain of its playback. */
export interface FilmLevel {
  /** LUFS of the mix before the whole is changed; null for silence. */
  lufs: number | null;
  /** LUFS of what leaves; null for silence. */
  leaves: number | null;
  /** LUFS that it is brought to; absent where it is not levelled. */
  target?: number;
  /** What the whole is multiplied by, and the same in dB. */
  gain: number;
  gainDb: number;
  /** By how much it is lowered only so that nothing clips, in dB. */
  lowered: number;
  /** dBTP that the loudest peak would have, at most, and by how much it is lowered to the highest one that may leave. */
  peakDb: number;
  over: number;
}

/** Undefined while a source has not been measured. */
export function filmLevel(
  { headroom, highest }: Pick<MixPlan, 'headroom' | 'highest'>,
  { target, loudness }: { target: number | undefined; loudness: MixLoudness | undefined },
): FilmLevel | undefined {
  if (!loudness) return undefined;
  const { lufs } = loudness;
  const gain = masterGain({ target, headroom }, lufs);
  const gainDb = dbOfGain(gain);
  const peakDb = dbOfGain(highest * gain);
  return {
    lufs,
    leaves: lufs === null ? null : lufs + gainDb,
    ...(target === undefined ? {} : { target }),
    gain,
    gainDb,
    lowered: target === undefined || lufs === null ? -gainDb : 0,
    peakDb,
    over: Math.max(0, peakDb - HIGHEST_PEAK_DB),
  };
}
