import { z } from 'zod';
import { isBlank } from '../blank.ts';

/** Fields that requests of several kinds have. */

export const prompt = z
  .string('must be text')
  .max(100_000, 'must have at most 100,000 characters')
  .refine((text) => !isBlank(text), 'must not be empty');

export const model = z
  .string('must be a model id')
  .min(1, 'must not be empty')
  .max(200, 'must have at most 200 characters');
