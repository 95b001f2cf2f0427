import { z } from 'zod';
import { isBlank } from '../blank.ts';
import { t } from '../texts.ts';

/** Fields that requests of several kinds have. */

export const prompt = z
  .string(t`must be text`)
  .max(100_000, t`must have at most 100,000 characters`)
  .refine((text) => !isBlank(text), t`must not be empty`);

export const model = z
  .string(t`must be a model id`)
  .min(1, t`must not be empty`)
  .max(200, t`must have at most 200 characters`);
