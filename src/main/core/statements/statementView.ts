import { isDeepStrictEqual } from 'node:util';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import { withoutNulls } from '../../../shared/contract/values.ts';
import { isPlayMoney, type Profile } from '../../../shared/gateway/profile.ts';
import { type Nano, sumNano } from '../../../shared/money/money.ts';
import { type Price, priceFor } from '../../../shared/money/price.ts';
import type { LineGroup, SettledPrice, Statement, StatementLine } from '../../../shared/money/statement/statement.ts';
import { en } from '../../../shared/text/texts.ts';
import type { BillJob } from './billJobs.ts';
import type { ComparedLine } from './match.ts';
import type { DecisionRow, StatementRow } from './statementTable.ts';

/** A compared bill, ready for answers. */

export interface LoadedStatement {
  row: StatementRow;
  lines: ComparedLine[];
  /** The decisions in force at this gateway, by hash. */
  decisions: ReadonlyMap<string, DecisionRow>;
  /** In the order in which they were sent. */
  jobs: readonly BillJob[];
}

/** The longest list of a group, in characters: a message between processes is no larger than 256 KB. */
const PAGE_CHARACTERS = 80_000;
const FIRST_CHARACTERS = 20_000;
const FIRST = 200;
const CLEAR_IDS = 100;

export function lineOf(line: ComparedLine, decisions: LoadedStatement['decisions']): StatementLine {
  const { bill, job, other } = line;
  const decided = decisionOn(line, decisions);
  return {
    id: line.id,
    at: line.at,
    ...withoutNulls({
      day: line.day,
      line: bill?.line,
      billNano: bill?.nano,
      units: bill?.units,
      model: bill?.model || (job && (job.model ?? job.kind)),
      remoteId: bill ? bill.remoteId || undefined : job?.ids[0],
      jobId: job?.id ?? other?.jobId,
      kind: job?.kind,
      ledgerNano: line.ledgerNano,
      ledgerLowNano: lowNanoOf(line),
      uncertainNano: job?.uncertainNano || undefined,
      matchedBy: line.by,
      finding: line.finding,
      isClear: line.isClear && !decided ? (true as const) : undefined,
      decided,
    }),
  };
}

/** The lower charge, if it differs from the one that the line shows. */
function lowNanoOf({ job, ledgerNano = 0, part }: ComparedLine): Nano | undefined {
  return job && ledgerNano !== 0 && part !== 'doubt' && job.lowNano !== job.chargedNano ? job.lowNano : undefined;
}

/** The lines from a position on, as many as one message can hold, but at least one. */
export function pageOf<T>(
  all: readonly T[],
  show: (one: T) => StatementLine,
  { from, limit, characters: most = PAGE_CHARACTERS }: { from: number; limit: number; characters?: number },
): { lines: StatementLine[]; nextCursor?: string; total: number } {
  const lines: StatementLine[] = [];
  let characters = 0;
  for (const one of all.slice(from, from + limit)) {
    const line = show(one);
    characters += JSON.stringify(line).length;
    if (characters > most && lines.length > 0) break;
    lines.push(line);
  }
  const next = from + lines.length;
  return { lines, total: all.length, ...(next < all.length ? { nextCursor: String(next) } : {}) };
}

/** The decision about a line. A line that is open again, because its job's cost was changed later, needs a new decision. */
export function decisionOn(
  { hash, group }: Pick<ComparedLine, 'hash' | 'group'>,
  decisions: LoadedStatement['decisions'],
): StatementLine['decided'] {
  const decision = decisions.get(hash);
  if (!decision || decision.as === 'match' || (decision.as === 'adopt' && group !== 'matched')) return undefined;
  return { as: decision.as, at: decision.at };
}

/** The decisions made in this bill or about its lines, by the current ids of these lines. */
export function decidedHere({ decisions, lines, row }: LoadedStatement): Map<string, DecisionRow> {
  const ids = new Map(decisions.size === 0 ? [] : lines.map(({ hash, id }) => [hash, id]));
  const here = new Map<string, DecisionRow>();
  for (const one of decisions.values()) {
    const id = ids.get(one.hash) ?? (one.statementId === row.id ? one.lineId : undefined);
    if (one.as !== 'match' && id !== undefined) here.set(id, one);
  }
  return here;
}

export function answerOf(current: LoadedStatement, profile: Profile | undefined): Result<Statement> {
  const { row, lines, decisions } = current;
  const { matched = [], onlyBill = [], onlyLedger = [], differs = [] } = Object.groupBy(lines, ({ group }) => group);
  const sums = sumsOf({ matched, onlyBill, onlyLedger, differs });
  if (!sums) return fail('too_large', en`The sum of the bill is more than can be counted exactly.`);
  const open = [...onlyBill, ...onlyLedger, ...differs].filter((line) => !decisionOn(line, decisions));
  const clear = open.filter(({ isClear }) => isClear);
  const cheaper = matched.filter(({ isCheaper }) => isCheaper);
  const first = (group: readonly ComparedLine[]) =>
    pageOf(group, (line) => lineOf(line, decisions), { from: 0, limit: FIRST, characters: FIRST_CHARACTERS }).lines;
  const { facts, name, profileId } = row;
  const { hasGaps: _, isOtherZone: __, ...told } = facts;
  return ok({
    id: row.id,
    profileId,
    play: isPlayMoney(profileId),
    ...(name === null ? {} : { name }),
    readAt: row.readAt,
    from: row.from,
    to: row.to,
    matched: matched.length,
    onlyBill: first(onlyBill),
    onlyLedger: first(onlyLedger),
    differs: first(differs),
    sums,
    counts: {
      bill: matched.length + onlyBill.length + differs.length,
      onlyBill: onlyBill.length,
      onlyLedger: onlyLedger.length,
      differs: differs.length,
    },
    ...told,
    matchedBy: countsBy(lines),
    cheaper: {
      lines: cheaper.length,
      billNano: total(cheaper, ({ bill }) => bill?.nano),
      ledgerNano: total(cheaper, ({ ledgerNano }) => ledgerNano),
    },
    settles: profile ? settledPrices(matched, profile.prices) : [],
    open: open.length,
    clear: { count: clear.length, ids: clear.slice(0, CLEAR_IDS).map(({ id }) => id) },
    decided: decidedHere(current).size,
  });
}

function countsBy(lines: readonly ComparedLine[]): Statement['matchedBy'] {
  const counts = { id: 0, key: 0, near: 0, user: 0 };
  for (const { by } of lines) if (by) counts[by] += 1;
  return counts;
}

const total = (lines: readonly ComparedLine[], nanoOf: (line: ComparedLine) => number | undefined): number =>
  lines.reduce((sum, line) => sum + (nanoOf(line) ?? 0), 0);

/** In the bill's amounts; undefined if a sum is not exact. */
function sumsOf(groups: Record<LineGroup, readonly ComparedLine[]>): Statement['sums'] | undefined {
  const billed = (lines: readonly ComparedLine[]) => sumNano(lines.map(({ bill }) => bill?.nano ?? 0));
  const sums = {
    bill: billed([...groups.matched, ...groups.onlyBill, ...groups.differs]),
    matched: billed(groups.matched),
    onlyBill: billed(groups.onlyBill),
    onlyLedger: sumNano(groups.onlyLedger.map(({ ledgerNano }) => ledgerNano ?? 0)),
    differs: billed(groups.differs),
  };
  return Object.values(sums).includes(undefined) ? undefined : (sums as Statement['sums']);
}

/**
 * Open prices for which all matched lines agree on one interpretation, and that are still open in the price book. Interpretations are
 * compared by position, so a job that was charged with other interpretations than the book has now settles nothing.
 */
function settledPrices(matched: readonly ComparedLine[], prices: readonly Price[]): SettledPrice[] {
  const found = new Map<string, SettledPrice & { readings: number[] }>();
  const priced = matched.filter(({ bill, job, jobNano }) => bill && job?.price && jobNano !== undefined);
  for (const [price, ofPrice] of Map.groupBy(priced, ({ job }) => job?.price as JobPrice))
    for (const [ofModel, lines] of Map.groupBy(ofPrice, ({ job }) => job?.model)) {
      const { kind, model } = price;
      const isListed = isOpen(price, priceFor(prices, kind, ofModel ?? undefined));
      const key = `${kind} ${model}`;
      const start = {
        kind,
        model,
        reading: -1,
        lines: 0,
        ledgerNano: 0,
        billNano: 0,
        readings: [...price.readings.keys()],
      };
      const said = found.get(key) ?? start;
      found.set(key, said);
      for (const { job, jobNano } of isListed ? lines : [])
        said.readings = said.readings.filter((at) => job?.readings[at] === jobNano);
      if (!isListed) said.readings = [];
      said.lines += lines.length;
      said.ledgerNano += total(lines, ({ ledgerNano }) => ledgerNano);
      said.billNano += total(lines, ({ bill }) => bill?.nano);
    }
  return [...found.values()].flatMap(({ readings: [reading, ...others], ...settled }) =>
    reading !== undefined && others.length === 0 ? [{ ...settled, reading }] : [],
  );
}

type JobPrice = NonNullable<BillJob['price']>;

/** Whether the entry of the price book still has the readings that a job was charged at, as a job keeps them. */
const isOpen = (price: JobPrice, entry: Price | undefined): boolean =>
  entry?.model === price.model &&
  entry.settledReading === null &&
  isDeepStrictEqual(price.readings, JSON.parse(JSON.stringify(entry.readings)));
