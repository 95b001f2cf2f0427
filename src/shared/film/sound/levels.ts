import { z } from 'zod';

/** Levels of sound: decibels where a person reads them, linear amplitude (1 is unchanged) where they are mixed. */

export const LEAST_DB = -60;
export const MOST_DB = 12;

export const levelDb = z.number().min(LEAST_DB).max(MOST_DB);

/** LUFS: programme loudness in broadcasting (EBU R 128). */
export const BROADCAST_LUFS = -23;
/** LUFS: below this a sound is silence, whatever the figures are. */
const AUDIBLE_LUFS = -60;
/** Whether a loudness was measured and is no silence. Steps at a joint are told and levelled only between two that are. */
export const isAudible = (lufs: number | null | undefined): lufs is number =>
  lufs !== null && lufs !== undefined && lufs >= AUDIBLE_LUFS;
/** dBTP: the highest true peak (EBU R 128). */
export const HIGHEST_PEAK_DB = -1;

/** How loud the whole film is in exports whose sound is encoded; without it, as loud as broadcasting asks for. */
export const filmLoudnessSchema = z.strictObject({
  /** LUFS (ITU-R BS.1770). */
  target: z.number().min(-40).max(-5).optional(),
  /** It stays as loud as it is mixed. */
  isOff: z.literal(true).optional(),
});
export type FilmLoudness = z.infer<typeof filmLoudnessSchema>;

/** LUFS; undefined where the film is not levelled. */
export const targetOf = (loudness: FilmLoudness | undefined): number | undefined =>
  loudness?.isOff ? undefined : (loudness?.target ?? BROADCAST_LUFS);

export const gainOfDb = (db: number): number => 10 ** (db / 20);

/** No less than the least level, so that silence has a place on a line. */
export const dbOfGain = (gain: number): number => (gain <= 0 ? LEAST_DB : Math.max(LEAST_DB, 20 * Math.log10(gain)));

/** The sound that came with a shot's take. Without it, the sound is on and unchanged. */
export const ownSoundSchema = z.strictObject({
  isOff: z.literal(true).optional(),
  /** Decibels. */
  level: levelDb.optional(),
});
export type OwnSound = z.infer<typeof ownSoundSchema>;

/** Linear; 0 is off. */
export const ownGain = (sound: OwnSound | undefined): number => (sound?.isOff ? 0 : gainOfDb(sound?.level ?? 0));
