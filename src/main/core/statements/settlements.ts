import type { StudioEvent } from '../../../shared/contract/events.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import { isPlayMoney } from '../../../shared/gateway/profile.ts';
import type { LineDecision } from '../../../shared/money/statement/statement.ts';
import { formatLocale, t } from '../../../shared/text/texts.ts';
import { billedJobs, type JobBills } from '../jobs/index.ts';
import type { LedgerWriter } from '../ledger/index.ts';
import type { Clock } from '../ports.ts';
import type { Store, WriteDb } from '../store/index.ts';
import { type Current, decisionOn, lineOf } from './answer.ts';
import type { ComparedLine } from './compare.ts';
import { adopt, nameOf, refusalOf, type Settling, settlesDoubt } from './settle.ts';
import { type DecisionRow, type StatementRow, statementTable } from './table.ts';
import { undoDecision } from './undo.ts';

export interface SettlementDeps {
  store: Store;
  clock: Pick<Clock, 'now'>;
  emit(event: StudioEvent): void;
  bills: JobBills;
  ledger: LedgerWriter;
}

interface Chosen {
  lines: readonly ComparedLine[];
  as: LineDecision;
}

/** Decides about lines of a bill, all of them or none, but those whose job's answer is still to come. Five hundred take a tenth of a second. */
export class Settlements {
  private readonly deps: SettlementDeps;

  constructor(deps: SettlementDeps) {
    this.deps = deps;
  }

  /** The ids of the lines that were passed over. One that is alone is refused. */
  settle(current: Current, { lines: ids, as }: { lines: readonly string[]; as: LineDecision }): Result<string[]> {
    const lines = chosenLines(current, ids, as);
    if (!lines.ok) return lines;
    const awaited = as === 'keep' ? [] : lines.data.filter((line) => this.isAwaited(line));
    const left = awaited.length < lines.data.length ? lines.data.filter((line) => !awaited.includes(line)) : lines.data;
    const settled = this.inTransaction((db) => this.settleEach(db, current, { lines: left, as }));
    return settled.ok ? ok(awaited.map(({ id }) => id)) : settled;
  }

  private isAwaited(line: ComparedLine): boolean {
    return line.job !== undefined && settlesDoubt(line) && this.deps.bills.isAwaited(line.job.id);
  }

  /** Takes decisions back, the last first: all of them or none. */
  undo(decisions: readonly DecisionRow[]): Result<string[]> {
    const at = this.deps.clock.now();
    return this.inTransaction((db) => {
      const changed: string[] = [];
      for (const row of decisions.toSorted((one, other) => other.seq - one.seq)) {
        const done = undoDecision(this.deps, db, row, at);
        if (!done.ok) return done;
        changed.push(...done.data);
      }
      return ok(changed);
    });
  }

  private settleEach(db: WriteDb, { row, decisions }: Current, { lines, as }: Chosen): Result<string[]> {
    const settling = this.settlingOf(row);
    const at = this.deps.clock.now();
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
  private inTransaction(work: (db: WriteDb) => Result<string[]>): Result<string[]> {
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

/** Ends a transaction of which nothing is to be kept. */
class RolledBack extends Error {}

const DAY = new Intl.DateTimeFormat(formatLocale(), { day: 'numeric', month: 'short', year: 'numeric' });

const NOTHING_DONE = ({ job, group }: ComparedLine) => ({
  jobId: group === 'differs' ? (job?.id ?? null) : null,
  done: null,
  changed: [],
});

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
    if (!line) return fail('not_found', 'lines: there is no such line. Nothing was changed.', { field: 'lines' });
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
