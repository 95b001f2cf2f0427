import type { ChatRecord, ToolCall } from '../state/records.ts';
import { pieces } from './tokens.ts';

/** The answer as one `chat.completion`. */
export function completionBody(answer: ChatRecord) {
  return {
    id: answer.id,
    object: 'chat.completion',
    created: Math.floor(answer.createdAt / 1000),
    model: answer.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: answer.toolCalls.length && answer.text === '' ? null : answer.text,
          ...(answer.reasoning && { reasoning_content: answer.reasoning }),
          ...(answer.toolCalls.length && { tool_calls: answer.toolCalls.map(wholeCall) }),
          refusal: null,
        },
        logprobs: null,
        finish_reason: answer.finishReason,
      },
    ],
    usage: usageBody(answer),
  };
}

/**
 * The answer as `chat.completion.chunk`s: the role, then reasoning, text or tool calls in pieces, then the finish reason, then usage if
 * requested.
 */
export function completionChunks(answer: ChatRecord, includeUsage: boolean): object[] {
  const frame = {
    id: answer.id,
    object: 'chat.completion.chunk',
    created: Math.floor(answer.createdAt / 1000),
    model: answer.model,
  };
  const chunk = (delta: object, finish: string | null = null) => ({
    ...frame,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    ...(includeUsage && { usage: null }),
  });
  return [
    chunk({ role: 'assistant', content: '' }),
    ...inPieces(answer.reasoning).map((part) => chunk({ reasoning_content: part })),
    ...inPieces(answer.text).map((part) => chunk({ content: part })),
    ...answer.toolCalls
      .flatMap((call, index) => callDeltas(call, index))
      .map((delta) => chunk({ tool_calls: [delta] })),
    chunk({}, answer.finishReason),
    ...(includeUsage ? [{ ...frame, choices: [], usage: usageBody(answer) }] : []),
  ];
}

function usageBody({ usage }: ChatRecord) {
  return {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    total_tokens: usage.promptTokens + usage.completionTokens,
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  };
}

function wholeCall(call: ToolCall) {
  return { id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments } };
}

/** The first delta of a call has its name; the arguments follow in pieces, as at other gateways. */
function callDeltas(call: ToolCall, index: number): object[] {
  const first = { index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } };
  const rest = call.arguments.match(/[\s\S]{1,12}/g) ?? [];
  return [first, ...rest.map((part) => ({ index, function: { arguments: part } }))];
}

/** Splits text into pieces of about four tokens that join to exactly the same text. */
function inPieces(text: string): string[] {
  if (!text) return [];
  const tokens = pieces(text);
  const parts: string[] = [];
  for (let at = 0; at < tokens.length; at += 4) parts.push(tokens.slice(at, at + 4).join(''));
  const joined = parts.join('');
  return joined.length < text.length ? [...parts, text.slice(joined.length)] : parts;
}
