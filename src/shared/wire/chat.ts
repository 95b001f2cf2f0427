import type { ChatMessage, ChatRequest } from '../kinds/chat.ts';
import type { MediaRef } from '../library/mediaRef.ts';

/** A message with pictures in another form than references. */
export type ChatMessageWith<Picture> = Omit<ChatMessage, 'pictures'> & { pictures?: Picture[] };

/** A chat request with pictures as addresses: `https:`, or `data:` with their bytes. */
export interface ChatForm<Picture = string> {
  model: string;
  messages: ChatMessageWith<Picture>[];
  stream: boolean;
  tools?: Record<string, unknown>[];
}

/** A message and the preceding ones of the same role, sent as one. */
interface Neighbours {
  before: ChatMessageWith<string>[];
  message: ChatMessageWith<string>;
}

/** A message on the wire. `content` is null in an answer that has only calls, because some gateways refuse an empty text. */
function wireMessage({ before, message }: Neighbours): Record<string, unknown> {
  const { role, reasoning, toolCalls = [], toolCallId } = message;
  const all = [...before, message];
  if (all.some(({ pictures = [] }) => pictures.length > 0)) return { role, content: all.flatMap(partsOf) };
  const content = all
    .map((one) => one.content)
    .filter((words) => words !== '')
    .join('\n\n');
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
 * Text and pictures as parts (developers.openai.com/api/docs/guides/images-vision). The specification shows text alone (spec 2.1), so parts
 * are sent only to models known to take pictures.
 */
const partsOf = ({ content, pictures = [] }: ChatMessageWith<string>): Record<string, unknown>[] => [
  ...(content === '' ? [] : [{ type: 'text', text: content }]),
  ...pictures.map((url) => ({ type: 'image_url', image_url: { url } })),
];

/**
 * Joins consecutive messages of one role, as after a failed or canceled answer: many gateways and templates require alternating roles
 * (vllm-project/vllm#6862, microsoft/semantic-kernel#10277, FlowiseAI/Flowise#2006).
 */
function neighboursIn(messages: readonly ChatMessageWith<string>[]): Neighbours[] {
  const all: Neighbours[] = [];
  for (const message of messages) {
    const last = all.at(-1);
    const isNeighbour =
      last?.message.role === message.role && SIDES.has(message.role) && last.message.toolCalls === undefined;
    if (isNeighbour) all[all.length - 1] = { before: [...last.before, last.message], message };
    else all.push({ before: [], message });
  }
  return all;
}

const SIDES: ReadonlySet<string> = new Set(['user', 'assistant']);

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

/** The body of a chat request (spec 2.1). Usage is requested explicitly, because streams omit it by default. */
export function chatBody(request: ChatForm, askForUsage: boolean): Record<string, unknown> {
  return {
    model: request.model,
    messages: neighboursIn(request.messages).map(wireMessage),
    ...(request.tools && request.tools.length > 0 ? { tools: request.tools } : {}),
    stream: request.stream,
    ...(request.stream && askForUsage ? { stream_options: { include_usage: true } } : {}),
  };
}
