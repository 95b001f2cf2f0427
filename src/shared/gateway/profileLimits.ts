import { z } from 'zod';
import { t } from '../text/texts.ts';

export interface LimitDescription {
  /** The largest sensible value; the smallest is 1. */
  most: number;
  default: number;
  label: string;
  unit?: string;
}

/** Limits on requests to a gateway; profile, form and errors are derived from them. */
export const LIMITS = {
  /** Preview video models: requests a minute (spec 8). */
  videoPerMinute: { most: 10_000, default: 10, label: t`Videos per minute` },
  videosAtOnce: { most: 1_000, default: 4, label: t`Videos at once` },
  imagesAtOnce: { most: 1_000, default: 4, label: t`Images at once` },
  chatsAtOnce: { most: 1_000, default: 4, label: t`Chats at once` },
  downloadsAtOnce: { most: 32, default: 3, label: t`Downloads` },
  contextTokens: { most: 10_000_000, default: 128_000, label: t`Context`, unit: t`Tokens` },
  outputTokens: { most: 1_000_000, default: 4_096, label: t`Output`, unit: t`Tokens` },
} as const satisfies Record<string, LimitDescription>;
export type LimitName = keyof typeof LIMITS;

const integerUpTo = (most: number) => z.int().min(1).max(most);

const eachLimit = <S extends z.ZodType>(schemaOf: (limit: { most: number; default: number }) => S) =>
  Object.fromEntries(Object.entries(LIMITS).map(([name, limit]) => [name, schemaOf(limit)])) as Record<LimitName, S>;

export const limitFields = eachLimit(({ most }) => integerUpTo(most));

export const limitsSchema = z.object(eachLimit((limit) => integerUpTo(limit.most).default(limit.default)));
export type ProfileLimits = z.infer<typeof limitsSchema>;
