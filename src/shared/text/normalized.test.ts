import { afterEach, expect, test, vi } from 'vitest';
import { fileNameOf } from '../library/fileNames.ts';
import { indexedWords, wordsIn } from '../library/search/words.ts';
import { normalized } from './normalized.ts';

afterEach(() => vi.restoreAllMocks());

/** Two marks that must be reordered. */
const MARKS = '\u0301\u0316';
/** The same with a half-width Japanese voiced mark, a letter that becomes a mark. */
const HALF_WIDTH = '\uff9e\u0334';

test('no text that is brought into a form of Unicode has many marks behind one letter', () => {
  const given: string[] = [];
  const { normalize } = String.prototype;
  vi.spyOn(String.prototype, 'normalize').mockImplementation(function counting(this: string, form?: string) {
    given.push(String(this));
    return normalize.call(this, form);
  });
  const text = `Ma${MARKS.repeat(50_000)} ต${'\u0e48\u0e38'.repeat(1_000)} カ${HALF_WIDTH.repeat(1_000)}`;
  expect(fileNameOf(text)).toBe('Ma');
  expect(wordsIn(text)[0]?.word).toBe('ma');
  expect(indexedWords(text)).toContain('ma');
  expect(given.length).toBeGreaterThan(2);
  for (const one of given) expect(normalize.call(one, 'NFKD')).not.toMatch(/\p{M}{31}/u);
});

test('what is written stays as it is', () => {
  for (const word of ['Pietà', 'Ångström', 'Việt', 'ợ̛̉', 'क्षत्रिय', 'שָׁלוֹם', 'ﬁ', '株式会社', 'ｶﾞﾊﾟ'])
    expect(normalized(word)).toBe(word.normalize('NFKD'));
});
