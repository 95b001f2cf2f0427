import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallParsed, Handlers } from '../../../shared/contract.ts';
import type { Profile } from '../../../shared/profile.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Statement, StatementLine } from '../../../shared/statement/statement.ts';
import { t } from '../../../shared/texts.ts';
import type { Ids, Logger } from '../ports.ts';
import { answerOf, type Current, lineOf, pageOf } from './answer.ts';
import { apartOf, type Placed, place } from './assign.ts';
import { billBefore } from './billBefore.ts';
import type { BillJob } from './billJobs.ts';
import type { AskedColumns } from './columns.ts';
import { type ComparedLine, compare } from './compare.ts';
import { lookElsewhere } from './elsewhere.ts';
import { JobIndex, namesOf } from './jobIndex.ts';
import { addBesides, enteredBesides, jobsBeside, withDecidedJobs } from './ledgerSide.ts';
import { decisionsHere } from './marks.ts';
import { linesOfRanges, zonelessRanges } from './openZone.ts';
import { type EarlierLine, EarlierLines, withDecided } from './otherBills.ts';
import { jobsOfOthers } from './otherProfiles.ts';
import { periodOf, reachOf, withReaching } from './period.ts';
import { type BillLine, type ReadBill, readBill } from './readBill.ts';
import { nameOf } from './settle.ts';
import { type SettlementDeps, Settlements } from './settlements.ts';
import { type DecisionRow, type StatementRow, statementTable } from './table.ts';
import { zoneOf } from './zones.ts';

export interface StatementDeps extends SettlementDeps {
  ids: Pick<Ids, 'id'>;
  profiles: { get(id: string): Profile | undefined; active(): Profile };
  log: Pick<Logger, 'error'>;
}

type Calls = Pick<Handlers, Extract<keyof Handlers, `statement.${string}`>>;

/** Lines that one transaction writes, and one page reads. */
const LINES_PER_SLICE = 1_000;
const CANDIDATES = 20;
/** Raised when texts are read in another way: one that was read before is then another statement, with the same decisions. */
const READING = 2;
/** A line may be matched by the user with a job sent within this time of it. */
const CANDIDATES_MS = 24 * 60 * 60_000;

const noSuchStatement = fail('not_found', t`id: that statement is not kept; read the bill again.`, { field: 'id' });
const noSuchProfile = fail('not_found', t`profileId: there is no such gateway.`, { field: 'profileId' });

interface Kept extends Current {
  jobs: readonly BillJob[];
}

interface NewStatement {
  row: Omit<StatementRow, 'id'>;
  lines: BillLine[];
  /** What its other rows name. */
  names: readonly string[];
}

interface Beside {
  row: StatementRow;
  bill: readonly BillLine[];
  placed: Placed;
  decided: readonly DecisionRow[];
}

/**
 * Bills that were read, beside the ledger. Nothing of a comparison is stored: it is made anew from the lines, the decisions and the jobs as
 * they are, so that it cannot disagree with them. Calls run one after the other.
 */
export class Statements {
  private readonly deps: StatementDeps;
  private last: { id: string; lines: BillLine[]; others?: EarlierLines } | undefined;
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

  /** At start. */
  recover(): void {
    this.inTurn(async () => undefined).catch((error) =>
      this.deps.log.error({ error: String(error) }, 'lines of a bill are settled in part; it is gone on with later'),
    );
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.queue.then(() => this.finishSettling()).then(work);
    this.queue = done.catch(() => undefined);
    return done;
  }

  private async read(input: CallParsed<'statement.read'>): Promise<Result<Statement>> {
    const { text, columns = {}, from, to, name } = input;
    const { profiles } = this.deps;
    const profile = input.profileId === undefined ? profiles.active() : profiles.get(input.profileId);
    if (!profile) return noSuchProfile;
    const bill = await this.readInZone(text, columns, profile.id);
    if (!bill.ok) return bill;
    const { lines: read, sha256, unreadNames, unreadAt, zoneless: without, ...facts } = bill.data;
    const zoneless = zonelessRanges(read, without);
    const mixed = zoneless ? { isZoneMixed: true as const, zoneless } : {};
    const period = periodOf(read, { from, to, zoneMinutes: facts.zoneMinutes });
    const lines = read.filter(({ at }) => at >= period.from && at < period.to);
    if (lines.length === 0)
      return fail('invalid_input', t`from: no line of the bill lies in that period.`, { field: 'from' });
    const zone = facts.isZoneFound ? { zone: facts.zoneMinutes } : {};
    const textKey = JSON.stringify([profile.id, sha256, { ...columns, ...zone }, from ?? null, to ?? null, READING]);
    const reach = { ...reachOf(read), unread: withReaching(unreadAt, read, period) };
    const names = [...new Set([...unreadNames, ...namesOutside(read, period)])];
    const row = {
      profileId: profile.id,
      name: name ?? null,
      readAt: this.deps.clock.now(),
      ...period,
      lineCount: lines.length,
      facts: { ...facts, ...mixed, outside: read.length - lines.length, names: names.length, reach },
    };
    return this.answer(await this.save({ row, lines, names }, textKey));
  }

  /** In the zone that lines with a known job are in, where no time of it states one. */
  private async readInZone(
    text: string,
    columns: AskedColumns,
    profileId: string,
  ): Promise<Result<ReadBill & Pick<Statement, 'isZoneFound'>>> {
    const bill = await readBill(text, columns, nextTurn);
    if (!bill.ok || bill.data.zoneless.size < bill.data.lines.length) return bill;
    const { lines } = bill.data;
    const jobs = await jobsBeside(this.deps.store, { profileId, ...periodOf(lines, {}), lines });
    const zone = zoneOf(lines, await inTurns(JobIndex.of(jobs)));
    if (zone === undefined) return bill;
    const read = await readBill(text, { ...columns, zone }, nextTurn);
    return read.ok ? ok({ ...read.data, isZoneFound: true }) : read;
  }

  /** The same text is the same statement. */
  private async save({ row, lines, names }: NewStatement, textKey: string): Promise<string> {
    const { store, ids } = this.deps;
    const known = statementTable.idOfText(store.read, textKey);
    if (known !== undefined) {
      store.transaction((db) => statementTable.touch(db, known, row));
      return known;
    }
    const id = ids.id('st');
    await this.prune(id);
    store.transaction((db) => statementTable.insert(db, { id, ...row }, textKey));
    for (let first = 0; first < lines.length; first += LINES_PER_SLICE) {
      const slice = lines.slice(first, first + LINES_PER_SLICE);
      store.transaction((db) => statementTable.insertLines(db, id, slice, first));
      await nextTurn();
    }
    for (let first = 0; first < names.length; first += LINES_PER_SLICE) {
      const slice = names.slice(first, first + LINES_PER_SLICE);
      store.transaction((db) => statementTable.insertNames(db, id, namesOf(...slice)));
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
    const bill = await this.billOf(row);
    const marks = new Set(bill.map(({ mark }) => mark));
    await nextTurn();
    const stored = statementTable.decisions(store.read, row.profileId);
    const sameText = statementTable.sameText(store.read, row);
    const { profileId, from, to } = row;
    const { reach, zoneMinutes, isZoneAssumed } = row.facts;
    const zoneless = row.facts.zoneless && linesOfRanges(row.facts.zoneless, bill);
    const beside = await jobsBeside(store, { profileId, from, to, lines: bill });
    const all = await inTurns(decisionsHere(stored, { bill, columns: row.facts.columns, sameText, jobs: beside }));
    const older = olderDecisions(all, { bill, marks, sameText });
    const isHere = ({ mark, statementId }: DecisionRow) => statementId === id || marks.has(mark) || isOfLedger(mark);
    const here = [...older.values(), ...all.filter(isHere)];
    const decisions = new Map(here.map((one) => [one.mark, one]));
    const jobIds = [...decisions.values()].flatMap(({ jobId }) => jobId ?? []);
    const jobs = await withDecidedJobs(store, beside, { profileId, jobIds });
    const besides = enteredBesides(all);
    addBesides(
      jobs,
      besides.filter(({ mark }) => !marks.has(mark)),
    );
    const entered = new Set(besides.map(({ mark }) => mark));
    const ofOthers = await jobsOfOthers(store, bill, { profileId, jobs });
    const placed = await inTurns(place(bill, jobs, decisions, { isZoneAssumed, zoneless, ofOthers }));
    const earlier = await this.earlierLines({ row, bill, placed, decided: all });
    const others = earlier.filter(({ mark }) => !marks.has(mark) && !entered.has(mark));
    const before = await billBefore(store, row, { bill, decisions: new Map(all.map((one) => [one.mark, one])) });
    const sides = { lines: bill, jobs, decisions, placed, from, to, reach, zoneMinutes };
    const work = compare({ ...sides, entered, earlier: others, before });
    const { lines } = await inTurns(work);
    this.nameOthers(lines);
    for (const line of lines) if (older.has(line.id)) line.isClear = false;
    await lookElsewhere(store, lines, { row, marks });
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

  /** What stands on earlier bills for the same jobs. */
  private async earlierLines({ row, bill, placed, decided }: Beside): Promise<EarlierLine[]> {
    const { store } = this.deps;
    const known = this.last?.id === row.id ? this.last : undefined;
    const others = known?.others ?? new EarlierLines(row, bill);
    if (known) known.others = others;
    const found = await others.of(store, placed.assigned);
    const ends = statementTable.ends(store.read, row.profileId);
    return withDecided(found, decided, { row, groups: placed.groups, ends });
  }

  private async billOf({ id, lineCount }: StatementRow): Promise<BillLine[]> {
    if (this.last?.id === id) return this.last.lines;
    const lines: BillLine[] = [];
    for (let from = 0; from < lineCount; from += LINES_PER_SLICE) {
      lines.push(...statementTable.lines(this.deps.store.read, id, { from, to: from + LINES_PER_SLICE }));
      await nextTurn();
    }
    this.last = { id, lines };
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
    const settled = await this.settlements.settle(current, { lines, as });
    if (!settled.ok) return settled;
    const answer = await this.answer(id);
    return answer.ok && settled.data.length > 0 ? ok({ ...answer.data, passedOver: settled.data }) : answer;
  }

  /** Finishes what an end of the program, or a full disk, left settled, or taken back, in part. */
  private async finishSettling(): Promise<void> {
    for (const { id, as, ...open } of statementTable.settling(this.deps.store.read)) {
      const current = await this.compared(id);
      if (!current) continue;
      if (as === 'undo') await this.settlements.finishUndo(current.row, open);
      else await this.settlements.finishSettle(current, { ...open, as });
    }
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
    const undone = await this.settlements.undo(id, found as DecisionRow[]);
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

const namesOutside = (read: readonly BillLine[], { from, to }: { from: number; to: number }): string[] =>
  read.flatMap(({ at, remoteId, requestKey }) =>
    at >= from && at < to ? [] : [remoteId, requestKey].filter((name) => name !== ''),
  );

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
const noSuchLine = fail('not_found', t`line: there is no such line of the bill.`, { field: 'line' });
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
