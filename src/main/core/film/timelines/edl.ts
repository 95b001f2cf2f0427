import type { FrameRate } from '../../../../shared/film/filmExport.ts';
import { LETTERS } from '../../../../shared/library/fileNames.ts';
import {
  canDrop,
  frameOf,
  labelOf,
  type TimecodeMode,
  type Timeline,
  type TimelineItem,
  type TimelineMedia,
  type TimelineTrack,
  timecode,
  timecodeBase,
} from './timeline.ts';

/**
 * An edit decision list (CMX 3600; SMPTE 258M): one cut a shot, ASCII, CRLF. It has one rate and no sizes; the film begins at one hour by
 * convention. `FCM` states the film's counting; a source counts as its own timecode does, shown by its separator.
 */
export function edl({ name, rate, isDropFrame, items, track, leftOut }: Timeline): string {
  const film = { base: timecodeBase(rate), isDrop: isDropFrame };
  const start = frameOf(3_600 * film.base, film);
  const list = { rate, film, start, dropsSources: canDrop(rate) };
  const [first = [], ...others] = items.map((item, index) => eventOf(item, { ...list, number: index + 1 }));
  const music = track ? musicOf(track, rate, { ...list, number: items.length + 1 }) : [];
  const notes = leftOut.map((sentence) => `* LEFT OUT: ${ascii(sentence)}`);
  return [
    `TITLE: ${ascii(name)}`,
    isDropFrame ? 'FCM: DROP FRAME' : 'FCM: NON-DROP FRAME',
    '',
    ...first,
    // Readers attach a comment to the event before it, and refuse a list that begins with one.
    ...notes,
    ...others.flat(),
    ...music,
  ]
    .map((line) => `${line}\r\n`)
    .join('');
}

interface ListPosition {
  number: number;
  rate: FrameRate;
  /** The counting of the list. */
  film: TimecodeMode;
  start: number;
  /** Whether a source can be drop-frame at the list's rate. */
  dropsSources: boolean;
}

function eventOf(item: TimelineItem, { number, rate, film, start, dropsSources }: ListPosition): string[] {
  const { media } = item;
  const code = (frames: number) => timecode(frames, film);
  const own = media?.start.own;
  const source = { base: film.base, isDrop: own ? own.isDrop && dropsSources : film.isDrop };
  const from = media ? sourceFrom(media, rate, source) : 0;
  const reel = media ? reelOf(media.name, item.number) : 'BL';
  const isHeard = media?.audio && !item.isSilenced;
  const channels = isHeard ? 'B' : 'V';
  const sourceTimes = [from, from + item.frames].map((frames) => timecode(frames, source));
  const times = [...sourceTimes, code(start + item.at), code(start + item.at + item.frames)].join(' ');
  const event = `${eventNumber(number)}  ${reel.padEnd(8)} ${channels.padEnd(5)} C        ${times}`;
  const about = [
    ...(media ? [`* FROM CLIP NAME: ${media.name}`, `* SOURCE FILE: ${media.name}`] : []),
    `* COMMENT: SHOT ${item.number} ${ascii(item.title)}`,
    ...(media?.audio && item.isSilenced ? ['* AUDIO OFF'] : []),
    ...(item.prompt.trim() === '' ? [] : [`* NOTE: ${ascii(item.prompt)}`]),
    ...(item.verdict ? [`* VERDICT: ${item.verdict.toUpperCase()}`] : []),
    ...(isHeard && item.gainDb !== 0 ? [`* AUDIO GAIN: ${item.gainDb.toFixed(1)} DB`] : []),
    `* LOC: ${code(start + item.at)} ${LOCATORS[item.verdict ?? 'none']} ${ascii(`SHOT ${item.number} ${item.title}`).slice(0, 40)}`,
  ];
  return [event, ...about];
}

/** At most eight characters: the shot's number in its file name, so that both can be matched. */
function reelOf(file: string, shot: number): string {
  const written = [...file.matchAll(/SH(\d{1,6})/g)].map(([, digits = '']) => digits);
  const own = written.find((digits) => Number(digits) === shot * 10) ?? written.find((one) => Number(one) === shot);
  return `SH${own ?? String(shot).padStart(3, '0')}`;
}

/** On the second sound channel: the first holds the shots' own. */
function musicOf(
  { name, frames, from, sampleRate, level, fadeIn, fadeOut }: TimelineTrack,
  { num, den }: FrameRate,
  { number, film, start }: ListPosition,
): string[] {
  const first = Math.round((from * num) / (sampleRate * den));
  const times = [first, first + frames, start, start + frames].map((at) => timecode(at, film)).join(' ');
  return [
    `${eventNumber(number)}  MUSIC    A2    C        ${times}`,
    `* FROM CLIP NAME: ${name}`,
    `* SOURCE FILE: ${name}`,
    '* COMMENT: MUSIC UNDER THE FILM',
    ...(level === 0 ? [] : [`* AUDIO GAIN: ${level.toFixed(1)} DB`]),
    ...(fadeIn > 0 ? [`* AUDIO FADE IN: ${fadeIn} FRAMES`] : []),
    ...(fadeOut > 0 ? [`* AUDIO FADE OUT: ${fadeOut} FRAMES`] : []),
  ];
}

const eventNumber = (number: number): string => String(number).padStart(3, '0');

const LOCATORS = { keep: 'GREEN  ', maybe: 'YELLOW ', no: 'RED    ', none: 'WHITE  ' } as const;

/** Where the used part begins in its source, in the list's frames. */
function sourceFrom({ start, from, rate: own }: TimelineMedia, rate: FrameRate, listed: TimecodeMode): number {
  const cut = Math.round((from * own.den * rate.num) / (own.num * rate.den));
  return cut + (start.own ? sourceStart(start.frame, start.own, listed) : 0);
}

/** The same time as on the source's timecode, in the list's frames. */
function sourceStart(frame: number, own: TimecodeMode, listed: TimecodeMode): number {
  const label = labelOf(frame, own);
  const part = Math.floor(((label % own.base) * listed.base) / own.base);
  return frameOf(Math.floor(label / own.base) * listed.base + part, listed);
}

/** One line of plain ASCII; characters without a replacement become a mark. */
const ascii = (text: string): string => {
  const plain = text.replace(/\s+/g, ' ').trim().slice(0, MAX_LINE);
  const letters = [...plain].map((letter) => LETTERS[letter] ?? QUOTES[letter] ?? letter).join('');
  return letters
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/gu, '?');
};

/** Typographic characters and their ASCII replacements. */
const QUOTES: Readonly<Record<string, string>> = {
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '‘': "'",
  '’': "'",
  '–': '-',
  '—': '-',
};

const MAX_LINE = 200;
