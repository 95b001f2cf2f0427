import { expect, test } from 'vitest';
import type { Shot } from '../board/board.ts';
import { renamedShot } from '../bundle/refs.ts';
import { ruleOf } from '../contract/validationMessages.ts';
import { partOfSound } from './sound/mixLoudness.ts';
import { subtitlesOf } from './subtitles/filmSubtitles.ts';
import { faultOfTrim, playedPart, trimOf, trimsSchema, withTrim } from './trim.ts';

const take = 'j1';

test.each<[string, object[], string | undefined]>([
  ['an in and an out point', [{ take, inMs: 500, outMs: 600 }], undefined],
  [
    'one of them',
    [
      { take, inMs: 500 },
      { take, output: 1, outMs: 100 },
    ],
    undefined,
  ],
  ['less than 100 ms', [{ take, inMs: 500, outMs: 599 }], 'must be at least 100 ms after the in point'],
  ['an end before the start', [{ take, inMs: 500, outMs: 400 }], 'must be at least 100 ms after the in point'],
  ['nearly nothing from the start', [{ take, outMs: 99 }], 'must be at least 100 ms after the in point'],
  ['half a millisecond', [{ take, inMs: 0.5 }], 'must be a whole number'],
  [
    'one take twice',
    [
      { take, inMs: 5 },
      { take, output: 0, outMs: 900 },
    ],
    'must name each take once',
  ],
])('what a trim may be: %s', (_, trims, rule) => {
  const parsed = trimsSchema.safeParse(trims, { error: ruleOf });
  expect(parsed.error?.issues.map(({ message }) => message)[0]).toBe(rule);
});

test.each([
  [{ inMs: 3_900, outMs: 4_000 }, undefined],
  [{ outMs: 4_001 }, { field: 'outMs', message: 'must be at most 4000, the length of the clip' }],
  [{ inMs: 3_901 }, { field: 'inMs', message: 'must be at most 3900, which is 100 ms before the end of the clip' }],
])('a trim lies in its clip: %j', (points, fault) => {
  expect(faultOfTrim(points, 4)).toEqual(fault);
});

test('a trim is that of one variation of one take, and what is no cut is none', () => {
  const trims = [
    { take, inMs: 1_000, outMs: 3_000 },
    { take, output: 1, outMs: 4_000 },
    { take: 'j2', inMs: 9_000 },
  ];
  expect(trimOf(trims, { take }, 4)).toEqual({ inMs: 1_000, outMs: 3_000 });
  expect(trimOf(trims, { take, output: 1 }, 4)).toBeUndefined();
  expect(trimOf(trims, { take, output: 1 }, undefined)).toEqual({ outMs: 4_000 });
  expect(trimOf(trims, { take: 'j2' }, 4)).toBeUndefined();
  expect(trimOf(undefined, { take }, 4)).toBeUndefined();
});

test('what plays of a clip, with either point or both', () => {
  expect(playedPart(undefined, 4)).toEqual({ seconds: 4 });
  expect(playedPart({ inMs: 1_000 }, 4)).toEqual({ from: 1, seconds: 3 });
  expect(playedPart({ outMs: 2_500 }, 4)).toEqual({ from: 0, seconds: 2.5 });
  expect(playedPart({ inMs: 1_000, outMs: 2_500 }, 4)).toEqual({ from: 1, seconds: 1.5 });
});

test('another take keeps its own trim; without a point there is none', () => {
  const other = { take: 'j2', outMs: 900 };
  const one = withTrim([other], { take, output: 0 }, { inMs: 500 });
  expect(one).toEqual([other, { take, inMs: 500 }]);
  expect(withTrim(one, { take }, { inMs: 0, outMs: 0 })).toEqual([other]);
  expect(withTrim([other], { take: 'j2' }, {})).toBeUndefined();
});

test('elsewhere a trim names its take as it is called there, and goes with one that is not there', () => {
  const trims = [
    { take, inMs: 500 },
    { take: 'gone', inMs: 500 },
  ];
  const shot = { id: 's', takes: [take, 'gone'], referenceImages: [], trims } as unknown as Shot;
  const names = { job: (id: string) => (id === take ? 'new' : undefined), asset: () => undefined, word: String };
  expect(renamedShot(shot, names).trims).toEqual([{ take: 'new', inMs: 500 }]);
});

test('the words of a shot stay with what is said in its take', () => {
  const subtitle = (id: string, startMs: number, endMs: number) => ({ id, startMs, endMs, text: id });
  const subtitles = [subtitle('cut off', 0, 900), subtitle('half', 500, 1_500), subtitle('whole', 2_000, 2_400)];
  const shot = { id: 's', subtitles } as unknown as Shot;
  const plan = [{ shotId: 's', start: 10, seconds: 1.2, from: 1 }];
  expect(subtitlesOf([shot], plan)).toEqual([
    { startMs: 10_000, endMs: 10_500, text: 'half' },
    { startMs: 11_000, endMs: 11_200, text: 'whole' },
  ]);
});

test('the loudness of a part is that of its own windows', () => {
  const momentary = Array.from({ length: 37 }, (_, at) => (at < 20 ? -40 : -20));
  const sound = { lufs: -21, truePeakDb: -1, momentary };
  expect(partOfSound(sound, { seconds: 4 })).toBe(sound);
  const quiet = partOfSound(sound, { from: 0.5, seconds: 1 });
  expect([quiet?.momentary.length, quiet?.lufs]).toEqual([7, expect.closeTo(-40, 5)]);
  expect(partOfSound(sound, { from: 2, seconds: 2 })?.lufs).toBeCloseTo(-20, 5);
});
