import './matrix.css';
import { type KeyboardEvent, useRef } from 'react';
import { Section, TextAction } from '../../../ui/index.ts';

interface MatrixProps {
  prompts: readonly string[];
  /** By index. */
  left: ReadonlySet<number>;
  onLeft: (left: ReadonlySet<number>) => void;
}

/** Each prompt that the text stands for, as it is sent. A press or Space leaves one out; it stays there, dashed. */
export function Matrix({ prompts, left, onLeft }: MatrixProps) {
  const list = useRef<HTMLUListElement>(null);
  const toggle = (index: number) => {
    const next = new Set(left);
    if (!next.delete(index)) next.add(index);
    onLeft(next);
  };
  const move = (event: KeyboardEvent) => {
    const cells = [...(list.current?.querySelectorAll<HTMLElement>('button') ?? [])];
    const at = cells.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: cells.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    cells[to]?.focus();
  };
  return (
    <Section
      title="Jobs"
      end={
        left.size > 0 ? (
          <TextAction onClick={() => onLeft(new Set())}>Take all in</TextAction>
        ) : (
          <span className="t3">Space leaves one out</span>
        )
      }
    >
      <p className="t3" aria-live="polite">
        {prompts.length - left.size} of {prompts.length}
      </p>
      <ul ref={list} className="matrix" aria-label="Prompts of the matrix" onKeyDown={move}>
        {prompts.map((prompt, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two prompts of a matrix may be the same.
          <li key={index}>
            <button type="button" className="cell" aria-pressed={!left.has(index)} onClick={() => toggle(index)}>
              {prompt}
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
