import { z } from 'zod';

/** Reading speed and export of subtitles. */

export const SUBTITLE_FILES = ['srt', 'vtt'] as const;
export type SubtitleFile = (typeof SUBTITLE_FILES)[number];

export const filmWordsSchema = z.strictObject({
  /** Characters per second above which a subtitle is reported as too fast. */
  readingLimit: z.number().min(1).max(100).optional(),
  /** Subtitle files beside an exported film; default: both. */
  files: z.array(z.enum(SUBTITLE_FILES)).max(SUBTITLE_FILES.length).optional(),
  /** Burnt into an exported film, which is then encoded. No take is changed. */
  isBurntIn: z.literal(true).optional(),
});
export type SubtitleSettings = z.infer<typeof filmWordsSchema>;

const DEFAULT_READING_LIMIT = 17;

export const readingLimitOf = (words: SubtitleSettings | undefined): number =>
  words?.readingLimit ?? DEFAULT_READING_LIMIT;
export const subtitleFilesOf = (words: SubtitleSettings | undefined): readonly SubtitleFile[] =>
  words?.files ?? SUBTITLE_FILES;
