import type { ColumnRole, StatementColumn } from '../../../shared/money/statement/statement.ts';
import { type JobIndex, namesOf } from './jobIndex.ts';
import { type Parts, partsOf } from './lineMark.ts';
import type { BillLine } from './readBill.ts';
import type { DecisionRow } from './table.ts';

/** A bill as it was read. */
interface ReadHere {
  bill: readonly BillLine[];
  columns: readonly StatementColumn[];
  /** Statements of the same text: a line has the same number in each. */
  sameText: ReadonlySet<string>;
  index: JobIndex;
}

/** A line that nothing was decided about. */
interface OpenLine {
  id: string;
  mark: string;
  parts: Parts;
}

const DECISIONS_PER_TURN = 100;
const TEXTS = ['remoteId', 'requestKey', 'model', 'units'] as const satisfies readonly ColumnRole[];

const timeAndAmount = ({ said: [, , , , at, nano] }: Parts): string => `${at} ${nano}`;

/**
 * Decisions, those about a line that was read with other columns, or in another text, under the mark that it has here: what was entered once
 * is entered. All about one line go together. Generates between slices of the work.
 */
export function* decisionsHere(
  decisions: readonly DecisionRow[],
  { bill, columns, sameText, index }: ReadHere,
): Generator<void, DecisionRow[]> {
  const marks = new Set(bill.map(({ mark }) => mark));
  const gone = Map.groupBy(
    decisions.filter(({ mark }) => !marks.has(mark) && partsOf(mark)),
    ({ mark }) => mark,
  );
  if (gone.size === 0) return [...decisions];
  const open = openLines(bill, decisions);
  const used = new Set(columns.map(({ role }) => role));
  const markHere = new Map<string, string>();
  let turn = 0;
  for (const [mark, about] of gone) {
    turn += 1;
    if (turn % DECISIONS_PER_TURN === 0) yield;
    const parts = partsOf(mark) as Parts;
    const lines = open.get(timeAndAmount(parts)) ?? new Set();
    const jobId = about.findLast((decision) => decision.jobId !== null)?.jobId ?? null;
    const number = about.find(({ statementId }) => sameText.has(statementId))?.lineId;
    const line = likest(lines, (one) => (one.id === number ? 0 : rankOf(one.parts, parts, { used, jobId, index })));
    if (!line) continue;
    lines.delete(line);
    markHere.set(mark, line.mark);
  }
  return decisions.map((decision) => ({ ...decision, mark: markHere.get(decision.mark) ?? decision.mark }));
}

function openLines(bill: readonly BillLine[], decisions: readonly DecisionRow[]): Map<string, Set<OpenLine>> {
  const decided = new Set(decisions.map(({ mark }) => mark));
  const open = new Map<string, Set<OpenLine>>();
  for (const { line, mark } of bill) {
    const parts = decided.has(mark) ? undefined : partsOf(mark);
    if (!parts) continue;
    const key = timeAndAmount(parts);
    const lines = open.get(key) ?? new Set();
    open.set(key, lines.add({ id: `b${line}`, mark, parts }));
  }
  return open;
}

/** The first of the lowest rank. */
function likest(lines: Iterable<OpenLine>, rank: (line: OpenLine) => number | undefined): OpenLine | undefined {
  let found: { line: OpenLine; at: number } | undefined;
  for (const line of lines) {
    const at = rank(line);
    if (at !== undefined && (found === undefined || at < found.at)) found = { line, at };
    if (found?.at === 0) break;
  }
  return found?.line;
}

/**
 * How well a line here, of the same time and amount, is the one that was decided about; undefined if it is another. It says the same in all
 * that both say; what the bill here has a column for, and a line says nothing in, is not the same. A name may stand in the other column of
 * names, or without what it begins with. One that names the job that was decided on comes first, and one that names another job is no line
 * without a name. One that says the same in all is another line, by its number.
 */
function rankOf(
  here: Parts,
  decided: Parts,
  { used, jobId, index }: { used: ReadonlySet<ColumnRole | undefined>; jobId: string | null; index: JobIndex },
): number | undefined {
  if (here.text === decided.text) return undefined;
  const isSame = (role: (typeof TEXTS)[number]): boolean => {
    const at = TEXTS.indexOf(role);
    return decided.said[at] === '' || !used.has(role) || decided.said[at] === here.said[at];
  };
  if (!isSame('model') || !isSame('units')) return undefined;
  const [remoteId, requestKey] = here.said;
  const names = new Set(namesOf(remoteId, requestKey));
  const isNamed = namesOf(decided.said[0], decided.said[1]).some((name) => names.has(name));
  if (!isNamed && (!isSame('remoteId') || !isSame('requestKey'))) return undefined;
  const job = index.named({ remoteId, requestKey })?.job.id ?? null;
  if (job === jobId) return 0;
  if (job === null) return 1;
  return jobId === null || isNamed ? 2 : undefined;
}
