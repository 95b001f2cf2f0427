import { z } from 'zod';
import { filmLoudnessSchema, levelDb } from './levels.ts';

const HOUR = 3_600;
const seconds = z
  .number()
  .min(0)
  .max(24 * HOUR);
const fade = seconds.max(HOUR);

/** The sound that ducks the track: subtitles, or shots with sound. */
export const DUCK_UNDERS = ['words', 'shots'] as const;

export const duckSchema = z.strictObject({
  under: z.enum(DUCK_UNDERS),
  /** Decibels that the track is lowered by. */
  by: z.number().min(0).max(60),
  /** Seconds of the ramp down before and up after. */
  before: seconds.max(10),
  after: seconds.max(10),
});
export type Duck = z.infer<typeof duckSchema>;

export const DEFAULT_DUCK: Duck = { under: 'words', by: 9, before: 0.3, after: 0.6 };

export const trackSchema = z
  .strictObject({
    /** An audio file of the library; it starts with the film. */
    assetId: z.string().min(1).max(200),
    /** Seconds of the file; without `out` it plays to its end. */
    in: seconds,
    out: seconds.optional(),
    fadeIn: fade,
    fadeOut: fade,
    /** Decibels. */
    level: levelDb,
    isMuted: z.literal(true).optional(),
    duck: duckSchema.optional(),
  })
  .refine((track) => track.out === undefined || track.out > track.in, {
    path: ['out'],
    message: 'must be after the in point',
  });
export type Track = z.infer<typeof trackSchema>;

/** Sound besides the shots' own, and the loudness of the whole. */
export const filmSoundSchema = z.strictObject({
  track: trackSchema.optional(),
  loudness: filmLoudnessSchema.optional(),
});
export type FilmSound = z.infer<typeof filmSoundSchema>;

export const newTrack = (assetId: string): Track => ({
  assetId,
  in: 0,
  fadeIn: 1.5,
  fadeOut: 2,
  level: -6,
  duck: DEFAULT_DUCK,
});
