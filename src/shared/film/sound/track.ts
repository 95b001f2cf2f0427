import { z } from 'zod';
import { filmLoudnessSchema, levelDb } from './levels.ts';

/** The one track of music or narration under a film. */

const HOUR = 3_600;
const seconds = z
  .number()
  .min(0)
  .max(24 * HOUR);
const fade = seconds.max(HOUR);

/** What the track makes room for: where subtitles stand, or where a shot's own sound is on. */
export const DUCK_UNDERS = ['words', 'shots'] as const;

export const duckSchema = z.strictObject({
  under: z.enum(DUCK_UNDERS),
  /** Decibels that the track is lowered by. */
  by: z.number().min(0).max(60),
  /** Seconds in which it goes down before them, and comes back after them. */
  before: seconds.max(10),
  after: seconds.max(10),
});
export type Duck = z.infer<typeof duckSchema>;

export const DEFAULT_DUCK: Duck = { under: 'words', by: 9, before: 0.3, after: 0.6 };

export const trackSchema = z
  .strictObject({
    /** Of an audio file in the library; its sound starts with the film. */
    assetId: z.string().min(1).max(200),
    /** Seconds of the file. Without `out` it plays to its end. */
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

/** What is heard of a film besides its shots, and how loud the whole is. */
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
