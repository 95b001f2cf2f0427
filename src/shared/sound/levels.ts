import { z } from 'zod';

/** Levels of sound: decibels where a person reads them, linear amplitude (1 is unchanged) where they are mixed. */

export const LEAST_DB = -60;
export const MOST_DB = 12;

export const levelDb = z
  .number('must be a number of decibels')
  .min(LEAST_DB, `must be ${LEAST_DB} to ${MOST_DB} dB`)
  .max(MOST_DB, `must be ${LEAST_DB} to ${MOST_DB} dB`);

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
