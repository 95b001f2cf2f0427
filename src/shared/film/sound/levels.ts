import { z } from 'zod';

/** Levels: decibels for people, linear amplitude (1 is unchanged) for mixing. */

export const LEAST_DB = -60;
export const MOST_DB = 12;

export const levelDb = z.number().min(LEAST_DB).max(MOST_DB);

/** LUFS: programme loudness in broadcasting (EBU R 128). */
export const BROADCAST_LUFS = -23;
/** LUFS below which a sound is silence. */
const AUDIBLE_LUFS = -60;
/** Whether a loudness was measured and is not silence; links are reported and levelled only between two such sounds. */
export const isAudible = (lufs: number | null | undefined): lufs is number =>
  lufs !== null && lufs !== undefined && lufs >= AUDIBLE_LUFS;
/** dBTP: the highest true peak (EBU R 128). */
export const HIGHEST_PEAK_DB = -1;

/** The loudness of the whole film if its sound is encoded; default: the broadcast target. */
export const filmLoudnessSchema = z.strictObject({
  /** LUFS (ITU-R BS.1770). */
  target: z.number().min(-40).max(-5).optional(),
  /** The loudness stays as it is mixed. */
  isOff: z.literal(true).optional(),
});
export type FilmLoudness = z.infer<typeof filmLoudnessSchema>;

/** LUFS; undefined where the film is not levelled. */
export const targetOf = (loudness: FilmLoudness | undefined): number | undefined =>
  loudness?.isOff ? undefined : (loudness?.target ?? BROADCAST_LUFS);

export const gainOfDb = (db: number): number => 10 ** (db / 20);

/** At least LEAST_DB, so that silence has a place on a graph. */
export const dbOfGain = (gain: number): number => (gain <= 0 ? LEAST_DB : Math.max(LEAST_DB, 20 * Math.log10(gain)));

/** A shot's own sound; default: on and unchanged. */
export const ownSoundSchema = z.strictObject({
  isOff: z.literal(true).optional(),
  /** Decibels. */
  level: levelDb.optional(),
});
export type OwnSound = z.infer<typeof ownSoundSchema>;

/** Linear; 0: off. */
export const ownGain = (sound: OwnSound | undefined): number => (sound?.isOff ? 0 : gainOfDb(sound?.level ?? 0));
