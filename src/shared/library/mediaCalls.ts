import { z } from 'zod';
import { command, nothing } from '../contract/call.ts';
import { id } from '../contract/paging.ts';
import { type FilmTask, filmBeatSchema, filmFinishSchema } from '../film/filmTask.ts';
import { type MeasuredFile, mediaMeasuresSchema } from '../film/measures.ts';
import type { MediaTask } from './asset.ts';

/** The calls for measures, and those of the media page itself. */
export const mediaCalls = {
  /**
   * Measures of files by content hash: loudness, colour, and frame changes at both ends. Missing ones are measured from then on, and
   * `media.measured` reports them.
   */
  'media.measures': command<{ files: Record<string, MeasuredFile> }>()(
    z.strictObject({ sha256s: z.array(z.string().length(64, 'must be 64 hexadecimal digits')).min(1).max(8) }),
  ),
  /**
   * A film is claimed by one media page at a time, which writes its bytes with `PUT /media?film=ID&at=N`. It reports its progress; an answer
   * other than `ok` tells it to stop.
   */
  'media.claimFilm': command<{ task: FilmTask | null }>()(nothing),
  'media.beat': command<null>()(filmBeatSchema),
  'media.finishFilm': command<null>()(filmFinishSchema),
  /**
   * The media page claims its next task and reports it; a picture is uploaded with `PUT /media?task=ID`, measures come with the report.
   * `later`: the file is not at fault, it could not be read or the result not be stored; it is given out again after a while.
   */
  'media.claim': command<{ task: MediaTask | null }>()(nothing),
  'media.finish': command<null>()(
    z.strictObject({
      taskId: id,
      error: z.string().max(1_000).optional(),
      measures: mediaMeasuresSchema.optional(),
      later: z.enum(['unread', 'unstored']).optional(),
    }),
  ),
  /** The media page's browser has no H.264 encoder: the bundled one was tested and makes this many pixels a second. */
  'media.encoderSpeed': command<null>()(
    z.strictObject({
      pixelsPerSecond: z.number().positive().max(1e12),
    }),
  ),
  /**
   * Returns a claimed task, which the next page gets at once. A page that leaves normally uses up no attempt; `died` says that it crashed.
   * Unclaimed tasks are ignored.
   */
  'media.release': command<null>()(
    z.strictObject({
      taskIds: z.array(id).min(1).max(10),
      died: z.boolean().optional(),
    }),
  ),
} as const;
