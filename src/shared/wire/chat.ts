import type { ChatMessage } from '../kinds/chat.ts';

export const CHAT_PATH = '/v1/chat/completions';

export interface ChatSubmitRequest {
  model: string;
  messages: ChatMessage[];
  stream: boolean;
  tools?: Record<string, unknown>[];
}

/**
 * A message as services of this family take it. Of an answer without words its calls are all there is: `content` is null then, because
 * some refuse an empty text.
 */
function wireMessage({ role, content, toolCalls = [], toolCallId }: ChatMessage): Record<string, unknown> {
  if (toolCallId !== undefined) return { role, tool_call_id: toolCallId, content };
  if (toolCalls.length === 0) return { role, content };
  const calls = toolCalls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  }));
  return { role, content: content === '' ? null : content, tool_calls: calls };
}

/** The wire form of a chat request (spec 2.1). Usage is requested explicitly, because a stream leaves it out otherwise. */
export function chatBody(request: ChatSubmitRequest, askForUsage: boolean): Record<string, unknown> {
  return {
    model: request.model,
    messages: request.messages.map(wireMessage),
    ...(request.tools && request.tools.length > 0 ? { tools: request.tools } : {}),
    stream: request.stream,
    ...(request.stream && askForUsage ? { stream_options: { include_usage: true } } : {}),
  };
}
