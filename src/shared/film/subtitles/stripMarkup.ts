import { decodeHTML } from 'entities/decode';
import { shortened } from '../../text/shortened.ts';

export interface Unmarked {
  plain: string;
  /** Tags that are not markup of the format; lines count from 0. */
  unknown: { line: number; tag: string }[];
}

const SRT_TAGS = new Set(['i', 'b', 'u', 's', 'font', 'c']);
const VTT_TAGS = new Set(['c', 'i', 'b', 'u', 'ruby', 'rt', 'v', 'lang']);

/** Removes the markup that players know: `<i>`, `<font …>`, `{\an8}`. Other tags stay. */
export function srtPlain(text: string): Unmarked {
  const unknown: Unmarked['unknown'] = [];
  const lineOf = linesOf(text);
  const plain = withoutSpans(text, { opens: '<', closes: '>' }, (inside, start) => {
    if (SRT_TAGS.has(tagName(inside))) return true;
    if (isTag(inside)) unknown.push({ line: lineOf(start), tag: shownTag(inside) });
    return false;
  });
  return {
    plain: withoutSpans(plain, { opens: '{', closes: '}' }, (inside) => inside.startsWith('\\')),
    unknown,
  };
}

/** Removes tags (speaker, class, time) and decodes character references. */
export function vttPlain(text: string): Unmarked {
  const unknown: Unmarked['unknown'] = [];
  const lineOf = linesOf(text);
  const plain = withoutSpans(text, { opens: '<', closes: '>' }, (inside, start) => {
    if (isTimestamp(inside) || VTT_TAGS.has(tagName(inside)) || inside === '/') return true;
    if (!isTag(inside)) return false;
    unknown.push({ line: lineOf(start), tag: shownTag(inside) });
    return true;
  });
  return { plain: decodeHTML(plain), unknown };
}

/** `c.loud` is the tag `c` with a class. */
const tagName = (inside: string): string => (inside.replace('/', '').trim().split(/[\s.]/)[0] ?? '').toLowerCase();

/** `<` and `>` of a comparison or an emoticon enclose no tag. */
const isTag = (inside: string): boolean => /^\/?[a-z][\w:-]*(?:[\s./]|$)/i.test(inside);
const isTimestamp = (inside: string): boolean => /^[\d:.]+$/.test(inside) && inside.includes(':');

const shownTag = (inside: string): string => `<${shortened(inside, 40)}>`;

/** The line of a position; positions must be asked for in order. */
function linesOf(text: string): (at: number) => number {
  let line = 0;
  let end = text.indexOf('\n');
  return (at) => {
    for (; end >= 0 && end < at; end = text.indexOf('\n', end + 1)) line += 1;
    return line;
  };
}

/** Longer tags are not recognized, so that the work stays linear. */
const LONGEST_TAG = 200;

/** Removes each span from `opens` to the next `closes` that is markup. */
function withoutSpans(
  text: string,
  { opens, closes }: { opens: string; closes: string },
  isMarkup: (inside: string, start: number) => boolean,
): string {
  let plain = '';
  let at = 0;
  let end = -1;
  for (let start = text.indexOf(opens); start >= 0; start = text.indexOf(opens, at)) {
    if (end < start) end = text.indexOf(closes, start);
    if (end < 0) break;
    const isTag = isMarkup(text.slice(start + 1, Math.min(end, start + LONGEST_TAG)), start);
    plain += text.slice(at, isTag ? start : start + 1);
    at = isTag ? end + 1 : start + 1;
  }
  return plain + text.slice(at);
}
