import type { CallParsed, Handlers } from '../../../shared/contract/contract.ts';
import type { StudioEvent } from '../../../shared/contract/events.ts';
import { fail, ok, type Result, refuse } from '../../../shared/contract/result.ts';
import type { Profile } from '../../../shared/gateway/profile.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import { seeded } from '../../../shared/kinds/index.ts';
import { UINT32_MAX } from '../../../shared/kinds/videoConfig.ts';
import type { Quote, VoidReason } from '../../../shared/money/quote.ts';
import { safeProgramName } from '../../../shared/text/safeProgramName.ts';
import { en, formatCount, t } from '../../../shared/text/texts.ts';
import { hasConversation } from '../chat/index.ts';
import type { CoreEvents } from '../coreEvents.ts';
import { type Engine, noSuchProject } from '../jobs/index.ts';
import type { Clock, Logger } from '../ports.ts';
import { earlierResult, keyedCall, onceByKey } from '../requestKeys/index.ts';
import { ignoringDiskFull, type ReadDb, type Store, type WriteDb } from '../store/index.ts';
import { hasProject } from '../storyboard/index.ts';
import { differenceOf } from './document.ts';
import { markOf, offerOf } from './quoteBook.ts';
import { QuoteExpiry, VALID_MS } from './quoteExpiry.ts';
import * as table from './quoteTable.ts';

/**
 * Quotes: requests of programs and their approval. The quote's hash identifies the request; its row and its job are written in one
 * transaction, and a row leaves `open` only once.
 */

export interface QuotesDeps {
  store: Store;
  clock: Clock;
  log: Logger;
  random(): number;
  engine: Pick<Engine, 'commands' | 'queries'>;
  profiles: { active(): Profile; get(id: string): Profile | undefined };
  /** Approves or declines the draft of a quote. */
  drafts: {
    approve(input: CallParsed<'director.approve'>): Promise<Result<{ jobs: Job[] }>>;
    decline(ids: readonly string[]): Promise<Result<unknown>>;
  };
  emit(event: StudioEvent): void;
  events: CoreEvents;
}

/** Open requests of programs: one that asks endlessly must not fill the disk. */
const MOST_OPEN = 100;
/** Open requests of one connection, so that others have room. */
const MOST_OF_ONE = 50;
/** Of one request, in characters of JSON. */
const MOST_CHARACTERS = 64 * 1024;

const noSuchQuote = fail('not_found', 'There is no such quote.', { field: 'id' });
const tooLarge = fail('too_large', `request: must have at most ${formatCount(MOST_CHARACTERS)} characters.`, {
  field: 'request',
});
const tooMany = fail(
  'wrong_state',
  en`${MOST_OPEN} orders wait for the user already. Nothing was added; approve or decline some first.`,
);

const tooManyOfOne = (client: string): Result<never> =>
  fail(
    'wrong_state',
    en`${MOST_OF_ONE} orders of “${safeProgramName(client)}” wait for the user already. Nothing was added; approve or decline some first.`,
  );

const WHY_VOID: Record<VoidReason, string> = {
  expired: 'it held for a day, and that is over, or the clock of this machine was set back since',
  order: 'what would be sent is not what was quoted',
  price: 'its price is not the one that was quoted',
  removed: 'the chat of its draft was removed',
};

const isVoid = (why: VoidReason): Result<never> =>
  fail('conflict', en`The quote is void: ${WHY_VOID[why]}. Nothing was sent.`, { field: 'id', voidBecause: why });

type Judged =
  | { is: 'approved'; jobId: string }
  | { is: 'void'; why: VoidReason }
  | { is: 'same'; row: table.QuoteRow; profile: Profile };

export class Quotes {
  private readonly deps: QuotesDeps;
  private readonly expiry: QuoteExpiry;

  constructor(deps: QuotesDeps) {
    this.deps = deps;
    this.expiry = new QuoteExpiry({ ...deps, ended: () => deps.emit({ type: 'quotes.changed' }) });
    deps.events.on('job.retriedAsNew', (db, oldId, newId) => table.followRetriedJob(db, oldId, newId));
  }

  handlers(): Pick<Handlers, `quotes.${'create' | 'list' | 'get' | 'approve' | 'decline'}`> {
    return {
      'quotes.create': (input) => this.create(input),
      'quotes.list': ({ state, limit }) => this.list(state ?? null, limit),
      'quotes.get': ({ id }) => this.get(id),
      'quotes.approve': (input) => this.approve(input),
      'quotes.decline': ({ id }) => this.decline(id),
    };
  }

  start(): void {
    this.expiry.start();
  }

  close(): void {
    this.expiry.close();
  }

  private async create(input: CallParsed<'quotes.create'>): Promise<Result<Quote>> {
    const { request: given, client, run, projectId = null } = input;
    const { store, engine, profiles, clock, random, emit } = this.deps;
    const profile = profiles.active();
    // The seed is drawn now, so that exactly what is approved is sent.
    const request = seeded(given, () => Math.floor(random() * (UINT32_MAX + 1)));
    if (JSON.stringify(request).length > MOST_CHARACTERS) return tooLarge;
    if (projectId !== null && !hasProject(store.read, projectId)) return noSuchProject;
    const [first, ...rest] = await engine.commands.reasons(profile, request);
    if (first) return refuse([first, ...rest], 'request');
    this.expiry.check();
    const asker = { client, ...(run === undefined ? {} : { mark: markOf(run) }) };
    const wanted = { asker, request, projectId, expiresAt: clock.now() + VALID_MS };
    const written = store.transaction((db): Result<string> => {
      if (table.countOpenOfPrograms(db) >= MOST_OPEN) return tooMany;
      if (table.openOfConnection(db, asker.mark) >= MOST_OF_ONE) return tooManyOfOne(client);
      const offer = offerOf(db, wanted, profile);
      table.insertQuote(db, { ...offer, draftId: null, createdAt: clock.now() });
      return ok(offer.id);
    });
    if (!written.ok) return written;
    this.expiry.watch();
    emit({ type: 'quotes.changed' });
    const text = t`“${safeProgramName(client)}” asks for your approval. Find the request in the Queue, under Approval requests.`;
    emit({ type: 'notice', level: 'info', text });
    return this.get(written.data);
  }

  private list(state: Quote['state'] | null, limit: number): Result<{ quotes: Quote[]; open: number }> {
    const { store } = this.deps;
    ignoringDiskFull(() => this.expiry.check());
    return store.readTransaction((db) => {
      const chats = table.openByChat(db);
      const gone = chats.flatMap(({ conversationId: id }) => (id === null || hasConversation(db, id) ? [] : [id]));
      const there = chats.filter(({ conversationId }) => conversationId === null || !gone.includes(conversationId));
      const rows = state === 'open' ? table.listOpen(db, limit, gone) : table.listQuotes(db, { state, limit });
      const shown = rows.map((row) => this.shown(db, row));
      // Expired quotes that could not be ended because of a full disk.
      const over = shown.filter((one, at) => rows[at]?.state === 'open' && one.voidBecause === 'expired').length;
      const quotes = state === 'open' ? shown.filter((one) => one.voidBecause !== 'expired') : shown;
      return ok({ quotes, open: there.reduce((sum, { n }) => sum + n, 0) - over });
    });
  }

  private get(id: string): Result<Quote> {
    ignoringDiskFull(() => this.expiry.check());
    const row = table.quoteById(this.deps.store.read, id);
    return row ? ok(this.shown(this.deps.store.read, row)) : noSuchQuote;
  }

  /** The draft of a removed chat cannot be seen or decided on: its quote is void while the chat is removed. */
  private shown(db: ReadDb, row: table.QuoteRow): Quote {
    if (isGone(db, row)) return quoteOf({ ...row, state: 'void', voidBecause: 'removed' });
    const { expiresAt } = row.document;
    const isOver = row.state === 'open' && expiresAt !== null && this.expiry.isOver(expiresAt);
    return quoteOf(isOver ? { ...row, state: 'void', voidBecause: 'expired' } : row);
  }

  private async approve(input: CallParsed<'quotes.approve'>): Promise<Result<{ quote: Quote; job: Job }>> {
    const row = table.quoteById(this.deps.store.read, input.id);
    if (!row) return noSuchQuote;
    const done = row.draftId === null ? await this.approveOutside(input, row) : await this.approveDraft(input, row);
    if (!done.ok) return done;
    const quote = this.get(input.id);
    const job = this.deps.engine.queries.get(done.data);
    if (!quote.ok) return quote;
    return job.ok ? ok({ quote: quote.data, job: job.data }) : job;
  }

  private async approveDraft(input: CallParsed<'quotes.approve'>, row: table.QuoteRow): Promise<Result<string>> {
    if (row.state === 'approved' && row.jobId !== null) return ok(row.jobId);
    if (row.state === 'void') return isVoid(row.voidBecause ?? 'order');
    if (isGone(this.deps.store.read, row)) return isVoid('removed');
    const { id, ...order } = input;
    const approved = await this.deps.drafts.approve({ ...order, ids: [row.draftId ?? ''], quotes: [id] });
    if (!approved.ok) return approved;
    const jobId = table.quoteById(this.deps.store.read, input.id)?.jobId;
    return jobId ? ok(jobId) : noSuchQuote;
  }

  private approveOutside(input: CallParsed<'quotes.approve'>, row: table.QuoteRow): Promise<Result<string>> {
    const { inUse } = this.deps.engine.commands;
    return inUse.during([row.document.order.request], () => this.approveOnce(input));
  }

  private async approveOnce(input: CallParsed<'quotes.approve'>): Promise<Result<string>> {
    const { store, engine, clock, emit } = this.deps;
    const call = keyedCall('quotes.approve', input);
    const earlier = earlierResult<string>(store.read, call);
    if (earlier) return earlier;
    const judged = this.judge(store.read, input.id);
    if (!judged.ok) return judged;
    if (judged.data.is === 'approved') return ok(judged.data.jobId);
    if (judged.data.is === 'void') return this.voided(input.id, judged.data.why);
    const { profile, row } = judged.data;
    const examined = await engine.commands.validate(enqueueInputOf(row, input), { profile });
    if (!examined.ok) return examined;
    const found: { is?: Judged['is']; why?: VoidReason } = {};
    const write = (db: WriteDb): Result<string> => {
      // Another approval or a price change may have come while its files were examined.
      const again = this.judge(db, input.id);
      if (!again.ok) return again;
      Object.assign(found, again.data);
      if (again.data.is === 'approved') return ok(again.data.jobId);
      if (again.data.is === 'void') return isVoid(again.data.why);
      const written = engine.commands.write(db, again.data.profile, enqueueInputOf(again.data.row, input));
      if (!written.ok) return written;
      const [jobId = ''] = written.data;
      table.settleQuote(db, input.id, { state: 'approved', jobId });
      return ok(jobId);
    };
    const written = store.transaction((db) => onceByKey(db, call, clock.now(), () => write(db)));
    if (found.why !== undefined) return this.voided(input.id, found.why);
    if (!written.ok) return written;
    if (found.is === 'same') {
      engine.commands.announce();
      emit({ type: 'quotes.changed' });
    }
    return ok(written.data.made);
  }

  /** Compares a quote with its present form. */
  private judge(db: ReadDb, id: string): Result<Judged> {
    const { profiles } = this.deps;
    const row = table.quoteById(db, id);
    if (!row) return noSuchQuote;
    if (row.state === 'approved' && row.jobId !== null) return ok({ is: 'approved', jobId: row.jobId });
    if (row.state === 'declined') return fail('wrong_state', en`The quote was declined. Nothing was sent.`);
    if (row.state === 'void') return ok({ is: 'void', why: row.voidBecause ?? 'order' });
    const { document } = row;
    const { asker, order, expiresAt } = document;
    if (expiresAt !== null && this.expiry.isOver(expiresAt)) return ok({ is: 'void', why: 'expired' });
    const profile = profiles.get(order.gateway.id);
    if (!profile) return ok({ is: 'void', why: 'order' });
    if (order.projectId !== null && !hasProject(db, order.projectId)) return noSuchProject;
    const { request, projectId } = order;
    const now = offerOf(db, { asker, request, projectId, expiresAt }, profile);
    const why = differenceOf(id, document, now.document);
    return ok(why === undefined ? { is: 'same', row, profile } : { is: 'void', why });
  }

  private voided(id: string, why: VoidReason): Result<never> {
    const { store, emit } = this.deps;
    const isNew = store.transaction((db) => table.settleQuote(db, id, { state: 'void', because: why }));
    if (isNew) emit({ type: 'quotes.changed' });
    return isVoid(why);
  }

  private async decline(id: string): Promise<Result<Quote>> {
    const { store, drafts, emit } = this.deps;
    const row = table.quoteById(store.read, id);
    if (!row) return noSuchQuote;
    if (row.state === 'approved') return fail('wrong_state', en`The quote is approved already.`, { field: 'id' });
    if (row.draftId !== null && row.state === 'open') {
      const declined = await drafts.decline([row.draftId]);
      return declined.ok ? this.get(id) : declined;
    }
    store.transaction((db) => table.settleQuote(db, id, { state: 'declined' }));
    emit({ type: 'quotes.changed' });
    return this.get(id);
  }
}

const isGone = (db: ReadDb, { state, document: { asker } }: table.QuoteRow): boolean =>
  state === 'open' && 'conversationId' in asker && !hasConversation(db, asker.conversationId);

const enqueueInputOf = ({ document }: table.QuoteRow, { night, shown }: CallParsed<'quotes.approve'>) => ({
  requests: [document.order.request],
  projectId: document.order.projectId ?? undefined,
  night,
  shown,
});

function quoteOf({ id, state, voidBecause, document, jobId, createdAt }: table.QuoteRow): Quote {
  const { asker, order, price, expiresAt } = document;
  return {
    id,
    state,
    ...(voidBecause === null ? {} : { voidBecause }),
    asker,
    request: order.request,
    profileId: order.gateway.id,
    ...(order.projectId === null ? {} : { projectId: order.projectId }),
    files: order.files,
    estimateNano: price.estimateNano,
    lowNano: price.lowNano,
    ...(price.unpriced ? { unpriced: true as const } : {}),
    createdAt,
    ...(expiresAt === null ? {} : { expiresAt }),
    ...(jobId === null ? {} : { jobId }),
  };
}
