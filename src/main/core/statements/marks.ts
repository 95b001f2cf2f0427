import type { ColumnRole, StatementColumn } from '../../../shared/statement/statement.ts';
import { namesOf } from './assign.ts';
import { markOf, type Parts, partsOf } from './lineMark.ts';
import type { BillLine } from './readBill.ts';
import type { DecisionRow } from './table.ts';

/** A bill as it was read. */
interface ReadHere {
  bill: readonly BillLine[];
  columns: readonly StatementColumn[];
  /** Statements of the same text: a line has the same number in each. */
  sameText: ReadonlySet<string>;
}

const LINES_PER_TURN = 5_000;
/** Each may be compared with all lines of a day. */
const DECISIONS_PER_TURN = 100;
const NAMES: ReadonlySet<ColumnRole> = new Set(['remoteId', 'requestKey']);
const TEXTS = ['remoteId', 'requestKey', 'model', 'units'] as const satisfies readonly ColumnRole[];

interface Known extends Pick<ReadHere, 'sameText'> {
  /** Lines that nothing was decided about, by time and amount, and by their number. */
  open: Map<string, Parts[]>;
  byLine: Map<string, Parts>;
  used: ReadonlySet<ColumnRole | undefined>;
}

/**
 * Decisions, those about a line of this bill that was read with other columns under the mark that it has here: what was entered once is
 * entered. Generates between slices of the work.
 */
export function* decisionsHere(
  decisions: readonly DecisionRow[],
  { bill, columns, sameText }: ReadHere,
): Generator<void, DecisionRow[]> {
  const used = new Set(columns.map(({ role }) => role));
  const known = { sameText, used, open: new Map<string, Parts[]>(), byLine: new Map<string, Parts>() };
  yield* addOpen(known, bill, decisions);
  const marks = new Set(bill.map(({ mark }) => mark));
  const here: DecisionRow[] = [];
  for (const [at, decision] of decisions.entries()) {
    if (at % DECISIONS_PER_TURN === DECISIONS_PER_TURN - 1) yield;
    const mark = marks.has(decision.mark) ? undefined : markHere(decision, known);
    here.push(mark === undefined ? decision : { ...decision, mark });
  }
  return here;
}

function markHere({ mark, lineId, statementId }: DecisionRow, known: Known): string | undefined {
  const decided = partsOf(mark);
  if (!decided) return undefined;
  const numbered = known.sameText.has(statementId) ? known.byLine.get(lineId) : undefined;
  if (numbered && numbered.said.at(-1) === decided.said.at(-1))
    return take(known, numbered, [(line) => line === numbered]);
  const isIt: Fits = (line) => isSame(decided, line, known.used);
  // Of lines that say the same the one that comes as often before, else any.
  return take(known, decided, [(line) => line.again === decided.again && isIt(line), isIt]);
}

const timeAndAmount = ({ said: [, , , , at, nano] }: Parts): string => `${at} ${nano}`;

function* addOpen(
  { open, byLine }: Known,
  bill: readonly BillLine[],
  decisions: readonly DecisionRow[],
): Generator<void, void> {
  if (decisions.length === 0) return;
  const decided = new Set(decisions.map(({ mark }) => mark));
  for (const [at, { mark, line }] of bill.entries()) {
    if (at % LINES_PER_TURN === LINES_PER_TURN - 1) yield;
    const parts = decided.has(mark) ? undefined : partsOf(mark);
    if (!parts) continue;
    byLine.set(`b${line}`, parts);
    const key = timeAndAmount(parts);
    const lines = open.get(key);
    if (lines) lines.push(parts);
    else open.set(key, [parts]);
  }
}

type Fits = (line: Parts) => boolean;

/** Takes the line that was decided about out of those of this time and amount, and returns its mark. */
function take({ open }: Known, like: Parts, fits: readonly Fits[]): string | undefined {
  const lines = open.get(timeAndAmount(like)) ?? [];
  for (const isIt of fits) {
    const at = lines.findIndex(isIt);
    const [found] = at < 0 ? [] : lines.splice(at, 1);
    if (found) return markOf(found.text, Number(found.again));
  }
  return undefined;
}

/** Whether all that both say is the same. What the bill here has a column for, and the line says nothing in, is not. */
function isSame(decided: Parts, line: Parts, used: ReadonlySet<ColumnRole | undefined>): boolean {
  // One that says the same and is another one by its number is another line.
  if (decided.text === line.text) return false;
  const differs = TEXTS.filter((role, at) => {
    const [was, is] = [decided.said[at], line.said[at]];
    return was !== is && was !== '' && (is !== '' || used.has(role));
  });
  // A name may stand in the other column of names, or without what it begins with.
  return differs.length === 0 || (differs.every((role) => NAMES.has(role)) && haveOneName(decided, line));
}

function haveOneName({ said: [id, key] }: Parts, { said: [otherId, otherKey] }: Parts): boolean {
  const names = namesOf(id, key);
  return namesOf(otherId, otherKey).some((name) => names.includes(name));
}
