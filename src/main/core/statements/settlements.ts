import { setImmediate } from 'node:timers/promises';
import type { StudioEvent } from '../../../shared/events.ts';
import { isPlayMoney } from '../../../shared/profile.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { LineDecision } from '../../../shared/statement/statement.ts';
import { counted, formatLocale, t } from '../../../shared/texts.ts';
import { billedJobs, type JobBills } from '../jobs/index.ts';
import type { LedgerWriter } from '../ledger/index.ts';
import type { Clock } from '../ports.ts';
import { isDiskFault, type Store, type WriteDb } from '../store/index.ts';
import { type Current, decisionOn, lineOf } from './answer.ts';
import type { ComparedLine } from './compare.ts';
import { adopt, nameOf, refusalOf, type Settling, settlesDoubt } from './settle.ts';
import { type DecisionRow, type OpenSettling, type StatementRow, statementTable } from './table.ts';
import { undoDecision } from './undo.ts';

export interface SettlementDeps {
  store: Store;
  clock: Pick<Clock, 'now'>;
  emit(event: StudioEvent): void;
  bills: JobBills;
  ledger: LedgerWriter;
  nextTurn?(): Promise<unknown>;
}

/** Lines that one transaction settles: a line of a job takes a dozen writes. All lines of a job are in one. */
export const LINES_PER_TURN = 5;

interface Chosen {
  lines: readonly ComparedLine[];
  as: LineDecision;
  at: number;
}

/** What is judged and carried out in slices, and decided by one write between the two. */
interface ManyDecisions<Line> {
  slices: Line[][];
  run(db: WriteDb, slice: Line[]): Result<string[]>;
  decision: OpenSettling;
  finish(): Promise<Result<null>>;
  /** What is said where the disk is full once it is decided. */
  later: Result<never>;
}

/**
 * Decides about lines of a bill, all of them or none, but those whose job's answer is still to come. Few are one transaction. Many are first judged, each slice in a transaction that is
 * rolled back; one small write decides them; then they are settled in slices, between which other work gets its turn. An end in the middle
 * is finished by the next start. Where a job's cost is changed by something else just then, what was settled is taken back.
 */
export class Settlements {
  private readonly deps: SettlementDeps;
  private readonly nextTurn: () => Promise<unknown>;

  constructor(deps: SettlementDeps) {
    this.deps = deps;
    this.nextTurn = deps.nextTurn ?? (() => setImmediate());
  }

  /** The ids of the lines that were passed over. One that is alone is refused. */
  async settle(
    current: Current,
    { lines: ids, as }: { lines: readonly string[]; as: LineDecision },
  ): Promise<Result<string[]>> {
    const lines = chosenLines(current, ids, as);
    if (!lines.ok) return lines;
    const awaited = this.awaitedOf(lines.data, as);
    const left = awaited.size < lines.data.length ? lines.data.filter((line) => !awaited.has(line)) : lines.data;
    const chosen = { lines: left, as, at: this.deps.clock.now() };
    const settled =
      left.length > LINES_PER_TURN
        ? await this.settleMany(current, chosen)
        : this.inTransaction((db) => this.settleEach(db, current, chosen));
    return settled.ok ? ok([...awaited].map(({ id }) => id)) : settled;
  }

  private awaitedOf(lines: readonly ComparedLine[], as: LineDecision): ReadonlySet<ComparedLine> {
    const isAwaited = (line: ComparedLine) =>
      line.job !== undefined && settlesDoubt(line) && this.deps.bills.isAwaited(line.job.id);
    return new Set(as === 'keep' ? [] : lines.filter(isAwaited));
  }

  /** Takes decisions back, the last first: all of them or none, as {@link settle} settles. */
  async undo(id: string, decisions: readonly DecisionRow[]): Promise<Result<null>> {
    const rows = decisions.toSorted((one, other) => other.seq - one.seq);
    const at = this.deps.clock.now();
    if (rows.length <= LINES_PER_TURN) {
      const undone = this.inTransaction((db) => this.undoEach(db, rows, at));
      return undone.ok ? ok(null) : undone;
    }
    // Decisions by their number: a line of another bill has the same name.
    const lines = rows.map(({ seq }) => String(seq));
    return this.decideMany(id, {
      slices: byJobOf(rows, ({ jobId }) => jobId),
      run: (db, slice) => this.undoEach(db, slice, at),
      decision: { lines, as: 'undo', at },
      finish: async () => {
        const left = await this.undoSlices(id, rows, at);
        return left === 0 ? ok(null) : notAllUndone(left);
      },
      later: undoneLater,
    });
  }

  private async decideMany<Line>(
    id: string,
    { slices, run, decision, finish, later }: ManyDecisions<Line>,
  ): Promise<Result<null>> {
    for (const slice of slices) {
      const refusal = this.judged((db) => run(db, slice));
      if (refusal) return refusal;
      await this.nextTurn();
    }
    this.deps.store.transaction((db) => statementTable.setSettling(db, id, decision));
    try {
      return await finish();
    } catch (error) {
      // It is decided, and some of it is done: not what the general sentence about a full disk says.
      if (isDiskFault(error)) return this.isTakenBack(id, decision) ? takenBackLater : later;
      throw error;
    }
  }

  /** Whether what was decided was refused since. */
  private isTakenBack(id: string, { as }: OpenSettling): boolean {
    const open = statementTable.settling(this.deps.store.read).find((one) => one.id === id);
    return as !== 'undo' && open?.as === 'undo';
  }

  /** Goes on with what an end of the program, or a full disk, left settled in part; it is taken back where it is not what was seen. */
  async finishSettle(
    current: Current,
    { lines: ids, as, at, seen }: OpenSettling & { as: LineDecision },
  ): Promise<Result<null>> {
    const lines = chosenLines(current, ids, as);
    if (!lines.ok) return this.takeBack(current, { lines: ids, at }, lines);
    const isSeen = seen === undefined || lines.data.every((line) => seen[line.id] === seenOf(line));
    if (!isSeen) return this.takeBack(current, { lines: ids, at }, changedSince);
    // A start asks again for some of the tasks that nobody asked for before.
    const awaited = this.awaitedOf(lines.data, as);
    return this.settleSlices(current, ids, { lines: lines.data.filter((line) => !awaited.has(line)), as, at });
  }

  /** Goes on with what an end of the program, or a full disk, left undone in part. */
  finishUndo(
    { id, profileId }: StatementRow,
    { lines, at }: { lines: readonly string[]; at: number },
  ): Promise<unknown> {
    const ids = new Set(lines);
    const rows = statementTable
      .decisions(this.deps.store.read, profileId)
      .filter(({ seq }) => ids.has(String(seq)))
      .sort((one, other) => other.seq - one.seq);
    return this.undoSlices(id, rows, at);
  }

  /** The number of those that stay as they were decided. */
  private async undoSlices(id: string, rows: readonly DecisionRow[], at: number): Promise<number> {
    let left = 0;
    const isUndone = (some: readonly DecisionRow[]) => this.inTransaction((db) => this.undoEach(db, some, at)).ok;
    for (const slice of byJobOf(rows, ({ jobId }) => jobId)) {
      await this.nextTurn();
      if (isUndone(slice)) continue;
      // One whose job something else has changed just now stays as it was decided, and no other one does.
      for (const row of slice) if (!isUndone([row])) left += 1;
    }
    this.deps.store.transaction((db) => statementTable.setSettling(db, id, null));
    return left;
  }

  private undoEach(db: WriteDb, rows: readonly DecisionRow[], at: number): Result<string[]> {
    const changed: string[] = [];
    for (const row of rows) {
      const done = undoDecision(this.deps, db, row, at);
      if (!done.ok) return done;
      changed.push(...done.data);
    }
    return ok(changed);
  }

  private settleMany(current: Current, chosen: Chosen): Promise<Result<null>> {
    const { as, at } = chosen;
    const lines = chosen.lines.map(({ id }) => id);
    return this.decideMany(current.row.id, {
      slices: byJob(chosen.lines),
      run: (db, slice) => this.settleEach(db, current, { ...chosen, lines: slice }),
      decision: { lines, as, at, seen: Object.fromEntries(chosen.lines.map((line) => [line.id, seenOf(line)])) },
      finish: () => this.settleSlices(current, lines, chosen),
      later: followsLater,
    });
  }

  private async settleSlices(current: Current, ids: readonly string[], chosen: Chosen): Promise<Result<null>> {
    for (const lines of byJob(chosen.lines)) {
      await this.nextTurn();
      const settled = this.inTransaction((db) => this.settleEach(db, current, { ...chosen, lines }));
      if (!settled.ok) return this.takeBack(current, { lines: ids, at: chosen.at }, settled);
    }
    this.deps.store.transaction((db) => statementTable.setSettling(db, current.row.id, null));
    return ok(null);
  }

  /** Counter-entries for what a call has settled of these lines, the last first; then it is refused. */
  private async takeBack(
    { row: { id, profileId } }: Current,
    { lines, at }: { lines: readonly string[]; at: number },
    refusal: Result<never>,
  ): Promise<Result<never>> {
    const { store, clock } = this.deps;
    const ids = new Set(lines);
    const settled = statementTable
      .decisions(store.read, profileId)
      .filter((one) => one.statementId === id && one.at === at && ids.has(one.lineId))
      .reverse();
    const undo = { lines: settled.map(({ seq }) => String(seq)), as: 'undo' as const, at: clock.now() };
    // What is refused is not gone on with, wherever this ends.
    store.transaction((db) => statementTable.setSettling(db, id, undo));
    const left = await this.undoSlices(id, settled, undo.at);
    return left === 0 ? refusal : notAllTakenBack(left);
  }

  /** Why it would be refused; nothing of it is kept. */
  private judged(work: (db: WriteDb) => Result<string[]>): Result<never> | undefined {
    let judged: Result<string[]> | undefined;
    try {
      this.deps.store.transaction((db) => {
        judged = work(db);
        throw new RolledBack();
      });
    } catch (error) {
      if (!(error instanceof RolledBack)) throw error;
    }
    return judged?.ok === false ? judged : undefined;
  }

  private settleEach(db: WriteDb, { row, decisions }: Current, { lines, as, at }: Chosen): Result<string[]> {
    const settling = this.settlingOf(row);
    const changed: string[] = [];
    const settledJobs = new Set<string>();
    for (const line of lines) {
      const isRepeat = line.group === 'differs' && line.job !== undefined && settledJobs.has(line.job.id);
      const done = as === 'keep' || isRepeat ? ok(NOTHING_DONE(line)) : adopt(settling, db, line);
      if (!done.ok) return done;
      if (line.job && as === 'adopt') settledJobs.add(line.job.id);
      changed.push(...done.data.changed);
      statementTable.decide(db, row.profileId, {
        statementId: row.id,
        lineId: line.id,
        mark: line.mark,
        as,
        jobId: done.data.jobId,
        done: done.data.done,
        shown: JSON.stringify(lineOf(line, decisions)),
        at,
      });
    }
    return ok(changed);
  }

  private settlingOf({ profileId, readAt, name }: StatementRow): Settling {
    const kinds = new Map<string, string>();
    return {
      bills: this.deps.bills,
      ledger: this.deps.ledger,
      profileId,
      play: isPlayMoney(profileId),
      source: name === null ? `the bill read on ${DAY.format(readAt)}` : `the bill ${name}`,
      moved: new Map(),
      kindOfModel: (db, model) => {
        // Of a model that only another gateway has, every job of it is read.
        const kind = kinds.get(model) ?? billedJobs.kindOfModel(db, profileId, model) ?? '';
        kinds.set(model, kind);
        return kind;
      },
    };
  }

  /** All or nothing; what changed is announced after the commit. */
  inTransaction(work: (db: WriteDb) => Result<string[]>): Result<string[]> {
    let refused: Result<never> | undefined;
    let changed: string[] = [];
    try {
      this.deps.store.transaction((db) => {
        const done = work(db);
        if (!done.ok) {
          refused = done;
          throw new RolledBack();
        }
        changed = done.data;
      });
    } catch (error) {
      if (!refused || !(error instanceof RolledBack)) throw error;
      return refused;
    }
    this.deps.bills.announce([...new Set(changed)]);
    this.deps.emit({ type: 'ledger.changed' });
    return ok(changed);
  }
}

const followsLater = fail(
  'disk_full',
  t`The disk is full. The lines are decided and some are charged; the rest follow when there is room. Free some space and look again.`,
);

const undoneLater = fail(
  'disk_full',
  t`The disk is full. Some of the decisions are taken back. The rest is when there is room: make some, and look again.`,
);

const takenBackLater = fail(
  'disk_full',
  t`The costs of its jobs changed meanwhile, and the disk is full. The changes are undone when there is room. Free some space and look again.`,
);

const changedSince = fail('conflict', t`The lines changed since you saw them: look again. Nothing was changed.`);

const notAllUndone = (left: number): Result<never> =>
  fail(
    'conflict',
    t`All was taken back but ${counted(left, 'line')}, of a job whose cost was changed meanwhile: look again.`,
  );

const notAllTakenBack = (left: number): Result<never> =>
  fail(
    'conflict',
    t`The costs of its jobs changed meanwhile. All was undone but ${counted(left, 'line')} of a job that changed later: look again.`,
  );

/** Ends a transaction of which nothing is to be kept. */
class RolledBack extends Error {}

const DAY = new Intl.DateTimeFormat(formatLocale(), { day: 'numeric', month: 'short', year: 'numeric' });

const NOTHING_DONE = ({ job, group }: ComparedLine) => ({
  jobId: group === 'differs' ? (job?.id ?? null) : null,
  done: null,
  changed: [],
});

/** What a decision about a line rests on: nothing else is settled where it is gone on with later. */
function seenOf({ group, part, finding, job, bill, jobNano }: ComparedLine): string {
  const amounts = [group, bill?.nano];
  // Why nothing fits may change with the lines that are settled before it.
  if (!job) return JSON.stringify(amounts);
  const { id, chargedNano, lowNano, uncertainNano, besidesNano, isCharged, isInDoubt } = job;
  const money = [chargedNano, lowNano, uncertainNano, besidesNano, isCharged, isInDoubt];
  // So may what the bill says of an entry without a line.
  const type = bill || finding?.type === 'running' ? finding?.type : undefined;
  return JSON.stringify([...amounts, id, part, type, jobNano, ...money]);
}

/** In slices of whole jobs: what is seen of a job's money while its second line is settled includes its first. */
const byJob = (lines: readonly ComparedLine[]): ComparedLine[][] => byJobOf(lines, ({ job }) => job?.id ?? null);

function byJobOf<Line>(lines: readonly Line[], jobOf: (line: Line) => string | null): Line[][] {
  const groups = Map.groupBy(lines, (line) => jobOf(line) ?? line);
  const slices: Line[][] = [];
  for (const group of groups.values()) {
    const last = slices.at(-1);
    if (last && last.length + group.length <= LINES_PER_TURN) last.push(...group);
    else slices.push(group);
  }
  return slices;
}

/** The lines that are still to be decided so; those that are already stay as they are. */
function chosenLines(current: Current, ids: readonly string[], as: LineDecision): Result<ComparedLine[]> {
  const byId = new Map(current.lines.map((line) => [line.id, line]));
  // Another bill's lines have the same names; an entry of the ledger is named by its mark.
  const known = [...current.decisions.values()].filter(
    ({ statementId, lineId, mark }) => statementId === current.row.id || lineId === mark,
  );
  const decided = new Map(known.map((one) => [one.lineId, one]));
  const chosen: ComparedLine[] = [];
  for (const id of new Set(ids)) {
    const line = byId.get(id);
    const gone = decided.get(id);
    if (!line && gone?.as === as) continue;
    if (!line) return fail('not_found', t`lines: there is no such line. Nothing was changed.`, { field: 'lines' });
    const decision = decisionOn(line, current.decisions);
    if (decision?.as === as) continue;
    if (decision || current.older.has(id))
      return fail('wrong_state', t`${nameOf(line)} is decided: undo that first. Nothing was changed.`);
    const refusal = refusalOf(line, as);
    if (refusal) return refusal;
    chosen.push(line);
  }
  return ok(chosen);
}
