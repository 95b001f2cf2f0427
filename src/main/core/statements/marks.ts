import type { ColumnRole, StatementColumn } from '../../../shared/statement/statement.ts';
import { namesOf } from './assign.ts';
import type { BillLine } from './readBill.ts';
import type { DecisionRow } from './table.ts';

/** What a line says, whatever stands around it: a mark is the same for the same line in another text. */

type Said = [remoteId: string, requestKey: string, model: string, units: string, at: number, nano: number];

/** `again`: the first of lines that say the same is 1. */
export const markOf = (said: string, again: number): string => `${said}#${again}`;
export const saidBy = (said: Said): string => JSON.stringify(said);

/** Of a line of a bill; undefined for an entry of the ledger. */
function partsOf(mark: string): { said: Said; again: string; text: string } | undefined {
  const end = mark.lastIndexOf('#');
  if (!mark.startsWith('[') || end < 0) return undefined;
  const text = mark.slice(0, end);
  return { said: JSON.parse(text) as Said, again: mark.slice(end + 1), text };
}

type Parts = NonNullable<ReturnType<typeof partsOf>>;

const PER_TURN = 5_000;
const NAMES: ReadonlySet<ColumnRole> = new Set(['remoteId', 'requestKey']);
const TEXTS = ['remoteId', 'requestKey', 'model', 'units'] as const satisfies readonly ColumnRole[];

/**
 * Decisions, those about a line of this bill that was read with other columns under the mark that it has here: what was entered once is
 * entered. Generates between slices of the work.
 */
export function* decisionsHere(
  decisions: readonly DecisionRow[],
  bill: readonly BillLine[],
  columns: readonly StatementColumn[],
): Generator<void, DecisionRow[]> {
  const decided = new Set(decisions.map(({ mark }) => mark));
  const open = yield* openLines(bill, decided);
  const used = new Set(columns.map(({ role }) => role));
  const here: DecisionRow[] = [];
  const marks = new Set(bill.map(({ mark }) => mark));
  let turn = 0;
  for (const decision of decisions) {
    turn += 1;
    if (turn > PER_TURN) yield;
    if (turn > PER_TURN) turn = 0;
    const parts = open.size > 0 && !marks.has(decision.mark) ? partsOf(decision.mark) : undefined;
    const lines = parts && open.get(timeAndAmount(parts));
    turn += lines?.length ?? 0;
    const mark = lines && takeSame(lines, parts, used);
    here.push(mark === undefined ? decision : { ...decision, mark });
  }
  return here;
}

const timeAndAmount = ({ said: [, , , , at, nano] }: Parts): string => `${at} ${nano}`;

/** By time and amount: those that nothing was decided about. */
function* openLines(bill: readonly BillLine[], decided: ReadonlySet<string>): Generator<void, Map<string, Parts[]>> {
  const open = new Map<string, Parts[]>();
  if (decided.size === 0) return open;
  for (const [at, { mark }] of bill.entries()) {
    if (at % PER_TURN === PER_TURN - 1) yield;
    const parts = decided.has(mark) ? undefined : partsOf(mark);
    if (!parts) continue;
    const key = timeAndAmount(parts);
    const lines = open.get(key);
    if (lines) lines.push(parts);
    else open.set(key, [parts]);
  }
  return open;
}

/** Takes the line that was decided about out of these, and returns its mark; of several the one that comes as often before. */
function takeSame(lines: Parts[], decided: Parts, used: ReadonlySet<ColumnRole | undefined>): string | undefined {
  const fits = (line: Parts): boolean => isSame(decided, line, used);
  const found = lines.find((line) => line.again === decided.again && fits(line)) ?? lines.find(fits);
  if (!found) return undefined;
  lines.splice(lines.indexOf(found), 1);
  return markOf(found.text, Number(found.again));
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
