import type { Profile } from '../../../shared/gateway/profile.ts';
import type { ProfileLimits } from '../../../shared/gateway/profileLimits.ts';
import type { ChatResult, Usage } from '../../../shared/jobs/job.ts';
import type { ChatRequest } from '../../../shared/kinds/chat.ts';
import { priceKindOf, quantityOf, type StudioRequest } from '../../../shared/kinds/index.ts';
import type { PricedQuantity } from '../../../shared/kinds/pricedQuantity.ts';
import type { Estimate } from '../../../shared/money/ledger.ts';
import { costOf, isSettled, type Price, priceFor } from '../../../shared/money/price.ts';
import type { Quantity } from '../../../shared/money/quantity.ts';
import { formatCount } from '../../../shared/text/texts.ts';

type PricedEstimate = Estimate & { price: Price | null };

/** The highest and lowest cost of a request at the profile's prices; `price` is null if none is set. */
export const estimate = (profile: Profile, request: StudioRequest): PricedEstimate =>
  estimateQuantity(profile, {
    kind: request.kind,
    model: 'model' in request ? request.model : undefined,
    quantity: quantityOf(request, profile.limits.outputTokens),
  });

export function estimateQuantity(profile: Profile, { kind, model, quantity }: PricedQuantity): PricedEstimate {
  const price = priceFor(profile.prices, priceKindOf(kind), model);
  if (!price) return { nano: 0, lowNano: 0, settled: false, source: '', unpriced: true, price: null };
  return { ...costOf(price, quantity), settled: isSettled(price), source: price.source, price };
}

/** The tokens that a chat is charged for, and why they differ from the gateway's count. */
interface BillableTokens {
  quantity: Quantity;
  /** Why the gateway's count is implausible: the beginning of a sentence that the caller completes. */
  rejectedBecause?: string;
}

/** A gateway may add text to a request: a template, a system prompt. */
const OVERHEAD_TOKENS = 1_024;

/**
 * Checks a gateway's token usage for plausibility. A prompt has at most as many tokens as bytes; an answer, hidden reasoning included, at
 * most as many as the context holds or as bytes arrived. The profile's `contextTokens` does not limit a prompt that was answered, nor
 * `outputTokens` alone an answer, since neither is sent. With an implausible count the request is charged as estimated.
 */
export function billableTokens(
  request: ChatRequest,
  result: ChatResult & { usage: Usage },
  limits: Pick<ProfileLimits, 'contextTokens' | 'outputTokens'>,
): BillableTokens {
  const { promptTokens, completionTokens } = result.usage;
  const estimated = quantityOf(request, limits.outputTokens);
  const maxInput = (estimated.inputTokens ?? 0) + OVERHEAD_TOKENS;
  const maxOutput = Math.max(limits.outputTokens, limits.contextTokens, bytesIn(result));
  const impossible = [
    ...impossibleCount(promptTokens, maxInput, 'sent'),
    ...impossibleCount(completionTokens, maxOutput, 'answered'),
  ];
  if (impossible.length === 0) return { quantity: { inputTokens: promptTokens, outputTokens: completionTokens } };
  return {
    quantity: estimated,
    rejectedBecause: `The gateway counts ${impossible.join(' and ')}. That is not believed`,
  };
}

/** The sentence about an impossible count; empty for a possible one. */
function impossibleCount(counted: number, limit: number, done: string): string[] {
  if (Number.isSafeInteger(counted) && counted >= 0 && counted <= limit) return [];
  const words = (count: number) => formatCount(count);
  return [`${words(counted)} tokens ${done}, where at most ${words(limit)} are possible`];
}

function bytesIn({ text, reasoning = '', toolCalls = [] }: ChatResult): number {
  return Buffer.byteLength(text) + Buffer.byteLength(reasoning) + Buffer.byteLength(JSON.stringify(toolCalls));
}
