import { type ChatMessage, MAX_CALL_ID } from '../kinds/chat.ts';
import type { Message, ToolResult } from './conversation.ts';

/** The messages that a model is sent. Pages price with the same code. */

/** An answer with its continuations. */
export interface Answered {
  message: Message;
  parts: readonly Message[];
}

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
 * The messages of a branch as they are sent: empty ones left out, continuations joined, pictures of answers left out. `hasTools`: without
 * tools, a gateway may refuse a history with tool calls, so only the text is sent.
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
  /** The next message, with its pictures. */
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

/** An answer with its tool calls, each followed by its result. Call ids are made unique in the whole history. */
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

/** The id, with a number appended if it is taken; takes it. */
export function freeId(id: string, taken: Set<string>): string {
  let free = id;
  for (let n = 2; taken.has(free); n += 1) free = `${id.slice(0, MAX_CALL_ID - 8)}_${n}`;
  taken.add(free);
  return free;
}
