import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallParsed, Handlers } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { Profile } from '../../../shared/gateway/profile.ts';
import type { Nano } from '../../../shared/money/money.ts';
import type { Statement, StatementLine } from '../../../shared/money/statement/statement.ts';
import { en } from '../../../shared/text/texts.ts';
import { noSuchProfile } from '../ledger/index.ts';
import type { Ids } from '../ports.ts';
import { WorkQueue } from '../timeSlicing.ts';
import { apartOf, type BillJob, jobsBeside, jobsOfOthers, linesElsewhere } from './billJobs.ts';
import { DAY_MS, MINUTE_MS } from './cells.ts';
import { headerOf, namesOf } from './columns.ts';
import { compare, enteredKey, reachOf } from './compare.ts';
import { type ComparedLine, isHoursOff, JobIndex } from './match.ts';
import { type BillLine, readBill } from './readBill.ts';
import { isDecided, type SettlementDeps, Settlements } from './settle.ts';
import { type DecisionRow, type StatementRow, statementTable } from './statementTable.ts';
import { answerOf, decidedHere, type LoadedStatement, lineOf, pageOf } from './statementView.ts';

interface StatementDeps extends SettlementDeps {
  ids: Pick<Ids, 'id'>;
  profiles: { get(id: string): Profile | undefined; active(): Profile };
}

type Calls = Pick<Handlers, Extract<keyof Handlers, `statement.${string}`>>;

/** The longest that work goes on before other work has its turn. */
const TURN_MS = 5;
/** Lines that one transaction writes, and one page reads. */
const LINES_PER_SLICE = 1_000;
const CANDIDATES = 20;

const noSuchStatement = fail('not_found', en`id: that statement is not kept; read the bill again.`, { field: 'id' });
const noSuchLine = fail('not_found', 'line: there is no such line of the bill.', { field: 'line' });

/**
 * Stored bills, compared with the ledger. A comparison is never stored: it is computed from the lines, the decisions and the current jobs,
 * so that it cannot contradict them. Calls run one after the other.
 */
export class Statements {
  private readonly deps: StatementDeps;
  private current: LoadedStatement | undefined;
  private readonly queue = new WorkQueue();
  private readonly settlements: Settlements;

  constructor(deps: StatementDeps) {
    this.deps = deps;
    this.settlements = new Settlements(deps);
  }

  handlers(): Calls {
    return {
      'statement.read': (input) => this.inTurn(() => this.read(input)),
      'statement.get': ({ id }) => this.inTurn(() => this.answer(id)),
      'statement.list': ({ profileId }) => ok({ statements: statementTable.heads(this.deps.store.read, profileId) }),
      'statement.lines': (input) => this.inTurn(() => this.lines(input)),
      'statement.settle': (input) => this.inTurn(() => this.settle(input)),
      'statement.undo': (input) => this.inTurn(() => this.undo(input)),
      'statement.match': (input) => this.inTurn(() => this.match(input)),
      'statement.candidates': (input) => this.inTurn(() => this.candidates(input)),
    };
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.queue.add(work);
  }

  private async read(input: CallParsed<'statement.read'>): Promise<Result<Statement>> {
    const { text, from, to, name } = input;
    const { profiles, store } = this.deps;
    const profile = input.profileId === undefined ? profiles.active() : profiles.get(input.profileId);
    if (!profile) return noSuchProfile;
    const hash = createHash('sha256').update(text).digest('hex');
    const textKey = JSON.stringify([profile.id, hash, input.columns ?? null, from ?? null, to ?? null]);
    const read = { readAt: this.deps.clock.now(), name: name ?? null };
    const known = statementTable.idOfText(store.read, textKey);
    if (known !== undefined) {
      store.transaction((db) => statementTable.touch(db, known, read));
      return this.answer(known);
    }
    const chosen = input.columns ? { asked: input.columns } : await this.remembered(text, profile.id);
    const bill = await inTurns(readBill(text, chosen.asked ?? {}));
    if (!bill.ok) return bill;
    const { lines: all, unreadNamed, ...facts } = bill.data;
    const days = daysOf(all, facts.zoneMinutes);
    const period = { from: from ?? days.from, to: to ?? days.to };
    const lines = all.filter(({ at }) => isWithin(at, period));
    if (lines.length === 0)
      return fail('invalid_input', en`from: no line of the bill lies in that period.`, { field: 'from' });
    const row = { profileId: profile.id, ...read, ...period, lineCount: lines.length };
    const kept = [...lines, ...unreadNamed];
    const outside = all.filter(({ at }) => !isWithin(at, period));
    const isOtherZone = outside.length > 0 && (await this.isInOtherZone(profile.id, outside));
    const told = { ...facts, ...chosen, outside: outside.length, isOtherZone };
    return this.answer(await this.save({ ...row, facts: told }, kept, textKey));
  }

  /**
   * Checks all lines, because those within the chosen days may name no job: lines outside them also show that a remembered zone is wrong.
   */
  private async isInOtherZone(profileId: string, lines: readonly BillLine[]): Promise<boolean> {
    const { store, bills } = this.deps;
    const asked = { profileId, ...reachOf(lines), lines, jobIds: [], besides: new Map(), isAwaited: bills.isAwaited };
    const index = await inTurns(JobIndex.of(await jobsBeside(store, asked)));
    return lines.some((bill) => isHoursOff({ bill, ...index.named(bill) }));
  }

  /** The user's choices for the last bill with the same columns. */
  private async remembered(text: string, profileId: string): Promise<Pick<Statement, 'asked' | 'isRemembered'>> {
    const header = await inTurns(headerOf(text, {}));
    const names = header.ok ? namesOf(header.data) : header.error.data?.columns;
    const asked = statementTable.asked(this.deps.store.read, profileId, (names ?? []) as string[]);
    return asked && Object.keys(asked).length > 0 ? { asked, isRemembered: true } : {};
  }

  private async save(row: Omit<StatementRow, 'id'>, lines: readonly BillLine[], textKey: string): Promise<string> {
    const { store, ids } = this.deps;
    const id = ids.id('st');
    await this.prune(id);
    store.transaction((db) => statementTable.insert(db, { id, ...row }, textKey));
    for (let first = 0; first < lines.length; first += LINES_PER_SLICE) {
      const slice = lines.slice(first, first + LINES_PER_SLICE);
      store.transaction((db) => statementTable.insertLines(db, id, slice, first));
      await nextTurn();
    }
    store.transaction((db) => statementTable.finish(db, id));
    return id;
  }

  /** Removes the oldest bills, and those that an end of the program left unfinished. */
  private async prune(except: string): Promise<void> {
    const { store } = this.deps;
    for (const id of statementTable.surplus(store.read, except))
      while (store.transaction((db) => statementTable.removeSlice(db, id))) await nextTurn();
  }

  private async answer(id: string): Promise<Result<Statement>> {
    const current = await this.compared(id);
    return current ? answerOf(current, this.deps.profiles.get(current.row.profileId)) : noSuchStatement;
  }

  private async compared(id: string): Promise<LoadedStatement | undefined> {
    const { store, profiles, bills } = this.deps;
    const row = statementTable.byId(store.read, id);
    if (!row) return undefined;
    const bill = await this.linesOf(row);
    const { profileId, from, to, facts } = row;
    const stored = statementTable.decisions(store.read, profileId);
    const hashes = new Set(bill.map(({ hash }) => hash));
    const decisions = new Map(stored.map((one) => [one.hash, one]));
    const jobs = await jobsBeside(store, {
      ...{ profileId, from, to, lines: bill },
      jobIds: stored.flatMap(({ hash, jobId }) => (hashes.has(hash) && jobId) || []),
      besides: besidesOf(stored),
      isAwaited: bills.isAwaited,
    });
    const index = await inTurns(JobIndex.of(jobs));
    const nameOf = (id: string): string | undefined => profiles.get(id)?.name;
    const ofOthers = await jobsOfOthers(store, bill, { profileId, jobs, nameOf });
    const elsewhere = await linesElsewhere(store, row, { jobs, hashes });
    const { isZoneAssumed, isOtherZone, zoneMinutes } = facts;
    const isZoneRemembered = facts.isRemembered === true && facts.asked?.zone !== undefined;
    const hasGaps = facts.hasGaps || facts.outside > 0;
    const ledger = { index, from, to, decisions, ofOthers, elsewhere, entered: enteredFrom(stored, bill) };
    const lines = await inTurns(
      compare({ ...ledger, lines: bill, isZoneAssumed, isZoneRemembered, isOtherZone, zoneMinutes, hasGaps }),
    );
    this.current = { row, lines, decisions, jobs };
    return this.current;
  }

  private async linesOf(row: StatementRow): Promise<BillLine[]> {
    const { store } = this.deps;
    const lines: BillLine[] = [];
    for (let from = 0; from < row.lineCount; from += LINES_PER_SLICE) {
      const to = Math.min(from + LINES_PER_SLICE, row.lineCount);
      lines.push(...statementTable.lines(store.read, row.id, { from, to }));
      await nextTurn();
    }
    return lines;
  }

  /** The last comparison, so that all pages come from the same one. */
  private async shown(id: string): Promise<LoadedStatement | undefined> {
    return this.current?.row.id === id ? this.current : this.compared(id);
  }

  private async lines({ id, group, cursor, offset = 0, limit }: CallParsed<'statement.lines'>) {
    const current = await this.shown(id);
    if (!current) return noSuchStatement;
    const from = cursor === undefined ? offset : Number(cursor);
    if (group === 'decided') {
      const decided = [...decidedHere(current)].sort(([, one], [, other]) => other.seq - one.seq);
      return ok(pageOf(decided, shownThen, { from, limit }));
    }
    const isOf = (line: ComparedLine): boolean =>
      group === 'cheaper' ? line.isCheaper === true : line.group === group;
    const shown = (line: ComparedLine) => lineOf(line, current.decisions);
    return ok(pageOf(current.lines.filter(isOf), shown, { from, limit }));
  }

  private async settle({ id, lines, as }: CallParsed<'statement.settle'>): Promise<Result<Statement>> {
    const current = await this.compared(id);
    if (!current) return noSuchStatement;
    const settled = this.settlements.settle(current, { lines, as });
    return settled.ok ? this.answer(id) : settled;
  }

  private async undo({ id, lines: ids }: CallParsed<'statement.undo'>): Promise<Result<Statement>> {
    const current = await this.compared(id);
    if (!current) return noSuchStatement;
    const here = decidedHere(current);
    const found = [...new Set(ids)].flatMap((of) => here.get(of) ?? []);
    if (found.length < new Set(ids).size)
      return fail('wrong_state', en`lines: nothing was decided about one of them. Nothing was changed.`, {
        field: 'lines',
      });
    const undone = this.settlements.undo(found);
    return undone.ok ? this.answer(id) : undone;
  }

  private async match({ id, line: lineId, jobId }: CallParsed<'statement.match'>): Promise<Result<Statement>> {
    const current = await this.compared(id);
    if (!current) return noSuchStatement;
    const line = current.lines.find((one) => one.id === lineId);
    if (!line?.bill) return noSuchLine;
    const { hash } = line;
    const earlier = current.decisions.get(hash);
    if (earlier && earlier.as !== 'match') return isDecided(line);
    if (jobId !== null && !current.jobs.some((job) => job.id === jobId))
      return fail('not_found', en`jobId: no job of this gateway was sent near that line.`, { field: 'jobId' });
    const at = this.deps.clock.now();
    const shown = JSON.stringify(lineOf(line, current.decisions));
    this.deps.store.transaction((db) => {
      if (earlier) statementTable.undo(db, earlier.seq, at);
      const decision = { statementId: id, lineId, hash, as: 'match' as const, jobId, done: null, shown, at };
      if (jobId !== null) statementTable.decide(db, current.row.profileId, decision);
    });
    return this.answer(id);
  }

  /** Jobs sent within a day of the line. */
  private async candidates({ id, line: lineId }: CallParsed<'statement.candidates'>) {
    const current = await this.shown(id);
    if (!current) return noSuchStatement;
    const bill = current.lines.find((one) => one.id === lineId)?.bill;
    if (!bill) return noSuchLine;
    const taken = new Set(
      current.lines.flatMap(({ bill: of, job, group }) => (of && job && group !== 'onlyBill' ? [job] : [])),
    );
    const near = current.jobs
      .filter((job) => !taken.has(job) && apartOf(bill, job) <= DAY_MS)
      .sort((one, other) => apartOf(bill, one) - apartOf(bill, other))
      .slice(0, CANDIDATES);
    return ok({ lines: near.map((job) => lineOf(candidate(job), new Map())) });
  }
}

const isWithin = (at: number, { from, to }: { from: number; to: number }): boolean => at >= from && at < to;

/** Whole days from the first line of the bill to its last, in the zone that its times state or else UTC. */
function daysOf(lines: readonly BillLine[], zoneMinutes = 0): { from: number; to: number } {
  const zone = zoneMinutes * MINUTE_MS;
  const startOfDay = (at: number): number => Math.floor((at + zone) / DAY_MS) * DAY_MS - zone;
  // A call that ran past midnight belongs to the day on which it began.
  const { from, to } = reachOf(lines.map((line) => (line.spanMs < DAY_MS ? { ...line, spanMs: 1 } : line)));
  return { from: startOfDay(from), to: startOfDay(to - 1) + DAY_MS };
}

/** The amounts that decisions added to each job's charge. */
function besidesOf(decisions: readonly DecisionRow[]): ReadonlyMap<string, Nano> {
  const besides = new Map<string, Nano>();
  for (const { jobId, done } of decisions)
    if (jobId !== null && done?.enteredNano !== undefined)
      besides.set(jobId, (besides.get(jobId) ?? 0) + done.enteredNano);
  return besides;
}

/** Amounts that were entered from lines that are not on this bill, or have another amount there. */
function enteredFrom(decisions: readonly DecisionRow[], lines: readonly BillLine[]): ReadonlySet<string> {
  const amounts = new Map(lines.map(({ hash, nano }) => [hash, nano]));
  const others = decisions.filter(
    ({ hash, done }) => done?.enteredNano !== undefined && amounts.get(hash) !== done.enteredNano,
  );
  return new Set(others.map(({ lineAt, done }) => enteredKey(lineAt, done?.enteredNano ?? 0)));
}

async function inTurns<T>(work: Generator<void, T>): Promise<T> {
  let end = performance.now() + TURN_MS;
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    if (performance.now() < end) continue;
    await nextTurn();
    end = performance.now() + TURN_MS;
  }
}

const candidate = (job: BillJob): ComparedLine => ({
  id: `j:${job.id}`,
  hash: '',
  group: 'onlyLedger',
  at: job.sentAt,
  job,
  ledgerNano: job.isCharged ? job.chargedNano : job.uncertainNano,
});

/** A decision with its line as it was shown then. */
function shownThen([id, { as, at, shown }]: [string, DecisionRow]): StatementLine {
  const { isClear: _, ...line } = JSON.parse(shown) as StatementLine;
  return { ...line, id, decided: { as: as === 'keep' ? 'keep' : 'adopt', at } };
}
