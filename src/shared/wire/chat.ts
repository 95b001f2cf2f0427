import type { ChatMessage } from '../kinds/chat.ts';

export const CHAT_PATH = '/v1/chat/completions';

export interface ChatSubmitRequest {
  model: string;
  messages: ChatMessage[];
  stream: boolean;
  tools?: Record<string, unknown>[];
}

/** The wire form of a chat request (spec 2.1). Usage is requested explicitly, because a stream leaves it out otherwise. */
export function chatBody(request: ChatSubmitRequest, askForUsage: boolean): Record<string, unknown> {
  return {
    model: request.model,
    messages: request.messages,
    ...(request.tools && request.tools.length > 0 ? { tools: request.tools } : {}),
    stream: request.stream,
    ...(request.stream && askForUsage ? { stream_options: { include_usage: true } } : {}),
  };
}
