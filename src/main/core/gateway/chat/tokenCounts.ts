import { field, type Json, textOf } from '../json/index.ts';

/** Where a service counts the tokens of a prompt that its cache had, or that it wrote there. */
export interface CacheCount {
  of: 'cached' | 'cacheWrite';
  /** Below the usage. */
  path: readonly string[];
  /** In `chat-cached.jsonl`. */
  fixture: string;
}

const row = (of: CacheCount['of'], path: string, fixture: string): CacheCount => ({
  of,
  path: path.split('.'),
  fixture,
});

export const CACHE_COUNTS: readonly CacheCount[] = [
  row('cached', 'promptTokensDetails.cachedTokens', 'openai, cached'),
  row('cached', 'inputTokensDetails.cachedTokens', 'responses, cached'),
  row('cached', 'cacheReadInputTokens', 'anthropic, cached'),
  row('cached', 'promptCacheHitTokens', 'deepseek, cached'),
  row('cached', 'cachedContentTokenCount', 'gemini, cached'),
  row('cached', 'cachedTokens', 'kimi, cached'),
  row('cacheWrite', 'cacheCreationInputTokens', 'anthropic, written'),
  row('cacheWrite', 'cacheWriteInputTokens', 'bedrock, written'),
  row('cacheWrite', 'promptTokensDetails.cacheWriteTokens', 'openrouter, written'),
  row('cacheWrite', 'inputTokensDetails.cacheWriteTokens', 'responses, written'),
  row('cacheWrite', 'promptTokensDetails.cacheCreationTokens', 'litellm, written'),
  row('cacheWrite', 'promptTokensDetails.cacheCreationInputTokens', 'qwen, written'),
  row('cacheWrite', 'promptTokensDetails.cachedCreationTokens', 'new-api, written'),
];

/** What a usage says of a cache. Where several fields count the same, the highest is it: a zero is the default of an unfilled one. */
export function cacheCountsOf(usage: Json): Partial<Record<CacheCount['of'], number>> {
  const counts: Partial<Record<CacheCount['of'], number>> = {};
  for (const { of, path } of CACHE_COUNTS) {
    const count = countOf(path.reduce<Json | undefined>((node, name) => field(node, name), usage));
    if (count !== undefined) counts[of] = Math.max(count, counts[of] ?? 0);
  }
  return counts;
}

export function countOf(value: Json | undefined): number | undefined {
  const count = Number(textOf(value) ?? Number.NaN);
  return Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}
