import { z } from 'zod';
import { isBlank } from './blank.ts';
import { t } from './texts.ts';

export const projectName = z
  .string(t`must be text`)
  .trim()
  .refine((name) => !isBlank(name), t`must not be empty`)
  .max(200, t`must have at most 200 characters`);
