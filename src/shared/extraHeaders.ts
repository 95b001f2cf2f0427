import { z } from 'zod';
import { NO_KEY, noKey } from './keyLike.ts';

/**
 * Headers that a gateway in front of the gateway asks for. Their values are guarded like keys: they go to the key store, to the
 * profile's own origin and nowhere else, so what is kept and shown of them is the name.
 */

/** What belongs to the connection, to the key, or to Dailies itself. */
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

/** The rule that a name breaks; undefined where it breaks none. */
function brokenBy(name: string): string | undefined {
  if (!NAME.test(name)) return 'must be a bare header name such as X-Gateway-Team';
  if (!noKey(name)) return NO_KEY;
  const lower = name.toLowerCase();
  return TAKEN.has(lower) || TAKEN_KINDS.test(lower) ? RULE : undefined;
}

/** A value as it goes on the wire. Unlike a key it may have words in it, such as `Bearer …`. */
const valueSchema = z
  .string('must be text')
  .trim()
  .min(1, 'must not be empty')
  .max(4_096, 'must have at most 4,096 characters')
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

/** As they are kept and listed: the name, and `null` for the value that is in the key store. */
export const extraHeadersSchema = named(z.null('must be null here: the value is in the key store'));
/** As `profiles.save` takes them, all there shall be: `null` keeps the value that is stored. */
export const extraHeadersInputSchema = named(valueSchema.nullable());
