import { trimmedEnd } from '../../../../shared/text/trimmed.ts';

/**
 * The texts of our own request. A service may repeat the request in its answer (the image, the webhook, the mask): a repeated address is
 * never a result.
 */
export interface Echo {
  has(uri: string): boolean;
  /** The addresses worth keeping for later polls. */
  addresses: string[];
}

const MAX_ADDRESS_LENGTH = 2_048;

export function echoOf(sent: readonly (string | undefined)[]): Echo {
  const all = new Set<string>();
  for (const text of sent) {
    if (text === undefined || text === '') continue;
    all.add(text.trim());
    if (text.length <= 100_000 && !text.startsWith('data:')) {
      for (const address of addressesIn(text)) all.add(withoutPunctuation(address));
    }
  }
  return {
    has: (uri) => all.has(uri.trim()) || all.has(withoutPunctuation(uri)),
    addresses: [...all].filter((text) => text.length <= MAX_ADDRESS_LENGTH && /^[a-z][a-z0-9+.-]*:\/\//i.test(text)),
  };
}

const addressesIn = (text: string): string[] => text.match(/[a-z][a-z0-9+.-]{0,20}:\/\/[^\s<>"'`)\]]+/gi) ?? [];

const withoutPunctuation = (address: string): string => trimmedEnd(address.trim(), '.,;:!?*_');

const MAX_TEXT_LENGTH = 100_000;
const MAX_TEXTS = 500;
const MAX_DEPTH = 12;

/** The texts of a request's body that an answer may repeat; media are left out. */
export function textsIn(body: unknown, depth = 0): string[] {
  if (typeof body === 'string') {
    const text = body.trim();
    return text.length < 3 || text.length > MAX_TEXT_LENGTH || text.startsWith('data:') ? [] : [text];
  }
  if (typeof body !== 'object' || body === null || depth > MAX_DEPTH) return [];
  return Object.values(body)
    .flatMap((inner) => textsIn(inner, depth + 1))
    .slice(0, MAX_TEXTS);
}

const MAX_MESSAGE_LENGTH = 4_000;
const PROBE_LENGTH = 20;
const QUOTED = /["'`“‘«「『]([^"'`“”‘’«»「」『』]{3,1000})["'`”’»」』]/g;
const MAX_QUOTES = 50;
const MIN_ECHO_LENGTH = 8;
/** A service may repeat the same text (partITech/php-mistral#76). */
const MAX_REPEATS = 4;

/**
 * A message without the parts of our request that it repeats, so that a prompt about quotas is not taken for an empty account. Whole
 * texts, beginnings of texts and quotations from the request are removed.
 */
export function withoutEcho(message: string, sent: readonly string[]): string {
  let rest = message.slice(0, MAX_MESSAGE_LENGTH);
  for (const text of sent) rest = withoutRepeats(rest, formsOf(text));
  let quotes = 0;
  return rest.replace(QUOTED, (quote, inner: string) => {
    quotes += 1;
    if (quotes > MAX_QUOTES) return quote;
    const quoted = (/(?:\.\.|…)$/.test(inner) ? trimmedEnd(inner, '.…') : inner).trim();
    return sent.some((text) => text.includes(quoted)) ? ' ' : quote;
  });
}

/** A text as it is, in JSON, and in JSON within JSON, as a gateway passes on what its service has said. */
function formsOf(text: string): string[] {
  const inJson = escaped(text);
  return [...new Set([text, inJson, escaped(inJson)])].filter(({ length }) => length >= MIN_ECHO_LENGTH);
}

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);

function withoutRepeats(message: string, forms: readonly string[]): string {
  let rest = message;
  for (let count = 0; count < MAX_REPEATS; count += 1) {
    const { at, length } = longestBeginning(rest, forms);
    if (length === 0) break;
    rest = `${rest.slice(0, at)} ${rest.slice(at + length)}`;
  }
  return rest;
}

/** The form of which the message repeats the most. Up to the first line break, all forms of a text are equal. */
function longestBeginning(message: string, forms: readonly string[]): { at: number; length: number } {
  let longest = { at: 0, length: 0 };
  for (const form of forms) {
    const at = message.indexOf(form.slice(0, PROBE_LENGTH));
    let length = 0;
    while (at >= 0 && length < form.length && message[at + length] === form[length]) length += 1;
    if (length > longest.length) longest = { at, length };
  }
  return longest;
}
