import { useMemo } from 'react';
import { t } from '../../../../shared/texts.ts';
import { DifferingWords, differingWords, type TextPart } from '../../../ui/index.ts';

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
      <p className="judge-prompt">{parts && !isSame ? <DifferingWords parts={parts} /> : prompt}</p>
      <p className="t3">{noteOf(isSame, parts, other.words)}</p>
    </>
  );
}

function noteOf(isSame: boolean, parts: readonly TextPart[] | undefined, words: string): string {
  if (isSame) return t`The same words as ${words}.`;
  if (!parts) return t`Other words than ${words}: too few are the same to mark them.`;
  const marks = [
    parts.some(({ is }) => is === 'added') && t`Underlined: put in`,
    parts.some(({ is }) => is === 'removed') && t`struck through: taken out`,
  ].filter(Boolean);
  return marks.length === 0
    ? t`The same words as ${words}, set otherwise.`
    : t`${capital(marks.join(', '))}, beside ${words}.`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
