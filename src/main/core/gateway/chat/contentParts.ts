import { field, isObject, type Json, textOf } from '../json/json.ts';

/** What a content says: a text, one part, or a list of parts, in the spelling of any service. */
export interface Parts {
  text: string;
  reasoning: string;
  /** Tool calls in the form of `tool_calls`. */
  calls: Json[];
}

const MOST_LEVELS = 8;
const SAYING = ['text', 'thinking', 'reasoning', 'content', 'summary', 'parts', 'refusal', 'value'];

export function partsOf(content: Json | undefined, depth = 0): Parts {
  const found: Parts = { text: typeof content === 'string' ? content : '', reasoning: '', calls: [] };
  if (depth > MOST_LEVELS) return found;
  for (const part of Array.isArray(content) ? content : isObject(content) ? [content] : []) {
    const call = callIn(part);
    if (call) {
      found.calls.push(call);
      continue;
    }
    const type = textOf(field(part, 'type')) ?? '';
    const said = partsOf(typeof part === 'string' ? part : field(part, ...SAYING), depth + 1);
    if (field(part, 'thought') === true || /think|reason|summary/i.test(type)) {
      found.reasoning += said.reasoning + said.text;
    } else if (!/^tool|^function|_call_output/i.test(type)) {
      found.text += said.text;
      found.reasoning += said.reasoning;
    }
    found.calls.push(...said.calls);
  }
  return found;
}

/** A call that stands among the parts: `tool_use`, `function_call`, or an object named `functionCall`. */
function callIn(part: Json): Json | undefined {
  const type = textOf(field(part, 'type')) ?? '';
  const named = field(part, 'functionCall', 'toolCall');
  const call = isObject(named) ? named : /^(tool_?use|tool_?call|function_?call)$/i.test(type) ? part : undefined;
  if (call === undefined) return undefined;
  if (isObject(field(call, 'function'))) return call;
  const input = field(call, 'arguments', 'input', 'args', 'parameters') ?? '';
  return {
    id: field(call, 'callId', 'id') ?? null,
    function: { name: field(call, 'name') ?? '', arguments: input },
  };
}

const REASONING = [
  'reasoningContent',
  'reasoning',
  'thinking',
  'reasoningText',
  'reasoningDetails',
  'thinkingBlocks',
  'thought',
];

/** The reasoning of a message. Several of these fields may be there and say the same; the first that says something counts. */
export function reasoningOf(message: Json | undefined): string {
  for (const name of REASONING) {
    const value = field(message, name);
    if (value === undefined) continue;
    const said = partsOf(value);
    if (said.text !== '' || said.reasoning !== '') return said.reasoning + said.text;
  }
  return '';
}
