export const HIDDEN = '[hidden]';
/** A shorter value is not a secret, and hiding it would damage the log. */
const MIN_SECRET_LENGTH = 6;
/** A shorter secret's encoded form occurs by chance in long ids. */
const MIN_ENCODED_LENGTH = 8;
/** A piece of this length is as useful to an attacker as the whole secret. */
const PIECE = 12;
const PIECE_STEP = 3;

interface Scrubber {
  hide(secret: string): void;
  /** The text without known secrets, in any encoding, and without long pieces of them. */
  scrub(text: string): string;
}

/**
 * Removes known secrets from text by value, in any case: plain, escaped as in JSON, URLs and HTML, as hex, as UTF-16, and as base64 at each
 * of the three possible offsets. Cut-off pieces are removed too, unless `pieces` is false.
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

type Span = readonly [from: number, to: number];

/** The forms to search for, in lower case and unescaped. */
function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const utf16 = Buffer.from(secret, 'utf16le');
  const encoded = [bytes, utf16].flatMap((form) => [0, 1, 2].map((offset) => base64Within(form, offset)));
  const inUrl = encoded.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  const whole = [utf16.toString('latin1'), Buffer.from(utf16).swap16().toString('latin1'), ...encoded, ...inUrl];
  return [...cuttableOf(secret), ...whole.map((text) => unescaped(text).text)];
}

/** The forms of which a cut-off piece may appear. */
function cuttableOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const encoded = [0, 1, 2].map((offset) => base64Within(bytes, offset));
  return [secret, bytes.toString('latin1'), bytes.toString('hex'), ...encoded].map((text) => unescaped(text).text);
}

interface Unescaped {
  text: string;
  /** The position in the escaped text of a character, and the end of the one before. */
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

/** The text in lower case, with URL, JSON and HTML escapes decoded and backslashes removed. */
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

/** A plain run, or one escape with its width and its decoded length. */
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

/** Keeps every position; U+0130 alone would become two characters. */
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

/** The base64 digits that depend on these bytes alone, `offset` bytes into a group of three. */
function base64Within(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
}

interface KnownPieces {
  /** The position of each piece in a form of a secret. */
  places: ReadonlyMap<string, { form: string; at: number }>;
  /** Marks the hash of each piece, so that most positions need no further comparison. */
  hashes: Uint8Array;
}

const HASHES = 2 ** 16;
/** A rolling hash of four characters: older ones are shifted out. */
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

/** Every long enough piece, in one pass, however long the secrets are. */
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

/** Shorter keys are words that prompts may contain: local gateways accept `ollama` or `none`. */
export const MIN_GUARDED_LENGTH = 12;

interface SecretGuard {
  hide(secret: string): void;
  /** The path of the first text in `input` with a known secret: `messages.0.content`; undefined without one. */
  findSecret(input: unknown): string | undefined;
}

/**
 * Knows every key read or typed in this run, so that none is written to a file through another field. `alsoHide` receives each key, for the
 * log.
 */
export function createSecretGuard(alsoHide: (secret: string) => void = () => undefined): SecretGuard {
  const secrets = new Set<string>();
  const holds = (text: string) => [...secrets].some((secret) => text.includes(secret));
  return {
    hide(secret) {
      alsoHide(secret);
      if (secret.length >= MIN_GUARDED_LENGTH) secrets.add(secret);
    },
    findSecret: (input) => (secrets.size === 0 ? undefined : pathOf(input, holds, '')),
  };
}

function pathOf(node: unknown, holds: (text: string) => boolean, path: string): string | undefined {
  if (typeof node === 'string') return holds(node) ? path : undefined;
  if (typeof node !== 'object' || node === null) return undefined;
  for (const [name, value] of Object.entries(node)) {
    const inner = path === '' ? name : `${path}.${name}`;
    if (holds(name)) return path === '' ? 'a field name' : path;
    const found = pathOf(value, holds, inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Removes secrets from a text that arrives in pieces; a possible beginning of a secret waits for the next piece. */
interface StreamScrubber {
  next(piece: string): string;
  end(): string;
}

/** The whole text as {@link streamScrubber} returns it: only plain secrets are removed. */
export const scrubPlain = (text: string, secrets: readonly string[], mark: string): string =>
  scrubbed(text, patternOf(secrets), mark);

const scrubbed = (text: string, pattern: RegExp | undefined, mark: string): string =>
  pattern ? text.replace(pattern, () => mark) : text;

export function streamScrubber(secrets: readonly string[], mark: string): StreamScrubber {
  // Compiled once: for a stream of single characters that is most of the work.
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

/** The index at which a secret may begin at the end of the text; the text's length if none does. */
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
