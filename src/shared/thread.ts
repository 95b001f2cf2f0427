import type { Message } from './conversation.ts';
import type { ChatMessage } from './kinds/chat.ts';

/** What a model is sent of a thread, and how a page reads answers that go on. Pages price what the studio sends with the same words. */

/**
 * The service is asked to go on in a message of the user: the specification has no other way (spec 2.1 names no prefill, and services
 * differ in whether they go on with a last message that is their own).
 */
export const GO_ON = 'Go on exactly where your last answer was cut off. Repeat nothing, and add no introduction.';

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

/** The messages of one branch as a model is sent them: without those that have no text, and each answer whole. */
export function sentMessages(path: readonly Message[], system: string | undefined, said?: string): ChatMessage[] {
  const past = joinedAnswers(path)
    .map((answered): ChatMessage => ({ role: answered.message.role, content: joinedText(answered) }))
    .filter(({ content }) => content.trim() !== '');
  const first: ChatMessage[] = system ? [{ role: 'system', content: system }] : [];
  return [...first, ...past, ...(said === undefined ? [] : [{ role: 'user' as const, content: said }])];
}
