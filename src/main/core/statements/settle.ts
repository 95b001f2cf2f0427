import type { StudioEvent } from '../../../shared/contract/events.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import { isPlayMoney } from '../../../shared/gateway/profile.ts';
import { formatNano } from '../../../shared/money/money.ts';
import type { LineDecision } from '../../../shared/money/statement/statement.ts';
import { en, formatLocale, t } from '../../../shared/text/texts.ts';
import { type BillChange, type BilledEntry, billedJobs, type JobBills, sumsTooLarge } from '../jobs/index.ts';
import type { LedgerWriter } from '../ledger/index.ts';
import type { Clock } from '../ports.ts';
import type { Store, WriteDb } from '../store/index.ts';
import type { BillJob } from './billJobs.ts';
import type { ComparedLine } from './match.ts';
import { type DecisionEffect, type DecisionRow, type StatementRow, statementTable } from './statementTable.ts';
import { decidedHere, decisionOn, type LoadedStatement, lineOf } from './statementView.ts';

/** Decisions about the lines of a bill. Each adds entries with the ledger's own writer. */

export interface SettlementDeps {
  store: Store;
  clock: Pick<Clock, 'now'>;
  emit(event: StudioEvent): void;
  bills: JobBills;
  ledger: LedgerWriter;
}

interface Settled {
  /** The job that the line was entered for, or that it differs from. */
  jobId: string | null;
  done: DecisionEffect | null;
}

/** The facts shared by all decisions of one call. */
interface Settling {
  row: StatementRow;
  /** "the bill of 19 Nov 2026". */
  source: string;
  kinds: Map<string, string>;
  /** The money of jobs that this transaction has already changed. */
  moved: Map<string, Pick<BilledEntry['before'], 'chargedNano' | 'lowNano' | 'uncertainNano'>>;
}

const UNDONE = 'a decision about the bill was taken back';
const DAY = new Intl.DateTimeFormat(formatLocale(), { day: 'numeric', month: 'short', year: 'numeric' });

/** Rolls a transaction back. */
class Refused extends Error {
  readonly refusal: Result<never>;
  constructor(refusal: Result<never>) {
    super('refused');
    this.refusal = refusal;
  }
}

/** Decides about lines of a bill, all or none. 500 lines take about 0.1 s. */
export class Settlements {
  private readonly deps: SettlementDeps;

  constructor(deps: SettlementDeps) {
    this.deps = deps;
  }

  settle(
    current: LoadedStatement,
    { lines: ids, as }: { lines: readonly string[]; as: LineDecision },
  ): Result<unknown> {
    const chosen = chosenLines(current, ids, as);
    return chosen.ok ? this.inTransaction((db) => this.settleEach(db, current, { lines: chosen.data, as })) : chosen;
  }

  /** Takes decisions back, the last first: all of them or none. */
  undo(decisions: readonly DecisionRow[]): Result<unknown> {
    const at = this.deps.clock.now();
    return this.inTransaction((db) => {
      for (const row of decisions.toSorted((one, other) => other.seq - one.seq)) {
        statementTable.undo(db, row.seq, at);
        const undone = this.undoEntries(db, row);
        if (!undone.ok) return undone;
      }
      return ok(null);
    });
  }

  /** Each entry gets its counter-entry. */
  private undoEntries(db: WriteDb, { done, jobId }: DecisionRow): Result<null> {
    const { bills, ledger } = this.deps;
    if (done === null) return ok(null);
    if ('before' in done) return bills.undo(db, jobId ?? '', done, UNDONE);
    return ledger.bills.reverse(db, undefined, done.entryIds, UNDONE) ? ok(null) : sumsTooLarge;
  }

  private settleEach(
    db: WriteDb,
    { row, decisions }: LoadedStatement,
    { lines, as }: { lines: readonly ComparedLine[]; as: LineDecision },
  ): Result<null> {
    const { readAt, name } = row;
    const source = name === null ? `the bill read on ${DAY.format(readAt)}` : `the bill ${name}`;
    const settling: Settling = { row, source, kinds: new Map(), moved: new Map() };
    const at = this.deps.clock.now();
    const settledJobs = new Set<string>();
    for (const line of lines) {
      const { id, hash, job, group } = line;
      const isRepeat = group === 'differs' && job !== undefined && settledJobs.has(job.id);
      const nothing: Settled = { jobId: group === 'differs' ? (job?.id ?? null) : null, done: null };
      const settled = as === 'keep' || isRepeat ? ok(nothing) : this.adopt(settling, db, line);
      if (!settled.ok) return settled;
      if (job && as === 'adopt') settledJobs.add(job.id);
      const { jobId, done } = settled.data;
      const shown = JSON.stringify(lineOf(line, decisions));
      statementTable.decide(db, row.profileId, { statementId: row.id, lineId: id, hash, as, jobId, done, shown, at });
    }
    return ok(null);
  }

  /** Makes the ledger follow the bill in one line. */
  private adopt(settling: Settling, db: WriteDb, line: ComparedLine): Result<Settled> {
    const { bill, job } = line;
    const source = bill ? `line ${bill.line} of ${settling.source}` : settling.source;
    if (!job) return this.enterElsewhere(settling, db, { ...line, source });
    const change = { ...changeOf(line, job), source };
    const applied = this.deps.bills.apply(db, job.id, change);
    if (!applied.ok) return fail(applied.error.code, `${nameOf(line)}: ${applied.error.message}`, applied.error.data);
    const { before, after } = applied.data;
    // Only the shown amounts may be changed: if a job's cost has changed since, the user must look again.
    if (!isSameMoney(before, settling.moved.get(job.id) ?? job))
      return fail(
        'conflict',
        en`${nameOf(line)}: The cost of its job was changed meanwhile: look again. Nothing was changed.`,
      );
    settling.moved.set(job.id, after);
    // An unconfirmed amount of a job without a charge becomes its charge, so nothing is added besides.
    const isBesides = line.group === 'onlyBill' && (change.type === 'more' || before.chargedNano > 0);
    const entered = bill && isBesides ? { enteredNano: after.chargedNano - before.chargedNano } : {};
    return ok({ jobId: job.id, done: { ...applied.data, ...entered } });
  }

  /** Enters a line without a job of this machine: it belongs only to its gateway, on its own day. */
  private enterElsewhere(
    { row: { profileId }, kinds }: Settling,
    db: WriteDb,
    { bill, day, source }: ComparedLine & { source: string },
  ): Result<Settled> {
    if (!bill) return fail('internal', 'There is no such entry.');
    const { model, nano } = bill;
    // Cached, because for a model of another gateway this reads every job with it.
    const kind = kinds.get(model) ?? (model === '' ? '' : (billedJobs.kindOfModel(db, profileId, model) ?? ''));
    kinds.set(model, kind);
    const of = { profile_id: profileId, play: isPlayMoney(profileId) ? 1 : 0, model: model || null, kind };
    // Noon in local time: any other hour could fall on the day before in some zones.
    const at = day === undefined ? bill.at : new Date(`${day}T12:00`).getTime();
    const note = t`${source}: ${formatNano(nano)}, not requested from this computer`;
    const { bills } = this.deps.ledger;
    const { value, entryIds } = bills.recorded(db, () => bills.billElsewhere(db, of, { at, nano, note }));
    return value ? ok({ jobId: null, done: { entryIds, enteredNano: nano } }) : sumsTooLarge;
  }

  /** All or nothing. */
  private inTransaction(work: (db: WriteDb) => Result<null>): Result<null> {
    try {
      this.deps.store.transaction((db) => {
        const done = work(db);
        if (!done.ok) throw new Refused(done);
      });
    } catch (error) {
      if (error instanceof Refused) return error.refusal;
      throw error;
    }
    this.deps.bills.changed();
    this.deps.emit({ type: 'ledger.changed' });
    return ok(null);
  }
}

type Money = Settling['moved'] extends Map<string, infer T> ? T : never;
const isSameMoney = (one: Money, other: Money): boolean =>
  (['chargedNano', 'lowNano', 'uncertainNano'] as const).every((name) => one[name] === other[name]);

function changeOf(line: Omit<ComparedLine, 'job'>, job: BillJob): Omit<BillChange, 'source'> {
  const { bill, part, group, jobNano = 0, finding } = line;
  if (!bill) return { type: part === 'doubt' ? 'doubt' : 'charge', nano: 0 };
  if (group === 'onlyBill') return { type: finding?.type === 'doubt' ? 'doubt' : 'more', nano: bill.nano };
  if (job.isCharged) return { type: 'charge', nano: jobNano + job.besidesNano };
  return { type: job.isInDoubt ? 'doubt' : 'more', nano: jobNano };
}

export const nameOf = ({ bill }: ComparedLine): string => (bill ? `Line ${bill.line}` : 'This entry');

/** The chosen lines without those that already have this decision. */
function chosenLines(current: LoadedStatement, ids: readonly string[], as: LineDecision): Result<ComparedLine[]> {
  const { lines, decisions } = current;
  const byId = new Map(lines.map((line) => [line.id, line]));
  const decided = decidedHere(current);
  const chosen: ComparedLine[] = [];
  for (const id of new Set(ids)) {
    const line = byId.get(id);
    if (!line && decided.get(id)?.as === as) continue;
    if (!line) return fail('not_found', 'lines: there is no such line. Nothing was changed.', { field: 'lines' });
    const decision = decisionOn(line, decisions);
    if (decision?.as === as) continue;
    const refusal = decision || line.isEnteredOtherwise ? isDecided(line) : refusalOf(line, as);
    if (refusal) return refusal;
    chosen.push(line);
  }
  return ok(chosen);
}

export const isDecided = (line: ComparedLine): Result<never> =>
  fail('wrong_state', en`${nameOf(line)} is decided: undo that first. Nothing was changed.`);

/** Why a decision cannot be made about a line; undefined if it can. */
function refusalOf(line: ComparedLine, as: LineDecision): Result<never> | undefined {
  const { group, isCheaper, job, bill, finding } = line;
  const refused = (message: string): Result<never> => fail('wrong_state', message);
  if (group === 'matched' && !(isCheaper && as === 'adopt'))
    return refused(en`${nameOf(line)} agrees with the ledger: there is nothing to confirm.`);
  if (as === 'keep') return undefined;
  if (!job && (bill?.nano ?? 0) < 0)
    return refused(
      en`${nameOf(line)} gives money back for no job that is known. Keep it, or say which job it belongs to.`,
    );
  if (finding?.type === 'otherProfile')
    return refused(
      en`${nameOf(line)} is of a job that ${finding.profile ?? en`a removed gateway`} ordered, and is charged there: check the bill of that gateway too. Nothing was changed.`,
    );
  // Refused, because the line would remain an extra charge even after the zone is known.
  if (finding?.type === 'zone')
    return refused(
      en`${nameOf(line)} may be of a job that is charged here: choose the zone of its time first, below the columns of the bill. Nothing was changed.`,
    );
  return undefined;
}
