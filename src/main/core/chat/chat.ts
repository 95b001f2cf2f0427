import type { ThreadPage } from '../../../shared/chat/chatCalls.ts';
import type { BranchOnMap, BranchSum, Conversation, Message } from '../../../shared/chat/conversation.ts';
import { DIRECTOR_TOOLS } from '../../../shared/chat/director/tools.ts';
import type { CallParsed } from '../../../shared/contract/contract.ts';
import type { StudioEvent } from '../../../shared/contract/events.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { Profile } from '../../../shared/gateway/profile.ts';
import { KINDS, modelsFor } from '../../../shared/kinds/index.ts';
import { en } from '../../../shared/text/texts.ts';
import type { CoreEvents } from '../coreEvents.ts';
import type { ChatDelta } from '../gateway/index.ts';
import type { JobCommands } from '../jobs/index.ts';
import type { Clock, Ids } from '../ports.ts';
import { earlierResult, keyedCall, onceByKey } from '../requestKeys/index.ts';
import type { ReadDb, RestoreParticipant, Store, WriteDb } from '../store/index.ts';
import {
  type AnswerRequest,
  type AskingCall,
  continueAnswer,
  edit,
  mayDraft,
  type NewBranch,
  noSuchConversation,
  noSuchMessage,
  olderThan,
  regenerate,
  rowOf,
  send,
  spaceForBranch,
} from './answerRequests.ts';
import { chatsFromBackup } from './chatsFromBackup.ts';
import { type ConversationRow, conversationOf, type MessageRow, messageOf } from './conversations.ts';
import * as queries from './queries.ts';
import { branchesOf, type Head, headOf, mapOf, pageOf, titleOf } from './tree.ts';

/** Conversations. An assistant's message has the text of its job, stored as it arrives, so that an answer is stored once. */

export interface ChatDeps {
  store: Store;
  clock: Clock;
  ids: Ids;
  jobs: Pick<JobCommands, 'validate' | 'write' | 'announce' | 'cancel'>;
  activeProfile(): Profile;
  emit(event: StudioEvent): void;
  events: Pick<CoreEvents, 'on'>;
}

export class Chat {
  private readonly deps: ChatDeps;

  constructor(deps: ChatDeps) {
    this.deps = deps;
    deps.store.onRevised('conversations', (ids) => {
      for (const conversationId of ids) deps.emit({ type: 'conversation.changed', conversationId });
    });
    deps.events.on('stream.delta', (jobId, delta) => this.emitDelta(jobId, delta));
    deps.events.on('textJob.changed', (jobId) => this.emitMessage(jobId));
    deps.events.on('job.retriedAsNew', (db, oldId, newId) => this.followRetry(db, oldId, newId));
  }

  create(input: CallParsed<'chat.create'>): { conversationId: string } {
    const id = this.deps.ids.id('conv');
    const now = this.deps.clock.now();
    this.deps.store.transaction((db) => {
      db.run(queries.insertConversation, {
        id,
        title: input.title ?? '',
        projectId: input.projectId ?? null,
        model: input.model ?? null,
        system: input.system ?? null,
        director: input.director === false ? 0 : 1,
        now,
      });
      this.startBranch(db, id, { parent: null, messageId: '', behind: null });
    });
    return { conversationId: id };
  }

  set({ conversationId, title, director }: CallParsed<'chat.set'>): Result<Conversation> {
    const { store } = this.deps;
    return store.transaction((db) => {
      const isOn = director === undefined ? null : Number(director);
      db.run(queries.setConversation, { id: conversationId, title: title ?? null, director: isOn });
      const row = rowOfConversation(db, conversationId);
      return row ? ok(conversationOf(row)) : noSuchConversation;
    });
  }

  /** The newest messages of a branch, or those before `before`, oldest first; `earlier`: there are more. */
  get({ conversationId, branch, before }: CallParsed<'chat.get'>): Result<ThreadPage> {
    return this.deps.store.readTransaction((db) => {
      const row = rowOfConversation(db, conversationId);
      if (!row) return noSuchConversation;
      const active = headOf(db, row);
      const shown = branch === undefined ? active : headOf(db, row, branch);
      if (!active.ok) return active;
      if (!shown.ok) return shown;
      const at = before === undefined ? undefined : rowOf(db, conversationId, before);
      if (before !== undefined && !at)
        return fail('invalid_input', 'before: there is no such message in this conversation.', { field: 'before' });
      const branches = branchesOf(db, conversationId, active.data.id);
      const head = at ? at.parent_seq : shown.data.head;
      const page = pageOf(db, conversationId, head, branches.length);
      return ok({ conversation: conversationOf(row), ...page, branches, branch: shown.data.id });
    });
  }

  branches({
    conversationId,
    branch,
  }: CallParsed<'chat.branches'>): Result<{ branches: BranchOnMap[]; way: BranchSum }> {
    return this.deps.store.readTransaction((db) => {
      const row = rowOfConversation(db, conversationId);
      if (!row) return noSuchConversation;
      const active = headOf(db, row);
      const shown = branch === undefined ? active : headOf(db, row, branch);
      if (!active.ok) return active;
      if (!shown.ok) return shown;
      return ok(mapOf(db, conversationId, active.data.id, shown.data.head));
    });
  }

  /** Starts a branch after a message. An empty branch there is reused. */
  branch({ conversationId, messageId }: CallParsed<'chat.branch'>): Result<{ branch: string }> {
    return this.deps.store.transaction((db) => {
      if (!rowOfConversation(db, conversationId)) return noSuchConversation;
      const row = rowOf(db, conversationId, messageId);
      if (!row) return noSuchMessage;
      const behind = row.seq;
      const empty = db.one<{ id: string }>(queries.emptyBranch, { conversationId, messageId, behind });
      if (empty) {
        db.run(queries.activate, { id: conversationId, branch: empty.id });
        return ok({ branch: empty.id });
      }
      const space = spaceForBranch(db, conversationId);
      if (!space.ok) return space;
      return ok({ branch: this.startBranch(db, conversationId, { parent: row.branch_id, messageId, behind }) });
    });
  }

  activate({ conversationId, branch }: CallParsed<'chat.activate'>): Result<null> {
    return this.deps.store.transaction((db) => {
      const row = rowOfConversation(db, conversationId);
      if (!row) return noSuchConversation;
      const found = headOf(db, row, branch);
      if (!found.ok) return found;
      if (row.branch_id !== branch) db.run(queries.activate, { id: conversationId, branch });
      return ok(null);
    });
  }

  /** Pending answers are canceled first: nothing of a removed chat is sent. */
  remove(conversationId: string): Result<null> {
    const { read } = this.deps.store;
    if (!rowOfConversation(read, conversationId)) return noSuchConversation;
    this.cancelEach(read.all(queries.openAnswers, { conversationId }));
    this.deps.store.transaction((db) => db.run(queries.removeConversation, { id: conversationId }));
    // The drafts of the removed chat are gone too.
    this.deps.emit({ type: 'quotes.changed' });
    return ok(null);
  }

  async send(input: CallParsed<'chat.send'>): Promise<Result<{ messageId: string; jobId: string }>> {
    const made = await this.ask('chat.send', input, send);
    return made.ok ? ok({ messageId: made.data.messageId, jobId: made.data.jobId }) : made;
  }

  edit(input: CallParsed<'chat.edit'>): Promise<Result<Made>> {
    return this.ask('chat.edit', input, edit);
  }

  regenerate(input: CallParsed<'chat.regenerate'>): Promise<Result<Made>> {
    return this.ask('chat.regenerate', input, regenerate);
  }

  continue(input: CallParsed<'chat.continue'>): Promise<Result<Made>> {
    return this.ask('chat.continue', input, continueAnswer);
  }

  /** Writes the user's message, the job and the message of its answer together. */
  private async ask<Call extends AskingCall>(
    name: Call,
    input: CallParsed<Call>,
    wants: (db: ReadDb, conversation: ConversationRow, input: CallParsed<Call>) => Result<AnswerRequest>,
  ): Promise<Result<Made>> {
    const { store, jobs, clock } = this.deps;
    const call = keyedCall(name, input);
    const earlier = earlierResult<Made>(store.read, call);
    if (earlier) return earlier;
    const conversation = rowOfConversation(store.read, input.conversationId);
    if (!conversation) return noSuchConversation;
    const wanted = store.readTransaction((db) => wants(db, conversation, input));
    if (!wanted.ok) return wanted;
    const model = input.model ?? wanted.data.model ?? conversation.model ?? this.defaultModel();
    if (model === undefined)
      return fail('invalid_input', en`model: the gateway has no chat model; name one.`, { field: 'model' });
    const enqueueInput = enqueueInputOf(wanted.data, input, model, conversation);
    const validated = await jobs.validate(enqueueInput);
    if (!validated.ok) return validated;
    const written = store.transaction((db) =>
      onceByKey(db, call, clock.now(), () => {
        // The conversation may have been removed while the pictures were examined.
        if (!rowOfConversation(db, conversation.id)) return noSuchConversation;
        const space = spaceForBranch(db, conversation.id);
        if (!space.ok && 'behind' in wanted.data.place) return space;
        const ids = jobs.write(db, validated.data, enqueueInput);
        if (!ids.ok) return ids;
        const [jobId = ''] = ids.data;
        return ok(this.writeMessages(db, conversation, { ...wanted.data, input, model, jobId }));
      }),
    );
    if (!written.ok) return written;
    const { made, isRepeat } = written.data;
    if (!isRepeat) jobs.announce();
    return ok(made);
  }

  private writeMessages(db: WriteDb, conversation: ConversationRow, asked: Asked): Made {
    const { ids, clock } = this.deps;
    const { said, pictures, jobId, continues = null, input, model } = asked;
    const now = clock.now();
    const branch = this.placeFor(db, conversation, asked.place);
    if (said !== undefined)
      this.append(db, {
        id: ids.id('msg'),
        branch,
        conversationId: conversation.id,
        role: 'user',
        text: said,
        pictures: pictures && pictures.length > 0 ? JSON.stringify(pictures) : null,
      });
    const messageId = ids.id('msg');
    this.append(db, { id: messageId, branch, conversationId: conversation.id, role: 'assistant', jobId, continues });
    const title = conversation.title === '' && said !== undefined ? titleOf(said) : conversation.title;
    const system = input.system ?? conversation.system;
    const isOwnModel = said === undefined && input.model === undefined;
    const kept = isOwnModel ? conversation.model : model;
    db.run(queries.touchConversation, { id: conversation.id, title, model: kept, system, now });
    return { messageId, jobId, branch };
  }

  /** The branch to write in, which becomes active. */
  private placeFor(db: WriteDb, conversation: ConversationRow, place: AnswerRequest['place']): string {
    if ('branch' in place) return this.activated(db, conversation.id, place.branch);
    if ('behind' in place) return this.startBranch(db, conversation.id, place);
    const { after } = place;
    const own = after.branch_id === null ? undefined : headOf(db, conversation, after.branch_id);
    if (own?.ok && own.data.head === after.seq) return this.activated(db, conversation.id, own.data.id);
    return this.startBranch(db, conversation.id, {
      parent: after.branch_id,
      messageId: after.id,
      behind: after.seq,
    });
  }

  private activated(db: WriteDb, id: string, branch: string): string {
    db.run(queries.activate, { id, branch });
    return branch;
  }

  private startBranch(db: WriteDb, conversationId: string, { messageId, ...from }: NewBranch): string {
    const { ids, clock } = this.deps;
    const id = ids.id('branch');
    const row = { id, conversationId, messageId: messageId === '' ? null : messageId, ...from, now: clock.now() };
    db.run(queries.insertBranch, row);
    return this.activated(db, conversationId, id);
  }

  private append(db: WriteDb, message: NewMessage): void {
    const { branch, conversationId } = message;
    const parent = db.one<Head>(queries.branchById, { branch, conversationId })?.head ?? null;
    const blank = { text: '', jobId: null, continues: null, elsewhere: null, toolResults: null, pictures: null };
    db.run(queries.insertMessage, { ...blank, ...message, parent, now: this.deps.clock.now() });
  }

  /** The part of a restore that concerns conversations. */
  restoreParticipant(): RestoreParticipant {
    return chatsFromBackup((db, id, branch) => void this.startBranch(db, id, branch));
  }

  private defaultModel(): string | undefined {
    return modelsFor(KINDS.chat, this.deps.activeProfile().models)[0]?.id;
  }

  /** Stops the answers arriving in the active or the named branch; the received text is kept. */
  stop({ conversationId, branch }: CallParsed<'chat.stop'>): Result<null> {
    const { read } = this.deps.store;
    const row = rowOfConversation(read, conversationId);
    if (!row) return noSuchConversation;
    const shown = headOf(read, row, branch);
    if (!shown.ok) return shown;
    this.cancelEach(read.all(queries.arrivingAnswers, { conversationId, head: shown.data.head, limit: -1 }));
    return ok(null);
  }

  private cancelEach(open: readonly { jobId: string }[]): void {
    for (const { jobId } of open) this.deps.jobs.cancel(jobId);
  }

  /** A chunk arrived; the engine is storing it. */
  private emitDelta(jobId: string, delta: ChatDelta): void {
    const message = this.deps.store.read.one<{ id: string; conversation_id: string }>(queries.messageOfJob, {
      jobId,
    });
    this.deps.emit({
      type: 'chat.delta',
      conversationId: message?.conversation_id ?? '',
      messageId: message?.id ?? '',
      jobId,
      text: delta.text,
      ...(delta.channel === 'reasoning' ? { channel: 'reasoning' as const } : {}),
    });
  }

  /** A retried answer replaces one that never arrived, and is added beside one that was cut. A removed chat is restored. */
  private followRetry(db: WriteDb, oldId: string, newId: string): void {
    const old = db.one<MessageRow>(queries.messageByJob, { jobId: oldId });
    if (!old) return;
    db.run(queries.showConversation, { id: old.conversation_id });
    const { text, pictures } = messageOf(old);
    if (text === '' && !pictures) db.run(queries.moveMessage, { id: old.id, jobId: newId });
    else {
      const place = this.placeOfRetry(db, old);
      const conversationId = old.conversation_id;
      this.append(db, { id: this.deps.ids.id('msg'), conversationId, role: 'assistant', jobId: newId, ...place });
    }
  }

  /**
   * The place of a retried answer: after the answer that was cut. If that one is a continuation, or any branch continues after it, the
   * retried answer replaces it in a new branch. The branch becomes active, so that the answer is seen.
   */
  private placeOfRetry(db: WriteDb, old: MessageRow): Pick<NewMessage, 'branch' | 'continues'> {
    const { id: messageId, seq, conversation_id: conversationId, branch_id: branch, continues } = old;
    if (branch === null) return { branch: this.startBranch(db, conversationId, behindAll(old)) };
    const isFollowed = db.one(queries.isFollowed, { conversationId, seq }) !== undefined;
    if ((!isFollowed && continues === null) || !spaceForBranch(db, conversationId).ok)
      return { branch: this.activated(db, conversationId, branch) };
    const from = { parent: branch, messageId, behind: olderThan(old) };
    return { branch: this.startBranch(db, conversationId, from), continues };
  }

  private emitMessage(jobId: string): void {
    const row = this.deps.store.read.one<MessageRow>(queries.messageByJob, { jobId });
    if (!row) return;
    this.deps.emit({ type: 'message.changed', message: messageOf(row) });
  }
}

const rowOfConversation = (db: ReadDb, id: string): ConversationRow | undefined =>
  db.one<ConversationRow>(queries.conversationById, { id });

const behindAll = ({ id, seq }: MessageRow): NewBranch => ({ parent: null, messageId: id, behind: seq });

interface Made {
  messageId: string;
  jobId: string;
  branch: string;
}

interface NewMessage {
  id: string;
  conversationId: string;
  branch: string;
  role: Message['role'];
  text?: string;
  jobId?: string;
  continues?: string | null;
  pictures?: string | null;
}

interface Asked extends AnswerRequest {
  input: CallParsed<AskingCall>;
  model: string;
  jobId: string;
}

function enqueueInputOf(
  { messages }: AnswerRequest,
  input: CallParsed<AskingCall>,
  model: string,
  conversation: ConversationRow,
) {
  const { project_id: projectId } = conversation;
  const tools = mayDraft(conversation) ? { tools: DIRECTOR_TOOLS } : {};
  const stream = input.stream === undefined ? {} : { stream: input.stream };
  return {
    requests: [{ kind: 'chat' as const, model, messages, ...tools, ...stream }],
    shown: input.shown,
    ...(input.night ? { night: true } : {}),
    ...(projectId ? { projectId } : {}),
  };
}
