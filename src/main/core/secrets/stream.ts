/** A text that comes in pieces, without the secrets in it; what may be the beginning of one waits for the next piece. */
export interface StreamScrubber {
  /** What may be shown of the text so far and was not yet. */
  next(piece: string): string;
  /** The rest, when nothing more comes. */
  end(): string;
}

/** The whole text as {@link streamScrubber} gives it out piece by piece: secrets as they are, in no other spelling. */
export function scrubPlain(text: string, secrets: readonly string[], mark: string): string {
  const pattern = patternOf(secrets);
  return pattern ? text.replace(pattern, () => mark) : text;
}

export function streamScrubber(secrets: readonly string[], mark: string): StreamScrubber {
  let held = '';
  return {
    next(piece) {
      if (secrets.length === 0) return piece;
      const clean = scrubPlain(held + piece, secrets, mark);
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

/** Where the end of the text may be the beginning of a secret; its length where it is not. */
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
