import { t } from '../../text/texts.ts';
import type { Cue } from './filmSubtitles.ts';
import { srtPlain, type Unmarked, vttPlain } from './stripMarkup.ts';
import { plainText } from './subtitleText.ts';
import { readSubtitleTime } from './subtitleTime.ts';

/**
 * Reads SubRip and WebVTT (W3C, 6 "Parsing"). The text is untrusted: the work is linear in its length, and unreadable parts are reported by
 * line.
 */

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
  const lines = linesOf(file.startsWith('\ufeff') ? file.slice(1) : file);
  const first = lines.findIndex((line) => !isBlank(line));
  if (first < 0) return { cues: [], errors: [{ line: 1, message: t`The file is empty.` }] };
  const isVtt = isVttHeader(lines[first]);
  const reader = new SubtitleReader(isVtt);
  let from = isVtt ? first + 1 : first;
  if (isVtt) from = reader.header(lines, from);
  for (let at = from; at < lines.length; at += 1) reader.read({ number: at + 1, text: lines[at] ?? '' });
  return reader.done();
}

/** A line ends with CR LF, LF or CR; with CR CR LF if a program converted line ends twice. */
const linesOf = (text: string): string[] =>
  text.replaceAll('\r\r\n', '\n').replaceAll('\r\n', '\n').replaceAll('\r', '\n').split('\n');

const isBlank = (line: string): boolean => line.trim() === '';
const isNumber = (line = ''): boolean => [...line.trim()].every((one) => one >= '0' && one <= '9') && !isBlank(line);

const isVttHeader = (line = ''): boolean =>
  line === 'WEBVTT' || line.startsWith('WEBVTT ') || line.startsWith('WEBVTT\t');

/** Blocks of WebVTT that are no cue (4.1, 4.3). */
const isApart = (line = ''): boolean =>
  ['NOTE', 'STYLE', 'REGION'].some(
    (word) => line === word || line.startsWith(`${word} `) || line.startsWith(`${word}\t`),
  );

interface Line {
  /** Counted from 1. */
  number: number;
  text: string;
}

/** A subtitle whose time has been read. */
interface Open {
  /** Undefined if the time is invalid: the words are left out too. */
  time: { startMs: number; endMs: number } | undefined;
  isNumbered: boolean;
  /** A blank line separates its time from its words. */
  isApart: boolean;
  words: Line[];
}

class SubtitleReader {
  private readonly isVtt: boolean;
  private readonly result: ReadSubtitles = { cues: [], errors: [] };
  private open: Open | undefined;
  /** Lines of a block before a time: a number, a name, a comment or garbage. */
  private loose: Line[] = [];

  constructor(isVtt: boolean) {
    this.isVtt = isVtt;
  }

  /** Skips the lines below `WEBVTT`, such as `Kind: captions`; returns the start of the first block, which may follow directly. */
  header(lines: readonly string[], from: number): number {
    for (let at = from; at < lines.length; at += 1) {
      const text = lines[at] ?? '';
      if (text === '') return at;
      if (text.includes(ARROW)) return at > from && !isMetadata(lines[at - 1]) ? at - 1 : at;
      if (isApart(text)) return at;
      const isName = lines[at + 1]?.includes(ARROW) === true;
      if (!isMetadata(text) && !isBlank(text) && !isName) this.tell(at + 1, NO_TIME);
    }
    return lines.length;
  }

  read(line: Line): void {
    if (this.isTiming(line.text)) this.begin(line);
    else if (line.text === '') this.blank();
    else this.words(line);
  }

  done(): ReadSubtitles {
    this.close();
    this.flush();
    this.result.errors.sort((a, b) => a.line - b.line);
    return this.result;
  }

  /** In WebVTT an arrow is never part of the words; in SubRip it may be, unless it stands between times. */
  private isTiming(text: string): boolean {
    if (!text.includes(ARROW)) return false;
    const { open } = this;
    if (this.isVtt || !open || (open.isApart && open.words.length <= 1)) return true;
    const [before = '', after = ''] = text.split(ARROW);
    return startsWithDigit(before) && startsWithDigit(after);
  }

  private begin(line: Line): void {
    const isNumbered = this.takeName();
    this.close();
    this.flush();
    this.open = { time: this.timeOf(line), isNumbered, isApart: false, words: [] };
  }

  /** Takes the number or name of the subtitle from the lines before its time; returns whether there is one. */
  private takeName(): boolean {
    const { open } = this;
    if (!open) return this.loose.pop() !== undefined;
    const isOnlyOne = open.isApart && open.words.length === 1;
    const isNumberOfNext = open.isNumbered && open.words.length > 0 && isNumber(open.words.at(-1)?.text);
    return (isOnlyOne || isNumberOfNext) && open.words.pop() !== undefined;
  }

  private timeOf({ number, text }: Line): Open['time'] {
    const [startMs, endMs] = timesOf(text);
    if (startMs === undefined || endMs === undefined)
      return this.tell(number, t`The time must be like 00:00:01,000 --> 00:00:03,500.`);
    if (endMs <= startMs) return this.tell(number, t`The end must be after the start.`);
    return { startMs, endMs };
  }

  private blank(): void {
    if (this.open?.words.every(({ text }) => isBlank(text))) this.open.isApart = true;
    else this.close();
    this.flush();
  }

  private words(line: Line): void {
    const { open } = this;
    if (open?.isApart && open.words.length === 0 && this.isVtt && isApart(line.text)) this.close();
    if (this.open) this.open.words.push(line);
    else if (!isBlank(line.text)) this.loose.push(line);
  }

  private close(): void {
    const { open } = this;
    this.open = undefined;
    const [first] = open?.words ?? [];
    if (!open?.time || !first) return;
    const marked = open.words.map(({ text }) => text).join('\n');
    const { plain, unknown }: Unmarked = (this.isVtt ? vttPlain : srtPlain)(marked);
    for (const { line, tag } of unknown)
      this.tell(
        first.number + line,
        this.isVtt ? t`The unknown tag ${tag} was left out.` : t`The unknown tag ${tag} stays in the text.`,
      );
    const text = plainText(plain);
    if (text.length > MAX_TEXT) this.tell(first.number, t`A subtitle must have at most 1,000 characters.`);
    else if (text !== '') this.result.cues.push({ ...open.time, text });
  }

  private flush(): void {
    const [first] = this.loose;
    this.loose = [];
    if (first && !(this.isVtt && isApart(first.text))) this.tell(first.number, NO_TIME);
  }

  private tell(line: number, message: string): undefined {
    this.result.errors.push({ line, message });
  }
}

const NO_TIME = t`A subtitle has no time.`;

const isMetadata = (line = ''): boolean => line.includes(':') || line.includes('=');

const startsWithDigit = (text: string): boolean => isNumber(text.trim().slice(0, 1));

/** Text after the end time, such as WebVTT settings, only positions the subtitle; players decide that. */
function timesOf(timing: string): [start: number | undefined, end: number | undefined] {
  const [start = '', end = ''] = timing.split(ARROW);
  const [stated = ''] = end.trim().split(' ');
  return [readSubtitleTime(start.trim()), readSubtitleTime(stated.split('\t')[0] ?? '')];
}
