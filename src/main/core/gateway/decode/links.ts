/** Links in a text that a service wrote for people: a markdown log, a sentence, a bare address. */
export interface Link {
  uri: string;
  /** The words that say what it is: its label, or the line before it. */
  label: string;
  /** The rest of its line. */
  after: string;
}

const LINK =
  /!?\[([^\]\n]{0,300})\]\(\s*<?([a-z][a-z0-9+.-]*:[^\s)>]+)>?[^)]{0,300}\)|(?:src|href)\s*=\s*["']([^"']+)["']|((?:https?|gs|s3|oss|tos):\/\/[^\s<>"'`)\]|，。）】]+)|(data:video\/[\w.+-]+;base64,[A-Za-z0-9+/=_-]+)/gi;

export function linksIn(text: string): Link[] {
  const links: Link[] = [];
  for (const match of text.matchAll(LINK)) {
    const [, label, marked, attribute, bare, data] = match;
    const uri = (marked ?? attribute ?? bare ?? data ?? '').replace(/[.,;:!?*_]+$/, '').replaceAll('&amp;', '&');
    if (!/^(https?|gs|s3|oss|tos|data):/i.test(uri)) continue;
    const line = text.slice(text.lastIndexOf('\n', match.index) + 1, match.index);
    const rest = text.slice(match.index + match[0].length).slice(0, 120);
    links.push({ uri, label: label?.trim() ? label : line.slice(-120), after: /^[^\n]*/.exec(rest)?.[0] ?? '' });
  }
  return links;
}

const CLIP = /\.(mp4|mov|webm|m4v|mkv|avi|ts|m3u8)(?=$|[?#&/])/i;
const PICTURE = /\.(png|jpe?g|webp|gif|svg|avif|bmp|ico)(?=$|[?#&])/i;
const PAGE_WORDS =
  /status|progress|\btasks?\b|queue|\blogs?\b|detail|dashboard|console|docs?\b|help|support|pricing|terms|polic|cancel|\bpoll|data preview|raw data|track|monitor|预览|进度|状态|数据|详情|日志/i;
const RESULT_WORDS =
  /video|clip|watch|download|result|ready|done|finished|complete|output|play|mp4|视频|下载|观看|播放|成功|完成/i;

/** The clips among these links; pages about the task are none. */
export function clipsAmong(links: readonly Link[]): string[] {
  const named = links.filter(({ uri }) => /^data:video\//i.test(uri) || CLIP.test(pathOf(uri)) || isContentPath(uri));
  if (named.length > 0) return once(named);
  const stored = links.filter(({ uri }) => !/^(https?|data):/i.test(uri));
  if (stored.length > 0) return once(stored);
  return once(
    links.filter((link) => !isPage(link) && !PICTURE.test(pathOf(link.uri)) && !link.uri.startsWith('data:')),
  );
}

/** `/v1/videos/{id}/content` is known as a place of bytes. */
const isContentPath = (uri: string): boolean => /\/videos?\/[^/?#]+\/content(?=$|[?#])/i.test(uri);

const LATER_WORDS =
  /\b(generating|processing|queued|pending|waiting|later|soon|will be|when (it|the video) is)\b|生成中|稍后/i;

/** The pages about the task among these links: where to ask, if they are at home. */
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

/** The watch link and the download link of one file are one clip. */
function once(links: readonly Link[]): string[] {
  const found = new Map<string, string>();
  for (const { uri } of links) {
    const url = uri.startsWith('data:') ? null : URL.parse(uri);
    const key = url
      ? url.host + url.pathname.replace(/\/(download|watch|play|view|preview)(?=\/)/gi, '') + url.search
      : uri;
    if (!found.has(key)) found.set(key, uri);
  }
  return [...found.values()];
}

/** A task or operation id that a text tells. */
export function taskIdIn(text: string): string | undefined {
  const operation = /(?:(?:projects|models|publishers)\/[\w.:@/-]{1,300}\/)?operations\/[\w.:-]*[\w-]/.exec(text);
  if (operation) return operation[0];
  const told =
    /(?:\b(?:task|job|operation|generation|video|request)[\s_-]*id\b(?: is)?|任务\s*(?:id|编号|号))[^\w\n]{1,12}([\w-][\w.:-]{2,127})/i.exec(
      text,
    );
  if (told?.[1]) return told[1].replace(/[.:]+$/, '');
  const named = /\b(?:task|job|op|video|gen)[-_:](?=[\w-]*\d)[\w-]{3,127}/i.exec(text);
  if (named) return named[0];
  const alone = text.trim().replace(/^[`"']+|[`"']+$/g, '');
  return /^(?=.*\d)[\w.:-]{8,128}$/.test(alone) ? alone : undefined;
}

/** The line in which a text written for people says that the work has failed. */
export function failureIn(text: string): string | undefined {
  const lines = text.split('\n', 10_000).map((line) => line.replace(/^[\s>*#-]+/, '').trim());
  return lines.findLast((line) => FAILED_LINE.test(line.slice(0, 300)))?.slice(0, 500);
}

const FAILED_LINE =
  /^(❌|✗|🚫|⛔)|\b(generation|task|job|video|render\w*|request) (has |was |is )?(failed|rejected|blocked|canceled|cancelled)\b|^(failed|failure|error)\b|(生成|任务)失败/iu;
