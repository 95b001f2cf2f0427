import { z } from 'zod';
import { GO_ON } from '../chat/finish.ts';
import type { Reason } from '../contract/result.ts';
import type { ModelFacts } from '../gateway/modelFacts.ts';
import { type LookUpMedia, mediaRefSchema } from '../library/mediaRef.ts';
import { formatBytes } from '../text/bytes.ts';
import { en, formatCount, plural, t } from '../text/texts.ts';
import { model } from './fields.ts';
import type { Kind, MediaInput } from './kind.ts';
import { chatLane } from './lanes.ts';
import { PRICINGS } from './pricings.ts';

/** Tool calls of one answer that are kept: a request names at most a few hundred tools. */
export const MAX_TOOL_CALLS = 1_000;

/** Tool calls of one answer that are sent back. */
export const MAX_SENT_CALLS = 128;

/** Characters of a call's id: LiteLLM puts the signature of Gemini's thoughts into it (BerriAI/litellm#16895). */
export const MAX_CALL_ID = 20_000;

export const MAX_CALL_NAME = 200;

/** Characters of such a signature in its own field. */
export const MAX_THOUGHT_SIGNATURE = 200_000;

const callId = z.string().min(1).max(MAX_CALL_ID);

const toolCallSchema = z.strictObject({
  id: callId,
  name: z.string().min(1).max(MAX_CALL_NAME),
  arguments: z.string(),
  thoughtSignature: z.string().max(MAX_THOUGHT_SIGNATURE).optional(),
});

export const MAX_MESSAGE_PICTURES = 8;

/** The pictures of one request, before base64. */
export const MAX_PICTURE_BYTES = 40 * 1024 * 1024;

/** Four characters for each token of the longest answer that a profile allows; longer answers are cut. */
export const MAX_ANSWER_LENGTH = 4_000_000;

export const chatMessageSchema = z
  .strictObject({
    role: z.enum(['system', 'user', 'assistant', 'tool']),
    content: z.string(),
    /** In a user message: shown to the model after the text. */
    pictures: z.array(mediaRefSchema).min(1).max(MAX_MESSAGE_PICTURES).optional(),
    /** In an answer: its tool calls. Each is followed by a message of the role `tool` with the result. */
    toolCalls: z.array(toolCallSchema).max(MAX_SENT_CALLS).optional(),
    /** In a tool result: the call it answers. */
    toolCallId: callId.optional(),
    /** In an answer with calls: its reasoning, which gateways may require back. */
    reasoning: z.string().optional(),
  })
  .refine(({ role, toolCalls }) => toolCalls === undefined || role === 'assistant', {
    path: ['toolCalls'],
    message: 'belong to an answer of the assistant only',
  })
  .refine(({ reasoning, toolCalls }) => reasoning === undefined || toolCalls !== undefined, {
    path: ['reasoning'],
    message: 'belongs to an answer with calls only',
  })
  .refine(({ role, pictures }) => pictures === undefined || role === 'user', {
    path: ['pictures'],
    message: 'belong to a message of the user only',
  })
  .refine(({ role, toolCallId }) => (toolCallId !== undefined) === (role === 'tool'), {
    path: ['toolCallId'],
    message: 'is needed for the result of a tool, and only there',
  });
export type ChatMessage = z.infer<typeof chatMessageSchema>;

export const chatRequestSchema = z.strictObject({
  kind: z.literal('chat'),
  model,
  messages: z.array(chatMessageSchema).min(1),
  stream: z.boolean().optional(),
  /** Function tools as the service takes them (spec 2.5: the language model supports tool calls). */
  tools: z.array(z.record(z.string(), z.unknown())).max(128).optional(),
});
export type ChatRequest = z.infer<typeof chatRequestSchema>;

/** The text of a message that a model reads. */
export const readOf = ({ content, reasoning = '', toolCalls = [] }: ChatMessage): string =>
  [reasoning, content, ...toolCalls.map((call) => `${call.name} ${call.arguments}${call.thoughtSignature ?? ''}`)].join(
    '',
  );

/** Bytes of a message besides its text: role, field names, call ids. */
const frameOf = ({ reasoning, toolCalls = [], toolCallId = '' }: ChatMessage): number =>
  8 +
  (reasoning === undefined ? 0 : 24) +
  toolCalls.reduce((sum, { id, thoughtSignature }) => sum + 60 + id.length + (thoughtSignature ? 60 : 0), 0) +
  toolCallId.length;

const isFirstHalf = (code: number): boolean => code >= 0xd800 && code < 0xdc00;
const isSecondHalf = (code: number): boolean => code >= 0xdc00 && code < 0xe000;

/** A rough estimate: about four bytes a token for Latin text, one character a token elsewhere. */
export function approximateTokens(text: string): number {
  let ascii = 0;
  let other = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 128) ascii++;
    else if (!(isSecondHalf(code) && isFirstHalf(text.charCodeAt(index - 1)))) other++;
  }
  return Math.ceil(ascii / 4) + other;
}

/** The types that a vision model accepts (developers.openai.com/api/docs/guides/images-vision: "PNG, JPEG, WEBP, non-animated GIF"). */
const PICTURE_MIMES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];
/**
 * Tokens of a picture (same page): 85, and 170 for each of at most eight tiles of 512 pixels. Models that count small tokens at the price
 * of large ones use 2,833 and 5,667.
 */
const USUAL_PICTURE_TOKENS = 85 + 8 * 170;
const MOST_PICTURE_TOKENS = 2_833 + 8 * 5_667;

const picturesIn = (messages: readonly ChatMessage[]): number =>
  messages.reduce((sum, { pictures = [] }) => sum + pictures.length, 0);

/** The estimated context of messages, pictures and offered tools, in tokens. */
export const contextOf = ({ messages, tools }: Pick<ChatRequest, 'messages' | 'tools'>): number =>
  messages.reduce((sum, message) => sum + approximateTokens(readOf(message)) + 4, 0) +
  USUAL_PICTURE_TOKENS * picturesIn(messages) +
  (tools ? approximateTokens(JSON.stringify(tools)) : 0);

const pictureRefs = ({ messages }: ChatRequest): MediaInput[] =>
  messages.flatMap(({ pictures = [] }, message) =>
    pictures.map((ref, index) => ({ field: `messages.${message}.pictures.${index}`, ref })),
  );

function pictureReasons(request: ChatRequest, lookUp: LookUpMedia, facts: ModelFacts | undefined): Reason[] {
  const inputs = pictureRefs(request);
  const [first] = inputs;
  if (!first) return [];
  if (facts?.pictures === undefined) {
    const message = `it is not known whether the model ${request.model} takes pictures: say so in Settings, Models and prices.`;
    return [{ field: first.field, message }];
  }
  if (!facts.pictures)
    return [{ field: first.field, message: en`the model ${request.model} takes no pictures; choose another model.` }];
  const wrong = inputs.flatMap(({ field, ref }) => {
    const { type, mime } = lookUp(ref);
    if (type === 'unknown') return [];
    const isTaken = type === 'image' && (mime === undefined || PICTURE_MIMES.includes(mime));
    return isTaken ? [] : [{ field, message: en`must be a PNG, JPEG, WebP or GIF picture.` }];
  });
  const bytes = inputs.reduce((sum, { ref }) => sum + (lookUp(ref).bytes ?? 0), 0);
  return wrong.length > 0 || bytes <= MAX_PICTURE_BYTES ? wrong : [tooManyBytes(bytes)];
}

/** Each message is sent with all earlier pictures again. */
export const tooManyBytes = (bytes: number): Reason => ({
  field: 'messages',
  message: en`the pictures of the chat have ${formatBytes(bytes)} together, and ${formatBytes(MAX_PICTURE_BYTES)} fit: take some away, also by an edit of an earlier message.`,
});

/** The user's latest question; a request to continue a cut answer is not a question. */
export const lastUserMessage = ({ messages }: ChatRequest): ChatMessage | undefined =>
  messages.findLast(({ role, content }) => role === 'user' && content !== GO_ON);

const lastQuestion = (request: ChatRequest): string => lastUserMessage(request)?.content ?? '';

/** A chat answer of a language model (spec 2.1). */
export const chat = {
  name: 'chat',
  schema: chatRequestSchema,
  words: { title: t`Chat`, made: t`Answer`, billed: 'chat answer', untitled: t`Untitled` },
  makes: 'text',
  canBeEdited: false,
  filteredIsFree: false,
  usualMs: 15_000,
  pricing: PRICINGS.chat,
  table: {
    columns: { prompt: 'messages.0.content', model: 'model' },
    start: () => ({ messages: [{ role: 'user', content: '' }] }),
  },
  lanes: [chatLane],
  lane: () => chatLane,
  promptText: lastQuestion,
  shortened: (request, length) => ({
    kind: 'chat',
    model: request.model,
    messages: [{ role: 'user', content: lastQuestion(request).slice(0, length) }],
  }),
  facts(request) {
    const pictures = picturesIn(request.messages);
    return pictures === 0 ? t`Chat` : plural(pictures, 'picture');
  },
  mediaRefs: pictureRefs,
  reasons(request, { contextTokens, lookUp, facts }) {
    if (facts?.tools === false && request.tools && request.tools.length > 0)
      return [
        {
          field: 'tools',
          message: en`the model ${request.model} takes no tools; switch the director off, or choose another.`,
        },
      ];
    const pictures = pictureReasons(request, lookUp, facts);
    const tokens = contextOf(request);
    if (pictures.length > 0 || tokens <= contextTokens) return pictures;
    const over = formatCount(tokens - contextTokens);
    const message = en`must be shorter: about ${over} tokens more than the ${formatCount(contextTokens)} that fit.`;
    return [{ field: 'messages', message }];
  },
  /** At most: one token per byte, the maximum of each picture, and the full output. */
  most(request, { outputTokens }) {
    const encoder = new TextEncoder();
    const text = request.messages.reduce(
      (sum, message) => sum + encoder.encode(readOf(message)).length + frameOf(message),
      0,
    );
    const tools = request.tools ? encoder.encode(JSON.stringify(request.tools)).length : 0;
    return { inputTokens: text + tools + 8 + MOST_PICTURE_TOKENS * picturesIn(request.messages), outputTokens };
  },
  /** The gateway counts tokens, or they are estimated from the answer. */
  made: () => ({}),
  targetMs: () => undefined,
  seed: () => undefined,
  seeded: (request) => request,
} as const satisfies Kind<ChatRequest>;
