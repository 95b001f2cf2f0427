import type { CallParsed } from '../../../shared/contract.ts';
import type { Conversation, Message, MessageState } from '../../../shared/conversation.ts';
import type { StudioEvent } from '../../../shared/events.ts';
import { cutOf } from '../../../shared/finish.ts';
import type { ChatResult, Job, JobError, JobState } from '../../../shared/job.ts';
import type { ChatMessage } from '../../../shared/kinds/chat.ts';
import { KINDS, modelsFor } from '../../../shared/kinds/index.ts';
import type { ConversationPage } from '../../../shared/lists.ts';
import type { Profile } from '../../../shared/profile.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { shortened } from '../../../shared/shortened.ts';
import type { CoreEvents } from '../coreEvents.ts';
import type { ChatDelta } from '../gateway/index.ts';
import type { JobCommands } from '../jobs/index.ts';
import type { Clock, Ids } from '../ports.ts';
import { earlierResult, keyedCall, onceByKey } from '../requestKeys/index.ts';
import type { ReadDb, Store, WriteDb } from '../store/index.ts';
import { type ConversationRow, conversationOf, listConversations } from './conversations.ts';
import * as statements from './statements.ts';

/**
 * Conversations. The text of an assistant's message is the text of its job, stored as it arrives, so that an answer is kept in one place
 * only.
 */

export interface ChatDeps {
  store: Store;
  clock: Clock;
  ids: Ids;
  jobs: Pick<JobCommands, 'validate' | 'write' | 'announce' | 'cancel'>;
  activeProfile(): Profile;
  emit(event: StudioEvent): void;
  events: Pick<CoreEvents, 'on'>;
}

interface MessageRow {
  id: string;
  revision: number;
  conversation_id: string;
  role: Message['role'];
  text: string;
  job_id: string | null;
  created_at: number;
  state: JobState | null;
  model: string | null;
  error: string | null;
  result: string | null;
  partial_text: string | null;
  partial_reasoning: string | null;
}

const noSuchConversation = fail('not_found', 'There is no such conversation.');

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
    this.deps.store.transaction((db) =>
      db.run(statements.insertConversation, {
        id,
        title: input.title ?? '',
        projectId: input.projectId ?? null,
        model: input.model ?? null,
        system: input.system ?? null,
        now,
      }),
    );
    return { conversationId: id };
  }

  list(filter: CallParsed<'chat.list'>, db: ReadDb = this.deps.store.read): ConversationPage {
    return listConversations(db, filter);
  }

  /** The newest messages, or those before the message `before`, oldest first; `earlier` says that there are more. */
  get(
    conversationId: string,
    before?: string,
  ): Result<{ conversation: Conversation; messages: Message[]; earlier?: string }> {
    const { read } = this.deps.store;
    const row = read.one<ConversationRow>(statements.conversationById, { id: conversationId });
    if (!row) return noSuchConversation;
    const at =
      before === undefined
        ? Number.MAX_SAFE_INTEGER
        : read.one<{ seq: number }>(statements.seqOfMessage, { id: before, conversationId })?.seq;
    if (at === undefined)
      return fail('invalid_input', 'before: there is no such message in this conversation.', { field: 'before' });
    return ok({ conversation: conversationOf(row), ...pageBefore(read, conversationId, at) });
  }

  remove(conversationId: string): Result<null> {
    const changed = this.deps.store.transaction((db) => db.run(statements.removeConversation, { id: conversationId }));
    return changed === 0 ? noSuchConversation : ok(null);
  }

  /** Writes the user's message, the job that answers it and the assistant's message together. */
  async send(input: CallParsed<'chat.send'>): Promise<Result<{ messageId: string; jobId: string }>> {
    const { conversationId, text } = input;
    const { store, jobs, clock } = this.deps;
    const call = keyedCall('chat.send', input);
    const earlier = earlierResult<{ messageId: string; jobId: string }>(store.read, call);
    if (earlier) return earlier;
    const conversation = store.read.one<ConversationRow>(statements.conversationById, { id: conversationId });
    if (!conversation) return noSuchConversation;
    const model = input.model ?? conversation.model ?? this.defaultModel();
    if (model === undefined)
      return fail('invalid_input', 'model: the profile has no chat model; name one.', { field: 'model' });
    const system = input.system ?? conversation.system ?? undefined;
    const messages = historyOf(messagesOf(store.read, conversationId), system, text);
    const request = {
      kind: 'chat' as const,
      model,
      messages,
      ...(input.stream === undefined ? {} : { stream: input.stream }),
    };
    const enqueueInput = {
      requests: [request],
      shown: input.shown,
      ...(input.night ? { night: true } : {}),
      ...(conversation.project_id ? { projectId: conversation.project_id } : {}),
    };
    const validated = await jobs.validate(enqueueInput);
    if (!validated.ok) return validated;
    const written = store.transaction((db) =>
      onceByKey(db, call, clock.now(), () => {
        const ids = jobs.write(db, validated.data, enqueueInput);
        if (!ids.ok) return ids;
        const [jobId = ''] = ids.data;
        return ok({ jobId, messageId: this.writeMessages(db, conversation, input, model, jobId) });
      }),
    );
    if (!written.ok) return written;
    const { made, isRepeat } = written.data;
    if (!isRepeat) jobs.announce([made.jobId]);
    return ok(made);
  }

  private writeMessages(
    db: WriteDb,
    conversation: ConversationRow,
    input: CallParsed<'chat.send'>,
    model: string,
    jobId: string,
  ): string {
    const { ids, clock } = this.deps;
    const now = clock.now();
    const common = { conversationId: conversation.id, now };
    db.run(statements.insertMessage, { ...common, id: ids.id('msg'), role: 'user', text: input.text, jobId: null });
    const messageId = ids.id('msg');
    db.run(statements.insertMessage, { ...common, id: messageId, role: 'assistant', text: '', jobId });
    const title = conversation.title === '' ? titleOf(input.text) : conversation.title;
    const system = input.system ?? conversation.system;
    db.run(statements.touchConversation, { id: conversation.id, title, model, system, now });
    return messageId;
  }

  private defaultModel(): string | undefined {
    return modelsFor(KINDS.chat, this.deps.activeProfile().models)[0]?.id;
  }

  /** Stops every answer that is still arriving; the text so far is kept. */
  stop(conversationId: string): Result<null> {
    const open = this.deps.store.read.all<{ jobId: string }>(statements.openAnswers, { conversationId });
    for (const { jobId } of open) this.deps.jobs.cancel(jobId);
    return ok(null);
  }

  /** A chunk has arrived; the engine is storing it. */
  private emitDelta(jobId: string, delta: ChatDelta): void {
    const message = this.deps.store.read.one<{ id: string; conversation_id: string }>(statements.messageOfJob, {
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

  /** An answer is requested again: it replaces one that never came, and follows one that was cut off. */
  private followRetry(db: WriteDb, oldId: string, newId: string): void {
    const old = db.one<MessageRow>(statements.messageByJob, { jobId: oldId });
    if (!old) return;
    if (messageOf(old).text === '') db.run(statements.moveMessage, { id: old.id, jobId: newId });
    else {
      const { ids, clock } = this.deps;
      const fresh = { id: ids.id('msg'), conversationId: old.conversation_id, now: clock.now() };
      db.run(statements.insertMessage, { ...fresh, role: 'assistant', text: '', jobId: newId });
    }
  }

  private emitMessage(jobId: string): void {
    const row = this.deps.store.read.one<MessageRow>(statements.messageByJob, { jobId });
    if (!row) return;
    this.deps.emit({ type: 'message.changed', message: messageOf(row) });
  }
}

/** What the model is sent: the conversation so far, without messages that have no text. */
function historyOf(messages: Message[], system: string | undefined, text: string): ChatMessage[] {
  const past = messages
    .filter((message) => message.text.trim() !== '')
    .map(({ role, text: content }) => ({ role, content }));
  const first: ChatMessage[] = system ? [{ role: 'system', content: system }] : [];
  return [...first, ...past, { role: 'user', content: text }];
}

/** Leaves space for the conversation's fields in one 256 KB message between processes. */
const PAGE_BYTES = 192 * 1024;

/** The newest messages before `before` that fit in one page; a single message may be larger than a page. */
function pageBefore(db: ReadDb, conversationId: string, before: number): { messages: Message[]; earlier?: string } {
  const rows = db.all<MessageRow>(statements.messagesBefore, { conversationId, before });
  const messages: Message[] = [];
  let bytes = 0;
  for (const message of rows.map(messageOf)) {
    bytes += Buffer.byteLength(JSON.stringify(message));
    if (messages.length > 0 && bytes > PAGE_BYTES) break;
    messages.unshift(message);
  }
  const [oldest] = messages;
  const isWhole = messages.length === rows.length && rows.length < statements.MAX_ROWS;
  return oldest && !isWhole ? { messages, earlier: oldest.id } : { messages };
}

const messagesOf = (db: ReadDb, conversationId: string): Message[] =>
  db.all<MessageRow>(statements.messages, { conversationId }).map(messageOf);

function messageOf(row: MessageRow): Message {
  const { id, revision, conversation_id: conversationId, role, created_at: createdAt } = row;
  const base = { id, revision, conversationId, role, createdAt };
  if (row.role === 'user' || row.job_id === null) return { ...base, text: row.text, state: 'done' };
  const result = row.result ? (JSON.parse(row.result) as ChatResult) : undefined;
  const reasoning = result?.reasoning ?? (row.partial_reasoning || undefined);
  const text = result?.text ?? row.partial_text ?? '';
  return {
    ...base,
    jobId: row.job_id,
    text,
    state: stateOf(row.state ?? 'failed', text, result?.finishReason),
    ...(reasoning ? { reasoning } : {}),
    ...(row.model ? { model: row.model } : {}),
    ...(row.error ? { error: JSON.parse(row.error) as JobError } : {}),
    ...(result?.usage ? { usage: result.usage } : {}),
    ...(result?.finishReason ? { finishReason: result.finishReason } : {}),
    ...(result?.toolCalls ? { toolCalls: result.toolCalls } : {}),
  };
}

/** A succeeded job was answered and charged, even if its answer was cut off. */
function stateOf(state: Job['state'], text: string, finishReason: string | undefined): MessageState {
  if (state === 'succeeded') return cutOf(finishReason) ? 'partial' : 'done';
  if (state === 'running' || state === 'fetching') return 'streaming';
  if (state === 'failed' || state === 'canceled' || state === 'uncertain') return text === '' ? 'failed' : 'partial';
  return 'waiting';
}

const titleOf = (text: string): string => shortened(text.trim().split('\n', 1)[0] ?? '', 60);
