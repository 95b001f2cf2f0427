/** A counted amount: tokens of a chat, seconds and clips of a video, pictures. */
export interface Quantity {
  inputTokens?: number;
  outputTokens?: number;
  /** Of the input: read from the service's cache and written there, as far as the service counts it. */
  cachedTokens?: number;
  cacheWriteTokens?: number;
  seconds?: number;
  videos?: number;
  images?: number;
}

/** The units of prices. */
export type PriceUnit = 'token' | 'second' | 'video' | 'image';
