import type { Nano } from '../../../../shared/money/money.ts';
import type { Statement, StatementLine } from '../../../../shared/money/statement/statement.ts';
import { csvCell } from '../../../../shared/tables/csv.ts';
import { t } from '../../../../shared/text/texts.ts';
import { call } from '../../../client/index.ts';
import { saveText } from '../../../media/saveText.ts';
import { findingWords, GROUP_WORDS, type OpenGroup } from './words.ts';

/** The findings as a table: every line that differs, and every line that was not read. */

const GROUPS: readonly OpenGroup[] = ['onlyBill', 'onlyLedger', 'differs'];
const HEADER = [
  'finding',
  'line',
  'time',
  'model',
  'id',
  'job',
  'bill_usd',
  'ledger_usd',
  'in_doubt_usd',
  'what',
  'decided',
];
const DECIDED = { adopt: 'entered', keep: 'kept' } as const;

const dollars = (nano: Nano | undefined): string => {
  if (nano === undefined) return '';
  const digits = String(Math.abs(nano)).padStart(10, '0');
  return `${nano < 0 ? '-' : ''}${digits.slice(0, -9)}.${digits.slice(-9)}`;
};

/** A negative amount is not a spreadsheet formula, so it needs no escape. */
const cellOf = (text: string): string => (/^-?\d{1,16}\.\d{9}$/.test(text) ? text : csvCell(text));

function rowOf(name: string, line: StatementLine): string[] {
  return [
    name,
    String(line.line ?? ''),
    line.day ?? new Date(line.at).toISOString(),
    line.model ?? '',
    line.remoteId ?? '',
    line.jobId ?? '',
    dollars(line.billNano),
    dollars(line.ledgerNano),
    dollars(line.uncertainNano),
    findingWords(line),
    line.decided ? DECIDED[line.decided.as] : '',
  ];
}

async function linesOf(id: string, group: OpenGroup): Promise<StatementLine[]> {
  const lines: StatementLine[] = [];
  let cursor: string | undefined = '0';
  while (cursor !== undefined) {
    const page: Awaited<ReturnType<typeof call<'statement.lines'>>> = await call('statement.lines', {
      id,
      group,
      cursor,
      limit: 500,
    });
    if (!page.ok) break;
    lines.push(...page.data.lines);
    cursor = page.data.nextCursor;
  }
  return lines;
}

export async function findingsCsv({ id, unread }: Pick<Statement, 'id' | 'unread'>): Promise<string> {
  const rows: string[][] = [HEADER];
  for (const group of GROUPS) rows.push(...(await linesOf(id, group)).map((line) => rowOf(GROUP_WORDS[group], line)));
  for (const { line, message } of unread.lines)
    rows.push([t`Not read`, String(line), '', '', '', '', '', '', '', message, '']);
  return rows.map((row) => row.map(cellOf).join(',')).join('\r\n');
}

export const saveFindings = async (statement: Statement): Promise<void> =>
  saveText(`${(statement.name ?? 'bill').replace(/\.csv$/i, '')}-findings.csv`, await findingsCsv(statement));
