/** What is counted: tokens of a chat, seconds and clips of a video, pictures. */
export interface Quantity {
  inputTokens?: number;
  outputTokens?: number;
  seconds?: number;
  videos?: number;
  images?: number;
}

/** What a price can be for one of. */
export type PriceUnit = 'token' | 'second' | 'video' | 'image';
