import type { ColumnRole, StatementColumn } from '../../../shared/statement/statement.ts';
import type { BillJob } from './billJobs.ts';
import { JobIndex, namesOf } from './jobIndex.ts';
import { markOf, type Parts, partsOf } from './lineMark.ts';
import type { BillLine } from './readBill.ts';
import type { DecisionRow } from './table.ts';

/** A bill as it was read. */
interface ReadHere {
  bill: readonly BillLine[];
  columns: readonly StatementColumn[];
  /** Statements of the same text: a line has the same number in each. */
  sameText: ReadonlySet<string>;
  /** Those that its lines name, at least. */
  jobs: readonly BillJob[];
}

const LINES_PER_TURN = 5_000;
const DECISIONS_PER_TURN = 500;
const NAMES: ReadonlySet<ColumnRole> = new Set(['remoteId', 'requestKey']);
const TEXTS = ['remoteId', 'requestKey', 'model', 'units'] as const satisfies readonly ColumnRole[];
type TextRole = (typeof TEXTS)[number];

/**
 * Decisions, those about a line of this bill that was read with other columns under the mark that it has here: what was entered once is
 * entered. All about one line go together. Generates between slices of the work.
 */
export function* decisionsHere(
  decisions: readonly DecisionRow[],
  { bill, columns, sameText, jobs }: ReadHere,
): Generator<void, DecisionRow[]> {
  const marks = new Set(bill.map(({ mark }) => mark));
  const gone = decisions.filter(({ mark }) => !marks.has(mark) && partsOf(mark));
  if (gone.length === 0) return [...decisions];
  const decided = new Set(decisions.map(({ mark }) => mark));
  const open = new Map<string, Parts>();
  for (const [at, { mark, line }] of bill.entries()) {
    if (at % LINES_PER_TURN === LINES_PER_TURN - 1) yield;
    const parts = decided.has(mark) ? undefined : partsOf(mark);
    if (parts) open.set(`b${line}`, parts);
  }
  const lines = new OpenLines(open, { gone, jobs, used: new Set(columns.map(({ role }) => role)) });
  const markHere = new Map<string, string>();
  let turn = 0;
  for (const [mark, about] of Map.groupBy(gone, (decision) => decision.mark)) {
    turn += 1;
    if (turn % DECISIONS_PER_TURN === 0) yield;
    const numbered = about.find(({ statementId }) => sameText.has(statementId))?.lineId;
    const jobId = about.findLast((decision) => decision.jobId !== null)?.jobId ?? null;
    const found = yield* lines.take(partsOf(mark) as Parts, { numbered, jobId });
    if (found) markHere.set(mark, markOf(found.text, Number(found.again)));
  }
  return decisions.map((decision) => ({ ...decision, mark: markHere.get(decision.mark) ?? decision.mark }));
}

interface Sought {
  /** Its line, in a statement of the same text. */
  numbered: string | undefined;
  /** The job that was decided on. */
  jobId: string | null;
}

/** The last first. */
type Lists = Map<string, Parts[]>;

interface Lookup {
  lists: Lists;
  key: string;
  isNamed: boolean;
}

const timeAndAmount = ({ said: [, , , , at, nano] }: Parts): string => `${at} ${nano}`;

/** Lines that nothing was decided about. */
class OpenLines {
  private readonly byNumber: ReadonlyMap<string, Parts>;
  /** Of the time and amount of a decision; the last first. */
  private readonly lines: readonly Parts[];
  private readonly times: ReadonlySet<string>;
  private readonly jobs: readonly BillJob[];
  private index: JobIndex | undefined;
  private readonly used: ReadonlySet<ColumnRole | undefined>;
  private readonly indexes = new Map<string, Lists>();
  private readonly taken = new Set<Parts>();

  constructor(
    byNumber: ReadonlyMap<string, Parts>,
    { gone, jobs, used }: { gone: readonly DecisionRow[]; jobs: readonly BillJob[]; used: OpenLines['used'] },
  ) {
    const wanted = new Set(gone.map(({ mark }) => timeAndAmount(partsOf(mark) as Parts)));
    this.byNumber = byNumber;
    this.lines = [...byNumber.values()].filter((line) => wanted.has(timeAndAmount(line))).reverse();
    this.times = new Set(this.lines.map(timeAndAmount));
    this.jobs = jobs;
    this.used = used;
  }

  /** The line that was decided about; no other decision gets it. */
  *take(decided: Parts, { numbered, jobId }: Sought): Generator<void, Parts | undefined> {
    const same = numbered === undefined ? undefined : this.byNumber.get(numbered);
    const found = same && same.said.at(-1) === decided.said.at(-1) ? this.free(same) : yield* this.like(decided, jobId);
    if (found) this.taken.add(found);
    return found;
  }

  private free = (line: Parts): Parts | undefined => (this.taken.has(line) ? undefined : line);

  /**
   * One that says the same in all that both say; what the bill here has a column for, and a line says nothing in, is not the same. A name
   * may stand in the other column of names, or without what it begins with. The one that names the job that was decided on comes first, and
   * one that names another job is no line without a name.
   */
  private *like(decided: Parts, jobId: string | null): Generator<void, Parts | undefined> {
    const lookups = this.times.has(timeAndAmount(decided)) ? yield* this.lookupsOf(decided) : [];
    for (const job of jobId === null ? ['', null] : [jobId, '', null])
      for (const { lists, key, isNamed } of lookups) {
        if (job === null && jobId !== null && !isNamed) continue;
        // Of lines that say the same the one that comes as often before, else any.
        const found =
          this.first(lists.get(slotOf(key, job, decided.again)), decided) ??
          this.first(lists.get(slotOf(key, job, null)), decided);
        if (found) return found;
      }
    return undefined;
  }

  /** Where a line that may be it stands; `isNamed`: because of a name that it has. */
  private *lookupsOf(decided: Parts): Generator<void, Lookup[]> {
    const roles = TEXTS.filter((role, at) => decided.said[at] !== '' && this.used.has(role));
    const others = roles.filter((role) => !NAMES.has(role));
    const names = namesHere(decided);
    const isNamed = roles.length > others.length;
    const lookups = [{ lists: yield* this.by(roles, false), key: keyOf(decided, roles), isNamed }];
    if (names.length > 0) {
      const lists = yield* this.by(others, true);
      for (const name of names) lookups.push({ lists, key: `${keyOf(decided, others)} ${name}`, isNamed: true });
    }
    return lookups;
  }

  /** One that says the same as what was decided about, and is another one by its number, is another line. */
  private first(lines: Parts[] | undefined, { text }: Parts): Parts | undefined {
    while (lines?.length && this.taken.has(lines.at(-1) as Parts)) lines.pop();
    return lines?.findLast((line) => !this.taken.has(line) && line.text !== text);
  }

  /** By what they say in these columns; `withName`: and by each of their names. */
  private *by(roles: readonly TextRole[], withName: boolean): Generator<void, Lists> {
    const id = JSON.stringify([roles, withName]);
    const known = this.indexes.get(id);
    if (known) return known;
    this.index ??= yield* JobIndex.of(this.jobs);
    const lists: Lists = new Map();
    for (const [at, line] of this.lines.entries()) {
      if (at % LINES_PER_TURN === LINES_PER_TURN - 1) yield;
      const [remoteId, requestKey] = line.said;
      const job = this.index.named({ remoteId, requestKey })?.job.id ?? '';
      const said = keyOf(line, roles);
      const keys = withName ? namesHere(line).map((name) => `${said} ${name}`) : [said];
      for (const key of keys)
        for (const slot of [job, null].flatMap((of) => [slotOf(key, of, line.again), slotOf(key, of, null)]))
          addTo(lists, slot, line);
    }
    this.indexes.set(id, lists);
    return lists;
  }
}

const namesHere = ({ said: [remoteId, requestKey] }: Parts): string[] => [...new Set(namesOf(remoteId, requestKey))];

const keyOf = (line: Parts, roles: readonly TextRole[]): string =>
  JSON.stringify([timeAndAmount(line), ...roles.map((role) => line.said[TEXTS.indexOf(role)])]);

/** `job`: '' for a line that names none; null for any. */
const slotOf = (key: string, job: string | null, again: string | null): string => JSON.stringify([key, job, again]);

function addTo(lists: Lists, key: string, line: Parts): void {
  const list = lists.get(key);
  if (list) list.push(line);
  else lists.set(key, [line]);
}
