import { z } from 'zod';
import type { Gateway } from '../context.ts';
import { ApiError, invalidFromIssues } from '../errors.ts';
import { isThinking, kindOfModel } from '../models.ts';
import { statedSize } from '../render/measure.ts';
import { CONTEXT_TOKENS, countTokens, OUTPUT_TOKENS } from './tokens.ts';

const textPart = z.looseObject({ type: z.literal('text'), text: z.string() });

/** Spec 2.1, and further fields that chat clients send. Content parts are accepted if all are text. */
const contentSchema = z.union(
  [
    z.string(),
    z
      .array(z.looseObject({ type: z.literal('text', "must be 'text': this model reads text only"), text: z.string() }))
      .min(1, 'must not be empty')
      .transform((parts) => parts.map((part) => part.text).join('')),
  ],
  'must be text, or a list of { type: "text", text }',
);

/** A picture in a user message: an address, or its bytes, as chat clients send them. */
const picturePart = z.looseObject({
  type: z.literal('image_url'),
  image_url: z.looseObject({
    url: z
      .string('must be an address')
      .refine((url) => /^(?:https?|gs):/.test(url) || sizeOfData(url) !== undefined, 'must be an address of a picture'),
  }),
});

const shownSchema = z.union(
  [z.string(), z.array(z.union([textPart, picturePart])).min(1, 'must not be empty')],
  'must be text, or a list of { type: "text", text } and { type: "image_url", image_url: { url } }',
);

/** The size of the picture in a `data:` address, such as `1280 × 720`; undefined if it is no picture. */
function sizeOfData(url: string): string | undefined {
  const comma = url.indexOf(',');
  if (!/^data:image\/(?:png|jpeg|webp|gif);base64$/.test(url.slice(0, comma))) return undefined;
  const size = statedSize(Buffer.from(url.slice(comma + 1), 'base64'));
  return size ? `${size.width} × ${size.height}` : undefined;
}

const toolCallSchema = z.object({
  id: z.string(),
  type: z.literal('function').default('function'),
  function: z.object({ name: z.string(), arguments: z.string('must be JSON as text') }),
});

const name = z.string().optional();
const messageSchema = z.discriminatedUnion(
  'role',
  [
    z.object({ role: z.enum(['system', 'developer']), content: contentSchema, name }),
    z.object({ role: z.literal('user'), content: shownSchema, name }),
    z.object({
      role: z.literal('assistant'),
      content: contentSchema.nullish(),
      reasoning_content: z.string('must be text').nullish(),
      tool_calls: z.array(toolCallSchema).optional(),
      name,
    }),
    z.object({ role: z.literal('tool'), content: contentSchema, tool_call_id: z.string('must name the call'), name }),
  ],
  "must be 'system', 'developer', 'user', 'assistant' or 'tool'",
);

type Sent = z.infer<typeof messageSchema>;
/** A message with its text; a user message also has the sizes of its pictures. */
export type Message =
  | Exclude<Sent, { role: 'user' }>
  | { role: 'user'; content: string; name?: string | undefined; pictures: string[] };

function plainMessage(message: Sent): Message {
  if (message.role !== 'user') return message;
  const { content } = message;
  if (typeof content === 'string') return { ...message, content, pictures: [] };
  const words = content.flatMap((part) => ('text' in part && typeof part.text === 'string' ? [part.text] : []));
  const shown = content.flatMap((part) => (part.type === 'image_url' ? [part.image_url.url] : []));
  return { ...message, content: words.join(''), pictures: shown.map((url) => sizeOfData(url) ?? 'of unknown size') };
}

const toolSchema = z.object({
  type: z.literal('function', "must be 'function'"),
  function: z.object({
    name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, dashes or underscores'),
    description: z.string().optional(),
    parameters: z.record(z.string(), z.unknown()).optional(),
    strict: z.boolean().nullish(),
  }),
});
export type Tool = z.infer<typeof toolSchema>;

const count = (high: number) =>
  z.int(`must be 1 to ${high}`).min(1, `must be 1 to ${high}`).max(high, `must be 1 to ${high}`);
const between = (low: number, high: number) =>
  z.number(`must be ${low} to ${high}`).min(low, `must be ${low} to ${high}`).max(high, `must be ${low} to ${high}`);

const requestSchema = z.looseObject({
  model: z.string('must be a model id'),
  messages: z.array(messageSchema, 'must be a list of messages').min(1, 'needs at least one message'),
  stream: z.boolean('must be true or false').nullish(),
  stream_options: z.object({ include_usage: z.boolean().optional() }).nullish(),
  max_tokens: count(OUTPUT_TOKENS).nullish(),
  max_completion_tokens: count(OUTPUT_TOKENS).nullish(),
  temperature: between(0, 2).nullish(),
  top_p: between(0, 1).nullish(),
  n: z.literal(1, 'must be 1').nullish(),
  seed: z.int('must be a whole number').nullish(),
  stop: z
    .union([z.string(), z.array(z.string()).max(4, 'must be at most 4')], 'must be text or a list of texts')
    .nullish(),
  tools: z.array(toolSchema, 'must be a list of tools').max(128, 'must be at most 128').nullish(),
  tool_choice: z
    .union([
      z.enum(['none', 'auto', 'required']),
      z.object({ type: z.literal('function'), function: z.object({ name: z.string() }) }),
    ])
    .nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  response_format: z.looseObject({ type: z.enum(['text', 'json_object', 'json_schema']) }).nullish(),
});

/** A chat request that has passed every check. */
export interface ParsedChatRequest {
  model: string;
  messages: Message[];
  stream: boolean;
  includeUsage: boolean;
  maxTokens: number;
  stop: string[];
  seed: number;
  tools: Tool[];
  toolChoice: 'none' | 'auto' | 'required' | { name: string };
  parallel: boolean;
  json: boolean;
  promptTokens: number;
}

/** Checks a request for a language model; throws the 404 or 400 that names what is wrong. */
export function parseChatRequest(body: Record<string, unknown>, gateway: Gateway): ParsedChatRequest {
  requireChatModel(body.model);
  const read = requestSchema.safeParse(body);
  if (!read.success) throw invalidFromIssues(read.error.issues);
  const request = { ...read.data, messages: read.data.messages.map(plainMessage) };
  const asked = request.max_completion_tokens ?? request.max_tokens;
  requireThoughts(request.model, request.messages);
  const promptTokens = countPrompt(request.messages, request.tools ?? []);
  requireRoom(promptTokens, asked);
  const choice = request.tool_choice ?? 'auto';
  return {
    model: request.model,
    messages: request.messages,
    stream: request.stream ?? false,
    includeUsage: request.stream_options?.include_usage ?? false,
    maxTokens: Math.min(asked ?? OUTPUT_TOKENS, CONTEXT_TOKENS - promptTokens),
    stop: [request.stop ?? []].flat().filter((text) => text !== ''),
    seed: request.seed ?? gateway.settings.seed,
    tools: request.tools ?? [],
    toolChoice: typeof choice === 'string' ? choice : { name: choice.function.name },
    parallel: request.parallel_tool_calls ?? true,
    json: request.response_format?.type === 'json_object' || request.response_format?.type === 'json_schema',
    promptTokens,
  };
}

function requireChatModel(model: unknown): void {
  if (typeof model !== 'string' || kindOfModel(model) === 'chat') return;
  throw new ApiError(404, `The model \`${model}\` does not exist or you do not have access to it.`, {
    code: 'model_not_found',
    param: 'model',
  });
}

/** Like DeepSeek (api-docs.deepseek.com/guides/thinking_mode), refuses a tool call without the reasoning that led to it. */
function requireThoughts(model: string, messages: Message[]): void {
  if (!isThinking(model)) return;
  const isMissing = messages.some(
    (message) => message.role === 'assistant' && message.tool_calls?.length && !message.reasoning_content,
  );
  if (isMissing)
    throw new ApiError(400, 'The `reasoning_content` in the thinking mode must be passed back to the API.');
}

function requireRoom(promptTokens: number, asked: number | null | undefined): void {
  if (promptTokens + (asked ?? 1) <= CONTEXT_TOKENS) return;
  throw new ApiError(
    400,
    `messages: This model's maximum context length is ${CONTEXT_TOKENS} tokens, however you requested ${promptTokens + (asked ?? 0)} tokens. Please reduce the length of the messages.`,
    { code: 'context_length_exceeded', param: 'messages' },
  );
}

const wordsOf = (message: Message): string =>
  message.role === 'assistant' ? (message.reasoning_content ?? '') + (message.content ?? '') : message.content;

/** The tokens of a picture of any size. */
const PICTURE_TOKENS = 765;

/** Counts the tokens of each message, its overhead, and the tools. */
function countPrompt(messages: Message[], tools: Tool[]): number {
  const said = messages.reduce((sum, message) => sum + 4 + countTokens(wordsOf(message)), 0);
  const shown = messages.reduce((sum, message) => sum + (message.role === 'user' ? message.pictures.length : 0), 0);
  return said + PICTURE_TOKENS * shown + (tools.length ? countTokens(JSON.stringify(tools)) : 0) + 3;
}
