import { loosePattern } from './loosePattern.ts';

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
 * Removes known secrets from text by their value, in any field: plain and in any case, as JSON, HTML and URLs write them, as hex, as UTF-16,
 * and as base64 at each of the three offsets at which they may begin in an encoded text. If a message cuts a secret off, the remaining piece is removed
 * too, unless `pieces` is false.
 */
export function createScrubber({ mark = HIDDEN, shortest = MIN_SECRET_LENGTH, pieces = true } = {}): Scrubber {
  const secrets = new Set<string>();
  let spellings: string[] = [];
  let patterns: RegExp[] = [];
  let known = knownPieces([]);
  return {
    hide(secret) {
      if (secret.length < shortest || secrets.has(secret)) return;
      secrets.add(secret);
      spellings = [...secrets].flatMap((each) => spellingsOf(each, shortest)).sort((a, b) => b.length - a.length);
      patterns = [...secrets].sort((a, b) => b.length - a.length).flatMap((each) => patternsOf(each, shortest));
      if (pieces) known = knownPieces([...secrets].flatMap(cuttableOf));
    },
    scrub(text) {
      const loose = patterns.reduce((clean, pattern) => clean.replace(pattern, () => mark), text);
      const whole = spellings.reduce((clean, spelling) => clean.replaceAll(spelling, mark), loose);
      return withoutPieces(whole, known, mark);
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
  const encoded = encodedOf(secret);
  const inUrl = encoded.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  return [...new Set([...plain, ...encoded, ...inUrl])].filter((text) => text.length >= shortest);
}

/** As base64, whose letters have one case, in what may write its signs in another way. */
const encodedOf = (secret: string): string[] =>
  [Buffer.from(secret), Buffer.from(secret, 'utf16le')].flatMap((form) =>
    [0, 1, 2].map((offset) => base64Within(form, offset)),
  );

const patternsOf = (secret: string, shortest: number): RegExp[] =>
  secret.length < MIN_ENCODED_LENGTH
    ? []
    : [
        loosePattern(secret, { anyCase: true }),
        ...encodedOf(secret)
          .filter((text) => text.length >= shortest && /[+/]/.test(text))
          .map((text) => loosePattern(text, { anyCase: false })),
      ];

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

interface KnownPieces {
  /** Where each piece is in which form of a secret. */
  places: ReadonlyMap<string, { form: string; at: number }>;
  /** Marks the hash of each piece: most places of a text need no further look. */
  hashes: Uint8Array;
}

const HASHES = 2 ** 16;
/** Of the last four characters: what is shifted further is cut off. */
const nextHash = (hash: number, code: number): number => ((hash << 4) ^ code) & (HASHES - 1);

function knownPieces(forms: readonly string[]): KnownPieces {
  const places = new Map<string, { form: string; at: number }>();
  const hashes = new Uint8Array(HASHES);
  for (const form of forms) {
    for (let at = 0; at + PIECE <= form.length; at += PIECE_STEP) {
      const piece = form.slice(at, at + PIECE);
      if (!places.has(piece)) places.set(piece, { form, at });
      let hash = 0;
      for (let digit = 0; digit < PIECE; digit += 1) hash = nextHash(hash, piece.charCodeAt(digit));
      hashes[hash] = 1;
    }
  }
  return { places, hashes };
}

/** Every piece that is long enough, from its first character to its last: one pass, however long the secrets are. */
function withoutPieces(text: string, { places, hashes }: KnownPieces, mark: string): string {
  if (places.size === 0) return text;
  let kept = '';
  let from = 0;
  let hash = 0;
  for (let last = 0; last < text.length; last += 1) {
    hash = nextHash(hash, text.charCodeAt(last));
    const found = last + 1 - PIECE;
    if (hashes[hash] === 0 || found < from) continue;
    const place = places.get(text.slice(found, last + 1));
    if (!place) continue;
    const [start, end] = grown(text, place.form, found, place.at);
    kept += text.slice(from, Math.max(from, start)) + mark;
    from = end;
    last = end - 1;
  }
  return kept + text.slice(from);
}

function grown(text: string, secret: string, found: number, at: number): [start: number, end: number] {
  let before = 0;
  while (before < at && found > before && text[found - before - 1] === secret[at - before - 1]) before += 1;
  let after = PIECE;
  while (at + after < secret.length && text[found + after] === secret[at + after]) after += 1;
  return [found - before, found + after];
}
