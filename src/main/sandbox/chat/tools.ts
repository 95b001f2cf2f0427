import { newToolCallId } from '../ids.ts';
import type { ToolCall } from '../state/records.ts';
import type { ParsedChatRequest, Tool } from './chatRequest.ts';
import { subjectOf } from './compose.ts';
import { STOP_WORDS } from './phrases.ts';

/** The tool calls for this prompt: those whose name or description matches its words, or one if the request requires it. */
export function toolCallsFor(request: ParsedChatRequest, prompt: string): ToolCall[] {
  const { toolChoice } = request;
  if (toolChoice === 'none' || request.tools.length === 0) return [];
  const forced =
    typeof toolChoice === 'object' ? request.tools.find((tool) => tool.function.name === toolChoice.name) : undefined;
  const ranked = request.tools
    .map((tool) => ({ tool, score: scoreOf(tool, wordsOf(prompt)) }))
    .sort((left, right) => right.score - left.score);
  const matching = ranked.filter(({ score }) => score >= 2).map(({ tool }) => tool);
  const demanded = matching.length === 0 && toolChoice === 'required' && ranked[0] ? [ranked[0].tool] : [];
  const chosen = forced ? [forced] : [...matching, ...demanded];
  return chosen.slice(0, request.parallel ? 3 : 1).map((tool) => ({
    id: newToolCallId(),
    name: tool.function.name,
    arguments: JSON.stringify(valueFor(tool.function.parameters ?? {}, prompt, '')),
  }));
}

/** Words of the name count twice. Two points are a match. */
function scoreOf(tool: Tool, words: Set<string>): number {
  const nameWords = wordsOf(tool.function.name.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/[_-]/g, ' '));
  const aboutWords = wordsOf(tool.function.description ?? '');
  const hits = (candidates: Set<string>) => [...candidates].filter((word) => words.has(word)).length;
  return 2 * hits(nameWords) + hits(new Set([...aboutWords].filter((word) => !nameWords.has(word))));
}

/** Lower-case stems without stop words, so that "prices" finds "price". */
function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  return new Set(words.filter((word) => !STOP_WORDS.has(word)).map((word) => word.replace(/(ing|es|s|ed)$/, '')));
}

interface Schema {
  type?: unknown;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
  minimum?: number;
  default?: unknown;
}

/** An argument that fits the schema, from the prompt if possible. */
function valueFor(schema: Schema, prompt: string, name: string): unknown {
  if (schema.enum?.length) {
    return schema.enum.find((value) => prompt.toLowerCase().includes(String(value).toLowerCase())) ?? schema.enum[0];
  }
  const type = Array.isArray(schema.type) ? schema.type.find((kind) => kind !== 'null') : schema.type;
  if (type === 'object' || schema.properties || !name) {
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([key, part]) => [key, valueFor(part, prompt, key)]),
    );
  }
  if (type === 'array') return [valueFor(schema.items ?? { type: 'string' }, prompt, name)];
  if (type === 'number') return numberFor(schema, prompt);
  if (type === 'integer') return Math.trunc(numberFor(schema, prompt));
  if (type === 'boolean') return !/\b(no|not|without|never)\b/i.test(prompt);
  return textFor(prompt, name);
}

function numberFor(schema: Schema, prompt: string): number {
  const found = /-?\d+(?:\.\d+)?/.exec(prompt)?.[0];
  return found === undefined ? (schema.minimum ?? 1) : Number(found);
}

/** A place if the argument asks for one, otherwise the subject of the prompt. */
function textFor(prompt: string, name: string): string {
  if (/city|place|location|where|country|port/i.test(name)) {
    const place = /\b(?:in|at|for|of|from|to|near)\s+((?:\p{Lu}[\p{L}-]*\s?){1,3})/u.exec(prompt)?.[1];
    if (place) return place.trim();
  }
  if (/prompt|text|query|message|description/i.test(name)) return prompt.trim();
  return subjectOf(prompt);
}
