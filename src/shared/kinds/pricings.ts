import type { PriceUnit, Quantity } from '../money/quantity.ts';
import { t } from '../text/texts.ts';

/** How results are priced. Kinds may share a pricing; each model belongs to one. */
export interface Pricing {
  /** The `kind` of prices and models. */
  readonly name: string;
  readonly title: string;
  /** The units that can be counted. Prices in other units are unusable. */
  readonly units: readonly [PriceUnit, ...PriceUnit[]];
  /** Its requests name a model, and each model has a price. */
  readonly byModel: boolean;
  /** Some models are previews, with a limit of their own (spec 8). */
  readonly hasPreviews: boolean;
  /** A sample quantity for comparing prices, with its words. */
  readonly example: { readonly short: string; readonly sentence: string; readonly quantity: Quantity };
  /** The models whose prices may apply to a model without one; its interpretations span all of them. */
  alike?(model: string): readonly string[];
}

const video = {
  name: 'video',
  title: t`Video`,
  units: ['second', 'video'],
  byModel: true,
  hasPreviews: true,
  example: { short: '8 s', sentence: '8 s is', quantity: { seconds: 8, videos: 1 } },
  alike(model) {
    if (/pro\b|[-_.]pro/i.test(model)) return ['video-pro'];
    if (/standard|fast|lite|std/i.test(model)) return ['video-standard'];
    return ['video-pro', 'video-standard'];
  },
} as const satisfies Pricing;

const chat = {
  name: 'chat',
  title: t`Chat`,
  units: ['token'],
  byModel: true,
  hasPreviews: false,
  example: {
    short: t`2 M tokens`,
    sentence: 'A million tokens each way is',
    quantity: { inputTokens: 1_000_000, outputTokens: 1_000_000 },
  },
} as const satisfies Pricing;

const image = {
  name: 'image',
  title: t`Image`,
  units: ['image'],
  byModel: false,
  hasPreviews: false,
  example: { short: t`Image`, sentence: 'One is', quantity: { images: 1 } },
} as const satisfies Pricing;

export const PRICINGS = { chat, video, image } as const;
/** The names used in the price book, in services' price lists and in a profile's models. */
export type PriceKind = keyof typeof PRICINGS;
