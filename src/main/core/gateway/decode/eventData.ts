import type { ServerEvent } from './events.ts';
import { type Json, parseJson } from './json.ts';

/**
 * The JSON of one event: several `data:` lines are one document, or, from services that forget the blank line between events, one
 * document each. What cannot be read is left out.
 */
export function documentsIn(event: ServerEvent): Json[] {
  const whole = parseJson(event.data);
  return whole === undefined ? documentsInLines(event.data) : [whole];
}

/** One document to a line. */
export function documentsInLines(text: string): Json[] {
  if (!text.includes('\n')) return [];
  return text.split('\n').flatMap((line) => parseJson(line.replace(/^data:/, '')) ?? []);
}

const DONE = /^\s*"?\[DONE\]"?\s*$/m;

/** The mark after which nothing more comes. */
export function saysDone({ data }: ServerEvent): boolean {
  return data.length < 16 || data.includes('\n') ? DONE.test(data) : false;
}
