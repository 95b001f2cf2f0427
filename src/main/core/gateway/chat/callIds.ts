import { createHash } from 'node:crypto';
import type { ChatSubmitRequest } from '../types.ts';

/**
 * Ids of the calls of earlier answers, where another model has named them. LiteLLM puts the signature of Gemini's thoughts into them, and
 * passes them on to other models as they are (BerriAI/litellm#16895, #18160). OpenAI takes at most 40 characters (microsoft/autogen#6377),
 * Mistral nine letters and digits (karthink/gptel#1203), Anthropic no signs of base64 (BerriAI/litellm#27873), Bedrock at most 64 and no
 * signs of base64 (RooCodeInc/Roo-Code#10902, tontinton/maki#38).
 */
const TAKEN_BY_ALL = /^[a-zA-Z0-9]{9}$/;

const NAMES_AN_ID =
  /\btool_calls\[\d{1,4}\]\.id\b|\btool_call_id\b|\btool call id\b|\btool_use(?:\.|_)id\b|\btoolUseId\b/i;
/** Of what Mistral says, the words in front of the id: those behind a long one are not read. */
const NAMES_ITS_FORM =
  /string too long|maximum length|\btool call id was\b|should match pattern|length less than or equal to|satisfy regular expression/i;

/** Whether a refusal is about the form of ids that can be written otherwise. */
export const refusesCallIds = (refusal: string, { messages }: ChatSubmitRequest): boolean =>
  NAMES_AN_ID.test(refusal) &&
  NAMES_ITS_FORM.test(refusal) &&
  messages.some(({ toolCalls = [] }) => toolCalls.some(({ id }) => !TAKEN_BY_ALL.test(id)));

/** The same request with ids that every service takes: one for each of its own, and the same whenever it is sent. */
export const withShortIds = ({ messages, ...rest }: ChatSubmitRequest): ChatSubmitRequest => ({
  ...rest,
  messages: messages.map(({ toolCalls, toolCallId, ...message }) => ({
    ...message,
    ...(toolCalls ? { toolCalls: toolCalls.map((call) => ({ ...call, id: shortId(call.id) })) } : {}),
    ...(toolCallId === undefined ? {} : { toolCallId: shortId(toolCallId) }),
  })),
});

const shortId = (id: string): string =>
  TAKEN_BY_ALL.test(id)
    ? id
    : BigInt(`0x${createHash('sha256').update(id).digest('hex')}`)
        .toString(36)
        .slice(-9);
