import type { ToolResult } from '../../../shared/chat/conversation.ts';
import type { ToolCall } from '../../../shared/jobs/job.ts';
import type { ReadDb, WriteDb } from '../store/index.ts';
import { mayDraft } from './asking.ts';
import type { ConversationRow } from './conversations.ts';
import { type MessageRow, messageOf } from './messages.ts';
import * as statements from './statements.ts';
import { wayTo } from './tree.ts';

/** What an answer called, and what the director makes of it. */

/** An answer that calls tools, in a conversation whose model may draft. */
export interface CalledTools {
  conversationId: string;
  messageId: string;
  projectId: string;
  calls: readonly ToolCall[];
}

/** The calls of a job's answer; undefined where there are none, they were not offered, or they were answered before. */
export function calledTools(db: ReadDb, jobId: string): CalledTools | undefined {
  const row = db.one<MessageRow>(statements.messageByJob, { jobId });
  if (!row || row.tool_results !== null) return undefined;
  const { toolCalls: calls = [], conversationId, id: messageId } = messageOf(row);
  const conversation = db.one<ConversationRow>(statements.conversationById, { id: conversationId });
  if (calls.length === 0 || !conversation?.project_id || !mayDraft(conversation)) return undefined;
  return { conversationId, messageId, projectId: conversation.project_id, calls };
}

export const hasConversation = (db: ReadDb, id: string): boolean =>
  db.one<ConversationRow>(statements.conversationById, { id }) !== undefined;

/** The answers to the calls of a message, as its model is sent them. */
export const toolResultsOf = (db: ReadDb, { conversationId, messageId }: MessagePlace): ToolResult[] =>
  rowAt(db, { conversationId, messageId }).flatMap((row) => messageOf(row).toolResults ?? []);

export function saveToolResults(db: WriteDb, messageId: string, results: readonly ToolResult[]): void {
  db.run(statements.saveToolResults, { id: messageId, results: JSON.stringify(results) });
}

/** The job whose answer a message is. */
export const jobOfMessage = (db: ReadDb, place: MessagePlace): string | undefined =>
  rowAt(db, place).find(({ job_id: jobId }) => jobId !== null)?.job_id ?? undefined;

/** The message whose answer a job is. */
export function messageOfJob(db: ReadDb, jobId: string): MessagePlace | undefined {
  const row = db.one<{ id: string; conversation_id: string }>(statements.messageOfJob, { jobId });
  return row && { conversationId: row.conversation_id, messageId: row.id };
}

/** The messages that a message follows, and itself. */
export const messagesUpTo = (db: ReadDb, place: MessagePlace): Set<string> =>
  new Set(rowAt(db, place).flatMap(({ seq }) => wayTo(db, place.conversationId, seq).map(({ id }) => id)));

interface MessagePlace {
  conversationId: string;
  messageId: string;
}

function rowAt(db: ReadDb, { conversationId, messageId }: MessagePlace): MessageRow[] {
  const row = db.one<MessageRow>(statements.messageById, { id: messageId, conversationId });
  return row ? [row] : [];
}
