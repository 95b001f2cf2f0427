import { create } from 'zustand';
import { ok, type Result, type StudioError } from '../../../../shared/contract/result.ts';
import {
  type AskedColumns,
  MAX_STATEMENT_TEXT,
  type Statement,
  type StatementColumn,
} from '../../../../shared/money/statement/statement.ts';
import { counted, t } from '../../../../shared/text/texts.ts';
import { announce, navigate } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { tableImport } from '../../../tableImport/index.ts';
import { ANY_DATE, type DateChoice, timesOf } from '../../../ui/index.ts';
import type { ColumnChoice } from './words.ts';

interface View {
  /** The chosen columns; undefined: as for the last bill of this kind, or by their names. */
  columns?: AskedColumns | undefined;
  dates: DateChoice;
  profileId?: string | undefined;
  statement?: Statement | undefined;
  error?: StudioError | undefined;
  isReading: boolean;
  /** The bill on the page, set before it is loaded; undefined while another text is read. Answers about other bills change nothing here. */
  id?: string | undefined;
  /** Counts the calls; an answer to an earlier call is ignored. */
  turn: number;
}

/** The bill on the page. Input stays when the page is left. */
export const useStatementView = create<View>()(() => ({
  dates: ANY_DATE,
  isReading: false,
  turn: 0,
}));
const { getState: view, setState: set } = useStatementView;

/** The text of the bill. After a restart only the result of reading it is left. */
export const bill = tableImport({
  fileLabel: t`File with the bill`,
  accept: '.csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values',
  columns: [],
  formats: ['csv'],
  mostCharacters: MAX_STATEMENT_TEXT,
  onGiven: (hasText) => hasText && void readStatement({ columns: undefined }),
});

export const useHasText = (): boolean => bill.useDraft(({ text }) => text !== '');

/** Starts a call. The returned function says whether no other was started since. */
function begin(change: Partial<View>): () => boolean {
  const turn = view().turn + 1;
  set({ ...change, turn });
  return () => view().turn === turn;
}

export const openStatement = (id: string): void => navigate('spend', { id }, 'statement');

/** Reads the text again, for another gateway, other columns or another period. */
export async function readStatement(
  change: Partial<Pick<View, 'columns' | 'dates' | 'profileId'>> = {},
): Promise<void> {
  set(change);
  const { columns, dates, profileId } = view();
  const { text, name } = bill.useDraft.getState();
  if (text === '') return;
  const isLast = begin({ id: undefined, isReading: true, error: undefined });
  const answer = await call('statement.read', {
    text,
    ...(name === undefined ? {} : { name }),
    ...(profileId === undefined ? {} : { profileId }),
    ...(columns === undefined ? {} : { columns }),
    ...timesOf(dates, Date.now()),
  });
  if (!isLast()) return;
  set({ isReading: false });
  if (!answer.ok) return set({ error: answer.error, statement: undefined });
  showStatement(answer.data);
  openStatement(answer.data.id);
  announce(
    answer.data.open === 0 ? t`The bill and the ledger agree` : t`${counted(answer.data.open, 'line')} to decide`,
  );
}

/** The choices for this bill, or for the last one of its kind. */
const chosen = (): AskedColumns => view().columns ?? view().statement?.asked ?? {};

/** Reads with other columns, in the chosen zone. */
export const readColumns = (columns: AskedColumns): void => readBy(columns, chosen().zone);

/** Reads in another zone; undefined if it is not known. */
export const readInZone = (zone: number | undefined): void => readBy(chosen(), zone);

function readBy({ zone: _, ...columns }: AskedColumns, zone: number | undefined): void {
  void readStatement({ columns: { ...columns, ...(zone === undefined ? {} : { zone }) } });
}

const showStatement = (statement: Statement): void =>
  set({ id: statement.id, statement, profileId: statement.profileId, error: undefined });

/** A bill that was just read is shown already. */
export async function loadStatement(id: string): Promise<void> {
  if (view().statement?.id === id) return;
  bill.useDraft.setState({ text: '', name: undefined });
  set({ id, statement: undefined, isReading: true });
  await refreshStatement(id);
}

/** Does nothing if another bill is shown by now. */
export async function refreshStatement(id: string): Promise<void> {
  if (id !== view().id) return;
  const isLast = begin({});
  const answer = await call('statement.get', { id });
  if (!isLast()) return;
  set({ isReading: false });
  if (answer.ok) showStatement(answer.data);
  else set({ error: answer.error, statement: undefined });
}

const shownId = (): string => view().statement?.id ?? '';

/** Decides about lines, and shows the updated statement. */
export async function settle(lines: string[], as: 'adopt' | 'keep', id = shownId()): Promise<Result<Statement>> {
  return shown(id, await call('statement.settle', { id, lines, as }));
}

export async function takeBack(line: string): Promise<Result<Statement>> {
  const id = shownId();
  return shown(id, await call('statement.undo', { id, lines: [line] }));
}

export async function matchLine(line: string, jobId: string | null): Promise<Result<Statement>> {
  const id = shownId();
  return shown(id, await call('statement.match', { id, line, jobId }));
}

function shown(id: string, answer: Result<Statement>): Result<Statement> {
  if (id !== view().id) return answer;
  begin({ isReading: false });
  if (answer.ok) showStatement(answer.data);
  return answer;
}

/** Decides all lines with a clear answer, some hundred at a time, for this bill even if another one is shown meanwhile. */
export const settleClear = (statement: Statement): Promise<Result<Statement>> =>
  settleAll(
    statement,
    ({ clear }) => clear.count,
    async ({ clear }) => ok(clear.ids),
  );

/** Enters the lines that match the lower price. */
export const settleCheaper = (statement: Statement): Promise<Result<Statement>> =>
  settleAll(
    statement,
    ({ cheaper }) => cheaper.lines,
    async ({ id }) => {
      const page = await call('statement.lines', { id, group: 'cheaper', limit: 200 });
      return page.ok ? ok(page.data.lines.map((line) => line.id)) : page;
    },
  );

async function settleAll(
  statement: Statement,
  countOf: (now: Statement) => number,
  linesOf: (now: Statement) => Promise<Result<string[]>>,
): Promise<Result<Statement>> {
  let now = statement;
  for (let before = Number.POSITIVE_INFINITY; countOf(now) > 0 && countOf(now) < before; ) {
    before = countOf(now);
    const lines = await linesOf(now);
    const answer = lines.ok ? await settle(lines.data, 'adopt', statement.id) : lines;
    if (!answer.ok) return answer;
    now = answer.data;
  }
  return ok(now);
}

/** The current columns, with another role for one of them. */
export function withColumn(columns: readonly StatementColumn[], name: string, choice: ColumnChoice): AskedColumns {
  const next: AskedColumns = {};
  for (const { name: own, role, unit } of columns) {
    if (role === undefined || own === name) continue;
    next[role] = own;
    if (unit) next.unit = unit;
  }
  const before = columns.find((column) => column.name === name)?.role;
  if (before !== undefined) next[before] = null;
  if (choice === 'unused') return next;
  const isAmount = choice === 'dollar' || choice === 'cent' || choice === 'micro' || choice === 'nano';
  if (isAmount) return { ...next, amount: name, unit: choice };
  return { ...next, [choice]: name };
}
