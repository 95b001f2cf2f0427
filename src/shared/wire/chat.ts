import type { ChatMessage, ChatRequest } from '../kinds/chat.ts';
import type { MediaRef } from '../mediaRef.ts';

export const CHAT_PATH = '/v1/chat/completions';

/** A message whose pictures are something else than references. */
export type ChatMessageWith<Picture> = Omit<ChatMessage, 'pictures'> & { pictures?: Picture[] };

/** A chat request whose pictures are addresses: `https:`, or `data:` with their bytes. */
export interface ChatForm<Picture = string> {
  model: string;
  messages: ChatMessageWith<Picture>[];
  stream: boolean;
  tools?: Record<string, unknown>[];
}

/**
 * A message as services of this family take it. Of an answer without words its calls are all there is: `content` is null then, because
 * some refuse an empty text.
 */
function wireMessage({
  role,
  content,
  pictures = [],
  reasoning,
  toolCalls = [],
  toolCallId,
}: ChatMessageWith<string>): Record<string, unknown> {
  if (pictures.length > 0) return { role, content: partsOf(content, pictures) };
  if (toolCallId !== undefined) return { role, tool_call_id: toolCallId, content };
  if (toolCalls.length === 0) return { role, content };
  const calls = toolCalls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
    ...(call.thoughtSignature === undefined
      ? {}
      : { extra_content: { google: { thought_signature: call.thoughtSignature } } }),
  }));
  const thought = reasoning === undefined ? {} : { reasoning_content: reasoning };
  return { role, content: content === '' ? null : content, ...thought, tool_calls: calls };
}

/**
 * Words and pictures as parts (developers.openai.com/api/docs/guides/images-vision). The specification shows text alone (spec 2.1), so they
 * go only to a model that is known to take them.
 */
const partsOf = (text: string, pictures: readonly string[]): Record<string, unknown>[] => [
  { type: 'text', text },
  ...pictures.map((url) => ({ type: 'image_url', image_url: { url } })),
];

/**
 * Messages of one side in a row as one, as after an answer that failed or was canceled: many services and templates require that the sides
 * alternate (vllm-project/vllm#6862, microsoft/semantic-kernel#10277, FlowiseAI/Flowise#2006).
 */
function joinedNeighbours(messages: readonly ChatMessageWith<string>[]): ChatMessageWith<string>[] {
  const joined: ChatMessageWith<string>[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    const isNeighbour = last?.role === message.role && SIDES.has(message.role) && last.toolCalls === undefined;
    if (isNeighbour) joined[joined.length - 1] = joinedMessage(last, message);
    else joined.push(message);
  }
  return joined;
}

const SIDES: ReadonlySet<string> = new Set(['user', 'assistant']);

function joinedMessage(one: ChatMessageWith<string>, next: ChatMessageWith<string>): ChatMessageWith<string> {
  const content = [one.content, next.content].filter((words) => words !== '').join('\n\n');
  const pictures = [...(one.pictures ?? []), ...(next.pictures ?? [])];
  return { ...next, content, ...(pictures.length > 0 ? { pictures } : {}) };
}

/** A request with its pictures as addresses. */
export function chatForm(
  { model, messages, tools, stream = true }: ChatRequest,
  uriOf: (ref: MediaRef) => string,
): ChatForm {
  return {
    model,
    messages: messages.map(({ pictures, ...message }) =>
      pictures ? { ...message, pictures: pictures.map(uriOf) } : message,
    ),
    stream,
    ...(tools ? { tools } : {}),
  };
}

/** The wire form of a chat request (spec 2.1). Usage is requested explicitly, because a stream leaves it out otherwise. */
export function chatBody(request: ChatForm, askForUsage: boolean): Record<string, unknown> {
  return {
    model: request.model,
    messages: joinedNeighbours(request.messages).map(wireMessage),
    ...(request.tools && request.tools.length > 0 ? { tools: request.tools } : {}),
    stream: request.stream,
    ...(request.stream && askForUsage ? { stream_options: { include_usage: true } } : {}),
  };
}
