import type { z } from 'zod';
import { fail, ok, type Reason, type Result, refuse } from '../../../shared/contract/result.ts';
import {
  type BatchFormat,
  type BatchRemark,
  type BatchRow,
  MAX_BATCH_JOBS,
  type readBatchSchema,
} from '../../../shared/jobs/batch.ts';
import { kindOf, type StudioRequest } from '../../../shared/kinds/index.ts';
import { en, formatCount } from '../../../shared/text/texts.ts';
import { type GivenLine, givenIn, givenLines, type LineContent, lineLengths, shownCells } from './parseLines.ts';
import { asCell, type LineContext, readLine } from './readLine.ts';

/** Reads a whole text into rows, in slices that leave time for other work. */

/** Lines or jobs per turn of the event loop. */
export const ROWS_PER_TURN = 50;
/** In characters. */
const TEXT_PER_TURN = 60_000;
/** Characters of all requests together: each member of a line with choices repeats the prompt. */
const MAX_REQUESTS_TEXT = 20_000_000;

/** Facts that only the studio knows. */
export interface BatchFacts {
  /** Why a request cannot be sent: media, size, price. */
  reasons(request: StudioRequest): Promise<Reason[]>;
  /** The request field that contains a key of the user's. */
  secretIn(request: StudioRequest): string | undefined;
  price(request: StudioRequest): { nano: number; lowNano: number; unpriced?: true };
  /** Kept takes by {@link requestFingerprint}. */
  kept: ReadonlyMap<string, { jobId: string; at: number }>;
  nextTurn(): Promise<void>;
}

type Input = z.output<typeof readBatchSchema>;

export async function readBatch(
  { text, format, defaults = {}, leaveOut = [] }: Input,
  context: Omit<LineContext, 'defaults'>,
  facts: BatchFacts,
): Promise<Result<BatchRow[]>> {
  const given = givenIn(defaults);
  const [wrong] = given.errors;
  if (wrong) return refuse([wrong], 'defaults');
  const reader = new BatchReader({ ...context, defaults: given }, facts, new Set(leaveOut));
  const refusal = (await reader.read(text, format)) ?? notLeftOut(reader.rows, format, leaveOut);
  return refusal ?? ok(reader.rows);
}

/** Refuses to skip a line that does not exist: a typing error would otherwise be enqueued and paid for. */
function notLeftOut(
  rows: readonly BatchRow[],
  format: BatchFormat,
  leaveOut: readonly string[],
): Result<never> | undefined {
  // With a wrong header, the lines below may not have been read, so a missing line proves nothing.
  if (format === 'csv' && rows[0]?.line === 1) return undefined;
  const known = new Set<string>();
  /** A wrong line has no members until it is fixed. */
  const wrong = new Set<string>();
  for (const { line, member, errors } of rows) {
    known.add(String(line));
    if (member) known.add(`${line}.${member.at}`);
    if (errors.length > 0) wrong.add(String(line));
  }
  const index = leaveOut.findIndex((key) => !known.has(key) && !wrong.has(key.split('.')[0] ?? ''));
  if (index < 0) return undefined;
  const field = `leaveOut.${index}`;
  return fail(
    'invalid_input',
    en`${field}: ${leaveOut[index]} is no line of the text with a job, nor a member of one.`,
    {
      field,
    },
  );
}

class BatchReader {
  readonly rows: BatchRow[] = [];
  private readonly context: LineContext;
  private readonly facts: BatchFacts;
  private readonly leaveOut: ReadonlySet<string>;
  /** The line of each request by {@link requestFingerprint}. */
  private readonly seen = new Map<string, number>();
  private requestsText = 0;
  private turnRows = 0;
  private turnText = 0;

  constructor(context: LineContext, facts: BatchFacts, leaveOut: ReadonlySet<string>) {
    this.context = context;
    this.facts = facts;
    this.leaveOut = leaveOut;
  }

  async read(text: string, format: BatchFormat): Promise<Result<never> | undefined> {
    const count = await this.countLines(text, format);
    if (count > MAX_BATCH_JOBS) return tooMany(count, 'lines');
    for (const line of givenLines(text, format)) {
      const before = this.rows.length;
      await this.readOne(line);
      if (this.requestsText > MAX_REQUESTS_TEXT) return tooMuchText;
      const isWrong = this.rows.length === before || this.rows.at(-1)?.request === undefined;
      await this.yieldAfter(isWrong ? 1 : 0, line.length);
    }
    const jobs = this.rows.filter(({ request, isLeftOut }) => request && !isLeftOut).length;
    return jobs > MAX_BATCH_JOBS ? tooMany(jobs, 'jobs') : undefined;
  }

  /** Before any line is read, so that too long a text costs nothing. */
  private async countLines(text: string, format: BatchFormat): Promise<number> {
    let count = 0;
    for (const length of lineLengths(text, format)) {
      count += 1;
      await this.yieldAfter(0, length + 1);
    }
    return count;
  }

  private async yieldAfter(rows: number, text: number): Promise<void> {
    this.turnRows += rows;
    this.turnText += text;
    if (this.turnRows < ROWS_PER_TURN && this.turnText < TEXT_PER_TURN) return;
    this.turnRows = 0;
    this.turnText = 0;
    await this.facts.nextTurn();
  }

  private async readOne(given: GivenLine): Promise<void> {
    const { line } = given;
    if (given.errors.length > 0) return this.addWrong(given, given.errors);
    const { requests, errors, projectId, night } = readLine(given, this.context);
    if (errors.length > 0) return this.addWrong(given, errors);
    const place = { ...(projectId === undefined ? {} : { projectId }), ...(night ? { night: true as const } : {}) };
    const rows: BatchRow[] = [];
    for (const [index, request] of requests.entries()) {
      const wrong = await this.reasonsOf(request, given);
      if (wrong.length > 0) return this.addWrong(given, wrong);
      const words = JSON.stringify(request).length;
      this.requestsText += words;
      if (this.requestsText > MAX_REQUESTS_TEXT) return;
      const member = requests.length > 1 ? { at: index + 1, of: requests.length } : undefined;
      rows.push({ ...this.rowOf(line, request, member), ...place });
      await this.yieldAfter(1, words);
    }
    const [first] = rows;
    if (first?.member) first.whole = wholeOf(rows, given, this.context);
    this.rows.push(...rows);
  }

  private rowOf(line: number, request: StudioRequest, member: BatchRow['member']): BatchRow {
    return {
      line,
      ...(member ? { member } : {}),
      request,
      errors: [],
      ...this.priceOf(request),
      ...this.remarkOf(request, line),
      ...(this.isLeftOut(line, member?.at) ? { isLeftOut: true as const } : {}),
    };
  }

  private addWrong(given: GivenLine, errors: Reason[]): void {
    const { line } = given;
    const isLeftOut = this.isLeftOut(line) ? { isLeftOut: true as const } : {};
    this.rows.push({ line, errors, cells: shownCells(given), ...isLeftOut });
  }

  private isLeftOut(line: number, member?: number): boolean {
    return this.leaveOut.has(String(line)) || (member !== undefined && this.leaveOut.has(`${line}.${member}`));
  }

  private async reasonsOf(request: StudioRequest, given: LineContent): Promise<Reason[]> {
    const secret = this.facts.secretIn(request);
    const reasons =
      secret === undefined
        ? await this.facts.reasons(request)
        : [{ field: secret, message: en`contains one of your API keys; nothing was sent or saved.` }];
    return reasons.map((reason) => asCell(reason, kindOf(request), { ...request }, given));
  }

  private priceOf(request: StudioRequest): Pick<BatchRow, 'estimateNano' | 'lowNano' | 'unpriced'> {
    const { nano, lowNano, unpriced } = this.facts.price(request);
    return { estimateNano: nano, lowNano, ...(unpriced ? { unpriced } : {}) };
  }

  private remarkOf(request: StudioRequest, line: number): { know?: BatchRemark[] } {
    const key = requestFingerprint(request);
    const kept = this.facts.kept.get(key);
    const before = this.seen.get(key);
    this.seen.set(key, before ?? line);
    const know: BatchRemark[] = [
      ...(kept ? [{ type: 'kept' as const, ...kept }] : []),
      ...(before === undefined || before === line ? [] : [{ type: 'twice' as const, line: before }]),
    ];
    return know.length > 0 ? { know } : {};
  }
}

/** In characters; lists show only the beginning. */
const SHOWN_PROMPT = 2_000;

function wholeOf(rows: readonly BatchRow[], given: LineContent, context: LineContext): NonNullable<BatchRow['whole']> {
  const prompt = given.cells.get('prompt') ?? context.defaults.cells.get('prompt');
  const left = rows.filter(({ isLeftOut }) => !isLeftOut);
  const sum = (amount: (row: BatchRow) => number): number => left.reduce((total, row) => total + amount(row), 0);
  return {
    prompt: (typeof prompt === 'string' ? prompt : '').slice(0, SHOWN_PROMPT),
    jobs: left.length,
    estimateNano: sum(({ estimateNano = 0 }) => estimateNano),
    lowNano: sum(({ lowNano = 0 }) => lowNano),
    unpriced: sum(({ unpriced }) => (unpriced ? 1 : 0)),
  };
}

/** Equal for requests with the same user choices: random seeds are ignored. */
export function requestFingerprint(request: StudioRequest): string {
  const {
    cast: _cast,
    promotedFrom: _from,
    ...rest
  } = request as StudioRequest & { cast?: unknown; promotedFrom?: unknown };
  const config = 'config' in rest && rest.config ? { ...rest.config, seed: undefined } : {};
  return JSON.stringify({ ...rest, config });
}

const tooMany = (count: number, what: string): Result<never> =>
  fail(
    'invalid_input',
    en`text: makes ${formatCount(count)} ${what}; at most ${formatCount(MAX_BATCH_JOBS)} are read at once.`,
    { field: 'text' },
  );

const tooMuchText = fail(
  'invalid_input',
  en`text: its requests have more than ${formatCount(MAX_REQUESTS_TEXT)} characters together; read it in parts.`,
  { field: 'text' },
);
