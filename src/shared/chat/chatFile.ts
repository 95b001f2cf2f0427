import { z } from 'zod';
import { fail, parseInput, type Result } from '../contract/result.ts';
import {
  MAX_ANSWER_LENGTH,
  MAX_CALL_ID,
  MAX_CALL_NAME,
  MAX_MESSAGE_PICTURES,
  MAX_THOUGHT_SIGNATURE,
  MAX_TOOL_CALLS,
} from '../kinds/chat.ts';
import { safeName } from '../text/safeText.ts';
import { en } from '../text/texts.ts';

/**
 * A conversation as a file, all branches included: written by `chat.export`, read by `chat.import`. A read file is untrusted: nothing in it
 * is sent, and its costs are in no sum.
 */

/** The largest file, in characters. */
export const MAX_CHAT_FILE = 16_000_000;
/** The most messages of a few words each that fit. */
const MOST_MESSAGES = 20_000;
/** More than a person makes; every one is in the answer of `chat.get`. */
export const MAX_BRANCHES = 500;

const text = (most: number) => z.string().max(most);
const id = text(100).min(1);
const callId = text(MAX_CALL_ID);
const thoughtSignature = text(MAX_THOUGHT_SIGNATURE).optional();
const whole = z.int().min(0);
const time = whole.max(8_640_000_000_000_000);
const shown = (most: number) => text(most).transform((value) => safeName(value));

const messageSchema = z.strictObject({
  id,
  /** The message before it, which must precede it in the list. */
  after: id.optional(),
  branch: id,
  role: z.enum(['user', 'assistant']),
  text: text(MAX_ANSWER_LENGTH),
  createdAt: time,
  /** Pictures shown with the message or returned with the answer; the file holds their names, not their bytes. */
  pictures: z
    .array(
      z.strictObject({ name: shown(300), sha256: text(64).regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits') }),
    )
    .max(MAX_MESSAGE_PICTURES)
    .optional(),
  /** The state of an answer; one that was still arriving is `partial`. */
  state: z.enum(['done', 'partial', 'failed']).optional(),
  model: shown(200).optional(),
  reasoning: text(MAX_ANSWER_LENGTH).optional(),
  reasoningField: z.literal('reasoning_content').optional(),
  finishReason: shown(100).optional(),
  /** The answer that this one continues. */
  continues: id.optional(),
  usage: z.strictObject({ promptTokens: whole, completionTokens: whole, totalTokens: whole }).optional(),
  toolCalls: z
    .array(
      z.strictObject({
        id: callId,
        name: shown(MAX_CALL_NAME),
        arguments: text(MAX_ANSWER_LENGTH),
        thoughtSignature,
      }),
    )
    .max(MAX_TOOL_CALLS)
    .optional(),
  /** The results that Dailies returned to director calls. */
  toolResults: z
    .array(
      z.strictObject({
        id: callId.min(1),
        name: text(MAX_CALL_NAME).min(1),
        arguments: text(MAX_ANSWER_LENGTH),
        thoughtSignature,
        content: text(MAX_ANSWER_LENGTH),
        error: z.strictObject({ field: text(500), message: text(2_000) }).optional(),
      }),
    )
    .max(MAX_TOOL_CALLS)
    .optional(),
  /** Charged for it, at the higher price, in nano-dollars. */
  costNano: whole.optional(),
});

const branchSchema = z.strictObject({
  id,
  /** The branch that it leaves, which must precede it in the list. */
  parent: id.optional(),
  /** The message after which its first message follows. */
  message: id.optional(),
  behind: id.optional(),
  createdAt: time,
});

const chatFileSchema = z.strictObject({
  dailies: z.literal('chat'),
  form: z.literal(1, 'must be 1: it was written by a newer Dailies'),
  title: shown(200),
  model: shown(200).optional(),
  system: text(100_000).optional(),
  createdAt: time,
  active: id,
  branches: z.array(branchSchema).min(1).max(MAX_BRANCHES),
  messages: z.array(messageSchema).max(MOST_MESSAGES),
});
export type ChatFile = z.infer<typeof chatFileSchema>;

export function readChatFile(json: string): Result<ChatFile> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return refused('json', en`is no JSON. Choose a chat that was exported as JSON.`);
  }
  const parsed = parseInput(chatFileSchema, value);
  if (!parsed.ok) return parsed;
  return faultOf(parsed.data) ?? parsed;
}

const refused = (field: string, rule: string): Result<never> => fail('invalid_input', `${field}: ${rule}`, { field });

/** Checks what the schema cannot: names are unique, refer to existing things and only to earlier ones. */
function faultOf({ branches, messages, active }: ChatFile): Result<never> | undefined {
  const known = new Set<string>();
  for (const [at, branch] of branches.entries()) {
    if (known.has(branch.id)) return refused(`branches.${at}.id`, en`stands there twice.`);
    if (branch.parent !== undefined && !known.has(branch.parent))
      return refused(`branches.${at}.parent`, 'must name a branch that stands before it.');
    known.add(branch.id);
  }
  if (!known.has(active)) return refused('active', 'must name a branch of the file.');
  return faultOfMessages(messages, known) ?? faultOfPlaces(branches, new Set(messages.map((message) => message.id)));
}

function faultOfMessages(messages: ChatFile['messages'], branches: ReadonlySet<string>): Result<never> | undefined {
  const known = new Set<string>();
  for (const [at, { id: own, branch, after, continues }] of messages.entries()) {
    if (known.has(own)) return refused(`messages.${at}.id`, en`stands there twice.`);
    if (!branches.has(branch)) return refused(`messages.${at}.branch`, 'must name a branch of the file.');
    for (const [field, named] of Object.entries({ after, continues }))
      if (named !== undefined && !known.has(named))
        return refused(`messages.${at}.${field}`, 'must name a message that stands before it.');
    known.add(own);
  }
  return undefined;
}

function faultOfPlaces(branches: ChatFile['branches'], messages: ReadonlySet<string>): Result<never> | undefined {
  for (const [at, { message, behind }] of branches.entries())
    for (const [field, named] of Object.entries({ message, behind }))
      if (named !== undefined && !messages.has(named))
        return refused(`branches.${at}.${field}`, 'must name a message of the file.');
  return undefined;
}

export const chatFileText = (file: ChatFile): string => `${JSON.stringify(file, null, 1)}\n`;
