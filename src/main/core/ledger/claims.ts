import type { ChatResult, Usage } from '../../../shared/job.ts';
import { type Quantity, quantityOf } from '../../../shared/price.ts';
import type { ProfileLimits } from '../../../shared/profile.ts';
import type { ChatRequest } from '../../../shared/request.ts';

/** What a chat is charged for, and why that is not what the service counted. */
export interface CountedTokens {
  quantity: Quantity;
  /** Where the service's count is not believed: a sentence that ends in what is charged instead. */
  disbelief?: string;
}

/** A gateway puts words of its own around what it is sent: a template, a system prompt. */
const OVERHEAD_TOKENS = 1_024;

/**
 * Usage is a claim. What went out has at least one byte a token, and never more than the context holds; what is answered, with what a
 * model thinks and does not show, has at most as many tokens as the context holds, or as bytes came. The profile's `outputTokens` is no
 * such bound, since it is sent to nobody. A count beyond that is not believed: the order is charged as it was estimated.
 */
export function countedTokens(
  request: ChatRequest,
  result: ChatResult & { usage: Usage },
  limits: Pick<ProfileLimits, 'contextTokens' | 'outputTokens'>,
): CountedTokens {
  const { promptTokens, completionTokens } = result.usage;
  const estimated = quantityOf(request, limits.outputTokens);
  const mostInput = Math.min(estimated.inputTokens ?? 0, limits.contextTokens) + OVERHEAD_TOKENS;
  const mostOutput = Math.max(limits.outputTokens, limits.contextTokens, bytesIn(result));
  const claims = [...claim(promptTokens, mostInput, 'sent'), ...claim(completionTokens, mostOutput, 'answered')];
  if (claims.length === 0) return { quantity: { inputTokens: promptTokens, outputTokens: completionTokens } };
  return {
    quantity: estimated,
    disbelief: `The service counts ${claims.join(' and ')}. That is not believed`,
  };
}

/** What is wrong with one count: nothing, or the words for it. */
function claim(counted: number, most: number, done: string): string[] {
  if (Number.isSafeInteger(counted) && counted >= 0 && counted <= most) return [];
  const words = (count: number) => count.toLocaleString('en-US');
  return [`${words(counted)} tokens ${done}, where at most ${words(most)} are possible`];
}

function bytesIn({ text, reasoning = '', toolCalls = [] }: ChatResult): number {
  return Buffer.byteLength(text) + Buffer.byteLength(reasoning) + Buffer.byteLength(JSON.stringify(toolCalls));
}
