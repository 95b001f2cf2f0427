import type { Board } from '../../../shared/board/board.ts';
import type { Draft } from '../../../shared/chat/director/draft.ts';
import type { CallParsed, Handlers } from '../../../shared/contract/contract.ts';
import type { StudioEvent } from '../../../shared/contract/events.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { Profile } from '../../../shared/gateway/profile.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import {
  type CalledTools,
  calledTools,
  hasConversation,
  jobOfMessage,
  messageOfJob,
  messagesUpTo,
  noSuchConversation,
  saveToolResults,
  toolResultsOf,
} from '../chat/index.ts';
import type { CoreEvents } from '../coreEvents.ts';
import type { Engine } from '../jobs/index.ts';
import type { Clock, Ids, Logger } from '../ports.ts';
import type { QuoteBook } from '../quotes/index.ts';
import { earlierResult, keyedCall, onceByKey } from '../requestKeys/index.ts';
import { ignoringDiskFull, type ReadDb, type Store, type WriteDb } from '../store/index.ts';
import { changedMeanwhile, type FilmSource, noSuchProject, type Storyboard, sourceIn } from '../storyboard/index.ts';
import { type Changed, nameOf, type Plan, planOf, validated, writeInput } from './approving.ts';
import * as table from './draftTable.ts';
import { withFinalState } from './draftTable.ts';
import { parseToolCalls, toolResultOf, updatedToolResult } from './parseToolCalls.ts';
import { type DraftContext, type DrawnDraft, previewDraft, sameQuote } from './previewDrafts.ts';
import { changeOutside, draftOutside, type OutsideParts } from './programDrafts.ts';

/** The director: a model's drafts and the user's decisions. Calls of a model only make drafts; only `approve` makes jobs and shots. */

interface DirectorDeps {
  store: Store;
  clock: Clock;
  ids: Ids;
  log: Logger;
  engine: Pick<Engine, 'commands' | 'queries'>;
  storyboard: Pick<Storyboard, 'openBoard' | 'writeWith'>;
  activeProfile(): Profile;
  quotes: QuoteBook;
  emit(event: StudioEvent): void;
  events: CoreEvents;
}

type Approved = { jobs: Job[]; board?: Board };

export class Director {
  private readonly deps: DirectorDeps;

  constructor(deps: DirectorDeps) {
    this.deps = deps;
    deps.events.on('answer.written', (db, jobId) => this.draft(db, jobId));
    deps.events.on('job.retriedAsNew', (db, oldId, newId) => table.followRetriedJob(db, oldId, newId));
    deps.events.on('textJob.changed', (jobId) => this.emitOf(jobId));
  }

  handlers(): Pick<Handlers, `director.${'drafts' | 'draft' | 'change' | 'approve' | 'decline'}`> {
    return {
      'director.draft': async (input) => draftOutside(this.outside(), input),
      'director.change': async ({ id, change }) => changeOutside(this.outside(), id, change),
      'director.drafts': ({ conversationId }) => this.drafts(conversationId),
      'director.approve': (input) => this.approve(input),
      'director.decline': ({ ids }) => this.decline(ids),
    };
  }

  private outside(): OutsideParts {
    return {
      ...this.deps,
      write: (db, called, board) => this.write(db, called, board),
      redraw: (db, conversationId, rows) => this.redraw(db, conversationId, rows),
      tellModel: (db, rows) => this.tellModel(db, rows),
      emitChanged: (rows, conversations) => this.emitChanged(rows, conversations),
    };
  }

  /**
   * Makes drafts from the tool calls of an answer, in the transaction that writes the answer. The answer was paid for, so an error here
   * never undoes it.
   */
  private draft(db: WriteDb, jobId: string): void {
    try {
      const called = calledTools(db, jobId);
      const board = called && this.deps.storyboard.openBoard(db, called.projectId);
      if (called && board) this.write(db, called, board);
    } catch (error) {
      this.deps.log.error({ error: String(error), job: jobId }, 'no drafts were made of an answer');
    }
  }

  private write(db: WriteDb, called: CalledTools, board: Board): void {
    const { ids, clock } = this.deps;
    const { conversationId, messageId, projectId } = called;
    // Drafts of other branches are not on the page and cannot be decided there.
    const open = table.openOf(db, conversationId, messagesUpTo(db, { conversationId, messageId }));
    const calls = parseToolCalls(called.calls, board, ids, open);
    for (const { id: callId, drafts } of calls)
      for (const draft of drafts)
        table.insertDraft(db, {
          ...draft,
          id: ids.id('draft'),
          conversationId,
          messageId,
          callId,
          projectId,
          createdAt: clock.now(),
        });
    const own = table.draftsOfMessage(db, messageId);
    this.redraw(db, conversationId, own);
    const rows = table.draftsOfMessage(db, messageId);
    const results = calls.map((call) => toolResultOf(call, { board, rows }));
    saveToolResults(db, messageId, results);
  }

  /** Computes the open drafts of these conversations again, and stores those whose request has changed. */
  private redraw(db: WriteDb, conversationId: string, rows: readonly table.DraftRow[]): void {
    const scenes = this.scenesIn(db, conversationId);
    for (const row of rows) {
      const scene = row.state === 'open' ? scenes(row.projectId) : undefined;
      if (scene) this.keepDrawn(db, previewDraft(scene, row));
    }
  }

  /** The context of a conversation's drafts, by project. */
  private scenesIn(db: ReadDb, conversationId: string): (projectId: string) => DraftContext | undefined {
    const { storyboard, engine, activeProfile } = this.deps;
    const rows = table.draftsOf(db, conversationId);
    const source = remembering(sourceIn(db, engine));
    const profile = activeProfile();
    const offerIn: DraftContext['offer'] = ({ id: draftId, projectId }, request) =>
      this.deps.quotes.offer(db, { draftId, conversationId, request, projectId }, profile);
    const boards = new Map<string, DraftContext | undefined>();
    const ways = new Map<string, ReadonlySet<string>>();
    const upTo = (messageId: string): ReadonlySet<string> => {
      const known = ways.get(messageId) ?? messagesUpTo(db, { conversationId, messageId });
      ways.set(messageId, known);
      return known;
    };
    return (projectId) => {
      if (boards.has(projectId)) return boards.get(projectId);
      const board = storyboard.openBoard(db, projectId);
      const scene = board && { board, source, profile, rows, upTo, offer: offerIn, kept: {} };
      boards.set(projectId, scene);
      return scene;
    };
  }

  /** The drafts as they are now; an approval refers to what is shown here. */
  async drafts(conversationId: string): Promise<Result<{ drafts: Draft[] }>> {
    const { store } = this.deps;
    if (!hasConversation(store.read, conversationId)) return noSuchConversation;
    const rows = table.draftsOf(store.read, conversationId);
    const scenes = this.scenesIn(store.read, conversationId);
    const drawn = rows.map((row) => {
      const scene = row.state === 'open' ? scenes(row.projectId) : undefined;
      return scene ? previewDraft(scene, row) : { ...row.drawn, row };
    });
    const changed = drawn.filter((one) => one.row.state === 'open' && !sameQuote(one, one.row.drawn));
    // If it cannot be stored, an approval is refused, since it refers to the stored form.
    if (changed.length > 0) ignoringDiskFull(() => this.saveDrawn(changed));
    const planned = new Map(
      drawn.flatMap(({ row, request }) => (request ? [[row.asked.jobId, request] as const] : [])),
    );
    const { commands } = this.deps.engine;
    const drafts: Draft[] = [];
    for (const { row, draft, request } of drawn) {
      const isOpen = row.state === 'open' && request !== undefined;
      const reasons = isOpen ? await commands.reasons(this.deps.activeProfile(), request, planned) : [];
      drafts.push({ ...withFinalState(row, draft), ...(reasons.length > 0 ? { errors: reasons } : {}) });
    }
    return ok({ drafts });
  }

  private saveDrawn(changed: readonly DrawnDraft[]): void {
    this.deps.store.transaction((db) => {
      for (const one of changed) this.keepDrawn(db, one);
    });
    this.deps.emit({ type: 'quotes.changed' });
  }

  /** Stores a draft as it is shown now; its quote is for exactly this form. */
  private keepDrawn(db: WriteDb, one: DrawnDraft): void {
    table.saveRedrawn(db, one.row.id, drawnOf(one));
    this.deps.quotes.quoteDraft(db, one.row.id, one.offer);
  }

  approve(input: CallParsed<'director.approve'>): Promise<Result<Approved>> {
    const rows = table.draftsByIds(this.deps.store.read, input.ids);
    const requests = rows.flatMap(({ drawn: { request } }) => (request ? [request] : []));
    return this.deps.engine.commands.inUse.during(requests, () => this.approveOnce(input));
  }

  private async approveOnce(input: CallParsed<'director.approve'>): Promise<Result<Approved>> {
    const { store, engine, storyboard, clock } = this.deps;
    const call = keyedCall('director.approve', input);
    const earlier = earlierResult<string[]>(store.read, call);
    if (earlier) return earlier.ok ? ok(this.made(earlier.data, input.ids)) : earlier;
    const planned = this.planIn(store.read, input);
    if (!planned.ok) return planned;
    if ('changed' in planned.data) return this.refuseChanged(planned.data, input.ids);
    const plan = planned.data;
    const examined = await validated(engine.commands, plan);
    if (!examined.ok) return examined;
    let record: (() => void) | undefined;
    const write = (db: WriteDb): Result<string[]> => {
      // The board may have changed while the pictures were examined.
      const again = this.planIn(db, input);
      if (!again.ok) return again;
      if (JSON.stringify(again.data) !== JSON.stringify(plan)) return changedMeanwhile;
      const { requests, boards } = plan;
      const projectId = requests[0]?.row.projectId ?? '';
      const written =
        requests.length === 0 ? ok([]) : engine.commands.write(db, plan.profile, writeInput(plan, input, projectId));
      if (!written.ok) return written;
      const saved = boards && storyboard.writeWith(db, boards);
      if (saved && !saved.ok) return saved;
      this.settleApproved(db, plan);
      this.tellModel(db, rowsOf(plan));
      record = saved?.data;
      return written;
    };
    const written = store.transaction((db) => onceByKey(db, call, clock.now(), () => write(db)));
    if (!written.ok) return written;
    const { made, isRepeat } = written.data;
    record?.();
    if (!isRepeat) engine.commands.announce();
    if (!isRepeat) this.emitChanged(rowsOf(plan));
    return ok(this.made(made, input.ids));
  }

  /** Each quote becomes its job; one that is not open undoes all. */
  private settleApproved(db: WriteDb, { requests, unmade }: Plan): void {
    for (const { row, jobId } of requests) {
      if (!this.deps.quotes.approveDraft(db, row.drawn.quoteId ?? '', jobId))
        throw new Error(`The quote of ${row.id} is not open.`);
      table.settleDraft(db, row.id, 'approved', jobId);
    }
    for (const { id, drawn } of unmade) {
      this.deps.quotes.declineDraft(db, drawn.quoteId ?? '');
      table.settleDraft(db, id, 'approved', null);
    }
  }

  /** The named drafts, all of one project and conversation, with their context. */
  private planIn(db: ReadDb, input: CallParsed<'director.approve'>): Result<Plan | Changed> {
    const found = this.rowsOf(db, input.ids);
    if (!found.ok) return found;
    const [first] = found.data;
    const places = new Set(found.data.map(({ conversationId, projectId }) => `${conversationId} ${projectId}`));
    if (!first || places.size > 1)
      return fail('invalid_input', 'ids: must be drafts of one conversation.', { field: 'ids' });
    if (!hasConversation(db, first.conversationId)) return noSuchConversation;
    const scene = this.scenesIn(db, first.conversationId)(first.projectId);
    return scene ? planOf(scene, found.data, input) : noSuchProject;
  }

  private rowsOf(db: ReadDb, ids: readonly string[]): Result<table.DraftRow[]> {
    const rows = table.draftsByIds(db, ids);
    const known = new Set(rows.map(({ id }) => id));
    const at = ids.findIndex((id) => !known.has(id));
    if (at >= 0) return fail('not_found', `ids.${at}: there is no such draft.`, { field: `ids.${at}` });
    return ok(rows);
  }

  private refuseChanged({ changed }: Changed, ids: readonly string[]): Result<never> {
    this.saveDrawn(changed);
    this.emitChanged(changed.map(({ row }) => row));
    const [first] = changed;
    const others = changed.length > 1 ? ` and ${changed.length - 1} more` : '';
    const name = first ? nameOf(first) : `${ids.length} drafts`;
    const message = `${name}${others}: the price or what is sent has changed since you saw it. Look again; nothing was sent.`;
    return fail('conflict', message, { field: 'ids', ids: changed.map(({ row }) => row.id) });
  }

  private made(jobIds: readonly string[], ids: readonly string[]): Approved {
    const { store, engine, storyboard } = this.deps;
    const jobs = jobIds.flatMap((id) => {
      const job = engine.queries.get(id);
      return job.ok ? [job.data] : [];
    });
    const shot = table.draftsByIds(store.read, ids).find(({ drawn }) => drawn.draft.shot !== undefined);
    const board = shot && storyboard.openBoard(store.read, shot.projectId);
    return { jobs, ...(board ? { board } : {}) };
  }

  async decline(ids: readonly string[]): Promise<Result<{ drafts: Draft[] }>> {
    const { store } = this.deps;
    const declined = store.transaction((db): Result<table.DraftRow[]> => {
      const found = this.rowsOf(db, ids);
      if (!found.ok) return found;
      const approved = found.data.find(({ state }) => state === 'approved');
      if (approved)
        return fail('wrong_state', `“${approved.drawn.draft.title}” is approved already.`, {
          field: 'ids',
          id: approved.id,
        });
      for (const { id, drawn } of found.data) {
        this.deps.quotes.declineDraft(db, drawn.quoteId ?? '');
        table.settleDraft(db, id, 'declined', null);
      }
      this.tellModel(db, found.data);
      return found;
    });
    if (!declined.ok) return declined;
    this.emitChanged(declined.data);
    const rows = table.draftsByIds(store.read, ids);
    return ok({ drafts: rows.map((row) => withFinalState(row, row.drawn.draft)) });
  }

  /** Updates the answers to the calls with the decisions, for the model's next request. */
  private tellModel(db: WriteDb, decided: readonly table.DraftRow[]): void {
    for (const { conversationId, messageId } of firstOfEach(decided)) {
      const results = toolResultsOf(db, { conversationId, messageId });
      const rows = table.draftsOfMessage(db, messageId);
      saveToolResults(
        db,
        messageId,
        results.map((result) => updatedToolResult(result, rows)),
      );
    }
  }

  private emitChanged(rows: readonly table.DraftRow[], outside: readonly string[] = []): void {
    const { store, events, emit } = this.deps;
    emit({ type: 'quotes.changed' });
    for (const conversationId of new Set([...outside, ...rows.map((row) => row.conversationId)])) {
      emit({ type: 'drafts.changed', conversationId });
      // A program's message has no job whose change would announce it.
      emit({ type: 'conversation.changed', conversationId });
    }
    for (const place of firstOfEach(rows)) {
      const jobId = jobOfMessage(store.read, place);
      if (jobId !== undefined) events.emit('textJob.changed', jobId);
    }
  }

  private emitOf(jobId: string): void {
    const { store, emit } = this.deps;
    const answer = messageOfJob(store.read, jobId);
    if (!answer || table.draftsOfMessage(store.read, answer.messageId).length === 0) return;
    emit({ type: 'drafts.changed', conversationId: answer.conversationId });
    emit({ type: 'quotes.changed' });
  }
}

/** The drafts that an approval settles. */
const rowsOf = ({ requests, unmade }: Plan): table.DraftRow[] => [...requests.map(({ row }) => row), ...unmade];

const drawnOf = ({ draft, request, quoteId }: DrawnDraft): table.DraftPreview =>
  request && quoteId !== undefined ? { draft, request, quoteId } : { draft };

/** One row for each message. */
const firstOfEach = (rows: readonly table.DraftRow[]): table.DraftRow[] => [
  ...new Map(rows.map((row) => [row.messageId, row])).values(),
];

/** Reads the jobs and assets of a board once for several drafts. */
function remembering(source: FilmSource): FilmSource {
  const [jobs, assets] = [
    new Map<string, ReturnType<FilmSource['job']>>(),
    new Map<string, ReturnType<FilmSource['asset']>>(),
  ];
  return {
    job: (id) => jobs.get(id) ?? remember(jobs, id, source.job(id)),
    asset: (id) => assets.get(id) ?? remember(assets, id, source.asset(id)),
  };
}

function remember<T>(known: Map<string, T>, id: string, value: T): T {
  known.set(id, value);
  return value;
}
