/** A counted amount: tokens of a chat, seconds and clips of a video, pictures. */
export interface Quantity {
  inputTokens?: number;
  outputTokens?: number;
  seconds?: number;
  videos?: number;
  images?: number;
}

/** The units of prices. */
export type PriceUnit = 'token' | 'second' | 'video' | 'image';
