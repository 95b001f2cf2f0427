import { z } from 'zod';
import type { MediaTask } from './asset.ts';
import { command, nothing } from './call.ts';
import { type FilmTask, filmBeatSchema, filmFinishSchema } from './filmTask.ts';
import { type MeasuredFile, mediaMeasuresSchema } from './measures.ts';
import { id } from './paging.ts';

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
   * with the report.
   */
  'media.claim': command<{ task: MediaTask | null }>()(nothing),
  'media.finish': command<null>()(
    z.strictObject({ taskId: id, error: z.string().max(1_000).optional(), measures: mediaMeasuresSchema.optional() }),
  ),
} as const;
