import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallParsed, HandlersOf } from '../../../shared/contract/contract.ts';
import { fail, ok, type Reason, type Result } from '../../../shared/contract/result.ts';
import { isPlayMoney, type Profile } from '../../../shared/gateway/profile.ts';
import type { AddedToNight } from '../../../shared/jobs/addedToNight.ts';
import type { BatchReading, BatchRow, BatchRows, BatchSum } from '../../../shared/jobs/batch.ts';
import { expandPrompt } from '../../../shared/jobs/promptMatrix.ts';
import { kindOf, promptOf, quantityOf, type StudioRequest } from '../../../shared/kinds/index.ts';
import { sumNano } from '../../../shared/money/money.ts';
import { shortened } from '../../../shared/text/shortened.ts';
import { en, formatLocale } from '../../../shared/text/texts.ts';
import { type BatchItem, laneOf, noSuchProject } from '../jobs/index.ts';
import { estimate } from '../ledger/index.ts';
import type { AddedJob } from '../night/index.ts';
import type { Clock } from '../ports.ts';
import { columnsOf } from './parseLines.ts';
import { type BatchFacts, ROWS_PER_TURN, readBatch, requestFingerprint } from './readBatch.ts';

interface BatchDeps {
  clock: Pick<Clock, 'now'>;
  profiles: { active(): Profile };
  projects(): readonly { id: string; name: string }[];
  secretIn(request: StudioRequest): string | undefined;
  jobs: {
    reasons(profile: Profile, request: StudioRequest): Promise<Reason[]>;
    /** Kept takes made before this time, newest first. */
    kept(before: number, limit: number): { id: string; request: string; at: number }[];
    /** Protects the files that these requests use from deletion until the work is done. */
    inUse<T>(requests: readonly StudioRequest[], work: () => Promise<T>): Promise<T>;
    repeated(input: CallParsed<'batch.enqueue'>): Result<Enqueued> | undefined;
    enqueue(input: CallParsed<'batch.enqueue'>, profile: Profile, items: BatchItem[]): Promise<Result<Enqueued>>;
  };
}

interface Enqueued {
  count: number;
  /** The first hundred. */
  jobIds: string[];
}

/** A text that was read, kept in memory until it is enqueued or dropped. */
interface Kept {
  profileId: string;
  rows: readonly BatchRow[];
  usedAt: number;
}

/** How long a text is kept after its last use. */
const KEPT_MS = 60 * 60_000;
/** The limit for all texts together. */
const MAX_KEPT_ROWS = 50_000;
/** Kept takes to compare lines with. */
const MAX_COMPARED = 2_000;
const COMPARED_PER_TURN = 100;
/** The characters of a page of rows: a message between processes is at most 256 KB. */
const PAGE_CHARACTERS = 80_000;
const FIRST_PAGE = 100;
const MOST_NAMED = 100;
const TITLE_LENGTH = 100;

/** Many requests from one text, read first and enqueued whole or not at all. */
export class Batches {
  private readonly deps: BatchDeps;
  private readonly readings = new Map<string, Kept>();

  constructor(deps: BatchDeps) {
    this.deps = deps;
  }

  handlers(): HandlersOf<'batch' | 'prompts'> {
    return {
      'prompts.expand': ({ text }) => {
        const prompts = expandPrompt(text);
        return prompts.ok ? ok({ prompts: prompts.data }) : prompts;
      },
      'batch.read': (input) => this.read(input),
      'batch.rows': (input) => this.rows(input),
      'batch.made': (input) => this.made(input),
      'batch.enqueue': (input) => this.enqueue(input),
    };
  }

  async read(input: CallParsed<'batch.read'>): Promise<Result<BatchReading>> {
    const profile = this.deps.profiles.active();
    const context = { models: profile.models, projects: this.deps.projects() };
    const read = await readBatch(input, context, this.factsFor(profile, await this.keptTakes()));
    if (!read.ok) return read;
    const rows = read.data;
    const sums = sumsOf(rows, profile);
    const estimateNano = sumNano(sums.map((sum) => sum.estimateNano));
    const lowNano = sumNano(sums.map((sum) => sum.lowNano));
    if (estimateNano === undefined || lowNano === undefined)
      return fail('too_large', en`The sum is more than can be counted exactly.`);
    const readId = await readIdOf({ profileId: profile.id, input, rows }, nextTurn);
    this.keep(readId, { profileId: profile.id, rows, usedAt: this.deps.clock.now() });
    return ok({
      readId,
      ...page(rows, 0, FIRST_PAGE),
      ...countsOf(rows),
      estimateNano,
      lowNano,
      unpriced: sums.reduce((count, sum) => count + sum.unpriced, 0),
      sums,
      columns: input.format === 'csv' ? columnsOf(input.text) : [],
      know: remarkOf(rows),
    });
  }

  rows({ readId, cursor, offset, limit, only }: CallParsed<'batch.rows'>): Result<BatchRows> {
    const kept = this.take(readId);
    if (!kept) return forgotten;
    const rows = only === undefined ? kept.rows : kept.rows.filter(SORTS[only]);
    return ok({ ...page(rows, cursor === undefined ? (offset ?? 0) : Number(cursor), limit), total: rows.length });
  }

  /** The jobs that would be enqueued, for a dry run. */
  addedJobs(added: AddedToNight): Result<AddedJob[]> {
    if (!('readId' in added)) {
      const { title, shown, play } = added;
      const { estimateNano: nano, lowNano, unpriced } = shown;
      return ok([{ title, nano, lowNano, unpriced: unpriced > 0, play, projectId: null }]);
    }
    const { readId, projectId } = added;
    const kept = this.take(readId);
    if (!kept) return forgotten;
    const profile = this.deps.profiles.active();
    if (profile.id !== kept.profileId) return otherGateway;
    return ok(
      kept.rows.filter(isGood).flatMap((row) => (row.request ? [addedJob(profile, row, row.request, projectId)] : [])),
    );
  }

  made({ key, ...order }: CallParsed<'batch.made'>): Result<{ made: Enqueued | null }> {
    const repeated = this.deps.jobs.repeated({ ...order, requestKey: key });
    if (!repeated) return ok({ made: null });
    return repeated.ok ? ok({ made: repeated.data }) : repeated;
  }

  async enqueue(input: CallParsed<'batch.enqueue'>): Promise<Result<Enqueued>> {
    const repeated = this.deps.jobs.repeated(input);
    if (repeated) return repeated;
    const kept = this.take(input.readId);
    if (!kept) return forgotten;
    const profile = this.deps.profiles.active();
    if (profile.id !== kept.profileId) return otherGateway;
    const wrong = kept.rows.filter(isBad);
    if (wrong.length > 0) return notRight(wrong);
    const rows = kept.rows.filter(isGood);
    if (rows.length === 0) return fail('wrong_state', en`There is no job in it to queue.`);
    const requests = rows.flatMap(({ request }) => request ?? []);
    return this.deps.jobs.inUse(requests, () => this.enqueueRows(input, profile, rows));
  }

  private async enqueueRows(
    input: CallParsed<'batch.enqueue'>,
    profile: Profile,
    rows: readonly BatchRow[],
  ): Promise<Result<Enqueued>> {
    const changed = await this.changedSince(profile, rows);
    if (changed) return changed;
    const { projectId, night } = input;
    const gone = this.goneProject(projectId, rows);
    if (gone) return gone;
    const items = rows.flatMap((row) =>
      row.request ? [{ request: row.request, projectId: row.projectId ?? projectId, night: night ?? row.night }] : [],
    );
    return this.deps.jobs.enqueue(input, profile, items);
  }

  private goneProject(projectId: string | undefined, rows: readonly BatchRow[]): Result<never> | undefined {
    const known = new Set(this.deps.projects().map(({ id }) => id));
    if (projectId !== undefined && !known.has(projectId)) return noSuchProject;
    const row = rows.find((each) => each.projectId !== undefined && !known.has(each.projectId));
    if (!row) return undefined;
    const { line } = row;
    return fail('conflict', en`Line ${line}: project was removed since it was read. Nothing was queued.`, {
      field: 'project',
      line,
    });
  }

  /** Rows that were valid when they were read and are not now: a picture was removed, a key was entered. */
  private async changedSince(profile: Profile, rows: readonly BatchRow[]): Promise<Result<never> | undefined> {
    for (const [index, { line, request }] of rows.entries()) {
      if (index % ROWS_PER_TURN === ROWS_PER_TURN - 1) await nextTurn();
      if (!request) continue;
      const secret = this.deps.secretIn(request);
      const [first] =
        secret === undefined
          ? await this.deps.jobs.reasons(profile, request)
          : [{ field: secret, message: en`contains one of your API keys.` }];
      if (first)
        return fail('invalid_input', en`Line ${line}: ${first.field} ${first.message} Nothing was queued.`, {
          field: first.field,
          line,
        });
    }
    return undefined;
  }

  private factsFor(profile: Profile, kept: BatchFacts['kept']): BatchFacts {
    return {
      reasons: (request) => this.deps.jobs.reasons(profile, request),
      secretIn: (request) => this.deps.secretIn(request),
      price: (request) => estimate(profile, request),
      kept,
      nextTurn: () => nextTurn(),
    };
  }

  private async keptTakes(): Promise<BatchFacts['kept']> {
    const kept = new Map<string, { jobId: string; at: number }>();
    let before = Number.MAX_SAFE_INTEGER;
    for (let count = 0; count < MAX_COMPARED; count += COMPARED_PER_TURN) {
      const takes = this.deps.jobs.kept(before, COMPARED_PER_TURN);
      for (const { id, request, at } of takes) {
        const key = requestFingerprint(JSON.parse(request) as StudioRequest);
        if (!kept.has(key)) kept.set(key, { jobId: id, at });
      }
      const last = takes.at(-1);
      if (!last || takes.length < COMPARED_PER_TURN) break;
      before = last.at;
      await nextTurn();
    }
    return kept;
  }

  private keep(readId: string, reading: Kept): void {
    // Also moves a text that was read before to the end, as the newest.
    this.readings.delete(readId);
    this.readings.set(readId, reading);
    let rows = 0;
    for (const [id, other] of [...this.readings].reverse()) {
      rows += other.rows.length;
      if (id !== readId && (rows > MAX_KEPT_ROWS || this.isOver(other))) this.readings.delete(id);
    }
  }

  private isOver({ usedAt }: Kept): boolean {
    return this.deps.clock.now() - usedAt > KEPT_MS;
  }

  private take(readId: string): Kept | undefined {
    const kept = this.readings.get(readId);
    if (!kept) return undefined;
    this.readings.delete(readId);
    if (this.isOver(kept)) return undefined;
    kept.usedAt = this.deps.clock.now();
    this.readings.set(readId, kept);
    return kept;
  }
}

const forgotten = fail('not_found', en`readId: that text is no longer kept; read it again. Nothing was queued.`, {
  field: 'readId',
});

const otherGateway = fail(
  'conflict',
  en`readId: it was read for another gateway; read the text again. Nothing was queued.`,
  { field: 'readId' },
);

const addedJob = (
  profile: Profile,
  row: BatchRow,
  request: StudioRequest,
  projectId: string | undefined,
): AddedJob => ({
  title: shortened(promptOf(request), TITLE_LENGTH) || kindOf(request).words.title,
  nano: row.estimateNano ?? 0,
  lowNano: row.lowNano ?? 0,
  unpriced: row.unpriced === true,
  play: isPlayMoney(profile.id),
  projectId: row.projectId ?? projectId ?? null,
  at: {
    kind: request.kind,
    model: 'model' in request ? (request.model ?? null) : null,
    lane: laneOf(profile, request),
    profile_id: profile.id,
  },
});

const isBad = ({ errors, isLeftOut }: BatchRow): boolean => errors.length > 0 && !isLeftOut;
const isGood = ({ request, isLeftOut }: BatchRow): boolean => request !== undefined && !isLeftOut;
const hasRemark = ({ member, know }: BatchRow): boolean => member !== undefined || know !== undefined;
const SORTS = { bad: isBad, good: isGood, know: hasRemark };

const LIST = new Intl.ListFormat(formatLocale(), { type: 'conjunction' });

function notRight(wrong: readonly BatchRow[]): Result<never> {
  const lines = wrong.slice(0, 4).map(({ line }) => String(line));
  const named =
    wrong.length > lines.length ? `${wrong.length} lines` : `Line${lines.length > 1 ? 's' : ''} ${LIST.format(lines)}`;
  const are = wrong.length === 1 ? 'is' : 'are';
  return fail('wrong_state', en`${named} ${are} not right: fix or skip. Nothing was queued.`, {
    lines: wrong.slice(0, MOST_NAMED).map(({ line }) => line),
  });
}

/** As many rows as one message can hold, at least one. */
function page(rows: readonly BatchRow[], from: number, limit: number): Pick<BatchRows, 'rows' | 'nextCursor'> {
  const shown: BatchRow[] = [];
  let characters = 0;
  for (const row of rows.slice(from, from + limit)) {
    characters += JSON.stringify(row).length;
    if (characters > PAGE_CHARACTERS && shown.length > 0) break;
    shown.push(row);
  }
  const next = from + shown.length;
  return { rows: shown, ...(next < rows.length ? { nextCursor: String(next) } : {}) };
}

function countsOf(rows: readonly BatchRow[]) {
  const linesOf = (fits: (row: BatchRow) => boolean): number => new Set(rows.filter(fits).map(({ line }) => line)).size;
  const bad = rows.filter(isBad);
  return {
    good: rows.filter(isGood).length,
    bad: bad.length,
    badLines: bad.slice(0, MOST_NAMED).map(({ line }) => line),
    badAt: rows.flatMap((row, index) => (isBad(row) ? [index] : [])).slice(0, MOST_NAMED),
    leftOut: rows.filter(({ isLeftOut }) => isLeftOut).length,
    lines: {
      all: linesOf(() => true),
      bad: bad.length,
      know: linesOf(hasRemark),
      good: linesOf(isGood),
    },
  };
}

function sumsOf(rows: readonly BatchRow[], { limits }: Profile): BatchSum[] {
  const sums = new Map<string, BatchSum & { lastLine: number }>();
  for (const row of rows.filter(isGood)) {
    const { request, line, estimateNano = 0, lowNano = 0, unpriced } = row;
    if (!request) continue;
    const { name } = kindOf(request);
    const sum = sums.get(name) ?? {
      kind: name,
      lines: 0,
      jobs: 0,
      estimateNano: 0,
      lowNano: 0,
      unpriced: 0,
      lastLine: 0,
    };
    const { seconds } = quantityOf(request, limits.outputTokens);
    if (line !== sum.lastLine) sum.lines += 1;
    sum.lastLine = line;
    sum.jobs += 1;
    sum.estimateNano += estimateNano;
    sum.lowNano += lowNano;
    sum.unpriced += unpriced ? 1 : 0;
    if (seconds !== undefined) sum.seconds = (sum.seconds ?? 0) + seconds;
    sums.set(name, sum);
  }
  return [...sums.values()].map(({ lastLine: _lastLine, ...sum }) => sum);
}

function remarkOf(rows: readonly BatchRow[]): BatchReading['know'] {
  const found: BatchReading['know'] = [];
  for (const { line, member, know = [] } of rows) {
    if (found.length >= MOST_NAMED) break;
    if (member?.at === 1) found.push({ line, fact: { type: 'matrix', jobs: member.of } });
    found.push(...know.map((fact) => ({ line, fact })));
  }
  return found;
}

const IDS_PER_TURN = 200;
/** In characters. */
const TEXT_PER_TURN = 500_000;

/**
 * The id of a text: equal for equal jobs, so that a text read again after a lost answer is recognized. The id covers everything that
 * decides the results, including things that the text only names (a project, a default model), but neither prices nor remarks.
 */
async function readIdOf(
  { profileId, input, rows }: { profileId: string; input: CallParsed<'batch.read'>; rows: readonly BatchRow[] },
  nextTurn: () => Promise<unknown>,
): Promise<string> {
  const { text, format, defaults = {}, leaveOut = [] } = input;
  const hash = createHash('sha256');
  const names = [profileId, format, Object.entries(defaults).sort(), [...new Set(leaveOut)].sort(), text.length];
  hash.update(JSON.stringify(names));
  for (let from = 0; from < text.length; from += TEXT_PER_TURN) {
    hash.update(text.slice(from, from + TEXT_PER_TURN));
    await nextTurn();
  }
  for (const [index, { line, request, projectId, night, isLeftOut }] of rows.entries()) {
    if (index % IDS_PER_TURN === IDS_PER_TURN - 1) await nextTurn();
    hash.update(JSON.stringify([line, request, projectId, night, isLeftOut]));
  }
  return `read_${hash.digest('hex').slice(0, 40)}`;
}
