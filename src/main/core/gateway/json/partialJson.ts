import { type Json, parseJson } from './parse.ts';

const MAX_LENGTH = 512 * 1024;
const MAX_TRIES = 20;

/**
 * The complete part of JSON that broke off: everything before the member in which it broke. A closed text or object is complete; a number
 * or a word at the very end may lack its rest. `undefined` if nothing is complete.
 */
export function parsePartialJson(text: string): Json | undefined {
  const start = text.slice(0, MAX_LENGTH).trim();
  if (!/^[{[]/.test(start)) return undefined;
  const { commas, open, inText } = scan(start);
  if (!inText && /["}\]]$/.test(start)) {
    const closed = parseJson(start + open);
    if (closed !== undefined) return closed;
  }
  for (const comma of commas.slice(-MAX_TRIES).reverse()) {
    const part = parseJson(start.slice(0, comma.at) + comma.open);
    if (part !== undefined) return part;
  }
  return undefined;
}

interface Scan {
  /** Where a member ends, and the brackets that are open there. */
  commas: { at: number; open: string }[];
  open: string;
  inText: boolean;
}

function scan(text: string): Scan {
  const commas: Scan['commas'] = [];
  let open = '';
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (sign === '"') {
      at = closingQuote(text, at);
      if (at < 0) return { commas, open, inText: true };
    } else if (sign === ',') {
      commas.push({ at, open });
      if (commas.length > MAX_TRIES * 2) commas.splice(0, MAX_TRIES);
    } else open = openAfter(open, sign);
    if (open.length > 64) return { commas: [], open, inText: false };
  }
  return { commas, open, inText: false };
}

/** The brackets that close what is open behind this sign. */
function openAfter(open: string, sign: string): string {
  if (sign === '{') return `}${open}`;
  if (sign === '[') return `]${open}`;
  return sign === '}' || sign === ']' ? open.slice(1) : open;
}

/** The index of the quote that closes the text that begins here; -1 if there is none. */
function closingQuote(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === '"') return at;
    if (text[at] === '\\') at += 1;
  }
  return -1;
}
