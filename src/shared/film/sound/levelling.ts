import type { Shot } from '../../board/board.ts';
import type { SoundMeasures } from '../measures.ts';
import { gainOfDb, HIGHEST_PEAK_DB } from './levels.ts';
import type { MixPlan, ShotLevelling } from './mixPlan.ts';
import type { FilmSound } from './track.ts';

/** How a film is brought to its loudness: playback, figures and exports level by the same rules. */

/** In dB. What is nearly silent is not blown up. */
const MOST_GAIN_DB = 20;

type Measured = Pick<SoundMeasures, 'lufs' | 'truePeakDb' | 'momentary'>;

/** What brings a clip to a loudness in LUFS without a peak that would be cut off, in dB; 0 if nothing is known of it. */
export function gainTo(sound: Omit<Measured, 'momentary'> | undefined, target: number): number {
  if (!sound || sound.lufs === null) return 0;
  const wanted = Math.min(target - sound.lufs, MOST_GAIN_DB);
  const room = sound.truePeakDb === null ? MOST_GAIN_DB : Math.max(0, HIGHEST_PEAK_DB - sound.truePeakDb);
  return Math.round(Math.min(wanted, room) * 10) / 10;
}

/** Without a target a shot keeps its loudness, but a joint that is levelled is. */
export const levellingOf = (sound: Measured | undefined, target: number | undefined): ShotLevelling => ({
  gainDb: target === undefined ? 0 : gainTo(sound, target),
  first: sound?.momentary[0] ?? null,
  last: sound?.momentary.at(-1) ?? null,
});

/** What a whole mix of so many LUFS (null for silence) is multiplied by: to its target, else so that nothing clips. */
export function masterGain(
  { target, headroom }: { target?: number | undefined; headroom: number },
  lufs: number | null,
): number {
  return target === undefined || lufs === null ? headroom : gainOfDb(Math.min(MOST_GAIN_DB, target - lufs));
}

/** Whether the board wishes for anything but the shots' own sound as it came; without a wish a film that can be joined keeps it. */
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
