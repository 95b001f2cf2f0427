import type { Shot } from '../../board/board.ts';
import type { SoundMeasures } from '../measures.ts';
import { gainOfDb, HIGHEST_PEAK_DB } from './levels.ts';
import type { MixPlan, ShotLevelling } from './mixPlan.ts';
import type { FilmSound } from './track.ts';

/** The levelling of a film, for playback, figures and exports. */

/** In dB: near silence is not amplified further. */
const MOST_GAIN_DB = 20;

type Measured = Pick<SoundMeasures, 'lufs' | 'truePeakDb' | 'momentary'>;

/** The gain in dB that brings a clip to a loudness in LUFS without clipping; 0 if it is not measured. */
export function gainTo(sound: Omit<Measured, 'momentary'> | undefined, target: number): number {
  if (!sound || sound.lufs === null) return 0;
  const wanted = Math.min(target - sound.lufs, MOST_GAIN_DB);
  const room = sound.truePeakDb === null ? MOST_GAIN_DB : Math.max(0, HIGHEST_PEAK_DB - sound.truePeakDb);
  return Math.round(Math.min(wanted, room) * 10) / 10;
}

/** The gain of a shot: none without a target, except at a levelled link. */
export const levellingOf = (sound: Measured | undefined, target: number | undefined): ShotLevelling => ({
  gainDb: target === undefined ? 0 : gainTo(sound, target),
  first: sound?.momentary[0] ?? null,
  last: sound?.momentary.at(-1) ?? null,
});

/** The gain of a mix with this loudness in LUFS (null for silence): to its target, else only to prevent clipping. */
export function masterGain(
  { target, headroom }: { target?: number | undefined; headroom: number },
  lufs: number | null,
): number {
  return target === undefined || lufs === null ? headroom : gainOfDb(Math.min(MOST_GAIN_DB, target - lufs));
}

/** Whether the board changes any sound; otherwise a film that can be joined keeps the sound of its takes. */
export function asksForMix(
  sources: MixPlan['sources'],
  { shots, sound }: { shots: readonly Pick<Shot, 'ownSound' | 'isLevelled'>[]; sound?: FilmSound | undefined },
): boolean {
  const { loudness } = sound ?? {};
  return (
    sources.some(({ from }) => from === 'track') ||
    shots.some(({ ownSound, isLevelled }) => ownSound !== undefined || isLevelled === true) ||
    (loudness !== undefined && !loudness.isOff)
  );
}
