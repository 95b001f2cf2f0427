import { type KeyboardEvent, type ReactNode, useState } from 'react';
import styles from './matrix.module.css';

/** The props of a button in the grid, so that arrows reach it; one button of the grid is in the Tab order. */
export interface Place {
  'data-row': number;
  'data-column': number;
  'data-span': number;
  tabIndex: 0 | -1;
  onFocus: () => void;
}

interface AxisGridProps {
  /** Two or more. The first axis makes the rows; the others share the columns, one below the other. */
  axes: readonly (readonly string[])[];
  label: string;
  /** Heading of a row or column, with the indexes of its prompts. */
  heading: (words: string, indexes: readonly number[], place: Place) => ReactNode;
  cell: (index: number, place: Place) => ReactNode;
}

const widthOf = (axes: readonly (readonly string[])[]): number =>
  axes.reduce((product, { length }) => product * length, 1);

const range = (length: number, from = 0): number[] => Array.from({ length }, (_, at) => from + at);

/**
 * Combinations of choices as rows and columns. Row headings are rendered first, so that the arrow keys can move up to the column headings.
 */
export function AxisGrid({ axes, label, heading, cell }: AxisGridProps) {
  const [rows = [], ...columns] = axes;
  const width = widthOf(columns);
  const [focused, setFocused] = useState(`${columns.length},1`);
  const place = (row: number, column: number, span = 1): Place => ({
    'data-row': row,
    'data-column': column,
    'data-span': span,
    tabIndex: focused === `${row},${column}` ? 0 : -1,
    onFocus: () => setFocused(`${row},${column}`),
  });
  return (
    <div className={styles.axisScroll}>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid of buttons that arrows go through (ARIA grid). */}
      <table role="grid" aria-label={label} className={styles.axisGrid} onKeyDown={move}>
        <thead>
          {columns.map((_, level) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a level has no other name.
            <tr key={level}>
              <td />
              {headingsOf(columns, level).map(({ words, start, span }) => (
                <th key={start} scope={span > 1 ? 'colgroup' : 'col'} colSpan={span}>
                  {heading(
                    words,
                    rows.flatMap((_, row) => range(span, row * width + start)),
                    place(level, start + 1, span),
                  )}
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {rows.map((words, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two members of a choice may be the same.
            <tr key={row}>
              <th scope="row">{heading(words, range(width, row * width), place(columns.length + row, 0))}</th>
              {range(width).map((column) => (
                <td key={column}>{cell(row * width + column, place(columns.length + row, column + 1))}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The headings of one axis, repeated under each heading of the axes above it. */
function headingsOf(columns: readonly (readonly string[])[], level: number) {
  const values = columns[level] ?? [];
  const span = widthOf(columns.slice(level + 1));
  return range(widthOf(columns.slice(0, level))).flatMap((repeat) =>
    values.map((words, at) => ({ words, span, start: (repeat * values.length + at) * span })),
  );
}

const STEPS: Partial<Record<string, [row: number, column: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

function move(event: KeyboardEvent<HTMLElement>): void {
  const from = (event.target as HTMLElement).closest<HTMLElement>('[data-row]')?.dataset;
  const step = STEPS[event.key];
  if (!from || !step || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const [down, right] = step;
  const row = Number(from.row) + down;
  const column = Number(from.column) + (right > 0 ? Number(from.span) : right);
  const places = event.currentTarget.querySelectorAll<HTMLElement>(`[data-row="${row}"]`);
  const isAt = ({ dataset }: HTMLElement) => {
    const start = Number(dataset.column);
    return column >= start && column < start + Number(dataset.span);
  };
  [...places].find(isAt)?.focus();
}
