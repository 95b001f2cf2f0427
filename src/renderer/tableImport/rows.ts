import type { ReactNode } from 'react';
import { SHOT_SOURCES } from '../../shared/board/board.ts';
import type { Reason } from '../../shared/contract/result.ts';
import { IMAGE_MODES } from '../../shared/kinds/imagine.ts';
import { EXTENSION_SECONDS, GENERATION_SECONDS } from '../../shared/kinds/video.ts';

/** The rows of an import: their order, and which cells are wrong in the same way. */

export interface ImportRow {
  /** `11`, or `6.2` for one of the choices in row 6: what is skipped. */
  key: string;
  /** On which it begins in the text; a table's header is line 1. */
  line: number;
  /** What is shown, by column. */
  shown: Readonly<Record<string, ReactNode>>;
  errors: readonly Reason[];
  /** Of a wrong row: its cells as they stand in the text. */
  cells?: Readonly<Record<string, string>> | undefined;
  /** Below a right row. */
  note?: ReactNode;
  /** Its check box instead of its state. */
  choice?: { checked: boolean; onChecked: (checked: boolean) => void; off?: boolean; label: string };
  /** Its cells cannot be edited: the row above has them. */
  isPart?: boolean;
}

export const isSkipped = ({ key, line }: Pick<ImportRow, 'key' | 'line'>, skipped: ReadonlySet<string>): boolean =>
  skipped.has(key) || skipped.has(String(line));

export const isWrong = (row: ImportRow, skipped: ReadonlySet<string>): boolean =>
  row.errors.length > 0 && !isSkipped(row, skipped);

/** Rows with errors first; both parts keep their order. */
export function errorsFirst(rows: readonly ImportRow[], skipped: ReadonlySet<string>): readonly ImportRow[] {
  const wrong = rows.filter((row) => isWrong(row, skipped));
  return wrong.length === 0 ? rows : [...wrong, ...rows.filter((row) => !isWrong(row, skipped))];
}

/** The next row with an error; behind the last comes the first. */
export function nextErrorAfter(
  rows: readonly ImportRow[],
  skipped: ReadonlySet<string>,
  from: number,
): number | undefined {
  const at = rows.flatMap((row, index) => (isWrong(row, skipped) ? index : []));
  return at.find((index) => index > from) ?? at[0];
}

/** The lines of the rows whose cell has the same value and breaks the same rule, that row among them. */
export function alike(rows: readonly ImportRow[], row: ImportRow, { field, message }: Reason): ReadonlySet<number> {
  const value = row.cells?.[field];
  const isAlike = (other: ImportRow) =>
    other.cells?.[field] === value && other.errors.some((error) => error.field === field && error.message === message);
  return new Set([row, ...(value === undefined ? [] : rows.filter(isAlike))].map(({ line }) => line));
}

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  resolution: ['720p', '1080p'],
  aspect: ['16:9', '9:16'],
  audio: ['true', 'false'],
  samples: ['1', '2', '3', '4'],
  mode: IMAGE_MODES,
  night: ['true', 'false'],
  source: SHOT_SOURCES,
  prompt: [],
  title: [],
};

/** The values that a cell may have; an empty one leaves it open. */
export function valuesFor(field: string, cells: Readonly<Record<string, string>>): readonly string[] {
  if (field !== 'seconds') return CHOICES[field] ?? [''];
  const isExtension = Boolean(cells.video?.trim()) || cells.source?.trim().toLowerCase() === 'extend';
  return (isExtension ? [EXTENSION_SECONDS] : GENERATION_SECONDS).map(String);
}
