import { masterGain } from './levelling.ts';
import { dbOfGain, HIGHEST_PEAK_DB } from './levels.ts';
import type { MixLoudness } from './mixLoudness.ts';
import type { MixPlan } from './mixPlan.ts';

/** The loudness of a mix and of the exported film, for the figures of pages and the gain of playback. */
export interface FilmLevel {
  /** LUFS of the mix; null for silence. */
  lufs: number | null;
  /** LUFS of the film; null for silence. */
  leaves: number | null;
  /** The target in LUFS; absent if the film is not levelled. */
  target?: number;
  /** The gain of the whole mix, linear and in dB. */
  gain: number;
  gainDb: number;
  /** The reduction that only prevents clipping, in dB. */
  lowered: number;
  /** The highest possible true peak in dBTP, and the reduction to the highest allowed one. */
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
