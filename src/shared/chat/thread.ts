import { type ChatMessage, MAX_CALL_ID } from '../kinds/chat.ts';
import type { Message, ToolResult } from './conversation.ts';

/** What a model is sent of a thread, and how a page reads answers that go on. Pages price what the studio sends with the same words. */

/** An answer with those that go on with it. */
export interface Answered {
  /** The first of them. */
  message: Message;
  /** All of them, in order. */
  parts: readonly Message[];
}

/** The messages of a branch, with an answer and what goes on with it as one. */
export function joinedAnswers(messages: readonly Message[]): Answered[] {
  const joined: Answered[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    const goesOn = message.continues !== undefined && last?.parts.at(-1)?.id === message.continues;
    if (goesOn) joined[joined.length - 1] = { ...last, parts: [...last.parts, message] };
    else joined.push({ message, parts: [message] });
  }
  return joined;
}

export const joinedText = ({ parts }: Answered): string => parts.map(({ text }) => text).join('');

/**
 * The messages of one branch as a model is sent them: without those that have no text, and each answer whole, without the pictures that
 * came with it. `hasTools`: the request offers tools; without them a service may refuse a history with calls, so that only the words are
 * sent.
 */
export function sentMessages(path: readonly Message[], { system, said, pictures, hasTools }: SentWith): ChatMessage[] {
  const ids = new Set<string>();
  const past = joinedAnswers(path)
    .flatMap((answered) => {
      const isAnswer = answered.message.role === 'assistant';
      const results = hasTools && isAnswer ? answered.parts.flatMap(({ toolResults = [] }) => toolResults) : [];
      const content = joinedText(answered);
      const { role, pictures } = answered.message;
      return results.length === 0
        ? [{ role, content, ...(isAnswer ? {} : shownPictures(pictures)) }]
        : calledMessages({ content, reasoning: reasoningBack(answered) }, results, ids);
    })
    .filter(({ content, toolCalls = [] }: ChatMessage) => content.trim() !== '' || toolCalls.length > 0);
  const first: ChatMessage[] = system?.trim() ? [{ role: 'system', content: system }] : [];
  const last = said === undefined ? [] : [{ role: 'user' as const, content: said, ...shownPictures(pictures) }];
  return [...first, ...past, ...last];
}

interface SentWith {
  system: string | undefined;
  /** What is said behind them, with the ids of its pictures. */
  said?: string;
  pictures?: readonly string[] | undefined;
  hasTools: boolean;
}

const shownPictures = (ids: readonly string[] = []): Pick<ChatMessage, 'pictures'> =>
  ids.length === 0 ? {} : { pictures: ids.map((assetId) => ({ assetId })) };

/**
 * The reasoning that goes back with the calls of an answer. DeepSeek and Kimi refuse the whole history without it
 * (api-docs.deepseek.com/guides/thinking_mode, MoonshotAI/kimi-agent-sdk#169), and Groq, which uses another name, with it
 * (janhq/jan#8136).
 */
const reasoningBack = ({ parts }: Answered): string =>
  parts.map(({ reasoning = '', reasoningField }) => (reasoningField === undefined ? '' : reasoning)).join('');

/** An answer with its calls, and the result of each behind it. An id stands for one call in the whole history. */
function calledMessages(
  { content, reasoning }: { content: string; reasoning: string },
  results: readonly ToolResult[],
  taken: Set<string>,
): ChatMessage[] {
  const named = results.map((result) => ({ ...result, id: freeId(result.id, taken) }));
  return [
    {
      role: 'assistant',
      content,
      ...(reasoning === '' ? {} : { reasoning }),
      toolCalls: named.map(({ id, name, arguments: text, thoughtSignature }) => ({
        id,
        name,
        arguments: text,
        ...(thoughtSignature === undefined ? {} : { thoughtSignature }),
      })),
    },
    ...named.map(({ id, content: told }): ChatMessage => ({ role: 'tool', content: told, toolCallId: id })),
  ];
}

/** The id, or with a number at its end where it is taken; it is taken from then on. */
export function freeId(id: string, taken: Set<string>): string {
  let free = id;
  for (let n = 2; taken.has(free); n += 1) free = `${id.slice(0, MAX_CALL_ID - 8)}_${n}`;
  taken.add(free);
  return free;
}
