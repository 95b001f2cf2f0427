import type { Answer } from './answer.ts';
import { isObject, type Json, parseJson } from './json.ts';

const MOST_LINES = 2_000;

/** What an answer says: its JSON, or the last JSON of one that came as events or as lines, which is how it stands now. */
export function lastDocument(answer: Answer): Json | undefined {
  const cameAsLines = answer.form === 'text' || /^(data|event|id|retry)?:/.test(answer.text);
  if (!cameAsLines) return answer.json;
  for (const line of answer.text
    .split(/\r?\n|\r/)
    .slice(-MOST_LINES)
    .reverse()) {
    const text = line.replace(/^data:/, '').trim();
    const json = text.startsWith('{') ? parseJson(text) : undefined;
    if (isObject(json)) return json;
  }
  return answer.json;
}
