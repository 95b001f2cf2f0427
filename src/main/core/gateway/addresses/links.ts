import { trimmed, trimmedEnd, withoutEnd } from '../../../../shared/text/trimmed.ts';
import { MAX_RESULTS } from './mediaAddress.ts';

/** A link in a text that a service wrote for people: a markdown log, a sentence, a plain address. */
interface Link {
  uri: string;
  /** Where it begins in the text. */
  at: number;
  /** The description of the link: its label, or the text before it on its line. */
  label: string;
  /** The rest of its line. */
  after: string;
}

/** One answer never has more links than this. */
const MAX_LINKS = 1_000;
const MAX_LABEL_LENGTH = 300;
const MAX_CONTEXT_LENGTH = 120;

/** The possible beginnings of a link; the link is read from there, once. */
const BEGINNINGS = /\]\(|(?:src|href)\s*=\s*["']|(?:https?|gs|s3|oss|tos):\/\/|data:video\//gi;

/** The links of a text, first to last. Every character is examined a fixed number of times, whatever the text is. */
export function linksIn(text: string): Link[] {
  const links: Link[] = [];
  const reader = createReader(text);
  const beginnings = new RegExp(BEGINNINGS);
  for (let match = beginnings.exec(text); match && links.length < MAX_LINKS; match = beginnings.exec(text)) {
    const found = reader.read(match[0], match.index, beginnings.lastIndex);
    if (!found) continue;
    beginnings.lastIndex = found.end;
    const uri = withoutMarks(found.uri, paragraphBefore(text, found.start)).replaceAll('&amp;', '&');
    if (!/^(https?|gs|s3|oss|tos|data):/i.test(uri)) continue;
    const label = found.label?.trim() ? found.label : lineBefore(text, found.start);
    links.push({
      uri,
      at: found.start,
      label,
      after: text.slice(found.end, found.end + MAX_CONTEXT_LENGTH).split('\n', 1)[0] ?? '',
    });
  }
  return links;
}

interface Found {
  uri: string;
  label?: string;
  start: number;
  end: number;
}

function lineBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - MAX_CONTEXT_LENGTH), at);
  return before.slice(before.lastIndexOf('\n') + 1);
}

function paragraphBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - MAX_LABEL_LENGTH), at);
  return before.slice(before.lastIndexOf('\n\n') + 1);
}

/**
 * An address without the punctuation and the emphasis behind it. A signature may end in `_` or `*`: these are emphasis only where the
 * paragraph before has its beginning; `**` always is.
 */
function withoutMarks(uri: string, before: string): string {
  let rest = trimmedEnd(uri, '.,;:!?');
  for (let kinds = 0; kinds < 3 && ['*', '_'].includes(rest.slice(-1)); kinds += 1) {
    const bare = trimmedEnd(rest, rest.slice(-1));
    const marks = rest.slice(bare.length);
    if (!marks.startsWith('**') && !isOpen(marks, before)) return rest;
    rest = trimmedEnd(bare, '.,;:!?');
  }
  return rest;
}

/** Whether emphasis begins in this text and does not end there. */
function isOpen(marks: string, before: string): boolean {
  const at = before.lastIndexOf(marks);
  return at >= 0 && !/\w/.test(before.charAt(at - 1)) && !/\s/.test(before.charAt(at + marks.length));
}

/** Reads the link at a beginning: `[label](address)`, `src="address"`, or a plain address. */
function createReader(text: string) {
  const addressEnd = createFinder(text, /[\s)>]/g);
  const quote = createFinder(text, /["']/g);
  const bareEnd = createFinder(text, /[\s<>"'`)\]|，。）】]/g);
  const base64End = createFinder(text, /[^A-Za-z0-9+/=_-]/g);

  const marked = (at: number, from: number): Found | undefined => {
    const label = labelBefore(text, at);
    if (label === undefined) return undefined;
    const opening = /^\s{0,10}<?/.exec(text.slice(from, from + 11))?.[0].length ?? 0;
    const begin = from + opening;
    if (!/^[a-z][a-z0-9+.-]{0,30}:/i.test(text.slice(begin, begin + 32))) return undefined;
    const end = addressEnd.from(begin);
    const closing = text.slice(end, end + MAX_LABEL_LENGTH + 2).indexOf(')');
    if (closing < 0) return undefined;
    return { uri: text.slice(begin, end), label, start: at - label.length - 1, end: end + closing + 1 };
  };
  const video = (at: number, from: number): Found | undefined => {
    const head = /^[\w.+-]{1,80};base64,/.exec(text.slice(from, from + 90))?.[0].length ?? 0;
    const end = head === 0 ? from : base64End.from(from + head);
    return end > from + head ? { uri: text.slice(at, end), start: at, end } : undefined;
  };
  return {
    read(beginning: string, at: number, from: number): Found | undefined {
      if (beginning === '](') return marked(at, from);
      if (/^data:/i.test(beginning)) return video(at, from);
      if (/["']$/.test(beginning)) {
        const end = quote.from(from);
        return end > from && end < text.length ? { uri: text.slice(from, end), start: at, end: end + 1 } : undefined;
      }
      const end = bareEnd.from(from);
      return end > from ? { uri: text.slice(at, end), start: at, end } : undefined;
    },
  };
}

/**
 * Finds the next such character, or the end of the text. A result answers every earlier question too, so no part of the text is searched
 * twice.
 */
function createFinder(text: string, what: RegExp) {
  const pattern = new RegExp(what);
  let asked = 0;
  let found = -1;
  return {
    from(at: number): number {
      if (at >= asked && at <= found) return found;
      pattern.lastIndex = at;
      asked = at;
      found = pattern.exec(text)?.index ?? text.length;
      return found;
    },
  };
}

/** The label of a Markdown link that ends at this index, on one line. */
function labelBefore(text: string, at: number): string | undefined {
  const before = text.slice(Math.max(0, at - MAX_LABEL_LENGTH - 1), at);
  const line = before.slice(Math.max(before.lastIndexOf('\n'), before.lastIndexOf(']')) + 1);
  const open = line.indexOf('[');
  return open < 0 ? undefined : line.slice(open + 1);
}

const CLIP = /\.(mp4|mov|webm|m4v|mkv|avi|ts|m3u8)(?=$|[?#&/])/i;
const PICTURE = /\.(png|jpe?g|webp|gif|svg|avif|bmp|ico)(?=$|[?#&])/i;
const PAGE_WORDS =
  /status|progress|\btasks?\b|queue|\blogs?\b|detail|dashboard|console|docs?\b|help|support|pricing|terms|polic|cancel|\bpoll|data preview|raw data|track|monitor|预览|进度|状态|数据|详情|日志/i;
const RESULT_WORDS =
  /video|clip|watch|download|result|ready|done|finished|complete|output|play|mp4|视频|下载|观看|播放|成功|完成/i;

/** The links in a text that may be clips, without pages about the task and without help links beside a failure. */
export function clipsIn(text: string): string[] {
  const links = linksIn(text);
  const named = links.filter(({ uri }) => /^data:video\//i.test(uri) || CLIP.test(pathOf(uri)) || isContentPath(uri));
  if (named.length > 0) return withoutDuplicates(named);
  const stored = links.filter(({ uri }) => !/^(https?|data):/i.test(uri));
  if (stored.length > 0) return withoutDuplicates(stored);
  const isHelp = helpWithFailure(text);
  const others = links.filter((link) => !isPage(link) && !PICTURE.test(pathOf(link.uri)) && !isHelp(link));
  return withoutDuplicates(others.filter(({ uri }) => !uri.startsWith('data:')));
}

/** The pictures among the links of a text: where it names no clip, an animated one may be the clip. */
export function picturesIn(text: string): string[] {
  const isHelp = helpWithFailure(text);
  const isPicture = ({ uri }: Link) => /^data:image\//i.test(uri) || PICTURE.test(pathOf(uri));
  return withoutDuplicates(linksIn(text).filter((link) => isPicture(link) && !isPage(link) && !isHelp(link)));
}

/** Recognizes links for complaints: those on the line of the failure, and later ones with a word such as "help". */
function helpWithFailure(text: string): (link: Link) => boolean {
  const failure = failureIn(text);
  const from = failure === undefined ? -1 : text.lastIndexOf(failure);
  if (failure === undefined || from < 0) return () => false;
  const lineEnd = from + (text.slice(from).split('\n', 1)[0] ?? '').length;
  return ({ at, label, uri }) =>
    at >= from && (at < lineEnd || HELP_WORDS.test(`${label} ${pathOf(uri)} ${hostOf(uri)}`));
}

const HELP_WORDS =
  /join|contact|communit|discord|telegram|\bt\.me\b|upgrade|top-?up|recharge|appeal|refund|feedback|客服|反馈|联系|充值|退款/i;
const hostOf = (uri: string): string => URL.parse(uri)?.hostname ?? '';

/** `/v1/videos/{id}/content` is a known endpoint for the bytes of a clip. */
const isContentPath = (uri: string): boolean => /\/videos?\/[^/?#]+\/content(?=$|[?#])/i.test(uri);

const LATER_WORDS =
  /\b(generating|processing|queued|pending|waiting|later|soon|will be|when (it|the video) is)\b|生成中|稍后/i;

/** The pages about the task among these links: they can be polled if they are on the profile's origin. */
export const pagesAmong = (links: readonly Link[]): string[] =>
  links.filter((link) => /^https?:/i.test(link.uri) && isPage(link)).map(({ uri }) => uri);

function isPage({ uri, label, after }: Link): boolean {
  if (/^https?:\/\/[^/]+\/?$/i.test(uri) || LATER_WORDS.test(label) || LATER_WORDS.test(after)) return true;
  if (PAGE_WORDS.test(label)) return !/download|下载/i.test(label);
  if (RESULT_WORDS.test(label)) return false;
  return PAGE_WORDS.test(pathOf(uri).replaceAll('/', ' '));
}

function pathOf(uri: string): string {
  if (uri.startsWith('data:')) return '';
  const url = URL.parse(uri);
  return url ? url.pathname + url.search : uri;
}

/** The links without duplicates: the watch link and the download link of one file are one clip. */
function withoutDuplicates(links: readonly Link[]): string[] {
  const found = new Map<string, string>();
  for (const { uri } of links) {
    const url = uri.startsWith('data:') ? null : URL.parse(uri);
    const key = url
      ? url.host + url.pathname.replace(/\/(download|watch|play|view|preview)(?=\/)/gi, '') + url.search
      : uri;
    if (!found.has(key)) found.set(key, uri);
  }
  return [...found.values()].slice(0, MAX_RESULTS);
}

/** Information is at the beginning or the end of a text; the middle of a longer one is the media itself. */
const MAX_SEARCHED_LENGTH = 500_000;

/** The text without its middle, if it is long. */
export const withoutMiddle = (text: string): string =>
  text.length <= MAX_SEARCHED_LENGTH
    ? text
    : `${text.slice(0, MAX_SEARCHED_LENGTH / 2)}\n${text.slice(-MAX_SEARCHED_LENGTH / 2)}`;

/** A task or operation id in a text. */
export function taskIdIn(whole: string): string | undefined {
  const text = withoutMiddle(whole);
  const operation = operationIn(text);
  if (operation !== undefined) return operation;
  const labelled =
    /(?:\b(?:task|job|operation|generation|video|request)[\s_-]{0,3}id\b(?: is)?|任务\s{0,3}(?:id|编号|号))[^\w\n]{1,12}([\w-][\w.:-]{2,127})/i.exec(
      text,
    );
  if (labelled?.[1]) return trimmedEnd(labelled[1], '.:');
  for (const [named] of text.matchAll(/\b(?:task|job|op|video|gen)[-_:][\w-]{3,127}/gi)) {
    if (/\d/.test(named)) return named;
  }
  const alone = trimmed(text.trim(), '`"\'');
  return alone.length <= 128 && /^[\w.:-]{8,128}$/.test(alone) && /\d/.test(alone) ? alone : undefined;
}

const MAX_NAME_LENGTH = 320;

/** `operations/abc`, or the full name that ends with it: `projects/p/locations/l/operations/abc`. */
function operationIn(text: string): string | undefined {
  const operation = /operations\/[\w.:-]*[\w-]/.exec(text);
  if (!operation) return undefined;
  const window = text.slice(Math.max(0, operation.index - MAX_NAME_LENGTH), operation.index);
  const name = window.slice(withoutEnd(window, (character) => /[\w.:@/-]/.test(character)).length);
  const start = name.endsWith('/') ? name.search(/(?:projects|models|publishers)\/[\w.:@-]/) : -1;
  return (start < 0 ? '' : name.slice(start)) + operation[0];
}

/** The line of a text written for people that says that the work has failed. */
export function failureIn(text: string): string | undefined {
  const lines = withoutMiddle(text)
    .split('\n', 10_000)
    .map((line) => line.replace(/^[\s>*#-]+/, '').trim());
  return lines.findLast((line) => FAILED_LINE.test(line.slice(0, 300)))?.slice(0, 500);
}

const FAILED_LINE =
  /^(❌|✗|🚫|⛔)|\b(generation|task|job|video|render\w*|request) (has |was |is )?(failed|rejected|blocked|canceled|cancelled)\b|^(failed|failure|error)\b|(生成|任务)失败/iu;
