import type { Source } from '../errors/index.ts';
import { field, type Json, textOf } from '../json/index.ts';

/** Where a service counts the tokens of a prompt that its cache had, or that it wrote there. */
export interface CacheCount {
  of: 'cached' | 'cacheWrite';
  /** Below the usage. */
  path: readonly string[];
  source: Source;
  /** In `chat-cached.jsonl`. */
  fixture: string;
}

const row = (of: CacheCount['of'], path: string, source: Source, fixture: string): CacheCount => ({
  of,
  path: path.split('.'),
  source,
  fixture,
});

export const CACHE_COUNTS: readonly CacheCount[] = [
  row('cached', 'promptTokensDetails.cachedTokens', 'openaiCaching', 'openai, cached'),
  row('cached', 'inputTokensDetails.cachedTokens', 'openaiCaching', 'responses, cached'),
  row('cached', 'cacheReadInputTokens', 'anthropicCaching', 'anthropic, cached'),
  row('cached', 'promptCacheHitTokens', 'deepseekCaching', 'deepseek, cached'),
  row('cached', 'cachedContentTokenCount', 'geminiUsage', 'gemini, cached'),
  row('cached', 'cachedTokens', 'kimiCaching', 'kimi, cached'),
  row('cacheWrite', 'cacheCreationInputTokens', 'anthropicCaching', 'anthropic, written'),
  row('cacheWrite', 'cacheWriteInputTokens', 'bedrockUsage', 'bedrock, written'),
  row('cacheWrite', 'promptTokensDetails.cacheWriteTokens', 'openrouterUsage', 'openrouter, written'),
  row('cacheWrite', 'inputTokensDetails.cacheWriteTokens', 'openaiCaching', 'responses, written'),
  row('cacheWrite', 'promptTokensDetails.cacheCreationTokens', 'litellmCaching', 'litellm, written'),
  row('cacheWrite', 'promptTokensDetails.cacheCreationInputTokens', 'qwenCaching', 'qwen, written'),
  row('cacheWrite', 'promptTokensDetails.cachedCreationTokens', 'newApiUsage', 'new-api, written'),
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
