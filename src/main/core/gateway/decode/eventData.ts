import type { ServerEvent } from './events.ts';
import { type Json, parseJson } from './json.ts';

/**
 * The JSON of one event: several `data:` lines are one document, or, from services that forget the blank line between events, one
 * document each. What cannot be read is left out.
 */
export function documentsIn(event: ServerEvent): Json[] {
  const whole = parseJson(event.data);
  if (whole !== undefined) return [whole];
  return event.data.split('\n').flatMap((line) => parseJson(line) ?? []);
}
