import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { AskedColumns, ColumnRole } from '../../../shared/money/statement/statement.ts';
import { type CsvRow, csvRows, separatorsOf } from '../../../shared/tables/csv.ts';
import { t } from '../../../shared/text/texts.ts';
import { type FoundColumns, findColumns, noDollars } from './columns.ts';

/** The header of a bill: which row it is, what separates its cells, and which column is what. */

/** Lines that may stand above the header. */
const MAX_ABOVE = 30;
/** Characters in which the header is looked for; one that is cut off there is none. */
const MAX_HEAD = 500_000;
const MAX_COLUMNS = 500;

export interface Header extends FoundColumns {
  separator: string;
  line: number;
}

/** The row with the most known columns among the first, by the separator that finds the most. */
export async function headerOf(
  text: string,
  asked: AskedColumns,
  nextTurn: () => Promise<unknown>,
): Promise<Result<Header>> {
  let best: Header | undefined;
  let isWide = false;
  for (const row of rowsAbove(text)) {
    await nextTurn();
    isWide ||= row.cells.length > MAX_COLUMNS;
    if (row.cells.length > MAX_COLUMNS) continue;
    const header = { ...findColumns(row.cells, asked), separator: row.separator, line: row.line };
    if (!best || scoreOf(header) > scoreOf(best)) best = header;
  }
  const isFound = best?.at.at !== undefined && best.at.amount !== undefined;
  if (isWide && !isFound)
    return fail('invalid_input', t`text: has more than ${MAX_COLUMNS} columns; leave out those that are not needed.`, {
      field: 'text',
    });
  if (!best) return fail('invalid_input', t`text: has no line.`, { field: 'text' });
  return misnamed(best, asked) ?? missing(best) ?? ok(best);
}

/** Every row that may be the header, read with each separator: no more of the text than its beginning. */
function* rowsAbove(text: string): Generator<CsvRow & { separator: string }> {
  const head = text.slice(0, MAX_HEAD);
  for (const separator of separatorsOf(head)) {
    let count = 0;
    for (const row of csvRows(head, separator)) {
      count += 1;
      if (count > MAX_ABOVE) break;
      yield { ...row, separator };
    }
  }
}

/** What every bill has counts more than what some have, and a row of a table more than a title. */
const scoreOf = ({ at, columns }: Header): number =>
  Object.keys(at).length +
  (at.amount === undefined ? 0 : 10) +
  (at.at === undefined ? 0 : 10) +
  columns.length / (MAX_COLUMNS + 1);

export const namesOf = ({ columns }: Header): string[] => columns.map(({ name }) => name);
const listed = (names: readonly string[]): string => names.slice(0, 20).join(', ').slice(0, 400);

function misnamed(header: Header, asked: AskedColumns): Result<never> | undefined {
  for (const [role, name] of Object.entries(asked)) {
    if (role === 'unit' || typeof name !== 'string' || header.at[role as ColumnRole] !== undefined) continue;
    const field = `columns.${role}`;
    const message = t`${field}: there is no column of that name; the columns are ${listed(namesOf(header))}.`;
    return fail('invalid_input', message, { field, columns: namesOf(header) });
  }
  return undefined;
}

const NEEDED = { at: 'a time', amount: 'an amount' } as const;

function missing(header: Header): Result<never> | undefined {
  const role = (['amount', 'at'] as const).find((one) => header.at[one] === undefined);
  if (!role) return undefined;
  const names = namesOf(header);
  const data = { field: `columns.${role}`, columns: names };
  const other = role === 'amount' ? names.find((name) => noDollars(name)) : undefined;
  const message = other
    ? `columns.amount: column ${other} ${noDollars(other)}`
    : `columns.${role}: no column has the name of ${NEEDED[role]}; say which one it is. The columns are ${listed(names)}.`;
  return fail('invalid_input', message, data);
}
