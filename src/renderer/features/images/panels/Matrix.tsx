import { type KeyboardEvent, useRef, useState } from 'react';
import { t } from '../../../../shared/text/texts.ts';
import { Section, TextAction } from '../../../ui/index.ts';
import { AxisGrid, type Place } from './AxisGrid.tsx';
import styles from './matrix.module.css';

interface MatrixProps {
  prompts: readonly string[];
  axes: readonly (readonly string[])[];
  left: ReadonlySet<number>;
  onLeft: (left: ReadonlySet<number>) => void;
}

/** Each prompt of the text. A press or Space leaves one out; it stays visible, dashed. */
export function Matrix({ prompts, axes, left, onLeft }: MatrixProps) {
  const toggle = (indexes: readonly number[]) => onLeft(toggled(left, indexes));
  return (
    <Section
      title={t`Jobs`}
      end={left.size > 0 && <TextAction onClick={() => onLeft(new Set())}>{t`Turn all on`}</TextAction>}
    >
      <p className="t3" aria-live="polite">
        {t`${prompts.length - left.size} of ${prompts.length}`}
      </p>
      {axes.length < 2 ? (
        <PromptList prompts={prompts} left={left} onToggle={toggle} />
      ) : (
        <PromptGrid key={axes.map(({ length }) => length).join()} {...{ prompts, axes, left }} onToggle={toggle} />
      )}
    </Section>
  );
}

/** Leaves all of them out, or includes all if they already are. */
function toggled(left: ReadonlySet<number>, indexes: readonly number[]): ReadonlySet<number> {
  const next = new Set(left);
  const areOut = indexes.every((index) => left.has(index));
  for (const index of indexes) {
    if (areOut) next.delete(index);
    else next.add(index);
  }
  return next;
}

interface PromptsProps extends Omit<MatrixProps, 'onLeft' | 'axes'> {
  onToggle: (indexes: readonly number[]) => void;
}

function PromptList({ prompts, left, onToggle }: PromptsProps) {
  const list = useRef<HTMLUListElement>(null);
  const move = (event: KeyboardEvent) => {
    const cells = [...(list.current?.querySelectorAll<HTMLElement>('button') ?? [])];
    const at = cells.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: cells.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    cells[to]?.focus();
  };
  return (
    <ul ref={list} className={styles.matrix} aria-label={t`Combinations`} onKeyDown={move}>
      {prompts.map((prompt, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two prompts of a matrix may be the same.
        <li key={index}>
          <button
            type="button"
            className={styles.cell}
            aria-pressed={!left.has(index)}
            onClick={() => onToggle([index])}
          >
            {prompt}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Rows and columns, each left out by its heading. The prompt of the focused cell is shown under the grid. */
function PromptGrid({ prompts, axes, left, onToggle }: PromptsProps & Pick<MatrixProps, 'axes'>) {
  const [shown, setShown] = useState(0);
  const heading = (words: string, indexes: readonly number[], place: Place) => (
    <button
      type="button"
      {...place}
      className={styles.axisHead}
      title={words}
      aria-label={t`All with ${words.trim() || '–'}`}
      aria-pressed={indexes.some((index) => !left.has(index))}
      onClick={() => onToggle(indexes)}
    >
      {words.trim() || '–'}
    </button>
  );
  const cell = (index: number, place: Place) => (
    <button
      type="button"
      {...place}
      className={styles.axisCell}
      title={prompts[index]}
      aria-label={prompts[index]}
      aria-pressed={!left.has(index)}
      onFocus={() => {
        place.onFocus();
        setShown(index);
      }}
      onClick={() => onToggle([index])}
    />
  );
  return (
    <>
      <AxisGrid axes={axes} label={t`Combinations`} heading={heading} cell={cell} />
      <p className="t2 mt anywhere">
        {left.has(shown) && <span className="t3">{t`Turned off`} </span>}
        {prompts[shown]}
      </p>
    </>
  );
}
