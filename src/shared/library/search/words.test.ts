import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ftsQuery, phrasesIn, placeIn } from './searchQuery.ts';
import { snippetOf } from './snippet.ts';
import { indexedWords, wordsIn } from './words.ts';

/** Like the index: all phrases must be in the text. */
function isFoundIn(text: string, typed: string): boolean {
  const words = wordsIn(text).map(({ word }) => word);
  const phrases = phrasesIn(typed);
  return phrases.length > 0 && phrases.every((phrase) => placeIn(words, phrase) >= 0);
}

/** Each: a text, queries that find it, queries that do not. */
const LANGUAGES: [string, string, string[], string[]][] = [
  [
    'English',
    'A Lighthouse at dusk, don’t pan',
    ['light', 'DUSK', 'dusk lighthouse', 'don’t', 'a'],
    ['house', 'usk', 'b'],
  ],
  ['German', 'Straße über den Fluß, Köln', ['strasse', 'STRASSE', 'uber', 'über', 'koln', 'fluss'], ['ln']],
  ['French', 'L’été à la forêt, un cœur', ['ete', 'ÉTÉ', 'foret', 'coeur', 'cœ'], ['oret']],
  ['Spanish', 'El niño mañana', ['nino', 'NIÑO', 'manana'], ['ana']],
  ['Polish', 'Żółta łódź', ['zolta', 'łódź', 'lodz'], ['odz']],
  ['Turkish', 'İstanbul ışık', ['istanbul', 'İSTANBUL', 'isik'], ['tanbul']],
  ['Russian', 'Ещё один фильм', ['еще', 'ЕЩЁ', 'филь'], ['ильм']],
  ['Greek', 'Ο φάρος της θάλασσας', ['φαρος', 'ΦΑΡΟΣ', 'θαλασσας'], ['αρος']],
  ['Arabic', 'مَدِينَة قديمة', ['مدينة', 'قديم'], ['ديمة']],
  ['Hebrew', 'שָׁלוֹם עולם', ['שלום', 'עול'], ['לום']],
  ['Hindi', 'हिन्दी फ़िल्म', ['हिन्दी', 'हि'], ['न्दी']],
  ['Vietnamese', 'Đường phố Hà Nội', ['duong', 'đường', 'ha noi', 'Nội'], ['uong']],
  ['Thai', 'พระอาทิตย์ตกที่ทะเล', ['ทะเล', 'อาทิตย์', 'พ'], ['เลท']],
  ['Chinese', '雪山上的日出，无人机', ['雪', '日出', '山上的日', '雪山 无人机', '机'], ['日山', '出无', '雨']],
  ['Japanese', '夜の東京タワーがきれい', ['東京', 'タワー', 'がき', 'い', '夜'], ['かき', 'タワ夜']],
  ['Korean', '서울의 밤거리', ['서울', '밤', '거리', '의'], ['리거']],
  ['mixed', 'Veo3で山を撮る v1.1_final', ['veo3', '山', 'veo3で', 'final', '1.1'], ['nal']],
  ['emoji', 'A 🦊 in the snow 🇯🇵 👩‍🚀', ['🦊', '🦊 snow', '🇯🇵', '👩‍🚀'], ['🐻', '🇫🇷']],
  ['wide and joined forms', 'Ｃａｆｅ ﬁlm ｶﾞﾗｽ ①', ['cafe', 'film', 'ガラス', '1'], ['lm']],
  ['composed of parts', 'Ame\u0301lie 서울'.normalize('NFD'), ['amélie', 'Amelie', '서울'], ['울서']],
];

describe.each(LANGUAGES)('%s', (_, text, found, notFound) => {
  test.each(found)('%s is found', (typed) => expect(isFoundIn(text, typed)).toBe(true));
  test.each(notFound)('%s is not found', (typed) => expect(isFoundIn(text, typed)).toBe(false));
});

test('what is in quotation marks stands there as it is, and the last open quotation is being typed', () => {
  const text = 'A red fox jumps';
  expect(isFoundIn(text, '"red fox"')).toBe(true);
  expect(isFoundIn(text, '"fox red"')).toBe(false);
  expect(isFoundIn(text, '"red fo"')).toBe(false);
  expect(isFoundIn(text, '"red fo')).toBe(true);
  expect(isFoundIn(text, '“red fox” ju')).toBe(true);
  expect(isFoundIn('雪山日出', '"山日"')).toBe(true);
  expect(isFoundIn('雪山日出', '「雪日」')).toBe(false);
});

test('nothing that is typed acts as an operator', () => {
  expect(ftsQuery("a OR NOT (b) NEAR/2 c* words:d ^e -f '; DROP")).toBe(
    '"a" * "or" * "not" * "b" * "near" * "2" * "c" * "words" * "d" * "e" * "f" * "drop" *',
  );
  expect(ftsQuery('"a" "b c"')).toBe('"a" "b c"');
  for (const typed of ['', '   ', '""', '!?…', '\0', '\ud800', '"'])
    expect([typed, ftsQuery(typed), isFoundIn('anything', typed)]).toEqual([typed, '""', false]);
});

test('a word of a million letters is one word, and of a long question the rest is left', () => {
  expect(wordsIn('x'.repeat(1_000_000)).map(({ word }) => word.length)).toEqual([64]);
  expect(wordsIn('é'.repeat(1_000_000)).map(({ word }) => word.length)).toEqual([64]);
  expect(isFoundIn('x'.repeat(300), 'x'.repeat(200))).toBe(true);
  const typed = Array.from({ length: 500 }, (_, n) => `w${n}`).join(' ');
  expect(ftsQuery(typed)?.split(' *').length).toBe(33);
});

test('whatever piece of a text is typed, from the beginning of a word on, finds it', () => {
  const sign = fc.constantFrom(...'aBé ß山水日かガー서울พะ🦊1_-"\'，İς\u0301');
  const texts = fc.array(sign, { minLength: 1, maxLength: 30 }).map((signs) => signs.join(''));
  fc.assert(
    fc.property(texts, fc.nat(), fc.nat(), (text, from, length) => {
      const words = wordsIn(text);
      const first = words[from % Math.max(1, words.length)];
      const last = words[Math.min(words.length - 1, (from % Math.max(1, words.length)) + (length % 5))];
      if (!first || !last) return;
      const typed = text.slice(first.start, last.end);
      expect([typed, isFoundIn(text, typed)]).toEqual([typed, true]);
    }),
    { numRuns: 500 },
  );
});

test('a text is cut into the same words whatever stands before and behind it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (one, other) => {
      expect(indexedWords(`${one} . ${other}`)).toBe(
        [indexedWords(one), indexedWords(other)].filter(Boolean).join(' '),
      );
      for (const { start, end, word } of wordsIn(one)) {
        expect(word).not.toMatch(/\s/);
        expect(end).toBeGreaterThan(start);
      }
    }),
    { examples: [['\ufe70', '\u2c00']] },
  );
});

test('a snippet shows the first hit with what is around it, on one line', () => {
  const text = `${'before '.repeat(40)}\na Lighthouse\tat dusk ${'after '.repeat(40)}`;
  const { text: shown, hit } = snippetOf(text, 'dusk LIGHT');
  expect(shown.length).toBeLessThanOrEqual(122);
  expect(shown).toMatch(/^….*a Lighthouse at dusk.*…$/);
  expect(shown.slice(hit?.start, hit?.end)).toBe('Lighthouse');
});

test.each([
  ['雪山上的日出', '山上', '山上'],
  ['雪山上的日出', '山', '山'],
  ['雪山上的日出', '出', '出'],
  ['🦊 Straße', 'strasse', 'Straße'],
  ['Über Köln', 'koln', 'Köln'],
])('in %s, %s stands at %s', (text, typed, at) => {
  const { text: shown, hit } = snippetOf(text, typed);
  expect(shown).toBe(text);
  expect(shown.slice(hit?.start, hit?.end)).toBe(at);
});

test('without a hit a snippet is the beginning', () => {
  expect(snippetOf('One two', 'three')).toEqual({ text: 'One two' });
  expect(snippetOf('', 'three')).toEqual({ text: '' });
  expect(snippetOf('x'.repeat(500), 'three').text).toBe(`${'x'.repeat(120)}…`);
});
