import { includesPhrase } from './sentences.ts';
import type { Source } from './sources.ts';

/** Words that answer one question about an error, where they were seen, and the case of `test/fixtures/answers` that needs them. */
export interface Wording {
  /** As in a {@link Phrase}. */
  words: string;
  source: Source;
  /** `file: words`. */
  fixture: string;
}

/** The wordings of one question; each has a case of the same name in its file. */
export const wordingsOf = (file: string, groups: readonly (readonly [Source, string])[]): readonly Wording[] =>
  groups.flatMap(([source, wordings]) =>
    wordings.split('|').map((words) => ({ words, source, fixture: `${file}: ${words}` })),
  );

/** Whether a sentence holds one of these wordings. */
export const saysOneOf = (sentence: string, wordings: readonly Wording[]): boolean =>
  wordings.some(({ words }) => includesPhrase(sentence, words));
