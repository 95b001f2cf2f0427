import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallParsed, Handlers } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { Profile } from '../../../shared/gateway/profile.ts';
import type { Nano } from '../../../shared/money/money.ts';
import type { AskedColumns, Statement, StatementLine } from '../../../shared/money/statement/statement.ts';
import { t } from '../../../shared/text/texts.ts';
import type { Ids } from '../ports.ts';
import { answerOf, type Current, lineOf, pageOf } from './answer.ts';
import { apartOf, place } from './assign.ts';
import { earlierSums } from './billedLines.ts';
import { type BillJob, isInOtherZone } from './billJobs.ts';
import { type ComparedLine, compare } from './compare.ts';
import { JobIndex } from './jobIndex.ts';
import { addBesides, enteredBesides, jobsBeside, withDecidedJobs } from './ledgerSide.ts';
import { decisionsHere } from './marks.ts';
import { onOtherBills } from './otherBills.ts';
import { jobsOfOthers } from './otherProfiles.ts';
import { periodOf, reachOf, withReaching } from './period.ts';
import { type BillLine, hashOf, type ReadBill, readBill } from './readBill.ts';
import { nameOf } from './settle.ts';
import { type SettlementDeps, Settlements } from './settlements.ts';
import { type DecisionRow, type StatementRow, statementTable } from './table.ts';

interface StatementDeps extends SettlementDeps {
  ids: Pick<Ids, 'id'>;
  profiles: { get(id: string): Profile | undefined; active(): Profile };
}

type Calls = Pick<Handlers, Extract<keyof Handlers, `statement.${string}`>>;

/** Lines that one transaction writes, and one page reads. */
const LINES_PER_SLICE = 1_000;
const CANDIDATES = 20;
/** A line may be matched by the user with a job sent within this time of it. */
const CANDIDATES_MS = 24 * 60 * 60_000;

const noSuchStatement = fail('not_found', t`id: that statement is not kept; read the bill again.`, { field: 'id' });
const noSuchProfile = fail('not_found', 'profileId: there is no such gateway.', { field: 'profileId' });

interface Kept extends Current {
  jobs: readonly BillJob[];
}

interface NewStatement {
  row: Omit<StatementRow, 'id'>;
  lines: BillLine[];
  unreadNamed: BillLine[];
}

/** With the columns that were chosen for it. */
type ChosenBill = ReadBill & Pick<Statement, 'asked' | 'isRemembered'>;

/**
 * Bills that were read, beside the ledger. Nothing of a comparison is stored: it is made anew from the lines, the decisions and the jobs as
 * they are, so that it cannot disagree with them. Calls run one after the other.
 */
export class Statements {
  private readonly deps: StatementDeps;
  /** The bill that was looked at last, with its lines outside its period. */
  private last: { id: string; lines: BillLine[] } | undefined;
  private current: Kept | undefined;
  private queue: Promise<unknown> = Promise.resolve();
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
    const done = this.queue.then(work);
    this.queue = done.catch(() => undefined);
    return done;
  }

  private async read(input: CallParsed<'statement.read'>): Promise<Result<Statement>> {
    const { text, from, to, name } = input;
    const { profiles, store } = this.deps;
    const profile = input.profileId === undefined ? profiles.active() : profiles.get(input.profileId);
    if (!profile) return noSuchProfile;
    const key = [profile.id, await hashOf(text, nextTurn), input.columns ?? null, from ?? null, to ?? null];
    const textKey = JSON.stringify(key);
    const read = { readAt: this.deps.clock.now(), name: name ?? null };
    const known = statementTable.idOfText(store.read, textKey);
    if (known !== undefined) {
      store.transaction((db) => statementTable.touch(db, known, read));
      return this.answer(known);
    }
    const bill = await (input.columns
      ? readChosen(text, { asked: input.columns })
      : this.readRemembered(text, profile.id));
    if (!bill.ok) return bill;
    const { lines, unreadNamed, unreadAt, ...facts } = bill.data;
    const period = periodOf(lines, { from, to, zoneMinutes: facts.zoneMinutes });
    const lineCount = lines.length;
    const outside = lineCount - lines.filter(isWithin(period)).length;
    if (outside === lineCount)
      return fail('invalid_input', t`from: no line of the bill lies in that period.`, { field: 'from' });
    const reach = { ...reachOf(lines), unread: withReaching(unreadAt, lines, period) };
    const row = {
      profileId: profile.id,
      ...read,
      ...period,
      lineCount,
      facts: { ...facts, outside, reach },
    };
    return this.answer(await this.save({ row, lines, unreadNamed }, textKey));
  }

  /** By what the user chose for the last bill with the same columns; in another zone than its lines are in, none. */
  private async readRemembered(text: string, profileId: string): Promise<Result<ChosenBill>> {
    const found = await readBill(text, {}, nextTurn);
    const names = found.ok ? found.data.columns.map(({ name }) => name) : found.error.data?.columns;
    const known = Array.isArray(names) ? statementTable.asked(this.deps.store.read, profileId, names) : undefined;
    const { zone, ...asked } = known ?? {};
    if (zone !== undefined) {
      const inZone = await readChosen(text, { asked: { ...asked, zone }, isRemembered: true });
      if (!inZone.ok || !(await this.isInOtherZone(inZone.data.lines, profileId))) return inZone;
    }
    return Object.keys(asked).length > 0 ? readChosen(text, { asked, isRemembered: true }) : found;
  }

  private async isInOtherZone(lines: readonly BillLine[], profileId: string): Promise<boolean> {
    const jobs = await jobsBeside(this.deps.store, { profileId, ...periodOf(lines, {}), lines });
    const index = await inTurns(JobIndex.of(jobs));
    const { assigned } = await inTurns(place(lines, index, NO_DECISIONS, { isZoneAssumed: true }));
    return lines.some((line, at) => {
      const job = assigned[at]?.job;
      return job !== undefined && line.nano > 0 && isInOtherZone(line, job);
    });
  }

  private async save({ row, lines, unreadNamed }: NewStatement, textKey: string): Promise<string> {
    const { store, ids } = this.deps;
    const id = ids.id('st');
    await this.prune(id);
    store.transaction((db) => statementTable.insert(db, { id, ...row }, textKey));
    const kept = [...lines, ...unreadNamed];
    for (let first = 0; first < kept.length; first += LINES_PER_SLICE) {
      const slice = kept.slice(first, first + LINES_PER_SLICE);
      store.transaction((db) => statementTable.insertLines(db, id, slice, first));
      await nextTurn();
    }
    store.transaction((db) => statementTable.finish(db, id));
    this.last = { id, lines };
    return id;
  }

  /** Removes the oldest, and what an end of the program left unfinished. */
  private async prune(except: string): Promise<void> {
    const { store } = this.deps;
    for (const id of statementTable.surplus(store.read, except))
      while (store.transaction((db) => statementTable.removeSlice(db, id))) await nextTurn();
  }

  private async answer(id: string): Promise<Result<Statement>> {
    const current = await this.compared(id);
    return current ? answerOf(current, this.deps.profiles.get(current.row.profileId)) : noSuchStatement;
  }

  private async compared(id: string): Promise<Kept | undefined> {
    const { store } = this.deps;
    const row = statementTable.byId(store.read, id);
    if (!row) return undefined;
    const bill = (await this.linesOf(row)).filter(isWithin(row));
    const marks = new Set(bill.map(({ mark }) => mark));
    await nextTurn();
    const { profileId, from, to } = row;
    const { reach, zoneMinutes, isZoneAssumed, columns } = row.facts;
    const sameText = statementTable.sameText(store.read, row);
    const beside = await jobsBeside(store, { profileId, from, to, lines: bill });
    let index = await inTurns(JobIndex.of(beside));
    const stored = statementTable.decisions(store.read, profileId);
    const decided = await inTurns(decisionsHere(stored, { bill, columns, sameText, index }));
    const older = olderDecisions(decided, { bill, marks, sameText });
    const isHere = ({ mark, statementId }: DecisionRow) => statementId === id || marks.has(mark) || isOfLedger(mark);
    const here = [...older.values(), ...decided.filter(isHere)];
    const decisions = new Map(here.map((one) => [one.mark, one]));
    const jobIds = [...decisions.values()].flatMap(({ jobId }) => jobId ?? []);
    const jobs = await withDecidedJobs(store, beside, { profileId, jobIds });
    if (jobs !== beside) index = await inTurns(JobIndex.of(jobs));
    const besides = enteredBesides(decided);
    addBesides(
      jobs,
      besides.filter(({ mark }) => !marks.has(mark)),
    );
    const entered = new Set(besides.map(({ mark }) => mark));
    const ofOthers = await jobsOfOthers(store, bill, { profileId, jobs });
    const placed = await inTurns(place(bill, index, decisions, { isZoneAssumed, ofOthers }));
    const billed = await onOtherBills(store, row, [...placed.groups.keys()]);
    const earlier = new Map<BillJob, Nano[]>();
    for (const [job, at] of placed.groups) {
      const first = at.reduce((least, of) => Math.min(least, bill[of]?.at ?? least), Infinity);
      const some = billed.get(job.id)?.filter(({ mark }) => !marks.has(mark) && !entered.has(mark)) ?? [];
      earlier.set(job, earlierSums(some, first));
    }
    const sides = { lines: bill, jobs, decisions, placed, from, to, reach, zoneMinutes };
    const { lines } = await inTurns(compare({ ...sides, entered, earlier }));
    this.nameOthers(lines);
    for (const line of lines) if (older.has(line.id)) line.isClear = false;
    const missing = lines.filter(isMissing);
    const missed = missing.flatMap(({ job }) => job ?? []);
    const others = await onOtherBills(store, row, missed);
    for (const line of missing)
      if (others.get(line.job?.id ?? '')?.some(({ mark }) => !marks.has(mark)))
        Object.assign(line, { isClear: false, ...(line.bill ? {} : { finding: { type: 'unsure' } }) });
    this.current = { row, lines, decisions, older, jobs };
    await nextTurn();
    return this.current;
  }

  private nameOthers(lines: readonly ComparedLine[]): void {
    for (const { other, finding } of lines) {
      if (!other || finding?.type !== 'otherProfile') continue;
      const profile = this.deps.profiles.get(other.profileId)?.name;
      if (profile !== undefined) finding.profile = profile;
      else if (other.chargedNano === 0) finding.isUncharged = true;
    }
  }

  private async linesOf(row: StatementRow): Promise<BillLine[]> {
    const { store } = this.deps;
    if (this.last?.id === row.id) return this.last.lines;
    const lines: BillLine[] = [];
    for (let from = 0; from < row.lineCount; from += LINES_PER_SLICE) {
      const to = Math.min(from + LINES_PER_SLICE, row.lineCount);
      lines.push(...statementTable.lines(store.read, row.id, { from, to }));
      await nextTurn();
    }
    this.last = { id: row.id, lines };
    return lines;
  }

  private async lines({ id, group, cursor, offset = 0, limit }: CallParsed<'statement.lines'>) {
    const current = this.current?.row.id === id ? this.current : await this.compared(id);
    if (!current) return noSuchStatement;
    const { decisions } = current;
    const from = cursor === undefined ? offset : Number(cursor);
    if (group === 'decided') return ok(decidedPage(current, { from, limit }));
    const isOf = (line: ComparedLine): boolean =>
      group === 'cheaper' ? line.isCheaper === true : line.group === group;
    return ok(pageOf(current.lines.filter(isOf), decisions, { from, limit }));
  }

  private async settle({ id, lines, as }: CallParsed<'statement.settle'>): Promise<Result<Statement>> {
    const current = await this.compared(id);
    if (!current) return noSuchStatement;
    const settled = this.settlements.settle(current, { lines, as });
    if (!settled.ok) return settled;
    const answer = await this.answer(id);
    return answer.ok && settled.data.length > 0 ? ok({ ...answer.data, passedOver: settled.data }) : answer;
  }

  private async undo({ id, lines: ids }: CallParsed<'statement.undo'>): Promise<Result<Statement>> {
    const current = await this.compared(id);
    if (!current) return noSuchStatement;
    const byLine = new Map(current.lines.map((line) => [line.id, current.decisions.get(line.mark)]));
    // Another bill's lines have the same names; of this one's, those that are shown have their decision by their mark.
    const gone = [...current.decisions.values()].filter((one) => one.statementId === id && !byLine.has(one.lineId));
    const goneByLine = new Map(gone.map((one) => [one.lineId, one]));
    const found = [...new Set(ids)].map((of) => current.older.get(of) ?? byLine.get(of) ?? goneByLine.get(of));
    if (found.includes(undefined))
      return fail('wrong_state', t`lines: nothing was decided about one of them. Nothing was changed.`, {
        field: 'lines',
      });
    const undone = this.settlements.undo(found as DecisionRow[]);
    return undone.ok ? this.answer(id) : undone;
  }

  private async match({ id, line: lineId, jobId }: CallParsed<'statement.match'>): Promise<Result<Statement>> {
    const current = await this.compared(id);
    if (!current) return noSuchStatement;
    const line = current.lines.find((one) => one.id === lineId);
    if (!line?.bill) return noSuchLine;
    const earlier = current.decisions.get(line.mark);
    if (earlier && earlier.as !== 'match')
      return fail('wrong_state', t`${nameOf(line)} is decided: undo that first. Nothing was changed.`);
    if (jobId !== null && !current.jobs.some((job) => job.id === jobId))
      return fail('not_found', t`jobId: no job of this gateway was sent near that line.`, { field: 'jobId' });
    const at = this.deps.clock.now();
    this.deps.store.transaction((db) => {
      if (earlier) statementTable.undo(db, earlier.seq, at);
      if (jobId === null) return;
      const shown = JSON.stringify(lineOf(line, current.decisions));
      const { profileId } = current.row;
      const decision = { statementId: id, lineId, mark: line.mark, as: 'match' as const, jobId, done: null, shown, at };
      statementTable.decide(db, profileId, decision);
    });
    return this.answer(id);
  }

  private async candidates({
    id,
    line: lineId,
  }: CallParsed<'statement.candidates'>): Promise<Result<{ lines: StatementLine[] }>> {
    const current = this.current?.row.id === id ? this.current : await this.compared(id);
    if (!current) return noSuchStatement;
    const bill = current.lines.find((one) => one.id === lineId)?.bill;
    if (!bill) return noSuchLine;
    const taken = new Set(
      current.lines.flatMap(({ bill: of, job, group }) => (of && job && group !== 'onlyBill' ? [job] : [])),
    );
    const near = current.jobs
      .filter((job) => !taken.has(job) && apartOf(bill, job) <= CANDIDATES_MS)
      .sort((one, other) => apartOf(bill, one) - apartOf(bill, other))
      .slice(0, CANDIDATES);
    return ok({ lines: near.map((job) => lineOf(candidate(job), NO_DECISIONS)) });
  }
}

async function readChosen(
  text: string,
  chosen: { asked: AskedColumns; isRemembered?: true },
): Promise<Result<ChosenBill>> {
  const bill = await readBill(text, chosen.asked, nextTurn);
  return bill.ok ? ok({ ...bill.data, ...chosen }) : bill;
}

const isWithin =
  ({ from, to }: { from: number; to: number }) =>
  ({ at }: Pick<BillLine, 'at'>): boolean =>
    at >= from && at < to;

/** For what this bill has no line, or one that names no job. Where a line for it stands elsewhere, nothing is clear about it. */
const isMissing = ({ finding, by }: ComparedLine): boolean =>
  by === undefined && ['notBilled', 'inDoubt', 'doubt'].includes(finding?.type ?? '');

async function inTurns<T>(work: Generator<void, T>): Promise<T> {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    await nextTurn();
  }
}

/** What was entered for a line as another reading had it is not entered for it once more: it is taken back first. */
function olderDecisions(
  decisions: readonly DecisionRow[],
  { bill, marks, sameText }: { bill: readonly BillLine[]; marks: ReadonlySet<string>; sameText: ReadonlySet<string> },
): ReadonlyMap<string, DecisionRow> {
  const isOlder = ({ as, mark, statementId }: DecisionRow) =>
    as === 'adopt' && sameText.has(statementId) && !marks.has(mark);
  const older = new Map(decisions.filter(isOlder).map((one) => [one.lineId, one]));
  const lines = new Set(older.size === 0 ? [] : bill.map(({ line }) => `b${line}`));
  return new Map([...older].filter(([lineId]) => lines.has(lineId)));
}

const NO_DECISIONS: Current['decisions'] = new Map();
const noSuchLine = fail('not_found', 'line: there is no such line of the bill.', { field: 'line' });
const isOfLedger = (mark: string): boolean => mark.startsWith('c:') || mark.startsWith('d:');
const candidate = (job: BillJob): ComparedLine => ({
  id: `j:${job.id}`,
  mark: '',
  group: 'onlyLedger',
  at: job.sentAt,
  job,
  ledgerNano: job.isCharged ? job.chargedNano : job.uncertainNano,
});

/** What was decided in this statement or about its lines, the newest first, as it was shown then. */
function decidedPage({ decisions, older, lines, row }: Kept, { from, limit }: { from: number; limit: number }) {
  const now = new Map(lines.map((line) => [line.mark, line]));
  const isHere = (one: DecisionRow) => one.statementId === row.id || now.has(one.mark) || older.get(one.lineId) === one;
  const all = [...decisions.values()]
    .filter((one) => one.as !== 'match' && isHere(one))
    .sort((one, other) => other.seq - one.seq);
  const shown = all.slice(from, from + limit).map(({ mark, as, at, lineId, shown: json }): StatementLine => {
    const { isClear: _, ...line } = JSON.parse(json) as StatementLine;
    return { ...line, id: now.get(mark)?.id ?? lineId, decided: { as: as === 'keep' ? 'keep' : 'adopt', at } };
  });
  const next = from + shown.length;
  return { lines: shown, total: all.length, ...(next < all.length ? { nextCursor: String(next) } : {}) };
}
