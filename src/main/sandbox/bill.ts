import type { BillEntry, ChatUsage, VideoPlan } from './state/records.ts';

/**
 * The sandbox's prices (spec 8) in nano-dollars (10^-9 USD), integers only. Where the specification allows two interpretations, the higher
 * one is billed: 0.27/1.08 USD a million tokens, and video by the second.
 */
const NANO_PER_TOKEN_IN = 270;
const NANO_PER_TOKEN_OUT = 1080;
const NANO_PER_VIDEO_SECOND: Record<string, number> = {
  'video-standard': 400_000_000,
  'video-pro': 2_000_000_000,
};

const dollars = (nano: number): string => (nano / 1e9).toFixed(9);

/** A model's entry in the price list, in dollars per input and output token, or per second. */
export function statedPrice(model: string): Record<string, string> {
  const second = NANO_PER_VIDEO_SECOND[model];
  if (second !== undefined) return { second: dollars(second) };
  return { prompt: dollars(NANO_PER_TOKEN_IN), completion: dollars(NANO_PER_TOKEN_OUT) };
}

export function chatPrice(usage: ChatUsage): number {
  return usage.promptTokens * NANO_PER_TOKEN_IN + usage.completionTokens * NANO_PER_TOKEN_OUT;
}

/** The price of the clips that will be made. Filtered clips are free (spec 8: charged only if generation succeeds). */
export function videoPrice(model: string, plan: VideoPlan, clips: number): number {
  return (NANO_PER_VIDEO_SECOND[model] ?? 0) * plan.seconds * clips;
}

export interface BillReport {
  totalNano: number;
  /** `at` is in ISO 8601. */
  entries: (Omit<BillEntry, 'at'> & { at: string })[];
}

/** The bill as reported to clients. */
export function billReport(entries: readonly BillEntry[]): BillReport {
  return {
    totalNano: entries.reduce((sum, entry) => sum + entry.nano, 0),
    entries: entries.map((entry) => ({ ...entry, at: new Date(entry.at).toISOString() })),
  };
}
