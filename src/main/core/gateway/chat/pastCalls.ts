import type { Service } from '../service.ts';
import type { ChatSubmitRequest, PastCalls } from '../types.ts';
import { refusesCallIds, withShortIds } from './callIds.ts';

/**
 * How the calls of earlier answers are written. What goes with them is of the model that made them, and another one may refuse it, or
 * refuse them without its own. DeepSeek and Kimi want `reasoning_content` (api-docs.deepseek.com/guides/thinking_mode,
 * MoonshotAI/kimi-agent-sdk#169), Groq refuses it (janhq/jan#8136), and Gemini wants `thought_signature`
 * (ai.google.dev/gemini-api/docs/thought-signatures), in a field that others may refuse. What a model has refused by its name, and what it
 * took instead, is remembered.
 */

/** `hasCalls`: none are written, so that the words of the messages alone are sent. */
export interface WrittenCalls extends PastCalls {
  hasCalls: boolean;
}

type Message = ChatSubmitRequest['messages'][number];
const THOUGHTS = ['reasoning', 'signature'] as const;
type Thought = (typeof THOUGHTS)[number];

const NAMES: Record<Thought, RegExp> = {
  reasoning: /reasoning_content/i,
  signature: /thought_?signature|extra_content/i,
};
/** Beside the name of the field: a service may repeat the reasoning itself, and that speaks of what is missing on a board. */
const MISSES: Record<Thought, readonly RegExp[]> = {
  reasoning: [
    /reasoning_content(?:\\{0,3}["'])?[^"']{0,80}\b(?:missing|passed back)\b/i,
    /\bmissing\b[^"']{0,40}["']?reasoning_content/i,
  ],
  signature: [
    /thought_?signature(?:\\{0,3}["'])?[^"']{0,80}\b(?:missing|passed back)\b/i,
    /\bmissing\b[^"']{0,40}["']?thought_?signature/i,
  ],
};
const misses = (thought: Thought, refusal: string): boolean => MISSES[thought].some((form) => form.test(refusal));

const HAS: Record<Thought, (message: Message) => boolean> = {
  reasoning: ({ reasoning }) => reasoning !== undefined,
  signature: ({ toolCalls = [] }) => toolCalls.some(({ thoughtSignature }) => thoughtSignature !== undefined),
};

/** In the id of its call, LiteLLM finds the signature itself (BerriAI/litellm#16895). */
const isInId = ({ toolCalls = [] }: Message): boolean => toolCalls.some(({ id }) => id.includes('__thought__'));

const lacks = (thought: Thought, message: Message): boolean =>
  message.toolCalls !== undefined && !HAS[thought](message) && !(thought === 'signature' && isInId(message));

/** How this model is known to take them. */
export const knownPastCalls = (service: Service, model: string): WrittenCalls => ({
  ...service.memory().pastCalls?.[model],
  hasCalls: true,
});

/** Models of one service. */
const MAX_MODELS = 100;

const FIELDS = ['reasoning', 'signature', 'ids'] as const;

/**
 * Remembers what was taken instead of what was refused, beside what another chat has found meanwhile. That the words alone were taken says
 * nothing of what was wrong with the calls.
 */
export function learnPastCalls(service: Service, model: string, first: WrittenCalls, taken: WrittenCalls): void {
  if (!taken.hasCalls || FIELDS.every((field) => taken[field] === first[field])) return;
  const { [model]: known = {}, ...others } = service.memory().pastCalls ?? {};
  const found = FIELDS.map((field) => [field, (taken[field] === first[field] ? known : taken)[field]] as const);
  const learnt = Object.fromEntries(found.filter(([, value]) => value !== undefined)) as PastCalls;
  const kept = Object.fromEntries(Object.entries(others).slice(1 - MAX_MODELS));
  service.learn({ pastCalls: Object.keys(learnt).length > 0 ? { ...kept, [model]: learnt } : kept }, 'refused');
}

/**
 * How they are written after a refusal that is about them; undefined for any other refusal. Where that was tried, as with a name whose
 * services disagree, none are.
 */
export function nextPastCalls(
  refusal: string,
  sent: WrittenCalls,
  request: ChatSubmitRequest,
  isTried: (calls: WrittenCalls) => boolean,
): WrittenCalls | undefined {
  const { messages } = request;
  if (!sent.hasCalls || !messages.some(({ toolCalls }) => toolCalls)) return undefined;
  const namesIds = sent.ids === undefined && refusesCallIds(refusal, request);
  const named = THOUGHTS.filter((thought) => NAMES[thought].test(refusal));
  if (!namesIds && named.length === 0) return undefined;
  const changes: WrittenCalls[] = [
    ...(namesIds ? [{ ...sent, ids: 'short' as const }] : []),
    ...(sent.ids === 'short' && missesSignatureInId(refusal, messages) ? [withOwnIds(sent)] : []),
    ...named.flatMap((thought) => thoughtChanges(thought, refusal, sent, messages)),
  ];
  return changes.find((calls) => !isTried(calls)) ?? { ...sent, hasCalls: false };
}

/** A short id has lost it. */
const missesSignatureInId = (refusal: string, messages: readonly Message[]): boolean =>
  misses('signature', refusal) && messages.some(isInId);

const withOwnIds = ({ ids: _ids, ...calls }: WrittenCalls): WrittenCalls => calls;

function thoughtChanges(
  thought: Thought,
  refusal: string,
  sent: WrittenCalls,
  messages: readonly Message[],
): WrittenCalls[] {
  const wanted = misses(thought, refusal) ? 'needed' : 'never';
  const isChanged = (one: Message): boolean =>
    HAS[thought](one) ? wanted === 'never' || sent[thought] === 'never' : wanted === 'needed' && lacks(thought, one);
  return messages.some(isChanged) ? [{ ...sent, [thought]: wanted }] : [];
}

/** The request with its calls written like that. */
export function withPastCalls(
  request: ChatSubmitRequest,
  { reasoning, signature, ids, hasCalls }: WrittenCalls,
): ChatSubmitRequest {
  const { messages } = request;
  const goes = (message: Message): boolean =>
    !hasCalls ||
    (reasoning === 'needed' && lacks('reasoning', message)) ||
    (signature === 'needed' && lacks('signature', message));
  const written = withoutCalls(messages, goes)
    .map((message) => (reasoning === 'never' ? withoutReasoning(message) : message))
    .map((message) => (signature === 'never' ? withoutSignatures(message) : message));
  const whole = { ...request, messages: written };
  return ids === 'short' ? withShortIds(whole) : whole;
}

/** Of the answers that go without their calls, the words, and what the calls brought in words: a later message may ask about any of it. */
function withoutCalls(messages: readonly Message[], goes: (message: Message) => boolean): Message[] {
  const gone = new Set<string>();
  return messages.flatMap((message, at) => {
    if (message.toolCallId !== undefined) return gone.has(message.toolCallId) ? [] : [message];
    if (!message.toolCalls) return [message];
    const { toolCalls, reasoning: _reasoning, ...words } = message;
    const isGone = goes(message);
    for (const { id } of toolCalls) {
      if (isGone) gone.add(id);
      else gone.delete(id);
    }
    if (!isGone) return [message];
    const told = toldResults(toolCalls, messages.slice(at + 1));
    return words.content.trim() === '' ? [told] : [words, told];
  });
}

const TOLD = 'You called these tools, and this is what they answered:';

function toldResults(calls: NonNullable<Message['toolCalls']>, behind: readonly Message[]): Message {
  const told = calls.map(({ id, name, arguments: text }) => `${name} ${text}\n${resultOf(id, behind)}`);
  return { role: 'user', content: [TOLD, ...told].join('\n\n') };
}

/** A later answer may have a call of the same id. */
function resultOf(id: string, behind: readonly Message[]): string {
  const next = behind.find(
    ({ toolCallId, toolCalls }) => toolCallId === id || toolCalls?.some((call) => call.id === id),
  );
  return next?.toolCallId === undefined ? '' : next.content;
}

const withoutReasoning = ({ reasoning: _reasoning, ...message }: Message): Message => message;

const withoutSignatures = ({ toolCalls, ...message }: Message): Message =>
  toolCalls ? { ...message, toolCalls: toolCalls.map(({ thoughtSignature: _signature, ...call }) => call) } : message;
