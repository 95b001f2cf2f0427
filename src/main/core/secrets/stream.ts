/** Removes secrets from a text that arrives in pieces; a possible beginning of a secret waits for the next piece. */
export interface StreamScrubber {
  /** The new part of the text that may be shown. */
  next(piece: string): string;
  /** The rest, after the last piece. */
  end(): string;
}

/** The whole text as {@link streamScrubber} returns it in pieces: secrets are removed only in their plain spelling. */
export const scrubPlain = (text: string, secrets: readonly string[], mark: string): string =>
  scrubbed(text, patternOf(secrets), mark);

const scrubbed = (text: string, pattern: RegExp | undefined, mark: string): string =>
  pattern ? text.replace(pattern, () => mark) : text;

export function streamScrubber(secrets: readonly string[], mark: string): StreamScrubber {
  // Of a stream in which every letter is a piece of its own, making it is most of the work.
  const pattern = patternOf(secrets);
  let held = '';
  return {
    next(piece) {
      if (secrets.length === 0) return piece;
      const clean = scrubbed(held + piece, pattern, mark);
      const from = beginningOfSecret(clean, secrets);
      held = clean.slice(from);
      return clean.slice(0, from);
    },
    end() {
      const rest = held;
      held = '';
      return rest;
    },
  };
}

/** The index at the end of the text where a secret may begin; the text's length if none does. */
function beginningOfSecret(text: string, secrets: readonly string[]): number {
  const longest = Math.max(...secrets.map(({ length }) => length)) - 1;
  for (let at = Math.max(0, text.length - longest); at < text.length; at += 1) {
    for (const secret of secrets) {
      if (text[at] === secret[0] && secret.startsWith(text.slice(at))) return at;
    }
  }
  return text.length;
}

function patternOf(secrets: readonly string[]): RegExp | undefined {
  if (secrets.length === 0) return undefined;
  const longestFirst = [...secrets].sort((a, b) => b.length - a.length);
  return new RegExp(longestFirst.map((secret) => secret.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'), 'g');
}
