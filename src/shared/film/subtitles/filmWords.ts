import { z } from 'zod';

/** How the subtitles of a film are read, and how they leave with it. */

export const SUBTITLE_FILES = ['srt', 'vtt'] as const;
export type SubtitleFile = (typeof SUBTITLE_FILES)[number];

export const filmWordsSchema = z.strictObject({
  /** Characters per second above which a subtitle is told as too fast. */
  readingLimit: z.number().min(1).max(100).optional(),
  /** Files beside an exported film; both if not said. */
  files: z.array(z.enum(SUBTITLE_FILES)).max(SUBTITLE_FILES.length).optional(),
  /** Drawn into the picture of an exported film, which is then encoded. No take is changed. */
  isBurntIn: z.literal(true).optional(),
});
export type FilmWords = z.infer<typeof filmWordsSchema>;

const DEFAULT_READING_LIMIT = 17;

export const readingLimitOf = (words: FilmWords | undefined): number => words?.readingLimit ?? DEFAULT_READING_LIMIT;
export const subtitleFilesOf = (words: FilmWords | undefined): readonly SubtitleFile[] =>
  words?.files ?? SUBTITLE_FILES;
