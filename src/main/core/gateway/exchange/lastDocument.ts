import { isObject, type Json, parseJson } from '../json/json.ts';
import type { Answer } from './answer.ts';

const MOST_LINES = 2_000;

/** What an answer says: its JSON, or the last JSON of one that came as events or as lines, which is how it stands now. */
export function lastDocument(answer: Answer): Json | undefined {
  const cameAsLines = answer.form === 'text' || /^(data|event|id|retry)?:/.test(answer.text);
  if (!cameAsLines) return answer.json;
  for (const line of lastLines(answer.text)) {
    const text = line.replace(/^data:/, '').trim();
    const json = text.startsWith('{') ? parseJson(text) : undefined;
    if (isObject(json)) return json;
  }
  return answer.json;
}

/** The lines of a text from the last one on, no further back than is looked at. */
function* lastLines(text: string): Generator<string> {
  let end = text.length;
  for (let count = 0; count < MOST_LINES && end >= 0; count += 1) {
    const before = end === 0 ? -1 : text.lastIndexOf('\n', end - 1);
    yield* text
      .slice(before + 1, end)
      .split('\r')
      .reverse();
    end = before;
  }
}
