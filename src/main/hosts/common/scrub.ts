/** What stands where a secret stood. */
export const HIDDEN = '[hidden]';
/** Shorter than this a value is no secret, and hiding it would eat the log. */
const SHORTEST_SECRET = 6;

export interface Scrubber {
  hide(secret: string): void;
  scrub(line: string): string;
}

/**
 * Takes known secrets out of text by their value, in whatever field they stand: as they are, as JSON and URLs write them,
 * and as base64 at each of the three places where they may begin in an encoded text.
 */
export function createScrubber(): Scrubber {
  const spellings = new Set<string>();
  let ordered: string[] = [];
  return {
    hide(secret) {
      if (secret.length < SHORTEST_SECRET) return;
      for (const spelling of spellingsOf(secret)) spellings.add(spelling);
      ordered = [...spellings].sort((a, b) => b.length - a.length);
    },
    scrub: (line) => ordered.reduce((text, spelling) => text.replaceAll(spelling, HIDDEN), line),
  };
}

function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const plain = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), bytes.toString('hex')];
  const encoded = [0, 1, 2].flatMap((offset) => {
    const text = base64Within(bytes, offset);
    return [text, text.replaceAll('+', '-').replaceAll('/', '_')];
  });
  return [...plain, ...encoded].filter((text) => text.length >= SHORTEST_SECRET);
}

/** The digits that depend on the secret alone when it begins `offset` bytes into a group of three. */
function base64Within(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString('base64')
    .replace(/=+$/, '');
  const first = offset === 0 ? 0 : offset + 1;
  const last = (offset + bytes.length) % 3 === 0 ? text.length : text.length - 1;
  return text.slice(first, last);
}
