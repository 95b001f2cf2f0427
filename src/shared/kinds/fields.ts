import { z } from 'zod';
import { isBlank } from '../text/nulCharacters.ts';

export const prompt = z
  .string()
  .max(100_000)
  .refine((text) => !isBlank(text), 'must not be empty');

export const model = z.string().min(1).max(200);
