import type { CallParsed } from '../../../shared/contract.ts';
import type { Conversation } from '../../../shared/conversation.ts';
import type { ConversationPage } from '../../../shared/lists.ts';
import { matchOf } from '../../../shared/search/question.ts';
import { t } from '../../../shared/texts.ts';
import { hitsIn, IS_MATCH, matching, type ReadDb, type SqlParams } from '../store/index.ts';
import * as statements from './statements.ts';

/** Conversations as rows, and their list. */

export interface ConversationRow {
  id: string;
  revision: number;
  title: string;
  project_id: string | null;
  model: string | null;
  system: string | null;
  branch_id: string | null;
  director: number;
  created_at: number;
  updated_at: number;
  message_count: number;
  charged_nano: number;
  unpriced: number;
}

/** What was said last is first, by cursor or from a place; `total` counts everything the filter matches. */
export function listConversations(db: ReadDb, filter: CallParsed<'chat.list'>): ConversationPage {
  const [at = '', ...id] = filter.cursor?.split('.') ?? [];
  const { where, params } = conditionsOf(filter);
  const rows = db.all<ConversationRow>(statements.conversations(where), {
    ...params,
    at: filter.cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(at),
    id: id.join('.'),
    limit: filter.limit + 1,
    offset: filter.offset ?? 0,
  });
  // A system prompt may be longer than a message between processes; `chat.get` has it.
  const conversations = rows.slice(0, filter.limit).map((row) => conversationOf({ ...row, system: null }));
  const total = db.one<{ n: number }>(statements.countConversations(where), params)?.n ?? 0;
  const last = conversations.at(-1);
  const isLast = rows.length <= filter.limit || !last;
  return isLast ? { conversations, total } : { conversations, total, nextCursor: `${last.updatedAt}.${last.id}` };
}

const IN_MESSAGES = `SELECT m.conversation_id FROM ${hitsIn('message')} CROSS JOIN messages m ON m.seq = hit.rowid WHERE ${IS_MATCH}`;

function conditionsOf({ projectId, text = '' }: CallParsed<'chat.list'>): { where: string; params: SqlParams } {
  const conditions = ['c.removed = 0'];
  const params: SqlParams = {};
  if (projectId !== undefined) {
    conditions.push('c.project_id = $projectId');
    params.projectId = projectId;
  }
  if (text.trim() !== '') {
    conditions.push(`(c.seq IN (${matching('chat')}) OR c.id IN (${IN_MESSAGES}))`);
    params.match = matchOf(text);
  }
  return { where: conditions.join(' AND '), params };
}

export const shownTitle = (title: string): string => (title === '' ? t`New conversation` : title);

export function conversationOf(row: ConversationRow): Conversation {
  return {
    id: row.id,
    revision: row.revision,
    title: shownTitle(row.title),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    messageCount: row.message_count,
    chargedNano: row.charged_nano,
    unpriced: row.unpriced,
    director: row.director === 1,
    ...(row.project_id ? { projectId: row.project_id } : {}),
    ...(row.model ? { model: row.model } : {}),
    ...(row.system ? { system: row.system } : {}),
  };
}
