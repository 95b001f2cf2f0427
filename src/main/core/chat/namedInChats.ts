import type { ReadDb } from '../store/index.ts';
import * as statements from './statements.ts';

/** The ids of pictures that messages hold: a model is shown them again with each later message. */
export const namedInChats = (db: ReadDb, changed?: readonly string[]): string[] =>
  db
    .all<{ id: string }>(statements.namedPictures, { ids: changed ? JSON.stringify(changed) : null })
    .map(({ id }) => id);
