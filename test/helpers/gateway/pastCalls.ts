import type { ChatOutcome, ChatSubmitRequest, Gateway } from '../../../src/main/core/gateway/types.ts';
import { SEND } from './client.ts';
import { reply } from './rawServer.ts';

/** Answers of gateways to tool calls of other models, and a chat with such calls. */

export const GROQ =
  "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]";
export const SIGNING =
  'Unable to submit request because Function call is missing a thought_signature in functionCall parts.';

/** The answer to a chat, unless it is refused with this message. */
export const answerUnless = (message?: string): string =>
  message === undefined
    ? reply(200, { choices: [{ message: { content: 'ok' }, finish_reason: 'stop' }] })
    : reply(400, { error: { message, type: 'invalid_request_error' } });

/** The type of the outcome, and its text if there is one. */
export async function chatWith(
  gateway: Gateway,
  messages: ChatSubmitRequest['messages'],
  more: Partial<ChatSubmitRequest> = {},
): Promise<string> {
  const request = { model: 'language', messages, stream: true, ...more };
  const outcome: ChatOutcome = await gateway.chat(request, SEND, () => undefined);
  return outcome.type === 'answered' ? outcome.result.text : outcome.type;
}
