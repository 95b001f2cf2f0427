import type { ReactNode } from 'react';
import { SHOT_SOURCES } from '../../shared/board/board.ts';
import type { Reason } from '../../shared/contract/result.ts';
import { IMAGE_MODES } from '../../shared/kinds/imagine.ts';
import { EXTENSION_SECONDS, GENERATION_SECONDS } from '../../shared/kinds/video.ts';

/** The rows of an import: their order, and which cells are wrong in the same way. */

export interface ImportRow {
  /** Identifies rows for skipping: `11`, or `6.2` for a choice in row 6. */
  key: string;
  /** The line on which the row begins; a table's header is line 1. */
  line: number;
  /** The displayed content by column. */
  shown: Readonly<Record<string, ReactNode>>;
  errors: readonly Reason[];
  /** For a wrong row: its cells as in the text. */
  cells?: Readonly<Record<string, string>> | undefined;
  /** Shown below a valid row. */
  note?: ReactNode;
  /** A check box instead of the state. */
  choice?: { checked: boolean; onChecked: (checked: boolean) => void; off?: boolean; label: string };
  /** A part of the row above, which has the cells to edit. */
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

/** The next row with an error; after the last one, the first. */
export function nextErrorAfter(
  rows: readonly ImportRow[],
  skipped: ReadonlySet<string>,
  from: number,
): number | undefined {
  const at = rows.flatMap((row, index) => (isWrong(row, skipped) ? index : []));
  return at.find((index) => index > from) ?? at[0];
}

/** The lines of all rows whose cell has the same value and breaks the same rule, including the row itself. */
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

/** The allowed values of a cell; empty if anything is allowed. */
export function valuesFor(field: string, cells: Readonly<Record<string, string>>): readonly string[] {
  if (field !== 'seconds') return CHOICES[field] ?? [''];
  const isExtension = Boolean(cells.video?.trim()) || cells.source?.trim().toLowerCase() === 'extend';
  return (isExtension ? [EXTENSION_SECONDS] : GENERATION_SECONDS).map(String);
}
