import { createHash } from 'node:crypto';
import type { ChatSubmitRequest } from '../types.ts';

/**
 * How the calls of earlier answers are written. What goes with them is of the model that made them, and another one may refuse it, or
 * refuse them without its own: `reasoning_content` (api-docs.deepseek.com/guides/thinking_mode), `thought_signature`
 * (ai.google.dev/gemini-api/docs/thought-signatures), or ids that hold a signature, which are too long for OpenAI and have signs that
 * Anthropic does not take (BerriAI/litellm#16895, #27873). `own`: as they came. `plain`: nothing but the calls, under ids that every service
 * takes. `words`: what was called and what came of it, as text.
 */
export type CallForm = 'own' | 'plain' | 'words';

type Message = ChatSubmitRequest['messages'][number];

const NAMES_THEM =
  /reasoning_content|thought_?signature|extra_content|\btool_calls\[\d{1,4}\]\.id\b|\btool[_ ]call[_ ]id\b|\btool_use[._]id\b|\btoolUseId\b/i;
const MISSES_ONE = /\bmissing\b|\bpassed back\b/i;

/** The form to try after a refusal that is about them; undefined for any other refusal. */
export function nextForm(refusal: string, form: CallForm, { messages }: ChatSubmitRequest): CallForm | undefined {
  if (form === 'words' || !NAMES_THEM.test(refusal) || !messages.some(({ toolCalls }) => toolCalls)) return undefined;
  return form === 'own' && !MISSES_ONE.test(refusal) ? 'plain' : 'words';
}

export function withCalls(request: ChatSubmitRequest, form: CallForm): ChatSubmitRequest {
  if (form === 'own') return request;
  const { messages } = request;
  return { ...request, messages: form === 'plain' ? messages.map(plain) : inWords(messages) };
}

function plain({ toolCalls, toolCallId, reasoning: _, ...message }: Message): Message {
  return {
    ...message,
    ...(toolCalls
      ? { toolCalls: toolCalls.map(({ id, name, arguments: own }) => ({ id: shortId(id), name, arguments: own })) }
      : {}),
    ...(toolCallId === undefined ? {} : { toolCallId: shortId(toolCallId) }),
  };
}

/** One for each id, and the same whenever it is sent. */
const shortId = (id: string): string =>
  /^[a-zA-Z0-9]{9}$/.test(id)
    ? id
    : BigInt(`0x${createHash('sha256').update(id).digest('hex')}`)
        .toString(36)
        .slice(-9);

const TOLD = 'You called these tools, and this is what they answered:';

/** The words, and what the calls brought in words: a later message may ask about any of it. */
function inWords(messages: readonly Message[]): Message[] {
  return messages.flatMap((message, at) => {
    if (message.toolCallId !== undefined) return [];
    if (!message.toolCalls) return [message];
    const { toolCalls, reasoning: _, ...words } = message;
    const behind = messages.slice(at + 1);
    const told = toolCalls.map(({ id, name, arguments: text }) => `${name} ${text}\n${resultOf(id, behind)}`);
    const result: Message = { role: 'user', content: [TOLD, ...told].join('\n\n') };
    return words.content.trim() === '' ? [result] : [words, result];
  });
}

/** A later answer may have a call of the same id. */
function resultOf(id: string, behind: readonly Message[]): string {
  const next = behind.find(
    ({ toolCallId, toolCalls }) => toolCallId === id || toolCalls?.some((call) => call.id === id),
  );
  return next?.toolCallId === undefined ? '' : next.content;
}
