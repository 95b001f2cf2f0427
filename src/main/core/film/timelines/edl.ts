import { fileNameOf } from '../../../../shared/fileNames.ts';
import type { Timeline, TimelineItem } from './item.ts';
import { timecode, timecodeBase } from './time.ts';

/**
 * An edit decision list (CMX 3600): one cut a shot, ASCII, CRLF. It has one rate, counts at 29.97 without dropping frames, and says nothing
 * of sizes; the film begins at one hour, as is the custom.
 */
export function edl({ name, rate, items, leftOut }: Timeline): string {
  const base = timecodeBase(rate);
  const start = 3_600 * base;
  const events = items.flatMap((item, index) => eventOf(item, { number: index + 1, base, start }));
  const notes = leftOut.map((sentence) => `* LEFT OUT: ${ascii(sentence)}`);
  return [`TITLE: ${ascii(name)}`, 'FCM: NON-DROP FRAME', '', ...notes, ...events]
    .map((line) => `${line}\r\n`)
    .join('');
}

interface Place {
  number: number;
  base: number;
  start: number;
}

function eventOf(item: TimelineItem, { number, base, start }: Place): string[] {
  const { media } = item;
  const code = (frames: number) => timecode(frames, base);
  const from = media ? sourceStart(media.start, timecodeBase(media.rate), base) : 0;
  // A reel is eight characters; black has a name of its own.
  const reel = media ? `SH${String(item.number).padStart(3, '0')}` : 'BL';
  const isHeard = media?.audio && !item.isSilenced;
  const channels = isHeard ? 'B' : 'V';
  const times = [from, from + item.frames, start + item.at, start + item.at + item.frames].map(code).join(' ');
  const event = `${String(number).padStart(3, '0')}  ${reel.padEnd(8)} ${channels.padEnd(5)} C        ${times}`;
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

const LOCATORS = { keep: 'GREEN  ', maybe: 'YELLOW ', no: 'RED    ', none: 'WHITE  ' } as const;

/** The same second of the file's own timecode, in the list's frames. */
const sourceStart = (frame: number, own: number, base: number): number =>
  own === base ? frame : Math.floor(frame / own) * base + Math.floor(((frame % own) * base) / own);

/** One line that every reader of this old form understands. */
const ascii = (text: string): string => {
  const plain = text.replace(/\s+/g, ' ').trim().slice(0, MAX_LINE);
  const letters = plain.normalize('NFKD').replace(/[^\x20-\x7e]/g, '');
  return letters === '' ? fileNameOf(plain, '-') : letters;
};

const MAX_LINE = 200;
