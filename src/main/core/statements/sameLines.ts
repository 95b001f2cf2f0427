import type { StatementLine } from '../../../shared/money/statement/statement.ts';
import { type BillJob, namesOf } from './billJobs.ts';
import { JobIndex } from './match.ts';
import type { BillLine } from './readBill.ts';
import type { DecisionRow } from './table.ts';

/** The lines of a bill that another export of it says in other words: in another order of columns, with more of them, or in other numbers. */

/** A line as it was shown when it was decided, with what the bill said. */
export type ShownLine = StatementLine & { said: Pick<BillLine, 'remoteId' | 'requestKey' | 'model'> };

/** A decision about a line that has another mark here, if it is here. */
interface Elsewhere {
  decision: DecisionRow;
  shown: ShownLine;
}

const timeAndAmount = (at: number, nano: number | undefined): string => `${at} ${nano}`;
/** The row that a mark is of, and which of those that say the same. */
const partsOf = (mark: string): string[] => mark.split('#');

/** Decisions under marks that this bill does not have, where it has a line of the same time and amount. */
export function decidedElsewhere(
  decisions: readonly DecisionRow[],
  lines: readonly BillLine[],
  marks: ReadonlySet<string>,
): Elsewhere[] {
  const gone = decisions
    .filter(({ mark }) => !marks.has(mark))
    .map((decision) => ({ decision, shown: JSON.parse(decision.shown) as ShownLine }));
  const times = new Set(gone.map(({ shown }) => shown.at));
  const then = lines.filter(({ at }) => times.has(at));
  const said = new Set(then.map(({ at, nano }) => timeAndAmount(at, nano)));
  return gone.filter(({ shown }) => said.has(timeAndAmount(shown.at, shown.billNano)));
}

/** Their marks here, by their own: of each the line that names its job, or else one that names no other. */
export function* marksHere(
  elsewhere: readonly Elsewhere[],
  { lines, decided, jobs }: { lines: readonly BillLine[]; decided: ReadonlySet<string>; jobs: readonly BillJob[] },
): Generator<void, Map<string, string>> {
  const found = new Map<string, string>();
  if (elsewhere.length === 0) return found;
  const index = yield* JobIndex.of(jobs);
  const areNamed = lines.some(({ remoteId, requestKey }) => remoteId + requestKey !== '');
  const open = openLines(elsewhere, lines, decided);
  const taken = new Set<string>();
  for (const one of elsewhere) {
    yield;
    const { decision, shown } = one;
    const key = timeAndAmount(shown.at, shown.billNano);
    const job = index.byId.get(decision.jobId ?? '');
    const then = namesOf(shown.said.remoteId, shown.said.requestKey);
    const names = [...then, ...(job ? namesOf(...job.ids, ...job.names) : [])];
    const named = names.flatMap((name) => open.get(`${key}\n${name}`) ?? []);
    const others = then.length > 0 && areNamed ? [] : (open.get(key) ?? []);
    const rank = (isNamed: boolean) => (line: BillLine) =>
      taken.has(line.mark) ? undefined : rankOf(line, one, index, isNamed);
    const line = likest(named, rank(true)) ?? likest(others, rank(false));
    if (!line) continue;
    taken.add(line.mark);
    found.set(decision.mark, line.mark);
  }
  return found;
}

/** Lines without a decision, by their time and amount, and by each of their names. */
function openLines(
  elsewhere: readonly Elsewhere[],
  lines: readonly BillLine[],
  decided: ReadonlySet<string>,
): ReadonlyMap<string, readonly BillLine[]> {
  const said = new Set(elsewhere.map(({ shown }) => timeAndAmount(shown.at, shown.billNano)));
  const open = new Map<string, BillLine[]>();
  for (const line of lines) {
    const key = timeAndAmount(line.at, line.nano);
    if (decided.has(line.mark) || !said.has(key)) continue;
    const names = new Set(namesOf(line.remoteId, line.requestKey));
    for (const of of [key, ...[...names].map((name) => `${key}\n${name}`)]) {
      const known = open.get(of);
      if (known) known.push(line);
      else open.set(of, [line]);
    }
  }
  return open;
}

/** The first of the lowest rank. */
function likest(lines: readonly BillLine[], rank: (line: BillLine) => number | undefined): BillLine | undefined {
  let found: BillLine | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    const one = rank(line) ?? Number.POSITIVE_INFINITY;
    if (one < least) [found, least] = [line, one];
    if (least === 0) break;
  }
  return found;
}

/** How well a line is the one that was decided about; undefined if it is another. One of the same words is another, by its number. */
function rankOf(line: BillLine, { decision, shown: { said } }: Elsewhere, index: JobIndex, isNamed: boolean) {
  const [row, again] = partsOf(line.mark);
  const [rowThen, againThen] = partsOf(decision.mark);
  const isModel = line.model === '' || said.model === '' || line.model === said.model;
  if (row === rowThen || !isModel) return undefined;
  const jobId = index.named(line)?.job.id ?? null;
  const least = again === againThen ? 0 : 0.5;
  if (jobId === decision.jobId) return least;
  if (jobId === null) return least + 1;
  return isNamed || decision.jobId === null ? least + 2 : undefined;
}
