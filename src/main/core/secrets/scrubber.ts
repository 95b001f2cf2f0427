/** Replaces a secret. */
export const HIDDEN = '[hidden]';
/** A shorter value is no secret, and hiding it would damage the log. */
const MIN_SECRET_LENGTH = 6;
/** The encoded form of a shorter secret occurs by chance in any long id. */
const MIN_ENCODED_LENGTH = 8;
/** A piece of this length is as useful to an attacker as the whole secret. */
const PIECE = 12;
const PIECE_STEP = 3;

export interface Scrubber {
  hide(secret: string): void;
  /** The text without known secrets, in any spelling, and without long pieces of them. */
  scrub(text: string): string;
}

/**
 * Removes known secrets from text by their value, in any field: plain, as JSON and URLs write them, as hex, as UTF-16, and as base64 at
 * each of the three offsets at which they may begin in an encoded text. If a message cuts a secret off, the remaining piece is removed
 * too, unless `pieces` is false.
 */
export function createScrubber({ mark = HIDDEN, shortest = MIN_SECRET_LENGTH, pieces = true } = {}): Scrubber {
  const secrets = new Set<string>();
  let spellings: string[] = [];
  let cuttable: string[] = [];
  return {
    hide(secret) {
      if (secret.length < shortest || secrets.has(secret)) return;
      secrets.add(secret);
      spellings = [...secrets].flatMap((each) => spellingsOf(each, shortest)).sort((a, b) => b.length - a.length);
      if (pieces) cuttable = [...secrets].flatMap(cuttableOf);
    },
    scrub(text) {
      const whole = spellings.reduce((clean, spelling) => clean.replaceAll(spelling, mark), text);
      return cuttable.reduce((clean, form) => withoutPieces(clean, form, mark), whole);
    },
  };
}

function spellingsOf(secret: string, shortest: number): string[] {
  if (secret.length < MIN_ENCODED_LENGTH) return [secret];
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const utf16 = Buffer.from(secret, 'utf16le');
  const escaped = Buffer.from(utf16).swap16().toString('hex').replace(/..../g, '\\u$&');
  const inJson = JSON.stringify(secret).slice(1, -1);
  const plain = [
    secret,
    inJson,
    // A message inside a message.
    JSON.stringify(inJson).slice(1, -1),
    encodeURIComponent(secret),
    ...bothCases(hex),
    ...bothCases(hex.replace(/../g, '%$&')),
    ...bothCases(escaped).map((text) => text.replaceAll('\\U', '\\u')),
    utf16.toString('latin1'),
    Buffer.from(utf16).swap16().toString('latin1'),
  ];
  const encoded = [bytes, utf16].flatMap((form) => [0, 1, 2].map((offset) => base64Within(form, offset)));
  const inUrl = encoded.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  return [...new Set([...plain, ...encoded, ...inUrl])].filter((text) => text.length >= shortest);
}

/** An answer that breaks off in the middle of an encoded secret leaves a piece of that. */
function cuttableOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [secret, bytes.toString('hex'), ...[0, 1, 2].map((offset) => base64Within(bytes, offset))];
}

const bothCases = (text: string): string[] => [text.toLowerCase(), text.toUpperCase()];

/** The digits that depend on the bytes alone when they begin `offset` bytes into a group of three. */
function base64Within(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
}

/** Every piece that is long enough, from its first character to its last. */
function withoutPieces(text: string, secret: string, mark: string): string {
  let clean = text;
  for (let at = 0; at + PIECE <= secret.length; at += PIECE_STEP) {
    const piece = secret.slice(at, at + PIECE);
    let kept = '';
    let from = 0;
    for (let found = clean.indexOf(piece); found >= 0; found = clean.indexOf(piece, from)) {
      const [start, end] = grown(clean, secret, found, at);
      kept += clean.slice(from, Math.max(from, start)) + mark;
      from = end;
    }
    clean = kept + clean.slice(from);
  }
  return clean;
}

function grown(text: string, secret: string, found: number, at: number): [start: number, end: number] {
  let before = 0;
  while (before < at && found > before && text[found - before - 1] === secret[at - before - 1]) before += 1;
  let after = PIECE;
  while (at + after < secret.length && text[found + after] === secret[at + after]) after += 1;
  return [found - before, found + after];
}
