import type { ServerEvent } from '../http/index.ts';
import { type Json, parseJson, valuesIn } from '../json/index.ts';

/**
 * The JSON documents of one event. Several `data:` lines are one document, or one document each from services that forget the blank line
 * between events. Unreadable lines are left out.
 */
export function documentsIn(event: ServerEvent): Json[] {
  if (event.data === '') return [];
  const whole = parseJson(event.data);
  return whole === undefined ? documentsInLines(event.data) : [whole];
}

/** Reading stops after this many unreadable lines in a row. */
const MAX_UNREADABLE_LINES = 1_000;

/** The most documents that are read from one event: nothing else runs until an event is done. */
export const MAX_DOCUMENTS_PER_EVENT = 20_000;

/** The most lines that are looked at, empty ones included. */
const MAX_LINES = 5 * MAX_DOCUMENTS_PER_EVENT;

/** The documents of a text with one document per line. */
export function documentsInLines(text: string): Json[] {
  const found: Json[] = [];
  let unreadable = 0;
  for (const line of text.includes('\n') ? text.split('\n', MAX_LINES) : []) {
    const json = line.replace(/^data:/, '').trimStart();
    if (!json.startsWith('{') && !json.startsWith('[')) continue;
    const document = parseJson(json);
    if (document !== undefined) found.push(document);
    unreadable = document === undefined ? unreadable + 1 : 0;
    if (unreadable > MAX_UNREADABLE_LINES || found.length >= MAX_DOCUMENTS_PER_EVENT) break;
  }
  return found;
}

const DONE = /^[ \t]*"?\[DONE\]"?[ \t\r]*$/m;

/** Whether the event marks the end of the stream. */
export function isDoneMarker({ data }: ServerEvent): boolean {
  return data.length < 16 || data.includes('\n') ? DONE.test(data) : false;
}

const MAX_VALUES = 12_000;

/** The first documents, as many as can be searched. */
export function firstDocuments(documents: readonly Json[]): Json[] {
  let left = MAX_VALUES;
  return documents.filter((document, at) => {
    if (left > 0) left -= valuesIn(document, left);
    return left > 0 || at === 0;
  });
}

/** Keeps the first and the last documents of a long stream: the first name the task, the last tell its state. */
export function createDocumentKeeper() {
  const first: Json[] = [];
  const last: { document: Json; values: number }[] = [];
  let room = MAX_VALUES / 4;
  let held = 0;
  let gone = 0;
  return {
    add(document: Json): void {
      const values = valuesIn(document, MAX_VALUES);
      if (room > 0) {
        first.push(document);
        room -= values;
        return;
      }
      last.push({ document, values });
      held += values;
      for (; held > MAX_VALUES / 2 && gone < last.length - 1; gone += 1) held -= last[gone]?.values ?? 0;
      if (gone > 1_000) {
        last.splice(0, gone);
        gone = 0;
      }
    },
    latestFirst: (): Json[] => [...first, ...last.slice(gone).map(({ document }) => document)].reverse(),
  };
}
