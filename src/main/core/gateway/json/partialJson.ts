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
  let inText = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (inText) {
      if (sign === '\\') at += 1;
      else if (sign === '"') inText = false;
    } else if (sign === '"') inText = true;
    else if (sign === '{' || sign === '[') open = (sign === '{' ? '}' : ']') + open;
    else if (sign === '}' || sign === ']') open = open.slice(1);
    else if (sign === ',') {
      commas.push({ at, open });
      if (commas.length > MAX_TRIES * 2) commas.splice(0, MAX_TRIES);
    }
    if (open.length > 64) return { commas: [], open, inText };
  }
  return { commas, open, inText };
}
