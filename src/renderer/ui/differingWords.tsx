import { diffWords } from 'diff';

/** A part of a text beside another one: in both, put in, or taken out. */
export interface TextPart {
  text: string;
  is: 'same' | 'added' | 'removed';
}

/** Words are told by the rules of Unicode, so that a text without spaces between them is no single word. */
const WORDS = new Intl.Segmenter(undefined, { granularity: 'word' });

/** With more words than this taken out and put in, two texts are different ones, and marks say nothing. */
const MOST_CHANGES = 400;

/** How a text differs from the one before, word by word; undefined where they have too little in common. */
export function differingWords(before: string, text: string): TextPart[] | undefined {
  const changes = diffWords(before, text, { intlSegmenter: WORDS, maxEditLength: MOST_CHANGES });
  return changes?.map(({ value, added, removed }) => ({
    text: value,
    is: added ? 'added' : removed ? 'removed' : 'same',
  }));
}

/** The parts in their order, with marks on what was put in and taken out. */
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
