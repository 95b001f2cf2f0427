import { z } from 'zod';
import { command, query } from '../contract/call.ts';
import { id } from '../contract/paging.ts';
import { type Export, type ExportPage, exportsListSchema, filmExportSchema, type Preflight } from './filmExport.ts';

/** The calls about exports of films, and about every export. */
export const filmExportCalls = {
  /** The findings about each shot before an export, and whether it can be joined without encoding. */
  'film.preflight': query<Preflight>()(z.strictObject({ projectId: id })),
  /**
   * Starts an export of a film, followed by `export.changed`. Timelines come with a media folder. With `holes: 'refuse'` (default), a film
   * with a shot without a clip is refused with `has_holes`.
   */
  'film.export': command<Export>()(filmExportSchema),
  'exports.list': query<ExportPage>()(exportsListSchema),
  'exports.get': query<Export>()(z.strictObject({ id })),
  /** Answers when all its files are gone. */
  'exports.cancel': command<Export>()(z.strictObject({ id })),
  /** Removes the files and the entry of an export, and no file of the library. */
  'exports.remove': command<null>()(z.strictObject({ id })),
  /** Shows the folder in the system's file manager. */
  'exports.reveal': command<null>()(z.strictObject({ id })),
  /** Asks the user for a `folder`; null: none was chosen. A host without such a dialog answers `wrong_state`. */
  'exports.chooseFolder': command<{ folder: string | null }>()(z.strictObject({})),
} as const;
