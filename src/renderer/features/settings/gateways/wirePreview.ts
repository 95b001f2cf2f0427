import { marksOf, WIRE_EXAMPLES, type WireExampleName, type WireProfile } from '../../../../shared/wire/examples.ts';
import { bearerHeader, IDEMPOTENCY_HEADER } from '../../../../shared/wire/headers.ts';

/** What would go over the wire for an example order, in a profile's dialect, as lines to read. */
export interface WirePreview {
  path: string;
  headers: string[];
  body: Record<string, unknown>;
  /** Words that come from the dialect, to be marked. */
  marks: string[];
}

export function wirePreview(profile: WireProfile, name: WireExampleName): WirePreview {
  const example = WIRE_EXAMPLES[name];
  const { path, headers, body } = example.request(profile);
  const extra = Object.keys(profile.extraHeaders ?? {});
  const lines = Object.entries(headers).map(([header, value]) => `${shownHeader(header)}: ${value}`);
  return {
    path,
    headers: [...lines, ...extra.map((header) => `${header}: ••••`)],
    body,
    marks: [...marksOf(example, profile), ...extra],
  };
}

/** Names of our own are small on the wire; here they are written as people know them. */
const shownHeader = (name: string): string =>
  name in OWN_HEADERS ? name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase()) : name;
const OWN_HEADERS = { ...bearerHeader(''), [IDEMPOTENCY_HEADER]: '' };

export interface Piece {
  text: string;
  marked: boolean;
}

/** A text cut at the words that are to be marked. */
export function markedPieces(text: string, marks: readonly string[]): Piece[] {
  const words = marks.filter((mark) => mark !== '').map((mark) => mark.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (words.length === 0) return [{ text, marked: false }];
  return text
    .split(new RegExp(`(${words.join('|')})`))
    .filter((piece) => piece !== '')
    .map((piece) => ({ text: piece, marked: marks.includes(piece) }));
}
