import { z } from 'zod';
import { command, nothing } from '../contract/call.ts';
import { id } from '../contract/paging.ts';
import { type FilmTask, filmBeatSchema, filmFinishSchema } from '../film/filmTask.ts';
import { type MeasuredFile, mediaMeasuresSchema } from '../film/measures.ts';
import type { MediaTask } from './asset.ts';

/** What is asked of the media page's work, and what that page itself may call. */
export const mediaCalls = {
  /**
   * What is known of files by content hash: loudness, colour and change of frames at both ends. What was never measured is measured from
   * then on, and `media.measured` tells when.
   */
  'media.measures': command<{ files: Record<string, MeasuredFile> }>()(
    z.strictObject({ sha256s: z.array(z.string().length(64, 'must be 64 hexadecimal digits')).min(1).max(8) }),
  ),
  /**
   * A film is claimed by one media page at a time, which writes its bytes with `PUT /media?film=ID&at=N`. While it works it says how far it
   * is; an answer that is no longer `ok` tells it to stop.
   */
  'media.claimFilm': command<{ task: FilmTask | null }>()(nothing),
  'media.beat': command<null>()(filmBeatSchema),
  'media.finishFilm': command<null>()(filmFinishSchema),
  /**
   * The media page claims its next task, and reports it; a result that is a picture is uploaded with `PUT /media?task=ID`, measures come
   * with the report. `later` says that the file is not at fault: it could not be read just now, or what was made of it not be stored. It is
   * given out again after a while.
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
  /** The browser of the media page has no H.264 encoder: the one that is shipped was tried there, and makes so many pixels a second. */
  'media.encoderSpeed': command<null>()(
    z.strictObject({
      pixelsPerSecond: z.number().positive().max(1e12),
    }),
  ),
  /**
   * Gives back what a page has claimed and will not finish: the next page gets it at once. A page that leaves in order loses no try;
   * `died` says that it did not, as the host does of a worker that crashed. What is not claimed any more is ignored.
   */
  'media.release': command<null>()(
    z.strictObject({
      taskIds: z.array(id).min(1).max(10),
      died: z.boolean().optional(),
    }),
  ),
} as const;
