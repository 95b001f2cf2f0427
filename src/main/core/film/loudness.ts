import type { MeasuredFile, SoundMeasures } from '../../../shared/film/measures.ts';
import { partOfSound } from '../../../shared/film/sound/mixLoudness.ts';
import { playedPart } from '../../../shared/film/trim.ts';
import type { Library } from '../library/index.ts';
import type { CheckedShot } from './filmShots.ts';

/** What has been measured of the sound of a film's clips, by their hash. */
export type LoudnessOf = (sha256: string) => Pick<SoundMeasures, 'lufs' | 'truePeakDb' | 'momentary'> | undefined;

/** What is known of the sounds of a film. */
export interface FilmSounds {
  loudness: LoudnessOf;
  /** Why a sound cannot be measured, in one sentence. */
  faultOf(sha256: string): string | undefined;
}

/** The files of a film that sound, each once. */
export function soundingFiles(
  shots: readonly CheckedShot[],
  track: { sha256: string | undefined } | undefined,
): string[] {
  const own = shots.flatMap(({ file, facts }) => (file && facts?.audio ? [file.sha256] : []));
  return [...new Set(track?.sha256 === undefined ? own : [...own, track.sha256])];
}

/** Also plans what has not been measured yet. */
export function soundsOf(sha256s: readonly string[], library: Pick<Library, 'measures'>): FilmSounds {
  const known = sha256s.length === 0 ? {} : library.measures(sha256s);
  return {
    loudness: (sha256) => {
      const file = known[sha256];
      return file?.state === 'measured' ? file.measures.sound : undefined;
    },
    faultOf: (sha256) => faultOf(known[sha256]),
  };
}

/** What was measured of what plays of a shot. */
export const soundOf = ({ file, active, facts }: CheckedShot, loudness: LoudnessOf): ReturnType<LoudnessOf> =>
  file && partOfSound(loudness(file.sha256), playedPart(active?.trim, facts?.seconds ?? 0));

function faultOf(file: MeasuredFile | undefined): string | undefined {
  if (file?.state === 'failed') return file.message;
  return file?.state === 'measured' ? file.measures.soundFault : undefined;
}
