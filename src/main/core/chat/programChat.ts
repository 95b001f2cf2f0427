import type { ToolResult } from '../../../shared/chat/conversation.ts';
import type { ToolCall } from '../../../shared/jobs/job.ts';
import { safeProgramName } from '../../../shared/text/safeProgramName.ts';
import { shortened } from '../../../shared/text/shortened.ts';
import type { Ids } from '../ports.ts';
import type { ReadDb, WriteDb } from '../store/index.ts';
import { mayDraft } from './answerRequests.ts';
import { type ConversationRow, type MessageRow, messageOf } from './conversations.ts';
import * as queries from './queries.ts';
import { headOf, pathTo } from './tree.ts';

/** The chat of a program in a project: its calls are stored as an answer without a job. */

/** After this many messages a new chat begins: each draft is computed with all others of its chat. */
const MOST_MESSAGES = 50;

interface OutsideCall {
  projectId: string;
  /** Untrusted. */
  client: string;
  /** Distinguishes programs with the same name. */
  mark: string | undefined;
  call: ToolCall;
}

/** Appends the call to that chat, in the caller's transaction. */
export function writeProgramCall(
  db: WriteDb,
  { ids, now }: { ids: Ids; now: number },
  { projectId, client, mark, call }: OutsideCall,
): CalledTools {
  const title = titleOf(client, mark);
  const known = db.one<ConversationRow>(queries.newestTitled, { projectId, title });
  const conversationId = known && known.message_count < MOST_MESSAGES ? known.id : ids.id('conv');
  if (conversationId !== known?.id) startChat(db, { ids, now }, { id: conversationId, projectId, title });
  const row = db.one<ConversationRow>(queries.conversationById, { id: conversationId });
  const head = row && headOf(db, row);
  if (!head?.ok) throw new Error(`The chat ${conversationId} has no branch.`);
  const messageId = ids.id('msg');
  db.run(queries.insertMessage, {
    id: messageId,
    conversationId,
    role: 'assistant',
    text: '',
    pictures: null,
    jobId: null,
    now,
    branch: head.data.id,
    parent: head.data.head,
    continues: null,
    elsewhere: JSON.stringify({ state: 'done', toolCalls: [call] }),
    toolResults: null,
  });
  const { model = null, system = null } = row ?? {};
  db.run(queries.touchConversation, { id: conversationId, title, model, system, now });
  return { conversationId, messageId, projectId, calls: [call] };
}

const MARK = / \(([0-9a-f]{6})\)$/;

/** Whether a chat belongs to the connection with this mark, whatever its name; connections without a mark count as one. */
export function isChatOf(db: ReadDb, conversationId: string, mark: string | undefined): boolean {
  const title = db.one<ConversationRow>(queries.conversationById, { id: conversationId })?.title ?? '';
  return MARK.exec(title)?.[1] === mark;
}

const titleOf = (client: string, mark: string | undefined): string =>
  mark === undefined
    ? // Without a mark, a name must not look as if it ended with one.
      `Asked by ${shortened(safeProgramName(client), 80).replace(MARK, ' [$1]')}`
    : `Asked by ${shortened(safeProgramName(client), 80)} (${mark})`;

function startChat(
  db: WriteDb,
  { ids, now }: { ids: Ids; now: number },
  { id, projectId, title }: { id: string; projectId: string; title: string },
): void {
  db.run(queries.insertConversation, { id, title, projectId, model: null, system: null, director: 1, now });
  const branch = ids.id('branch');
  db.run(queries.insertBranch, { id: branch, conversationId: id, parent: null, messageId: null, behind: null, now });
  db.run(queries.activate, { id, branch });
}

/** The tool calls of an answer, for the director. */

/** An answer with tool calls, in a conversation whose model may draft. */
export interface CalledTools {
  conversationId: string;
  messageId: string;
  projectId: string;
  calls: readonly ToolCall[];
}

/** The tool calls of a job's answer; undefined without any, if no tools were offered, or if they were answered before. */
export function calledTools(db: ReadDb, jobId: string): CalledTools | undefined {
  const row = db.one<MessageRow>(queries.messageByJob, { jobId });
  if (!row || row.tool_results !== null) return undefined;
  const { toolCalls: calls = [], conversationId, id: messageId } = messageOf(row);
  const conversation = db.one<ConversationRow>(queries.conversationById, { id: conversationId });
  if (calls.length === 0 || !conversation?.project_id || !mayDraft(conversation)) return undefined;
  return { conversationId, messageId, projectId: conversation.project_id, calls };
}

export const hasConversation = (db: ReadDb, id: string): boolean =>
  db.one<ConversationRow>(queries.conversationById, { id }) !== undefined;

/** The answers to a message's calls, as its model is sent them. */
export const toolResultsOf = (db: ReadDb, { conversationId, messageId }: MessagePlace): ToolResult[] =>
  rowAt(db, { conversationId, messageId }).flatMap((row) => messageOf(row).toolResults ?? []);

export function saveToolResults(db: WriteDb, messageId: string, results: readonly ToolResult[]): void {
  db.run(queries.saveToolResults, { id: messageId, results: JSON.stringify(results) });
}

/** The job that a message is the answer of. */
export const jobOfMessage = (db: ReadDb, place: MessagePlace): string | undefined =>
  rowAt(db, place).find(({ job_id: jobId }) => jobId !== null)?.job_id ?? undefined;

/** The message with a job's answer. */
export function messageOfJob(db: ReadDb, jobId: string): MessagePlace | undefined {
  const row = db.one<{ id: string; conversation_id: string }>(queries.messageOfJob, { jobId });
  return row && { conversationId: row.conversation_id, messageId: row.id };
}

/** A message and all before it. */
export const messagesUpTo = (db: ReadDb, place: MessagePlace): Set<string> =>
  new Set(rowAt(db, place).flatMap(({ seq }) => pathTo(db, place.conversationId, seq).map(({ id }) => id)));

interface MessagePlace {
  conversationId: string;
  messageId: string;
}

function rowAt(db: ReadDb, { conversationId, messageId }: MessagePlace): MessageRow[] {
  const row = db.one<MessageRow>(queries.messageById, { id: messageId, conversationId });
  return row ? [row] : [];
}
