import type { Conversation } from '../../../shared/chat/conversation.ts';
import type { CallParsed } from '../../../shared/contract/contract.ts';
import type { ConversationPage } from '../../../shared/jobs/lists.ts';
import { matchOf } from '../../../shared/library/search/question.ts';
import { t } from '../../../shared/text/texts.ts';
import {
  type FoundRow,
  hitsIn,
  IS_HIT,
  IS_MATCH,
  matching,
  type ReadDb,
  type SqlParams,
  sql,
  type TextSource,
} from '../store/index.ts';
import * as statements from './statements.ts';
import { answerText } from './statements.ts';

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
  uncertain_nano: number;
  unpriced: number;
}

type Filter = CallParsed<'chat.list'>;

/** What was said last is first, by cursor or from a place; `total` counts everything the filter matches. */
export function listConversations(db: ReadDb, filter: Filter): ConversationPage {
  const { rows, ...counted } = filter.text?.trim() ? foundPage(db, filter) : listedPage(db, filter);
  // A system prompt may be longer than a message between processes; `chat.get` has it.
  const conversations = rows.slice(0, filter.limit).map((row) => conversationOf({ ...row, system: null }));
  const last = conversations.at(-1);
  const page: ConversationPage = { conversations, ...counted };
  return rows.length <= filter.limit || !last ? page : { ...page, nextCursor: `${last.updatedAt}.${last.id}` };
}

interface Counted extends Pick<ConversationPage, 'total' | 'isMore'> {
  /** One more than the page. */
  rows: ConversationRow[];
}

function placeOf({ cursor, limit, offset = 0 }: Filter): SqlParams {
  const [at = '', ...id] = cursor?.split('.') ?? [];
  return {
    at: cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(at),
    id: id.join('.'),
    limit: limit + 1,
    offset,
  };
}

function conditionsOf({ projectId }: Filter): { where: string; params: SqlParams } {
  if (projectId === undefined) return { where: 'c.removed = 0', params: {} };
  return { where: 'c.removed = 0 AND c.project_id = $projectId', params: { projectId } };
}

function listedPage(db: ReadDb, filter: Filter): Counted {
  const { where, params } = conditionsOf(filter);
  const rows = db.all<ConversationRow>(statements.conversations(where), { ...params, ...placeOf(filter) });
  return { rows, total: db.one<{ n: number }>(statements.countConversations(where), params)?.n ?? 0 };
}

const IN_MESSAGES = `SELECT m.conversation_id AS id FROM ${hitsIn('message')} CROSS JOIN messages m ON m.seq = hit.rowid WHERE ${IS_MATCH}`;
const BY_TITLE = `SELECT k.id FROM ${hitsIn('chat')} CROSS JOIN conversations k INDEXED BY conversations_by_number ON k.seq = hit.rowid
  WHERE ${IS_MATCH}`;
const NEWEST = 'ORDER BY hit.rowid DESC LIMIT $most';
/** Of the newest so many hits, each conversation is looked up; of all of them, most conversations are. */
const NEWEST_FOUND = `(SELECT id FROM (${IN_MESSAGES} ${NEWEST}) UNION SELECT id FROM (${BY_TITLE} ${NEWEST})) f
  CROSS JOIN conversations c ON c.id = f.id`;
const ALL_FOUND = `(c.seq IN (${matching('chat')}) OR c.id IN (${IN_MESSAGES}))`;
const hitsUpTo = sql(
  'chat.hitsUpTo',
  `SELECT max((SELECT count(*) FROM (SELECT 1 FROM ${hitsIn('message')} WHERE ${IS_MATCH} LIMIT $most + 1)),
     (SELECT count(*) FROM (SELECT 1 FROM ${hitsIn('chat')} WHERE ${IS_MATCH} LIMIT $most + 1))) AS n`,
);

function foundPage(db: ReadDb, filter: Filter): Counted {
  const { upTo: most, text = '' } = filter;
  const { where, params } = conditionsOf(filter);
  const match = matchOf(text);
  const isMore = most !== undefined && (db.one<{ n: number }>(hitsUpTo, { match, most })?.n ?? 0) > most;
  const found = isMore
    ? statements.foundConversations(NEWEST_FOUND, where)
    : statements.foundConversations(statements.LISTED, `${where} AND ${ALL_FOUND}`);
  const asked = { ...params, ...placeOf(filter), match, ...(isMore ? { most } : {}) };
  const { total = 0, ids = '[]' } = db.one<{ total: number; ids: string }>(found, asked) ?? {};
  const rows = ids === '[]' ? [] : db.all<ConversationRow>(statements.conversationsByIds, { ids });
  return { rows, total, ...(isMore ? { isMore } : {}) };
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
    uncertainNano: row.uncertain_nano,
    unpriced: row.unpriced,
    director: row.director === 1,
    ...(row.project_id ? { projectId: row.project_id } : {}),
    ...(row.model ? { model: row.model } : {}),
    ...(row.system ? { system: row.system } : {}),
  };
}

const find = sql(
  'chat.find',
  `SELECT m.seq, m.created_at AS at, max(m.created_at, c.created_at) AS cameAt FROM ${hitsIn('message')} CROSS JOIN messages m ON m.seq = hit.rowid
   CROSS JOIN conversations c ON c.id = m.conversation_id WHERE ${IS_HIT} AND c.removed = 0
   ORDER BY hit.rowid DESC LIMIT $limit`,
);
const byNumber = sql(
  'chat.foundTexts',
  `SELECT m.seq, m.id, m.conversation_id AS conversationId, coalesce(m.branch_id, '') AS branch, m.role, c.title,
     ${answerText} AS text
   FROM messages m JOIN conversations c ON c.id = m.conversation_id WHERE m.seq IN (SELECT value FROM json_each($seqs))`,
);

interface TextRow {
  seq: number;
  id: string;
  conversationId: string;
  branch: string;
  role: 'user' | 'assistant';
  title: string;
  text: string;
}

/** Messages by what they say. Those of a removed conversation are not shown. */
export const foundMessages: TextSource = {
  find: (db, page) => db.all<FoundRow>(find, { ...page }),
  read: (db, seqs) =>
    db
      .all<TextRow>(byNumber, { seqs: JSON.stringify(seqs) })
      .map(({ text, title, ...row }) => ({ ...row, title: shownTitle(title), texts: [text] })),
};

/** The ids of pictures that messages hold: a model is shown them again with each later message. */
export const namedInChats = (db: ReadDb, changed?: readonly string[]): string[] =>
  db
    .all<{ id: string }>(statements.namedPictures, { ids: changed ? JSON.stringify(changed) : null })
    .map(({ id }) => id);
