import { z } from 'zod';
import { isBlank } from './blank.ts';

export const projectName = z
  .string('must be text')
  .trim()
  .refine((name) => !isBlank(name), 'must not be empty')
  .max(200, 'must have at most 200 characters');
