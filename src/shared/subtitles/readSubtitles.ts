import { t } from '../texts.ts';
import type { Cue } from './filmSubtitles.ts';
import { plainText } from './subtitleText.ts';
import { readSubtitleTime } from './subtitleTime.ts';

/** Reads SubRip and WebVTT. The text is untrusted: the work is linear in its length, and what cannot be read is told by line. */

export interface ReadSubtitles {
  cues: Cue[];
  /** Lines count from 1. */
  errors: { line: number; message: string }[];
}

/** In characters: several hours of speech. */
export const MAX_SUBTITLE_FILE = 2_000_000;
const MAX_TEXT = 1_000;
const ARROW = '-->';

export function readSubtitles(file: string): ReadSubtitles {
  if (file.length > MAX_SUBTITLE_FILE) {
    return { cues: [], errors: [{ line: 1, message: t`The file must have at most 2,000,000 characters.` }] };
  }
  const text = file.startsWith('\ufeff') ? file.slice(1) : file;
  const blocks = blocksOf(text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').replaceAll('\0', '\ufffd'));
  const isVtt = isVttHeader(blocks[0]?.lines[0]);
  const read: ReadSubtitles = { cues: [], errors: [] };
  for (const block of isVtt ? blocks.slice(1) : blocks) readBlock(block, isVtt, read);
  if (blocks.length === 0) read.errors.push({ line: 1, message: t`The file is empty.` });
  return read;
}

const isVttHeader = (line = ''): boolean =>
  line === 'WEBVTT' || line.startsWith('WEBVTT ') || line.startsWith('WEBVTT\t');

interface Block {
  /** Of its first line, counted from 1. */
  line: number;
  lines: string[];
}

/** Lines between blank ones. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') open = undefined;
    else if (open) open.lines.push(line);
    else {
      open = { line: index + 1, lines: [line] };
      blocks.push(open);
    }
  }
  return blocks;
}

/** Blocks of WebVTT that are no cue (4.1, 4.3). */
const isApart = (line = ''): boolean =>
  ['NOTE', 'STYLE', 'REGION'].some((word) => line === word || line.startsWith(`${word} `));

/** The number or name of a cue may be missing. */
function readBlock({ line, lines }: Block, isVtt: boolean, read: ReadSubtitles): void {
  const at = lines[0]?.includes(ARROW) ? 0 : 1;
  const timing = lines[at];
  if (!timing?.includes(ARROW)) {
    if (!(isVtt && isApart(lines[0])))
      read.errors.push({ line, message: t`Here stands no subtitle: its time is missing.` });
    return;
  }
  const [startMs, endMs] = timesOf(timing);
  if (startMs === undefined || endMs === undefined) {
    read.errors.push({ line: line + at, message: t`The time must be like 00:00:01,000 --> 00:00:03,500.` });
    return;
  }
  if (endMs <= startMs) {
    read.errors.push({ line: line + at, message: t`The end must be after the start.` });
    return;
  }
  const marked = lines.slice(at + 1).join('\n');
  const text = plainText(isVtt ? vttPlain(marked) : srtPlain(marked));
  if (text.length > MAX_TEXT) {
    read.errors.push({ line: line + at + 1, message: t`The words must have at most 1,000 characters.` });
  } else if (text !== '') read.cues.push({ startMs, endMs, text });
}

/** What stands behind the end, such as the settings of WebVTT, says where on the picture it is shown, which is left to the player. */
function timesOf(timing: string): [start: number | undefined, end: number | undefined] {
  const [start = '', end = ''] = timing.split(ARROW);
  const [stated = ''] = end.trim().split(' ');
  return [readSubtitleTime(start.trim()), readSubtitleTime(stated.split('\t')[0] ?? '')];
}

const SRT_TAGS = new Set(['i', 'b', 'u', 's', 'font', 'c']);

/** Without the markup that players know: `<i>`, `<font …>`, `{\an8}`. */
function srtPlain(text: string): string {
  const plain = withoutSpans(text, { opens: '<', closes: '>' }, (inside) => SRT_TAGS.has(tagName(inside)));
  return withoutSpans(plain, { opens: '{', closes: '}' }, (inside) => inside.startsWith('\\'));
}

const tagName = (inside: string): string => (inside.replace('/', '').trim().split(' ')[0] ?? '').toLowerCase();

const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: '\u00a0',
  lrm: '\u200e',
  rlm: '\u200f',
};

/** Without tags (speaker, class, time), with its escapes read. */
function vttPlain(text: string): string {
  const plain = withoutSpans(text, { opens: '<', closes: '>' }, () => true);
  return plain
    .split('&')
    .map((part, index) => (index === 0 ? part : readEscape(part)))
    .join('');
}

function readEscape(part: string): string {
  const end = part.slice(0, 6).indexOf(';');
  const character = end < 0 ? undefined : ENTITIES[part.slice(0, end)];
  return character === undefined ? `&${part}` : character + part.slice(end + 1);
}

/** As far as a tag is looked at, so that the work stays linear whatever stands there. */
const LONGEST_TAG = 200;

/** Takes out each span from `opens` to the next `closes` whose inside is markup. */
function withoutSpans(
  text: string,
  { opens, closes }: { opens: string; closes: string },
  isMarkup: (inside: string) => boolean,
): string {
  let plain = '';
  let at = 0;
  let end = -1;
  for (let start = text.indexOf(opens); start >= 0; start = text.indexOf(opens, at)) {
    if (end < start) end = text.indexOf(closes, start);
    if (end < 0) break;
    const isTag = isMarkup(text.slice(start + 1, Math.min(end, start + LONGEST_TAG)));
    plain += text.slice(at, isTag ? start : start + 1);
    at = isTag ? end + 1 : start + 1;
  }
  return plain + text.slice(at);
}
