import { z } from 'zod';
import { command, query } from '../contract/call.ts';
import { id } from '../contract/paging.ts';
import { type Export, type ExportPage, exportsListSchema, filmExportSchema, type Preflight } from './filmExport.ts';

/** The calls about a film that leaves, and about every export. */
export const filmExportCalls = {
  /** What to know before a film is exported, shot by shot, and whether it can be joined without being encoded again. */
  'film.preflight': query<Preflight>()(z.strictObject({ projectId: id })),
  /**
   * Starts an export of a film; `export.changed` follows it. Timelines come with a media folder. With `holes: 'refuse'` (the default) a
   * film with a shot that has no clip is refused with `has_holes`, and nothing is started.
   */
  'film.export': command<Export>()(filmExportSchema),
  'exports.list': query<ExportPage>()(exportsListSchema),
  'exports.get': query<Export>()(z.strictObject({ id })),
  /** Answers when nothing of it is left on the disk. */
  'exports.cancel': command<Export>()(z.strictObject({ id })),
  /** Removes the files of an export and forgets it. No file of the library is removed. */
  'exports.remove': command<null>()(z.strictObject({ id })),
  /** Shows an export's folder in the system's file manager. */
  'exports.reveal': command<null>()(z.strictObject({ id })),
  /** Asks the user for the `folder` of an export; null if none was chosen. A host without such a dialog answers `wrong_state`. */
  'exports.chooseFolder': command<{ folder: string | null }>()(z.strictObject({})),
} as const;
