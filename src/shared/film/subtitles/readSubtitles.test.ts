import { describe, expect, it } from 'vitest';
import { readSubtitles } from './readSubtitles.ts';
import { readSubtitleTime } from './subtitleTime.ts';

const ONE = { startMs: 1_000, endMs: 2_000 };
const TWO = { startMs: 3_000, endMs: 4_000 };
const both = (first = 'Sea', second = 'Land') => [
  { ...ONE, text: first },
  { ...TWO, text: second },
];
const SRT_1 = '00:00:01,000 --> 00:00:02,000';
const SRT_2 = '00:00:03,000 --> 00:00:04,000';
const VTT_1 = '00:01.000 --> 00:02.000';
const VTT_2 = '00:03.000 --> 00:04.000';
const read = (...lines: string[]) => readSubtitles(lines.join('\n'));
/** Lines separated by `/`; S and V are replaced by the two times, as SubRip and as WebVTT write them. */
const readLines = (lines: string) => {
  const times = { S1: SRT_1, S2: SRT_2, V1: VTT_1, V2: VTT_2 };
  return read(...lines.split('/').map((line) => line.replace(/^[SV][12]/, (name) => times[name as 'S1'])));
};

describe('files of other programs are read as players read them', () => {
  it.each([
    ['no blank line after WEBVTT', 'WEBVTT/V1/Sea//V2/Land'],
    ['a number right after WEBVTT', 'WEBVTT/1/V1/Sea//2/V2/Land'],
    ['metadata after WEBVTT, and no blank line', 'WEBVTT/Kind: captions/Language: en/V1/Sea//V2/Land'],
    ['no blank line between cues', 'WEBVTT//V1/Sea/V2/Land'],
    ['no blank line between numbered cues', 'WEBVTT//1/V1/Sea/2/V2/Land'],
    ['no blank line between subtitles', '1/S1/Sea/2/S2/Land'],
    ['no blank line and no number', 'S1/Sea/S2/Land'],
    ['a line of one space before the words', 'WEBVTT//V1 align:start position:0%/ /Sea//V2/Land/ /'],
    ['a line of one space between subtitles', '1/S1/Sea/ /2/S2/Land'],
    ['a blank line after the time', '1/S1//Sea//2/S2///Land'],
    ['a blank line after the time of a cue', 'WEBVTT//V1//Sea//V2//Land'],
    ['an empty subtitle before them', '1/00:00:00,000 --> 00:00:01,000//2/S1/Sea//3/S2/Land'],
    ['a comment after an empty cue', 'WEBVTT//00:00.000 --> 00:01.000//NOTE none//V1/Sea//V2/Land'],
    ['a colon before the milliseconds', '1/00:00:01:000 --> 00:00:02:000/Sea//2/S2/Land'],
  ])('%s', (_, lines) => expect(readLines(lines)).toEqual({ cues: both(), errors: [] }));

  it('a line of one space between two lines of one cue', () =>
    expect(readLines('WEBVTT//V1/Sea/ /and land//V2/Land')).toEqual({ cues: both('Sea\nand land'), errors: [] }));

  it('line ends that were doubled', () =>
    expect(readSubtitles(['1', SRT_1, 'Sea', '', '2', SRT_2, 'Land', ''].join('\r\r\n'))).toEqual({
      cues: both(),
      errors: [],
    }));

  it('character references, in WebVTT alone', () => {
    const words = '&quot;Caf&eacute;&quot; &#8211; it&#x27;s &amp;lt; 1 &unknown;';
    expect(read('WEBVTT', '', VTT_1, words).cues[0]?.text).toBe('"Café" – it\'s &lt; 1 &unknown;');
    expect(read('1', SRT_1, words).cues[0]?.text).toBe(words);
  });

  it('a comparison is no tag', () =>
    expect(read('WEBVTT', '', VTT_1, '<i>5 < 6</i> and 7 > 3 <00:01.500><c.a.b>so</c>').cues[0]?.text).toBe(
      '5 < 6 and 7 > 3 so',
    ));

  it('the last line of the words may be a number where nothing is numbered', () =>
    expect(read(SRT_1, 'Chapter', '5', SRT_2, 'Land').cues).toEqual(both('Chapter\n5')));
});

describe('what is not understood is told by its line, and becomes no words', () => {
  const BACK = 'The end must be after the start.';
  const NO_TIME = 'A subtitle has no time.';
  const TIME = 'The time must be like 00:00:01,000 --> 00:00:03,500.';
  it.each<[string, string, { line: number; message: string }[]]>([
    ['a time that is none', '1/S1/Sea/2/0:0x --> 1/Bad//3/S2/Land', [{ line: 5, message: TIME }]],
    [
      'an end before its start',
      '1/S1/Sea//2/00:00:05,000 --> 00:00:04,000/Back//S2/Land',
      [{ line: 6, message: BACK }],
    ],
    ['an arrow in the words of WebVTT', 'WEBVTT//V1/Sea/go --> on//V2/Land', [{ line: 5, message: TIME }]],
    ['frames for milliseconds', '1/S1/Sea//2/00:00:01:12 --> 00:00:02:12/x//S2/Land', [{ line: 6, message: TIME }]],
    ['words above the number', 'Title/1/S1/Sea//S2/Land', [{ line: 1, message: NO_TIME }]],
    ['words after a blank line', 'S1/Sea//lost//S2/Land', [{ line: 4, message: NO_TIME }]],
    ['words below WEBVTT', 'WEBVTT/lost//V1/Sea//V2/Land', [{ line: 2, message: NO_TIME }]],
  ])('%s', (_, lines, errors) => expect(readLines(lines)).toEqual({ cues: both(), errors }));

  it('a file without a word', () => expect(readSubtitles('').errors).toHaveLength(1));

  it('a tag that WebVTT has not', () =>
    expect(read('WEBVTT', '', VTT_1, '<blink>Sea</blink>', '', VTT_2, 'Land')).toEqual({
      cues: both(),
      errors: ['<blink>', '</blink>'].map((tag) => ({
        line: 4,
        message: `The unknown tag ${tag} was left out.`,
      })),
    }));

  it('a tag that SubRip has not stays in the words', () =>
    expect(read(SRT_1, '', 'Sea', 'and <blink>land')).toEqual({
      cues: [{ ...ONE, text: 'Sea\nand <blink>land' }],
      errors: [{ line: 4, message: 'The unknown tag <blink> stays in the text.' }],
    }));

  it('an arrow in the words of SubRip is one of them', () =>
    expect(read(SRT_1, 'Sea --> land')).toEqual({ cues: [{ ...ONE, text: 'Sea --> land' }], errors: [] }));
});

it('milliseconds stand behind a point, a comma or a colon', () => {
  expect(['01:02:03.045', '01:02:03,045', '01:02:03:045', '02:03:045'].map(readSubtitleTime)).toEqual([
    3_723_045, 3_723_045, 3_723_045, 123_045,
  ]);
  expect(['01:02:03:04', '01:02:03:045:1', '01:02:03:0x5'].map(readSubtitleTime)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
