import { field, isObject, listOf } from '../json/fields.ts';
import { type Json, parseJson } from '../json/parse.ts';

/**
 * The chunks of a stream are mostly one JSON document over and over, with another text in it. Once a document is known, the next
 * that is the same up to its text and from its text on needs no parsing but that of the text.
 */
export interface Mould {
  /** The text of a document that differs from the one before in its text only. */
  textIn(document: string): string | undefined;
  /** Remembers a document that did nothing but add its text. */
  cast(document: string): void;
  /** Another kind of document came between. */
  break(): void;
}

const KEY = /"content": ?"/;
const PROBE = 'probe';
/** No quote, no escape, no control character: such a text stands for itself. */
const PLAIN = /^[^"\\\p{Cc}]*$/u;
const SHORT = 12;
/** So many casts that fitted nothing, and only every so many-th document is cast again. */
const PATIENCE = 8;
const REST = 64;

export function createMould(): Mould {
  let head = '';
  let tail = '';
  let failures = 0;
  let resting = 0;
  return {
    textIn(document) {
      const end = document.length - tail.length;
      if (head === '' || end < head.length) return undefined;
      // Engines compare whole slices several times faster than they look for a prefix.
      if (document.slice(0, head.length) !== head || document.slice(end) !== tail) return undefined;
      failures = 0;
      return textOf(document.slice(head.length, end));
    },
    cast(document) {
      head = '';
      resting = failures < PATIENCE ? 0 : (resting + 1) % REST;
      if (resting !== 0) return;
      failures += 1;
      const key = KEY.exec(document);
      if (!key) return;
      const start = key.index + key[0].length;
      const end = closingQuote(document, start);
      if (!saysOnly(document.slice(0, start), document.slice(end))) return;
      head = document.slice(0, start);
      tail = document.slice(end);
    },
    break() {
      head = '';
    },
  };
}

/** The inside of a JSON string. A longer one is parsed, as a slice of it would keep all the bytes around it in memory. */
function textOf(literal: string): string | undefined {
  if (literal.length < SHORT && PLAIN.test(literal)) return literal;
  try {
    return JSON.parse(`"${literal}"`);
  } catch {
    return undefined;
  }
}

function closingQuote(document: string, from: number): number {
  let at = from;
  while (at < document.length && document[at] !== '"') at += document[at] === '\\' ? 2 : 1;
  return at;
}

/** Whether a text between these two is what the first choice's delta says. */
function saysOnly(head: string, tail: string): boolean {
  const probed: Json | undefined = parseJson(head + PROBE + tail);
  const [choice, ...others] = listOf(field(probed, 'choices'));
  const delta = field(choice, 'delta');
  return others.length === 0 && isObject(delta) && delta.content === PROBE;
}
