import { diffWords } from 'diff';

/** A part of the comparison of two texts: in both, added, or removed. */
export interface TextPart {
  text: string;
  is: 'same' | 'added' | 'removed';
}

/** Splits words by the rules of Unicode, so that languages without spaces work. */
const WORDS = new Intl.Segmenter(undefined, { granularity: 'word' });

/** With more changed words than this, marks are no help. */
const MOST_CHANGES = 400;

/** How a text differs from the previous one, word by word; undefined if they have too little in common. */
export function differingWords(before: string, text: string): TextPart[] | undefined {
  const changes = diffWords(before, text, { intlSegmenter: WORDS, maxEditLength: MOST_CHANGES });
  return changes?.map(({ value, added, removed }) => ({
    text: value,
    is: added ? 'added' : removed ? 'removed' : 'same',
  }));
}

/** The parts in order, with added and removed words marked. */
export const DifferingWords = ({ parts }: { parts: readonly TextPart[] }) => (
  <>
    {parts.map((part, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in its order.
      <Part key={index} part={part} />
    ))}
  </>
);

const Part = ({ part: { text, is } }: { part: TextPart }) =>
  is === 'added' ? <ins>{text}</ins> : is === 'removed' ? <del>{text}</del> : text;
