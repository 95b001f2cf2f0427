import type { Cue } from './filmSubtitles.ts';
import { plainText, WORD_JOINER } from './subtitleText.ts';
import { subtitleTime } from './subtitleTime.ts';

/** Subtitle files beside a film: UTF-8 without a byte order mark. */

interface Written extends Cue {
  number: number;
}

/** In order, without empty ones. */
const written = (cues: readonly Cue[]): Written[] =>
  cues
    .map((cue) => ({ ...cue, text: plainText(cue.text) }))
    .filter(({ text }) => text !== '')
    .toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs)
    .map((cue, index) => ({ ...cue, number: index + 1 }));

export const writeSrt = (cues: readonly Cue[]): string =>
  written(cues)
    .map(({ number, startMs, endMs, text }) =>
      [
        number,
        `${subtitleTime(startMs, ',')} --> ${subtitleTime(endMs, ',')}`,
        ...srtText(text).split('\n'),
        '',
        '',
      ].join('\r\n'),
    )
    .join('');

/** Players interpret `<b>` and `{\an8}`, and some an arrow. */
function srtText(text: string): string {
  const isLetter = (character: string) => character.toLowerCase() !== character.toUpperCase();
  return [...text]
    .map((character, index, all) => {
      const next = all[index + 1] ?? '';
      const opens = (character === '<' && (next === '/' || isLetter(next))) || (character === '{' && next === '\\');
      return opens ? `${character}${WORD_JOINER}` : character;
    })
    .join('')
    .replaceAll('-->', `--${WORD_JOINER}>`);
}

/** WebVTT (W3C "WebVTT: The Web Video Text Tracks Format", 4.1): `&`, `<` and `>` are escaped, which also keeps `-->` out of the words. */
export const writeVtt = (cues: readonly Cue[]): string =>
  [
    'WEBVTT\n',
    ...written(cues).map(
      ({ number, startMs, endMs, text }) =>
        `\n${number}\n${subtitleTime(startMs, '.')} --> ${subtitleTime(endMs, '.')}\n${vttText(text)}\n`,
    ),
  ].join('');

const vttText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
