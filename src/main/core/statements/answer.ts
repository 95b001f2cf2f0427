import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import { isPlayMoney, type Profile } from '../../../shared/gateway/profile.ts';
import { sumNano } from '../../../shared/money/money.ts';
import type { LineGroup, Statement, StatementLine } from '../../../shared/money/statement/statement.ts';
import { t } from '../../../shared/text/texts.ts';
import type { BillJob } from './billJobs.ts';
import type { ComparedLine } from './compare.ts';
import type { BillLine } from './readBill.ts';
import { settledPrices } from './settledPrices.ts';
import type { DecisionRow, StatementRow } from './table.ts';

/** A compared statement as it is answered. */

export interface Current {
  row: StatementRow;
  lines: ComparedLine[];
  /** In force, by mark: those about its lines and about entries of the ledger in its period. */
  decisions: ReadonlyMap<string, DecisionRow>;
  /** Of them, by line, those about lines of which another reading of its text said something else. */
  older: ReadonlyMap<string, DecisionRow>;
}

/** What a list of a group holds, in characters: a message between processes is no larger than 256 KB. */
const PAGE_CHARACTERS = 80_000;
const FIRST_CHARACTERS = 20_000;
const FIRST = 200;
const CLEAR_IDS = 100;

export function lineOf(line: ComparedLine, decisions: Current['decisions']): StatementLine {
  const { bill, job, other } = line;
  const decided = decisionOn(line, decisions);
  return {
    id: line.id,
    at: line.at,
    ...(line.day === undefined ? {} : { day: line.day }),
    ...(bill ? ofBill(bill) : {}),
    ...(other ? { jobId: other.jobId } : {}),
    ...(job ? ofJob(job, line) : {}),
    ...(line.ledgerNano === undefined ? {} : { ledgerNano: line.ledgerNano }),
    ...(line.by ? { matchedBy: line.by } : {}),
    ...(line.finding ? { finding: line.finding } : {}),
    ...(line.isClear && !decided ? { isClear: true as const } : {}),
    ...(decided ? { decided } : {}),
  };
}

const ofBill = ({ line, nano, remoteId, model, units }: BillLine): Partial<StatementLine> => ({
  line,
  billNano: nano,
  ...(remoteId === '' ? {} : { remoteId }),
  ...(model === '' ? {} : { model }),
  ...(units === null ? {} : { units }),
});

function ofJob(job: BillJob, { bill, ledgerNano = 0, part }: ComparedLine): Partial<StatementLine> {
  const [task] = job.ids;
  const hasReadings = ledgerNano !== 0 && part !== 'doubt' && job.lowNano !== job.chargedNano;
  return {
    jobId: job.id,
    kind: job.kind,
    ...(bill?.model ? {} : { model: job.model ?? job.kind }),
    ...(bill || task === undefined ? {} : { remoteId: task }),
    ...(hasReadings ? { ledgerLowNano: job.lowNano } : {}),
    ...(job.uncertainNano > 0 ? { uncertainNano: job.uncertainNano } : {}),
  };
}

/** Lines from a position on, as many as one message can hold, one at least. */
export function pageOf(
  lines: readonly ComparedLine[],
  decisions: Current['decisions'],
  { from, limit, characters: most = PAGE_CHARACTERS }: { from: number; limit: number; characters?: number },
): { lines: StatementLine[]; nextCursor?: string; total: number } {
  const shown: StatementLine[] = [];
  let characters = 0;
  for (const line of lines.slice(from, from + limit)) {
    const made = lineOf(line, decisions);
    characters += JSON.stringify(made).length;
    if (characters > most && shown.length > 0) break;
    shown.push(made);
  }
  const next = from + shown.length;
  return { lines: shown, total: lines.length, ...(next < lines.length ? { nextCursor: String(next) } : {}) };
}

/** What was decided about a line. One that is open again, since its job's cost was changed later, is to be decided again. */
export function decisionOn(
  { mark, group }: Pick<ComparedLine, 'mark' | 'group'>,
  decisions: Current['decisions'],
): StatementLine['decided'] {
  const decision = decisions.get(mark);
  if (!decision || decision.as === 'match' || (decision.as === 'adopt' && group !== 'matched')) return undefined;
  return { as: decision.as, at: decision.at };
}

export function answerOf({ row, lines, decisions }: Current, profile: Profile | undefined): Result<Statement> {
  const { matched, onlyBill, onlyLedger, differs } = groupsOf(lines);
  const sums = sumsOf({ matched, onlyBill, onlyLedger, differs });
  if (!sums) return fail('too_large', t`The sum of the bill is more than can be counted exactly.`);
  const open = [...onlyBill, ...onlyLedger, ...differs].filter((line) => !decisionOn(line, decisions));
  const clear = open.filter(({ isClear }) => isClear);
  const cheaper = matched.filter(({ isCheaper }) => isCheaper);
  const first = (group: readonly ComparedLine[]) =>
    pageOf(group, decisions, { from: 0, limit: FIRST, characters: FIRST_CHARACTERS }).lines;
  const { facts, name, profileId } = row;
  const { reach: _, ...told } = facts;
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
    decided: decisions.size === 0 ? 0 : [...decisions.values()].filter((one) => one.as !== 'match').length,
  });
}

/** In one pass: there may be a hundred thousand. */
function groupsOf(lines: readonly ComparedLine[]): Record<LineGroup, ComparedLine[]> {
  const groups: Record<LineGroup, ComparedLine[]> = { matched: [], onlyBill: [], onlyLedger: [], differs: [] };
  for (const line of lines) groups[line.group].push(line);
  return groups;
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
  const [matched, onlyBill, differs] = [billed(groups.matched), billed(groups.onlyBill), billed(groups.differs)];
  const onlyLedger = sumNano(groups.onlyLedger.map(({ ledgerNano }) => ledgerNano ?? 0));
  if (matched === undefined || onlyBill === undefined || differs === undefined || onlyLedger === undefined)
    return undefined;
  const bill = sumNano([matched, onlyBill, differs]);
  return bill === undefined ? undefined : { bill, matched, onlyBill, onlyLedger, differs };
}
