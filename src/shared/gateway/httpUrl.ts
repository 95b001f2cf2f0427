import { z } from 'zod';
import { en } from '../text/texts.ts';

/** Parses a typed address: http or https, host and path only. `what`: its name in errors. */
export const httpUrl = (what: string) =>
  z
    .string()
    .trim()
    .refine(
      (text) => isHttpUrl(text),
      en`must be ${what}, starting with http:// or https://, without a name, query or fragment`,
    )
    .refine(noKey, NO_KEY);

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return false;
  return url.username === '' && url.password === '' && url.search === '' && url.hash === '';
}

/** `sk-` followed by enough characters (spec 5.1): in any other field a key would be written to a file. */
const KEY_LIKE = /(^|[^A-Za-z0-9])sk-[A-Za-z0-9_-]{16,}/;
const KEY_IN_QUERY = /[?&](key|api[-_]?key|token|access[-_]?token|secret)=/i;

export const NO_KEY = 'looks like an API key: a key goes into the key field only, which is never written to a file';

export const noKey = (text: string): boolean => !KEY_LIKE.test(text) && !KEY_IN_QUERY.test(text);
