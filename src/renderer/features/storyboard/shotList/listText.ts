import { MAX_CALL_TEXT } from '../../../../shared/callParts.ts';
import type { Result } from '../../../../shared/result.ts';
import { SHOT_COLUMNS } from '../../../../shared/shotList.ts';
import {
  type CellsByLine,
  cellsByLine,
  columnNames,
  withCell,
  withLines,
  withoutColumn,
  withRows,
} from '../../../../shared/tableText.ts';
import { textOfFile } from '../../../media/textOfFile.ts';

export { type CellsByLine, withCell, withoutColumn };

/** The text of a shot list: what its cells are, and what mends them. What is wrong says the studio. */

export type ListFormat = 'csv' | 'lines';

/** A text whose first line names a column of a shot list is a table; anything else is one prompt a line. */
export function formatOf(text: string): ListFormat {
  return columnNames(text.slice(0, 2_000)).some((name) => (SHOT_COLUMNS as readonly string[]).includes(name))
    ? 'csv'
    : 'lines';
}

/** The cells of a table by line; lines of text have none. */
export const cellsOf = (text: string, format: ListFormat): CellsByLine =>
  format === 'lines' ? new Map() : cellsByLine(text);

/** The text without the rows that begin on these lines. */
export const withoutLines = (text: string, format: ListFormat, lines: ReadonlySet<number>): string =>
  format === 'lines'
    ? withLines(text, (line) => (lines.has(line) ? [] : undefined))
    : withRows(text, ({ line, cells }) => (lines.has(line) ? [] : [cells]));

/** The text of a file, if it is one that a list can be read from. */
export const textOfListFile = (file: Blob & { name: string }): Promise<Result<string>> =>
  textOfFile(file, MAX_CALL_TEXT);
