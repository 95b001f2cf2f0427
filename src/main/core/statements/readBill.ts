import { createHash } from 'node:crypto';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import { formatNano, type Nano } from '../../../shared/money/money.ts';
import {
  type AskedColumns,
  COLUMN_ROLES,
  type ColumnRole,
  MAX_STATEMENT_LINES,
  type StatementColumn,
  type UnreadLine,
} from '../../../shared/money/statement/statement.ts';
import { type CsvRow, csvRows, plainCell } from '../../../shared/tables/csv.ts';
import { en, formatCount, t } from '../../../shared/text/texts.ts';
import {
  type AmountForm,
  type BillTime,
  type DateOrder,
  hasDecimalComma,
  isDollars,
  MINUTE_MS,
  needsOrder,
  orderIn,
  parseAmount,
  parseTime,
  quantityOf,
  spanTo,
  zoneOfHeader,
} from './cells.ts';
import { type Header, headerOf, namesOf } from './columns.ts';

/** A line of a bill. */
export interface BillLine {
  /** The line number in the text, from 1. */
  line: number;
  at: number;
  /** The length of the time that `at` names. */
  spanMs: number;
  remoteId: string;
  requestKey: string;
  model: string;
  units: number | null;
  nano: Nano;
  /** Identical for the same line in another text, whatever surrounds it. */
  hash: string;
}

export interface ReadBill {
  lines: BillLine[];
  columns: StatementColumn[];
  zoneMinutes?: number;
  isZoneAssumed: boolean;
  isMonthFirst: boolean;
  unread: { count: number; lines: UnreadLine[] };
  /** Some unread row may be a line. */
  hasGaps: boolean;
  /** Rows that could not be read, or have no amount, but state an id: lines without a hash. */
  unreadNamed: BillLine[];
}

const MAX_CELL = 200;
const MAX_LINE = 100_000;
const [LF, CR] = [10, 13];
/** The number of unread lines that are listed; all are counted. */
const MAX_NAMED = 100;
const TOTALS = new Set(
  'total|totals|grand total|subtotal|sub total|sum|amount due|total due|balance|balance due|summe|gesamt|gesamtsumme'.split(
    '|',
  ),
);
const UNREAD = { at: 0, spanMs: 0, model: '', units: null, nano: 0, hash: '' };

interface Form {
  order: DateOrder;
  /** Nothing in the bill says which of two numbers is the month. */
  isMonthFirst: boolean;
  zone: number | null;
  amount: AmountForm;
}

interface RawLine {
  line: number;
  cells: Record<ColumnRole, string>;
  isTotal: boolean;
  /** Identical for the same row in another text, whatever the used columns and their sequence. */
  said: string;
  fault?: string;
}

/** Reads the text of a bill. Generates between rows, so that other work goes on. */
export function* readBill(text: string, asked: AskedColumns): Generator<void, Result<ReadBill>> {
  // A very long line cannot be a row of cells, and splitting it would take long.
  const long = longLine(text);
  if (long !== undefined)
    return fail('invalid_input', en`text: line ${long} has more than 100,000 characters; this is no table.`, {
      field: 'text',
    });
  const header = yield* headerOf(text, asked);
  return header.ok ? yield* new BillReader(header.data, asked).read(text) : header;
}

/** The first line that is too long. */
function longLine(text: string): number | undefined {
  let [line, from] = [1, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isEnd = code === LF || code === CR;
    if (!isEnd && at - from >= MAX_LINE) return line;
    if (!isEnd) continue;
    if (code === LF || text.charCodeAt(at + 1) !== LF) line += 1;
    from = at + 1;
  }
  return undefined;
}

class BillReader {
  private readonly header: Header;
  private readonly asked: AskedColumns;
  private readonly raw: RawLine[] = [];
  private readonly lines: BillLine[] = [];
  private readonly unread: ReadBill['unread'] = { count: 0, lines: [] };
  private hasGaps = false;
  private readonly unreadNamed: BillLine[] = [];
  private readonly hashes = new Map<string, number>();
  private readonly zones = new Set<number | null>();
  private sumNano: Nano = 0;

  constructor(header: Header, asked: AskedColumns) {
    this.header = header;
    this.asked = asked;
  }

  *read(text: string): Generator<void, Result<ReadBill>> {
    // Includes empty lines, so that other work gets its turn: a file may have millions of them.
    for (const row of csvRows(text, this.header.separator, { withEmpty: true })) {
      yield;
      this.keep(row);
      if (this.raw.length > MAX_STATEMENT_LINES)
        return fail(
          'too_large',
          en`text: has more than ${formatCount(MAX_STATEMENT_LINES)} lines; read the bill in parts.`,
          { field: 'text' },
        );
    }
    const form = this.formOf();
    for (const raw of this.raw) {
      yield;
      const fault = raw.fault ?? this.readLine(raw, form);
      if (fault === undefined) continue;
      this.skip(raw.line, fault);
      if (!raw.isTotal) this.keepTrace(raw);
    }
    if (this.lines.length === 0) return this.nothingRead();
    const [zone, ...others] = this.zones;
    return ok({
      lines: this.lines,
      columns: this.header.columns,
      ...(others.length === 0 && typeof zone === 'number' ? { zoneMinutes: zone } : {}),
      isZoneAssumed: this.zones.has(null),
      isMonthFirst: form.isMonthFirst,
      unread: this.unread,
      hasGaps: this.hasGaps,
      unreadNamed: this.unreadNamed,
    });
  }

  private nothingRead(): Result<never> {
    const first = this.unread.lines.find(({ line }) => line > this.header.line);
    const why = first ? `Line ${first.line}: ${first.message}` : en`There is no line below the header.`;
    const data = { field: 'text', unread: this.unread, columns: namesOf(this.header), found: this.header.columns };
    return fail('invalid_input', en`text: no line of it could be read. ${why}`, data);
  }

  /** Keeps the used cells of a row below the header. */
  private keep({ line, cells, fault }: CsvRow): void {
    if (line === this.header.line || cells.every((cell) => cell.trim() === '')) return;
    if (line < this.header.line) return this.skip(line, t`The line is above the header row.`);
    const used = {} as RawLine['cells'];
    for (const role of COLUMN_ROLES) used[role] = plainCell(cells[this.header.at[role] ?? -1] ?? '').trim();
    const said = cells.flatMap((cell) => cell.trim() || []).sort();
    const what = fault === undefined ? {} : { fault: `It ${fault}` };
    this.raw.push({ line, cells: used, isTotal: isTotal(cells, used), said: hashOf(said), ...what });
  }

  /** How to read the cells, according to all columns together. */
  private formOf(): Form {
    const { separator, columns, at } = this.header;
    const unit = columns.find(({ role }) => role === 'amount')?.unit ?? 'dollar';
    const order = orderIn(this.raw.flatMap(({ cells }) => [cells.at, cells.end]));
    const amounts = this.raw.map(({ cells }) => cells.amount);
    return {
      order: order ?? 'monthFirst',
      isMonthFirst: order === undefined && this.raw.some(({ cells }) => needsOrder(cells.at)),
      zone: zoneOfHeader(columns[at.at ?? -1]?.name ?? ''),
      amount: { unit, isDecimalComma: hasDecimalComma(amounts, { separator, unit }) },
    };
  }

  /** Returns the reason if the line is not read. */
  private readLine({ line, cells, said, isTotal: isSum }: RawLine, form: Form): string | undefined {
    if (isSum)
      return t`The total row says ${shown(cells.amount)}, but the lines add up to ${formatNano(this.sumNano)}.`;
    const amount = parseAmount(cells.amount, form.amount);
    if ('fault' in amount) return `Column ${this.nameOf('amount')}: "${shown(cells.amount)}" ${amount.fault}`;
    const time = this.timeOf(cells.at, form);
    const end = this.timeOf(cells.end, form);
    if (cells.at === '') return t`The line has no time.`;
    if (!isDollars(cells.currency))
      return t`Column ${this.nameOf('currency')} is in ${shown(cells.currency)}, and only dollars can be compared.`;
    if (!time) return this.noTime('at', cells.at);
    // A column that is an end only by its name may contain something else, or its own words for empty, so an error counts only if the user
    // chose it.
    if (!end && cells.end !== '' && typeof this.asked.end === 'string') return this.noTime('end', cells.end);
    this.zones.add(time.zone);
    this.sumNano += amount.nano;
    const again = (this.hashes.get(said) ?? 0) + 1;
    this.hashes.set(said, again);
    this.lines.push({
      line,
      at: time.at,
      spanMs: end ? spanTo(time, end) : time.spanMs,
      ...namesIn(cells),
      model: cells.model.slice(0, MAX_CELL),
      units: quantityOf(cells.units, form.amount),
      nano: amount.nano,
      hash: `${said}#${again}`,
    });
    return undefined;
  }

  private noTime(role: ColumnRole, cell: string): string {
    return t`Column ${this.nameOf(role)}: "${shown(cell)}" is not a time.`;
  }

  private timeOf(cell: string, form: Form): BillTime | undefined {
    const time = parseTime(cell, form.order, form.zone);
    const { zone } = this.asked;
    return time && time.zone === null && zone !== undefined ? { ...time, at: time.at - zone * MINUTE_MS, zone } : time;
  }

  private nameOf(role: ColumnRole): string {
    return this.header.columns[this.header.at[role] ?? -1]?.name ?? '';
  }

  /** An unread row may belong to a job, which must then not count as missing. */
  private keepTrace({ line, cells, fault }: RawLine): void {
    const names = namesIn(cells);
    if (names.remoteId + names.requestKey !== '') this.unreadNamed.push({ ...UNREAD, line, ...names });
    // A failed request has no amount, and a repeated header is no line, so neither is a gap.
    this.hasGaps ||= fault !== undefined || (cells.amount !== '' && cells.amount !== this.nameOf('amount'));
  }

  private skip(line: number, message: string): void {
    this.unread.count += 1;
    if (this.unread.lines.length < MAX_NAMED) this.unread.lines.push({ line, message });
  }
}

const namesIn = ({ remoteId, requestKey }: RawLine['cells']): Pick<BillLine, 'remoteId' | 'requestKey'> => ({
  remoteId: remoteId.slice(0, MAX_CELL),
  requestKey: requestKey.slice(0, MAX_CELL),
});
/** Short, because a bill may have a hundred thousand lines. */
const hashOf = (cells: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(cells)).digest('base64url').slice(0, 22);
const shown = (cell: string): string => (cell.length > 40 ? `${cell.slice(0, 40)}…` : cell);

/** Whether the row has no id and says "Total" in any cell. */
function isTotal(cells: readonly string[], used: RawLine['cells']): boolean {
  if (used.requestKey !== '' || used.amount === '') return false;
  const says = (cell: string): boolean => TOTALS.has(cell.trim().replace(/[:*]/g, '').trim().toLowerCase());
  if (used.remoteId !== '' && !says(used.remoteId)) return false;
  return cells.some((cell) => cell.length < 40 && says(cell));
}
