import { z } from 'zod';
import { NO_KEY, noKey } from './keyLike.ts';
import { t } from './texts.ts';

/** Parses a typed or pasted address: http or https, only host and path. `what` names it in error messages. */
export const httpUrl = (what: string) =>
  z
    .string()
    .trim()
    .refine(
      (text) => isHttpUrl(text),
      t`must be ${what}, starting with http:// or https://, without a name, query or fragment`,
    )
    .refine(noKey, NO_KEY);

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return false;
  return url.username === '' && url.password === '' && url.search === '' && url.hash === '';
}
