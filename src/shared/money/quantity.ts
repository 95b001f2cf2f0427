/** A counted amount: tokens, seconds and clips, pictures. */
export interface Quantity {
  inputTokens?: number;
  outputTokens?: number;
  /** The part of the input that the gateway counts as read from or written to its cache. */
  cachedTokens?: number;
  cacheWriteTokens?: number;
  seconds?: number;
  videos?: number;
  images?: number;
}

export type PriceUnit = 'token' | 'second' | 'video' | 'image';
