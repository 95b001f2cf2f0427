/** Decodes the text files of any program; all bytes of text pass through here. */

export const TEXT_ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1251',
  'gb18030',
  'shift_jis',
] as const;
export type TextEncoding = (typeof TEXT_ENCODINGS)[number];

export interface DecodedText {
  text: string;
  encoding: TextEncoding;
  /** Not Unicode: the encoding is a guess, to be confirmed by the user. */
  isGuess: boolean;
  /** Characters for meaningless bytes. */
  unreadable: number;
}

/** Never throws. A byte order mark is removed. */
export async function decodeText(bytes: Uint8Array<ArrayBuffer>): Promise<DecodedText> {
  const marked = markOf(bytes);
  if (marked) return decodeAs(bytes, marked);
  const wide = wideOf(bytes);
  if (wide && strictly(bytes, wide) !== undefined) return decodeAs(bytes, wide);
  const text = strictly(bytes, 'utf-8');
  if (text !== undefined) return { text, encoding: 'utf-8', isGuess: false, unreadable: unreadableIn(text) };
  return { ...decodeAs(bytes, await detected(bytes)), isGuess: true };
}

/** The text in a chosen encoding; undecodable bytes become U+FFFD and are counted. */
export function decodeAs(bytes: Uint8Array<ArrayBuffer>, encoding: TextEncoding): DecodedText {
  const text = new TextDecoder(encoding).decode(bytes);
  return { text, encoding, isGuess: false, unreadable: unreadableIn(text) };
}

function markOf([first, second, third]: Uint8Array): TextEncoding | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

const SAMPLE = 65_536;

/** In UTF-16, line ends, digits and Latin letters have a zero high byte; other texts contain no zero bytes. */
function wideOf(bytes: Uint8Array): TextEncoding | undefined {
  if (bytes.length % 2 === 1) return undefined;
  const zeros = [0, 0] as [even: number, odd: number];
  const end = Math.min(bytes.length, SAMPLE);
  for (let at = 0; at < end; at += 1) if (bytes[at] === 0) zeros[(at % 2) as 0 | 1] += 1;
  const [even, odd] = zeros;
  if (Math.max(even, odd) * 100 < end) return undefined;
  if (odd > even * 10) return 'utf-16le';
  return even > odd * 10 ? 'utf-16be' : undefined;
}

function strictly(bytes: Uint8Array<ArrayBuffer>, encoding: TextEncoding): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const unreadableIn = (text: string): number => countOf(text, '\ufffd') + countOf(text, '\0');

function countOf(text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) count += 1;
  return count;
}

/** The detector's names of the offered encodings. */
const DETECTED: Readonly<Record<string, TextEncoding>> = {
  'utf-8': 'utf-8',
  'windows-1252': 'windows-1252',
  'windows-1251': 'windows-1251',
  gb18030: 'gb18030',
  cp932: 'shift_jis',
};
const SEVERAL_KANA = /[\u3041-\u30fa](?:.{0,40}?[\u3041-\u30fa]){2}/s;

async function detected(bytes: Uint8Array<ArrayBuffer>): Promise<TextEncoding> {
  const from = bytes.findIndex((byte) => byte >= 0x80);
  const sample = bytes.subarray(from, from + SAMPLE);
  // The detector misses short lines of kana, whose bytes hardly make sense in another encoding.
  if (SEVERAL_KANA.test(strictly(sample, 'shift_jis') ?? '')) return 'shift_jis';
  const { chardet } = await import('jschardet');
  const found = chardet.detectAll(sample, { includeEncodings: Object.keys(DETECTED), ignoreThreshold: true });
  const [best] = found.flatMap(({ encoding }) => DETECTED[encoding?.toLowerCase() ?? ''] ?? []);
  return best ?? 'windows-1252';
}
