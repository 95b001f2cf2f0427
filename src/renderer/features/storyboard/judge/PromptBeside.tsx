import { useMemo } from 'react';
import { differingWords, type TextPart } from './differingWords.ts';

interface PromptBesideProps {
  prompt: string;
  /** Of the take that it is judged beside. */
  other: { prompt: string; words: string } | undefined;
}

/** The words that a take was made from, with what differs from those of the kept one. */
export function PromptBeside({ prompt, other }: PromptBesideProps) {
  const parts = useMemo(() => other && differingWords(other.prompt, prompt), [other, prompt]);
  if (!other) return <p className="judge-prompt">{prompt}</p>;
  const isSame = other.prompt === prompt;
  return (
    <>
      <p className="judge-prompt">
        {/* biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in its order. */}
        {parts && !isSame ? parts.map((part, index) => <Part key={index} part={part} />) : prompt}
      </p>
      <p className="t3">{noteOf(isSame, parts, other.words)}</p>
    </>
  );
}

const Part = ({ part: { text, is } }: { part: TextPart }) =>
  is === 'added' ? <ins>{text}</ins> : is === 'removed' ? <del>{text}</del> : text;

function noteOf(isSame: boolean, parts: readonly TextPart[] | undefined, words: string): string {
  if (isSame) return `The same words as ${words}.`;
  if (!parts) return `Other words than ${words}: too few are the same to mark them.`;
  const marks = [
    parts.some(({ is }) => is === 'added') && 'Underlined: put in',
    parts.some(({ is }) => is === 'removed') && 'struck through: taken out',
  ].filter(Boolean);
  return marks.length === 0
    ? `The same words as ${words}, set otherwise.`
    : `${capital(marks.join(', '))}, beside ${words}.`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
