import { z } from 'zod';
import { isBlank } from './nulCharacters.ts';

export const projectName = z
  .string()
  .trim()
  .refine((name) => !isBlank(name), 'must not be empty')
  .max(200);
