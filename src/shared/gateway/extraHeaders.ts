import { z } from 'zod';
import { NO_KEY, noKey } from './httpUrl.ts';

/**
 * Headers for a proxy in front of the gateway. Their values are secrets like keys: they go to the key store and to the profile's own origin,
 * and only the names are stored and shown.
 */

/** Headers of the connection, of the key, and of Dailies. */
const TAKEN = new Set([
  'accept',
  'accept-encoding',
  'authorization',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'cookie',
  'cookie2',
  'date',
  'expect',
  'host',
  'idempotency-key',
  'if-range',
  'keep-alive',
  'origin',
  'range',
  'referer',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
]);
const TAKEN_KINDS = /^(proxy|sec|access-control)-/;
const NAME = /^[!#$%&'*+.^`|~0-9A-Za-z-][!#$%&'*+.^_`|~0-9A-Za-z-]{0,99}$/;
const MOST = 16;

const RULE =
  'must not be Authorization, Cookie, Host, or another header that belongs to the key, to the connection or to Dailies itself';

/** The rule that a name breaks, if any. */
function brokenBy(name: string): string | undefined {
  if (!NAME.test(name)) return 'must be a bare header name such as X-Gateway-Team';
  if (!noKey(name)) return NO_KEY;
  const lower = name.toLowerCase();
  return TAKEN.has(lower) || TAKEN_KINDS.test(lower) ? RULE : undefined;
}

/** A header's value. Unlike a key it may contain spaces, as in `Bearer …`. */
const valueSchema = z
  .string()
  .trim()
  .min(1)
  .max(4_096)
  .regex(/^[\x20-\x7e]+$/, 'must be one line of printable ASCII');

const named = <T extends z.ZodType>(value: T) =>
  z.record(z.string(), value, 'must be { name: value }').superRefine((headers, context) => {
    const names = Object.keys(headers);
    const seen = new Set<string>();
    if (names.length > MOST) context.addIssue({ code: 'custom', message: `must be at most ${MOST}` });
    for (const name of names) {
      const message = seen.has(name.toLowerCase()) ? 'is there twice' : brokenBy(name);
      if (message) context.addIssue({ code: 'custom', path: [name], message });
      seen.add(name.toLowerCase());
    }
  });

/** Stored and listed headers: the name, and `null` for the value in the key store. */
export const extraHeadersSchema = named(z.null('must be null here: the value is in the key store'));
/** The complete list for `profiles.save`: `null` keeps the stored value. */
export const extraHeadersInputSchema = named(valueSchema.nullable());
