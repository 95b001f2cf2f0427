import { createHash } from 'node:crypto';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { Nano } from '../../../shared/money/money.ts';
import {
  type AskedColumns,
  type ColumnRole,
  MAX_STATEMENT_LINES,
  type StatementColumn,
  type UnreadLine,
} from '../../../shared/money/statement/statement.ts';
import { type CsvRow, csvRows, plainCell } from '../../../shared/tables/csv.ts';
import { formatCount, t } from '../../../shared/text/texts.ts';
import { type AmountForm, hasDecimalComma, isDollars, parseAmount, quantityOf } from './amounts.ts';
import { type Header, headerOf, namesOf } from './billHeader.ts';
import { markOf, saidBy } from './lineMark.ts';
import type { BillTime, DateOrder } from './times.ts';
import { MINUTE_MS, needsOrder, orderIn, parseTime, spanTo, zoneOfHeader } from './times.ts';
import { type Above, addUnread, isTotal, togetherOf, totalSays, type UnreadTimes } from './unread.ts';

/** A line of a bill. */
export interface BillLine {
  /** Where it stands in the text; the first line is 1. */
  line: number;
  at: number;
  /** How much of time `at` names. */
  spanMs: number;
  remoteId: string;
  requestKey: string;
  model: string;
  units: number | null;
  nano: Nano;
  /** The same for the same line in another text, whatever stands around it. */
  mark: string;
}

export interface ReadBill {
  lines: BillLine[];
  columns: StatementColumn[];
  zoneMinutes?: number;
  isZoneAssumed: boolean;
  isMonthFirst: boolean;
  /** Lines that are finer than a nano-dollar; absent without one. */
  rounded?: number;
  unread: { count: number; lines: UnreadLine[] };
  /** When rows are that may be lines, and could not be read. */
  unreadAt: UnreadTimes;
  /** What such rows name, also those without an amount: lines without a mark. */
  unreadNamed: BillLine[];
}

/** One turn of the event loop reads no more lines, or characters, than this. */
const LINES_PER_TURN = 500;
const TEXT_PER_TURN = 500_000;
const MAX_CELL = 200;
const MAX_LINE = 100_000;
/** Unread lines that are named; all are counted. */
const MAX_NAMED = 100;
const UNREAD = { at: 0, spanMs: 0, model: '', units: null, nano: 0, mark: '' };

interface Form {
  order: DateOrder;
  zone: number | null;
  amount: AmountForm;
}

interface RawLine {
  line: number;
  cells: Record<ColumnRole, string>;
  isTotal: boolean;
  fault?: string;
  /** With a fault: others may have become a part of it. */
  isSeveral?: boolean;
}

/** Reads the text of a bill, a slice at a time; `nextTurn` lets other work go on in between. */
export async function readBill(
  text: string,
  asked: AskedColumns,
  nextTurn: () => Promise<unknown>,
): Promise<Result<ReadBill>> {
  const long = longLine(text);
  if (long !== undefined)
    return fail('invalid_input', t`text: line ${long} has more than 100,000 characters; this is no table.`, {
      field: 'text',
    });
  const header = await headerOf(text, asked, nextTurn);
  if (!header.ok) return header;
  return new BillReader(header.data, asked, nextTurn).read(text);
}

/** The first line that is too long to be cells: splitting it would take long. */
function longLine(text: string): number | undefined {
  let line = 1;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== 10 && code !== 13) {
      if (at - from >= MAX_LINE) return line;
      continue;
    }
    if (code === 10 || text.charCodeAt(at + 1) !== 10) line += 1;
    from = at + 1;
  }
  return undefined;
}

class BillReader {
  private readonly header: Header;
  private readonly asked: AskedColumns;
  private readonly nextTurn: () => Promise<unknown>;
  private readonly raw: RawLine[] = [];
  private readonly lines: BillLine[] = [];
  private readonly unread = { count: 0, lines: [] as UnreadLine[] };
  /** By their words without the cell: where each stands first, and how often. */
  private readonly faults = new Map<string, UnreadLine & { count: number }>();
  private readonly unreadAt: UnreadTimes = { nameless: [], named: [] };
  private readonly unreadNamed: BillLine[] = [];
  private readonly marks = new Map<string, number>();
  private readonly zones = new Set<number>();
  private isZoneAssumed = false;
  private readonly above: Above = { sumNano: 0, rounded: 0 };

  constructor(header: Header, asked: AskedColumns, nextTurn: () => Promise<unknown>) {
    this.header = header;
    this.asked = asked;
    this.nextTurn = nextTurn;
  }

  async read(text: string): Promise<Result<ReadBill>> {
    if (!(await this.split(text)))
      return fail(
        'too_large',
        t`text: has more than ${formatCount(MAX_STATEMENT_LINES)} lines; read the bill in parts.`,
        { field: 'text' },
      );
    const form = this.formOf();
    for (const [index, raw] of this.raw.entries()) {
      if (index % LINES_PER_TURN === LINES_PER_TURN - 1) await this.nextTurn();
      const fault = raw.fault ?? this.readLine(raw, form);
      if (fault === undefined) continue;
      this.skip(raw.line, fault);
      this.countFault(raw.line, fault);
      if (!raw.isTotal) this.keepTrace(raw, form);
    }
    if (this.lines.length === 0) return this.nothingRead();
    const [zone] = this.zones;
    return ok({
      lines: this.lines,
      columns: this.header.columns,
      ...(this.zones.size === 1 && !this.isZoneAssumed && zone !== undefined ? { zoneMinutes: zone } : {}),
      isZoneAssumed: this.isZoneAssumed,
      isMonthFirst: form.isAmbiguous,
      ...(this.above.rounded > 0 ? { rounded: this.above.rounded } : {}),
      unread: { count: this.unread.count, lines: this.unread.lines.sort((a, b) => a.line - b.line) },
      unreadAt: togetherOf(this.unreadAt),
      unreadNamed: this.unreadNamed,
    });
  }

  private nothingRead(): Result<never> {
    const [most] = [...this.faults.values()].sort((a, b) => b.count - a.count);
    const why = most ? `Line ${most.line}: ${most.message}` : t`There is no line below the header.`;
    const data = { field: 'text', unread: this.unread, columns: namesOf(this.header), found: this.header.columns };
    return fail('invalid_input', t`text: no line of it could be read. ${why}`, data);
  }

  /** The rows below the header, with the cells that are used; false if there are too many. */
  private async split(text: string): Promise<boolean> {
    const { separator, line: headerLine } = this.header;
    let turn = { rows: 0, text: 0 };
    for (const row of csvRows(text, separator, { withEmpty: true })) {
      if (row.line > headerLine || isEmpty(row)) this.keep(row);
      else if (row.line < headerLine) this.skip(row.line, t`It stands above the header.`);
      if (this.raw.length > MAX_STATEMENT_LINES) return false;
      turn = { rows: turn.rows + 1, text: turn.text + row.end - row.start };
      if (turn.rows < LINES_PER_TURN && turn.text < TEXT_PER_TURN) continue;
      turn = { rows: 0, text: 0 };
      await this.nextTurn();
    }
    return true;
  }

  private keep(row: CsvRow): void {
    const { line, cells, fault } = row;
    if (isEmpty(row)) return this.skip(line, t`It is empty.`);
    const { at } = this.header;
    const cellOf = (role: ColumnRole): string => {
      const index = at[role];
      return index === undefined ? '' : plainCell(cells[index] ?? '').trim();
    };
    const used = {
      at: cellOf('at'),
      end: cellOf('end'),
      remoteId: cellOf('remoteId'),
      requestKey: cellOf('requestKey'),
      model: cellOf('model'),
      amount: cellOf('amount'),
      units: cellOf('units'),
      currency: cellOf('currency'),
    };
    const isSeveral = cells.some((cell) => cell.includes('\n') || cell.includes('\r'));
    const what = fault === undefined ? {} : { fault: `It ${fault}`, isSeveral };
    this.raw.push({ line, cells: used, isTotal: isTotal(cells, used), ...what });
  }

  private formOf() {
    const { separator, columns, at } = this.header;
    const unit = columns.find(({ role }) => role === 'amount')?.unit ?? 'dollar';
    const times = function* (raw: readonly RawLine[]) {
      for (const { cells } of raw) yield* [cells.at, cells.end];
    };
    const amounts = function* (raw: readonly RawLine[]) {
      for (const { cells } of raw) yield cells.amount;
    };
    const order = orderIn(times(this.raw));
    const zone = zoneOfHeader(columns[at.at ?? -1]?.name ?? '');
    const amount: AmountForm = { unit, isDecimalComma: hasDecimalComma(amounts(this.raw), { separator, unit }) };
    const isAmbiguous = order === undefined && this.raw.some(({ cells }) => needsOrder(cells.at));
    return { order: order ?? ('monthFirst' satisfies DateOrder), isAmbiguous, zone, amount };
  }

  /** Returns why it is not read. */
  private readLine({ line, cells, isTotal: isSum }: RawLine, form: Form): string | undefined {
    const amount = parseAmount(cells.amount, form.amount);
    if (isSum) return totalSays('nano' in amount ? amount.nano : undefined, this.above);
    if (!('fault' in amount) && cells.at === '') return t`It has no time.`;
    if ('fault' in amount) return `Column ${this.nameOf('amount')}: "${shown(cells.amount)}" ${amount.fault}`;
    if (!isDollars(cells.currency))
      return t`Column ${this.nameOf('currency')}: ${shown(cells.currency)}, and only dollars can be compared.`;
    const time = this.timeOf(cells.at, form);
    if (!time) return t`Column ${this.nameOf('at')}: "${shown(cells.at)}" is no time.`;
    const spanMs = this.spanOf(time, cells, form);
    if (spanMs === undefined) return t`Column ${this.nameOf('end')}: "${shown(cells.end)}" is no time.`;
    if (time.zone === null) this.isZoneAssumed = true;
    else this.zones.add(time.zone);
    if (amount.isRounded) this.above.rounded += 1;
    const units = quantityOf(cells.units, form.amount);
    this.add({ line, ...time, spanMs, nano: amount.nano, units, cells });
    return undefined;
  }

  /** `statedAt`: the same in whichever zone a time that states none is read, so that a decision stays with its line. */
  private timeOf(cell: string, form: Form): (BillTime & { statedAt: number }) | undefined {
    const time = parseTime(cell, form.order, form.zone);
    if (!time || time.zone !== null) return time && { ...time, statedAt: time.at };
    const zone = this.asked.zone ?? null;
    return { ...time, at: time.at - (zone ?? 0) * MINUTE_MS, zone, statedAt: time.at };
  }

  /**
   * How much of time a row is about. Undefined if its end is no time in a column that was chosen: one that has but the name of an end may be
   * of something else, or empty in its own words.
   */
  private spanOf(time: BillTime, { end: cell }: RawLine['cells'], form: Form): number | undefined {
    if (cell === '') return time.spanMs;
    const end = this.timeOf(cell, form);
    if (end) return spanTo(time, end);
    return typeof this.asked.end === 'string' ? undefined : time.spanMs;
  }

  private add({
    line,
    at,
    statedAt,
    spanMs,
    nano,
    units,
    cells,
  }: Pick<BillLine, 'line' | 'at' | 'spanMs' | 'nano' | 'units'> & Pick<RawLine, 'cells'> & { statedAt: number }) {
    const [remoteId, requestKey, model] = [cells.remoteId, cells.requestKey, cells.model].map(kept);
    const said = saidBy([remoteId ?? '', requestKey ?? '', model ?? '', cells.units.slice(0, 40), statedAt, nano]);
    const again = (this.marks.get(said) ?? 0) + 1;
    this.marks.set(said, again);
    this.above.sumNano += nano;
    this.lines.push({
      line,
      at,
      spanMs,
      remoteId: remoteId ?? '',
      requestKey: requestKey ?? '',
      model: model ?? '',
      units,
      nano,
      mark: markOf(said, again),
    });
  }

  private nameOf(role: ColumnRole): string {
    return this.header.columns[this.header.at[role] ?? -1]?.name ?? '';
  }

  /** A row that could not be read may be that of a job, which is not missing then. */
  private keepTrace({ line, cells, fault, isSeveral = false }: RawLine, form: Form): void {
    const [remoteId, requestKey] = [kept(cells.remoteId), kept(cells.requestKey)];
    const isNamed = remoteId !== '' || requestKey !== '';
    if (isNamed) this.unreadNamed.push({ ...UNREAD, line, remoteId, requestKey });
    // A request that failed has no amount, and a header that is repeated is none.
    if (fault === undefined && (cells.amount === '' || cells.amount === this.nameOf('amount'))) return;
    const time = isSeveral ? undefined : this.timeOf(cells.at, form);
    const spanMs = time && this.spanOf(time, cells, form);
    addUnread(this.unreadAt, isNamed && !isSeveral, time && spanMs !== undefined ? { ...time, spanMs } : undefined);
  }

  /** What is wrong with most rows is what is wrong with the bill; the first one may be a line of units. */
  private countFault(line: number, message: string): void {
    const what = message.replace(/"[^"]*"/, '');
    const known = this.faults.get(what);
    if (known) known.count += 1;
    else if (this.faults.size < MAX_NAMED) this.faults.set(what, { line, message, count: 1 });
  }

  private skip(line: number, message: string): void {
    this.unread.count += 1;
    if (this.unread.lines.length < MAX_NAMED) this.unread.lines.push({ line, message });
  }
}

const kept = (cell: string): string => cell.slice(0, MAX_CELL);
const shown = (cell: string): string => (cell.length > 40 ? `${cell.slice(0, 40)}…` : cell);

const isEmpty = ({ cells }: CsvRow): boolean => cells.every((cell) => cell.trim() === '');

export async function hashOf(text: string, nextTurn: () => Promise<unknown>): Promise<string> {
  const hash = createHash('sha256');
  for (let from = 0; from < text.length; from += TEXT_PER_TURN) {
    hash.update(text.slice(from, from + TEXT_PER_TURN));
    await nextTurn();
  }
  return hash.digest('hex');
}
