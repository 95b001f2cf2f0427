import { z } from 'zod';
import { NO_KEY, noKey } from './keyLike.ts';

/** An address as it is typed or pasted: http or https, nothing but host and path. `what` it is of stands in its rules. */
export const httpUrl = (what: string) =>
  z
    .string(`must be ${what}`)
    .trim()
    .refine(
      (text) => isHttpUrl(text),
      `must be ${what}, starting with http:// or https://, without a name, query or fragment`,
    )
    .refine(noKey, NO_KEY);

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return false;
  return url.username === '' && url.password === '' && url.search === '' && url.hash === '';
}
