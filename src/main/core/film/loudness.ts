import type { SoundMeasures } from '../../../shared/measures.ts';
import { HIGHEST_PEAK_DB } from '../../../shared/sound/levels.ts';
import type { Library } from '../library/index.ts';
import type { CheckedShot } from './filmShots.ts';

/** What has been measured of the sound of a film's clips, by their hash. */
export type LoudnessOf = (sha256: string) => Pick<SoundMeasures, 'lufs' | 'truePeakDb' | 'momentary'> | undefined;

/** Also plans what has not been measured yet: the next look knows it. */
export function loudnessOf(
  shots: readonly CheckedShot[],
  library: Pick<Library, 'measures'>,
  track?: { sha256: string | undefined } | undefined,
): LoudnessOf {
  const own = shots.flatMap(({ file, facts }) => (file && facts?.audio ? [file.sha256] : []));
  const sounding = track?.sha256 === undefined ? own : [...own, track.sha256];
  const known = sounding.length === 0 ? {} : library.measures([...new Set(sounding)]);
  return (sha256) => {
    const file = known[sha256];
    return file?.state === 'measured' ? file.measures.sound : undefined;
  };
}

/** In dB. What is nearly silent is not blown up. */
const MOST_GAIN = 20;

type Measured = Pick<SoundMeasures, 'lufs' | 'truePeakDb'>;

/** What brings a clip to a loudness in LUFS without a peak that would be cut off; 0 if nothing is known of it. */
export function gainTo(sound: Measured | undefined, target: number): number {
  if (!sound || sound.lufs === null) return 0;
  const wanted = Math.min(target - sound.lufs, MOST_GAIN);
  const room = sound.truePeakDb === null ? MOST_GAIN : Math.max(0, HIGHEST_PEAK_DB - sound.truePeakDb);
  return Math.round(Math.min(wanted, room) * 10) / 10;
}
