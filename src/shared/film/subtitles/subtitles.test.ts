import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Shot, shotSchema } from '../../board/board.ts';
import { type Cue, placeCues, subtitlesOf } from './filmSubtitles.ts';
import { readSubtitles } from './readSubtitles.ts';
import {
  countCharacters,
  factsOfSubtitle,
  newSubtitle,
  readingSpeed,
  type Subtitle,
  shownInShot,
  splitSubtitle,
  spreadByWords,
  standLonger,
} from './subtitle.ts';
import { readingLimitOf, subtitleFilesOf } from './subtitleSettings.ts';
import { plainText } from './subtitleText.ts';
import { readSubtitleTime, subtitleTime } from './subtitleTime.ts';
import { writeSrt, writeVtt } from './writeSubtitles.ts';

/** Words that subtitle files could misread. */
const words = fc
  .array(
    fc.oneof(
      fc.string({ maxLength: 12, unit: 'binary' }),
      fc.constantFrom(
        '<b>',
        '</i>',
        '<font color="red">',
        '{\\an8}',
        '-->',
        '&amp;',
        '&lt',
        '<',
        '>',
        '&',
        '\n',
        '\r\n',
      ),
      fc.constantFrom('1', '00:00:01,000 --> 00:00:02,000', 'WEBVTT', 'NOTE', '\n\n', '\u2060', '<\u2060b>', ' ', '\t'),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''))
  .map(plainText)
  .filter((text) => text !== '' && text.length <= 1_000);

const cue: fc.Arbitrary<Cue> = fc
  .record({ startMs: fc.nat(400_000_000), length: fc.integer({ min: 1, max: 20_000 }), text: words })
  .map(({ startMs, length, text }) => ({ startMs, endMs: startMs + length, text }));
const inOrder = (cues: readonly Cue[]) => cues.toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);

const subtitle = (id: string, startMs: number, endMs: number, text = id): Subtitle => ({ id, startMs, endMs, text });
const shot = (id: string, subtitles: Subtitle[] = [], more: Partial<Shot> = {}): Shot =>
  shotSchema.parse({ id, subtitles, ...more });

describe('files of subtitles', () => {
  it('are read as they were written', () => {
    fc.assert(
      fc.property(fc.array(cue, { maxLength: 6 }), (cues) => {
        for (const write of [writeSrt, writeVtt]) {
          const { cues: read, errors } = readSubtitles(write(cues));
          expect(read).toEqual(inOrder(cues));
          expect(errors.filter(() => cues.length > 0)).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('hold times to the millisecond, hours above 99 as well', () => {
    expect(subtitleTime(3_723_045, ',')).toBe('01:02:03,045');
    expect(subtitleTime(360_000_000, '.')).toBe('100:00:00.000');
    fc.assert(
      fc.property(fc.nat(), (ms) => {
        expect(readSubtitleTime(subtitleTime(ms, '.'))).toBe(ms);
      }),
    );
  });

  it('look as players expect', () => {
    const cues = [
      { startMs: 4_000, endMs: 6_600, text: 'a < b & c\nsecond line' },
      { startMs: 1_200, endMs: 3_400, text: 'The last boat leaves at ten.' },
    ];
    expect(writeSrt(cues)).toBe(
      '1\r\n00:00:01,200 --> 00:00:03,400\r\nThe last boat leaves at ten.\r\n\r\n' +
        '2\r\n00:00:04,000 --> 00:00:06,600\r\na < b & c\r\nsecond line\r\n\r\n',
    );
    expect(writeVtt(cues)).toBe(
      'WEBVTT\n\n1\n00:00:01.200 --> 00:00:03.400\nThe last boat leaves at ten.\n' +
        '\n2\n00:00:04.000 --> 00:00:06.600\na &lt; b &amp; c\nsecond line\n',
    );
    expect(writeVtt([])).toBe('WEBVTT\n');
  });

  it('of other programs are read: byte order mark, missing numbers, markup, settings, notes', () => {
    const srt =
      '\ufeff1\r\n00:00:01,5 --> 00:00:02,250 X1:10 X2:20\r\n{\\an8}<i>Sea</i> <FONT color="#fff">air</font>\r\n\r\n\r\n00:00:03.000 --> 00:00:04.000\r\n5 < 6\r\n';
    expect(readSubtitles(srt)).toEqual({
      cues: [
        { startMs: 1_500, endMs: 2_250, text: 'Sea air' },
        { startMs: 3_000, endMs: 4_000, text: '5 < 6' },
      ],
      errors: [],
    });
    const vtt =
      'WEBVTT - Title\nKind: captions\n\nNOTE\nnot shown\n\nSTYLE\n::cue {}\n\nintro\n00:01.000 --> 00:02.000\tline:0 align:start\n<v Mary>One &amp; two&nbsp;<00:01.500><c.loud>three</c>\n';
    expect(readSubtitles(vtt)).toEqual({
      cues: [{ startMs: 1_000, endMs: 2_000, text: 'One & two\u00a0three' }],
      errors: [],
    });
  });
});

describe('the subtitles of a film', () => {
  const plan = [
    { shotId: 'a', start: 0, seconds: 4.004 },
    { shotId: 'b', start: 4.004, seconds: 6.0063 },
    { shotId: 'c', start: 10.0103, seconds: 8 },
  ];

  it('stand at the offset of their shot, cut at its end, without blank ones and those of a skipped shot', () => {
    const shots = [
      shot('a', [subtitle('x', 3_500, 5_000, 'Cut')]),
      shot('s', [subtitle('x', 0, 1_000, 'Skipped')], { skipped: true }),
      shot('b', [subtitle('y', 500, 1_500), subtitle('blank', 2_000, 3_000, ' \n '), subtitle('late', 7_000, 8_000)]),
      shot('c', [subtitle('z', 0, 1_000)]),
    ];
    expect(subtitlesOf(shots, plan)).toEqual([
      { startMs: 3_500, endMs: 4_004, text: 'Cut' },
      { startMs: 4_504, endMs: 5_504, text: 'y' },
      { startMs: 10_010, endMs: 11_010, text: 'z' },
    ]);
  });

  it('are the ones that were placed on its shots', () => {
    const filmCue = fc
      .record({ startMs: fc.nat(18_000), length: fc.integer({ min: 1, max: 9_000 }), text: words })
      .map(({ startMs, length, text }) => ({ startMs, endMs: Math.min(18_010, startMs + length), text }));
    fc.assert(
      fc.property(fc.uniqueArray(filmCue, { maxLength: 8, selector: ({ text }) => text }), (cues) => {
        const { byShot, leftOut } = placeCues(cues, plan);
        const shots = plan.map(({ shotId }) =>
          shot(
            shotId,
            (byShot.get(shotId) ?? []).map((part, index) => ({ id: String(index), ...part })),
          ),
        );
        expect(leftOut).toEqual([]);
        const key = (one: Cue) => JSON.stringify(one);
        expect(subtitlesOf(shots, plan).map(key).sort()).toEqual(cues.map(key).sort());
      }),
    );
  });

  it('that stand after its end are told apart', () => {
    const late = { startMs: 19_000, endMs: 20_000, text: 'Late' };
    expect(placeCues([late], plan)).toEqual({ byShot: new Map(), leftOut: [late] });
  });
});

describe('a subtitle', () => {
  const fast = subtitle('f', 2_600, 5_200, 'I counted the lights until I lost\nthe one that was ours.');

  it('is measured in characters a second, a line break counting as one', () => {
    expect(countCharacters(fast.text)).toBe(56);
    expect(readingSpeed(fast)).toBeCloseTo(21.54, 2);
    expect(countCharacters('👨‍👩‍👧é')).toBe(2);
  });

  it('tells its lines, the gap to the next one, and how it fits a shorter take', () => {
    const next = subtitle('n', 5_000, 7_000);
    expect(factsOfSubtitle(fast, [next, fast], 8_000)).toMatchObject({ lines: [33, 22], gapMs: -200, fit: 'whole' });
    expect(factsOfSubtitle(fast, [next, fast], 4_000).fit).toBe('cut');
    expect(factsOfSubtitle(next, [next, fast], 4_000)).toMatchObject({ gapMs: undefined, fit: 'outside' });
    expect(shownInShot([next, fast], 4_000)).toEqual([{ ...fast, endMs: 4_000 }]);
  });

  it('stands longer only as far as the next one or the end of the shot', () => {
    const limits = { shotMs: 8_000, limit: 17 };
    expect(standLonger(fast, [fast], limits)?.endMs).toBe(2_600 + 3_295);
    expect(standLonger(fast, [fast, subtitle('n', 5_500, 6_000)], limits)?.endMs).toBe(5_500);
    expect(standLonger(fast, [fast], { ...limits, shotMs: 5_200 })).toBeUndefined();
  });

  it('is split between two words, each as long as its share, without losing a word', () => {
    const sentence = fc
      .array(
        fc.string({ minLength: 1, maxLength: 8 }).map((text) => text.replaceAll(' ', 'x')),
        { minLength: 2, maxLength: 9 },
      )
      .map((parts) => parts.join(' '))
      .filter((text) => text.trim() === text && text.trim().includes(' '));
    fc.assert(
      fc.property(sentence, fc.integer({ min: 2, max: 5_000 }), (text, length) => {
        const whole = subtitle('w', 100, 100 + length, text);
        const parts = splitSubtitle(whole, [whole], { shotMs: 8_000, limit: 17, newId: 'n' });
        expect(parts?.flatMap((part) => part.text.split(' '))).toEqual(text.split(' '));
        const [first, second] = parts ?? [];
        expect([first?.startMs, first?.endMs]).toEqual([100, second?.startMs]);
        expect(second && second.endMs > second.startMs && first && first.endMs > first.startMs).toBe(true);
      }),
    );
    expect(splitSubtitle(subtitle('w', 0, 900, 'Word'), [], { shotMs: 8_000, limit: 17, newId: 'n' })).toBeUndefined();
  });

  it('is spread over the shot by its words, at least 1.2 s where there is room', () => {
    const all = [subtitle('a', 0, 1, 'x'), subtitle('b', 5, 6, 'y'.repeat(30)), subtitle('c', 7, 9, 'z'.repeat(30))];
    expect(spreadByWords(all, 8_000).map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [0, 1_200],
      [1_200, 4_600],
      [4_600, 8_000],
    ]);
    expect(spreadByWords(all, 3_000).map(({ endMs }) => endMs)).toEqual([1_000, 2_000, 3_000]);
  });

  it('begins where there is room', () => {
    const all = [subtitle('a', 1_000, 2_000), subtitle('b', 2_000, 3_000), subtitle('c', 4_000, 8_000)];
    expect(newSubtitle('n', all, { atMs: 1_500, shotMs: 8_000 })).toEqual(subtitle('n', 3_000, 4_000, ''));
    expect(newSubtitle('n', all, { atMs: 5_000, shotMs: 8_000 })).toBeUndefined();
  });
});

it('a film without settings of its own has both files and a limit of 17 characters a second', () => {
  expect([readingLimitOf(undefined), readingLimitOf({ readingLimit: 20 })]).toEqual([17, 20]);
  expect([subtitleFilesOf({}), subtitleFilesOf({ files: [] })]).toEqual([['srt', 'vtt'], []]);
});
