import { newCompletionId } from '../ids.ts';
import { isThinking } from '../models.ts';
import type { ChatRecord, ToolCall } from '../state/records.ts';
import type { Message, ParsedChatRequest } from './chatRequest.ts';
import { type AnswerInput, composeAnswer, composeFromTools, composeJson, composeReasoning } from './compose.ts';
import { directedBy, directorsWords } from './director.ts';
import { countTokens, firstTokens } from './tokens.ts';
import { toolCallsFor } from './tools.ts';

/** Composes the whole answer to a chat request before the first byte is sent, so that it is billed before it is answered. */
export function answerChat(request: ParsedChatRequest, now: number): ChatRecord {
  const asked = request.messages.filter((message) => message.role === 'user');
  const prompt = asked.at(-1)?.content ?? request.messages.at(-1)?.content ?? '';
  const input: AnswerInput = { prompt, model: request.model, seed: request.seed, turn: asked.length };
  const results = toolResults(request.messages);
  const directed = results.length ? undefined : directedBy(request, prompt);
  const toolCalls = results.length ? [] : (directed?.toolCalls ?? otherCalls(request, prompt));
  const reasoning = isThinking(request.model) ? composeReasoning(input) : '';
  const written = toolCalls.length
    ? { text: directed?.text ?? '', cut: false }
    : cutText(textFor(request, input, results), request, reasoning);
  const reasoningTokens = countTokens(reasoning);
  return {
    id: newCompletionId(),
    createdAt: now,
    model: request.model,
    reasoning,
    text: written.text,
    toolCalls,
    finishReason: toolCalls.length ? 'tool_calls' : written.cut ? 'length' : 'stop',
    usage: {
      promptTokens: request.promptTokens,
      completionTokens: reasoningTokens + countTokens(written.text) + countCalls(toolCalls),
      reasoningTokens,
    },
  };
}

/** Tool calls other than a director's. A request with a director's tools gets no others. */
const otherCalls = (request: ParsedChatRequest, prompt: string): ToolCall[] =>
  request.tools.some((tool) => tool.function.name === 'draft_shots') ? [] : toolCallsFor(request, prompt);

function textFor(request: ParsedChatRequest, input: AnswerInput, results: { name: string; content: string }[]): string {
  if (results.length) return directorsWords(results) ?? composeFromTools(results, input);
  return request.json ? composeJson(input) : seen(request) + composeAnswer(input);
}

/** Names the pictures of the last message, so that the user sees they arrived. */
function seen({ messages }: ParsedChatRequest): string {
  const last = messages.findLast((message) => message.role === 'user');
  if (!last || last.pictures.length === 0) return '';
  const [many, each] = [last.pictures.length, last.pictures.join(', ')];
  return `I was shown ${many === 1 ? 'a picture' : `${many} pictures`}: ${each}.\n\n`;
}

/** Ends the text before a stop word and cuts it at the token limit, which includes the reasoning (spec 8: 4K output). */
function cutText(text: string, request: ParsedChatRequest, reasoning: string): { text: string; cut: boolean } {
  const ends = request.stop.map((stop) => text.indexOf(stop)).filter((at) => at >= 0);
  const stopped = ends.length ? text.slice(0, Math.min(...ends)) : text;
  const remaining = Math.max(0, request.maxTokens - countTokens(reasoning));
  const cut = countTokens(stopped) > remaining;
  return { text: cut ? firstTokens(stopped, remaining) : stopped, cut };
}

/** The tools' results, if the conversation ends with them. */
function toolResults(messages: Message[]): { name: string; content: string }[] {
  const tail = messages.slice(messages.findLastIndex((message) => message.role !== 'tool') + 1);
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []) : []));
  return tail.flatMap((message) => {
    if (message.role !== 'tool') return [];
    const call = calls.find(({ id }) => id === message.tool_call_id);
    return [{ name: call?.function.name ?? 'tool', content: message.content }];
  });
}

function countCalls(calls: ToolCall[]): number {
  return calls.reduce((sum, call) => sum + 4 + countTokens(call.name) + countTokens(call.arguments), 0);
}
