import { decodeHTML } from 'entities/decode';
import { shortened } from '../../text/shortened.ts';

/** The words of a subtitle without its markup. */

export interface Unmarked {
  plain: string;
  /** Tags that are no markup of the format; lines count from 0. */
  unknown: { line: number; tag: string }[];
}

const SRT_TAGS = new Set(['i', 'b', 'u', 's', 'font', 'c']);
const VTT_TAGS = new Set(['c', 'i', 'b', 'u', 'ruby', 'rt', 'v', 'lang']);

/** Without the markup that players know: `<i>`, `<font …>`, `{\an8}`. Any other tag stays. */
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

/** Without tags (speaker, class, time), with its character references read. */
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

/** What stands between `<` and `>` in a comparison or a face is none. */
const isTag = (inside: string): boolean => /^\/?[a-z][\w:-]*(?:[\s./]|$)/i.test(inside);
const isTimestamp = (inside: string): boolean => /^[\d:.]+$/.test(inside) && inside.includes(':');

const shownTag = (inside: string): string => `<${shortened(inside, 40)}>`;

/** The line of each place that is asked for; places are asked for in order. */
function linesOf(text: string): (at: number) => number {
  let line = 0;
  let end = text.indexOf('\n');
  return (at) => {
    for (; end >= 0 && end < at; end = text.indexOf('\n', end + 1)) line += 1;
    return line;
  };
}

/** As far as a tag is looked at, so that the work stays linear whatever stands there. */
const LONGEST_TAG = 200;

/** Takes out each span from `opens` to the next `closes` whose inside is markup. */
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
