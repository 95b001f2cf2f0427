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
 * Removes known secrets from text by their value, in any field and in upper or lower case: plain, as JSON, URLs and HTML escape them, as hex,
 * as UTF-16, and as base64 at each of the three offsets at which they may begin in an encoded text. If a message cuts a secret off, the
 * remaining piece is removed too, unless `pieces` is false.
 */
export function createScrubber({ mark = HIDDEN, shortest = MIN_SECRET_LENGTH, pieces = true } = {}): Scrubber {
  const secrets = new Set<string>();
  let short: string[] = [];
  let spellings: string[] = [];
  let known = knownPieces([]);
  return {
    hide(secret) {
      if (secret.length < shortest || secrets.has(secret)) return;
      secrets.add(secret);
      short = [...secrets].filter(({ length }) => length < MIN_ENCODED_LENGTH);
      const long = [...secrets].filter(({ length }) => length >= MIN_ENCODED_LENGTH);
      spellings = [...new Set(long.flatMap(spellingsOf))].filter(({ length }) => length >= shortest);
      if (pieces) known = knownPieces(long.flatMap(cuttableOf));
    },
    scrub(text) {
      const plain = unescaped(text);
      const spans = [...spellings.flatMap((each) => placesOf(plain.text, each)), ...piecesIn(plain.text, known)];
      const inText = spans.map(([from, to]): Span => [plain.start(from), plain.end(to)]);
      return withoutSpans(text, [...inText, ...short.flatMap((each) => placesOf(text, each))], mark);
    },
  };
}

/** From a first character to the one after the last. */
type Span = readonly [from: number, to: number];

/** In lower case and without escapes, as the text is searched. */
function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const utf16 = Buffer.from(secret, 'utf16le');
  const encoded = [bytes, utf16].flatMap((form) => [0, 1, 2].map((offset) => base64Within(form, offset)));
  const inUrl = encoded.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  const whole = [utf16.toString('latin1'), Buffer.from(utf16).swap16().toString('latin1'), ...encoded, ...inUrl];
  return [...cuttableOf(secret), ...whole.map((text) => unescaped(text).text)];
}

/** An answer that breaks off in the middle of an encoded secret leaves a piece of that. */
function cuttableOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const encoded = [0, 1, 2].map((offset) => base64Within(bytes, offset));
  return [secret, bytes.toString('latin1'), bytes.toString('hex'), ...encoded].map((text) => unescaped(text).text);
}

interface Unescaped {
  text: string;
  /** The place in the escaped text of a character, and of the end of the one before. */
  start(at: number): number;
  end(at: number): number;
}

const ESCAPE =
  /%(?:25)*([0-9a-f]{2})|\\+u([0-9a-f]{4})|\\+|&(?:amp;)*(?:#x0*([0-9a-f]{1,4})|#0*(\d{1,5})|(amp|lt|gt|quot|apos|plus|sol|equals));?/gi;
const BACKSLASH = 0x5c;
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  plus: '+',
  sol: '/',
  equals: '=',
};

/** In lower case, with what URLs, JSON and HTML escape as the characters that are meant, and without backslashes. */
function unescaped(text: string): Unescaped {
  const parts: Part[] = [];
  let plain = '';
  let from = 0;
  const take = (part: string, width: number) => {
    parts.push({ at: plain.length, from, length: part.length, width });
    plain += part;
    from += width;
  };
  for (const { 0: whole, 1: percent, 2: json, 3: hex, 4: decimal, 5: name, index } of text.matchAll(ESCAPE)) {
    if (index > from) take(text.slice(from, index), index - from);
    const code = percent ?? json ?? hex;
    const meant = code ? Number.parseInt(code, 16) : Number(decimal ?? BACKSLASH);
    const character = name ? NAMED[name.toLowerCase()] : String.fromCharCode(meant);
    take(meant === BACKSLASH && !name ? '' : (character ?? ''), whole.length);
  }
  if (parts.length === 0) return { text: lowerCase(text), start: (at) => at, end: (at) => at };
  if (from < text.length) take(text.slice(from), text.length - from);
  return {
    text: lowerCase(plain),
    start: (at) => placeIn(partAt(parts, at), at, 0),
    end: (at) => placeIn(partAt(parts, at - 1), at, 1),
  };
}

/** A run of the text as it is, or one escape: as wide as it is written, as long as what is meant. */
interface Part {
  at: number;
  from: number;
  length: number;
  width: number;
}

function placeIn({ at, from, length, width }: Part, place: number, end: 0 | 1): number {
  return length === width ? from + place - at : from + end * width;
}

function partAt(parts: readonly Part[], place: number): Part {
  let low = 0;
  let high = parts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((parts[middle]?.at ?? 0) <= place) low = middle;
    else high = middle;
  }
  return parts[low] ?? { at: 0, from: 0, length: 0, width: 0 };
}

/** Every character keeps its place: this one alone becomes two. */
const lowerCase = (text: string): string => text.replaceAll('\u0130', 'i').toLowerCase();

function placesOf(text: string, secret: string): Span[] {
  const places: Span[] = [];
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + secret.length)) {
    places.push([at, at + secret.length]);
  }
  return places;
}

function withoutSpans(text: string, spans: readonly Span[], mark: string): string {
  let kept = '';
  let end = 0;
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0] || b[1] - a[1])) {
    if (from >= end) kept += text.slice(end, from) + mark;
    end = Math.max(end, to);
  }
  return kept + text.slice(end);
}

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
function piecesIn(text: string, { places, hashes }: KnownPieces): Span[] {
  if (places.size === 0) return [];
  const pieces: Span[] = [];
  let from = 0;
  let hash = 0;
  for (let last = 0; last < text.length; last += 1) {
    hash = nextHash(hash, text.charCodeAt(last));
    const found = last + 1 - PIECE;
    if (hashes[hash] === 0 || found < from) continue;
    const place = places.get(text.slice(found, last + 1));
    if (!place) continue;
    const piece = grown(text, place.form, found, place.at);
    pieces.push(piece);
    from = piece[1];
    last = from - 1;
  }
  return pieces;
}

function grown(text: string, secret: string, found: number, at: number): Span {
  let before = 0;
  while (before < at && found > before && text[found - before - 1] === secret[at - before - 1]) before += 1;
  let after = PIECE;
  while (at + after < secret.length && text[found + after] === secret[at + after]) after += 1;
  return [found - before, found + after];
}
