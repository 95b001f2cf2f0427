import type { Conversation, Message, MessageState, ToolResult } from '../../../shared/chat/conversation.ts';
import { incompleteReason } from '../../../shared/chat/finish.ts';
import type { CallParsed } from '../../../shared/contract/contract.ts';
import type { ChatResult, Job, JobError, JobState } from '../../../shared/jobs/job.ts';
import type { ConversationPage } from '../../../shared/jobs/lists.ts';
import { ftsQuery } from '../../../shared/library/search/searchQuery.ts';
import { t } from '../../../shared/text/texts.ts';
import {
  allOf,
  type Conditions,
  countRows,
  type FoundRow,
  hitsIn,
  IS_HIT,
  IS_MATCH,
  keysOfPage,
  type List,
  matching,
  type Page,
  pageOf,
  type ReadDb,
  readPage,
  sql,
  type TextSource,
  whereIf,
} from '../store/index.ts';
import * as queries from './queries.ts';
import { answerText } from './queries.ts';

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

/** Latest message first, by cursor or position; `total` counts all matches. */
export function listConversations(db: ReadDb, filter: Filter): ConversationPage {
  const { rows, ...page } = filter.text?.trim() ? foundPage(db, filter) : listedPage(db, filter);
  // A system prompt may exceed a message between processes; `chat.get` has it.
  return { conversations: rows.map((row) => conversationOf({ ...row, system: null })), ...page };
}

type Counted = Page<ConversationRow> & Pick<ConversationPage, 'total' | 'isMore'>;

const listOf = (from: string, conditions: Conditions): List<ConversationRow> => ({
  name: 'chat.conversations',
  view: queries.CONVERSATION,
  from,
  order: [
    { column: 'c.updated_at', of: (row) => row.updated_at },
    { column: 'c.id', of: (row) => row.id },
  ],
  direction: 'desc',
  ...conditions,
});
const conditionsOf = ({ projectId }: Filter): Conditions =>
  allOf('c.removed = 0', whereIf('c.project_id = $projectId', 'projectId', projectId));

function listedPage(db: ReadDb, filter: Filter): Counted {
  const list = listOf(queries.LISTED, conditionsOf(filter));
  return { ...readPage(db, list, filter), total: countRows(db, 'chat.count', list) };
}

const IN_MESSAGES = `SELECT m.conversation_id AS id FROM ${hitsIn('message')} CROSS JOIN messages m ON m.seq = hit.rowid WHERE ${IS_MATCH}`;
const BY_TITLE = `SELECT k.id FROM ${hitsIn('chat')} CROSS JOIN conversations k INDEXED BY conversations_by_number ON k.seq = hit.rowid
  WHERE ${IS_MATCH}`;
const NEWEST = 'ORDER BY hit.rowid DESC LIMIT $most';
/** The conversations of the newest hits are looked up; all hits would include most conversations. */
const NEWEST_FOUND = `(SELECT id FROM (${IN_MESSAGES} ${NEWEST}) UNION SELECT id FROM (${BY_TITLE} ${NEWEST})) f
  CROSS JOIN conversations c ON c.id = f.id`;
const ALL_FOUND = `(c.seq IN (${matching('chat')}) OR c.id IN (${IN_MESSAGES}))`;
const hitsUpTo = sql(
  'chat.hitsUpTo',
  `SELECT max((SELECT count(*) FROM (SELECT 1 FROM ${hitsIn('message')} WHERE ${IS_MATCH} LIMIT $most + 1)),
     (SELECT count(*) FROM (SELECT 1 FROM ${hitsIn('chat')} WHERE ${IS_MATCH} LIMIT $most + 1))) AS n`,
);

/** Matches are computed once for page and count. */
function foundPage(db: ReadDb, filter: Filter): Counted {
  const { upTo: most, text = '' } = filter;
  const match = ftsQuery(text);
  const isMore = most !== undefined && (db.one<{ n: number }>(hitsUpTo, { match, most })?.n ?? 0) > most;
  const [from, isFound] = isMore ? [NEWEST_FOUND, undefined] : [queries.LISTED, ALL_FOUND];
  const { where, params } = allOf(conditionsOf(filter), isFound);
  const page = keysOfPage(listOf('found c', allOf()), filter);
  const found = sql(
    'chat.found',
    `WITH found AS MATERIALIZED (SELECT c.id, c.updated_at FROM ${from} WHERE ${where})
     SELECT (SELECT count(*) FROM found) AS total, (SELECT json_group_array(id) FROM (${page.where})) AS ids`,
  );
  const asked = { ...params, ...page.params, match, ...(isMore ? { most } : {}) };
  const { total = 0, ids = '[]' } = db.one<{ total: number; ids: string }>(found, asked) ?? {};
  const rows = ids === '[]' ? [] : db.all<ConversationRow>(queries.conversationsByIds, { ids });
  return { ...pageOf(listOf(from, allOf()), rows, filter.limit), total, ...(isMore ? { isMore } : {}) };
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

/** Messages by text, without those of removed conversations. */
export const foundMessages: TextSource = {
  find: (db, page) => db.all<FoundRow>(find, { ...page }),
  read: (db, seqs) =>
    db
      .all<TextRow>(byNumber, { seqs: JSON.stringify(seqs) })
      .map(({ text, title, ...row }) => ({ ...row, title: shownTitle(title), texts: [text] })),
};

/** The ids of pictures in messages: a model is shown them again with each later message. */
export const referencedInChats = (db: ReadDb, changed?: readonly string[]): string[] =>
  db.all<{ id: string }>(queries.namedPictures, { ids: changed ? JSON.stringify(changed) : null }).map(({ id }) => id);

export interface MessageRow {
  seq: number;
  id: string;
  revision: number;
  conversation_id: string;
  role: Message['role'];
  text: string;
  job_id: string | null;
  created_at: number;
  branch_id: string | null;
  /** The number of its predecessor, which is smaller. */
  parent_seq: number | null;
  continues: string | null;
  elsewhere: string | null;
  tool_results: string | null;
  /** Picture ids as JSON: shown by the user, or results of its job. */
  pictures: string | null;
  state: JobState | null;
  model: string | null;
  error: string | null;
  result: string | null;
  partial_text: string | null;
  partial_reasoning: string | null;
}

/** From an imported answer (`chat.import`). */
export type AnswerElsewhere = Pick<
  Message,
  'state' | 'model' | 'reasoning' | 'reasoningField' | 'finishReason' | 'usage' | 'toolCalls' | 'costElsewhereNano'
>;

export function messageOf(row: MessageRow): Message {
  const { id, revision, conversation_id: conversationId, role, created_at: createdAt } = row;
  const place = { branch: row.branch_id ?? '', ...(row.continues ? { continues: row.continues } : {}) };
  const base = { id, revision, conversationId, role, createdAt, ...place, ...toolResultsIn(row) };
  if (row.role === 'user' || row.job_id === null)
    return { ...base, text: row.text, ...picturesOf(row), ...elsewhereOf(row) };
  const result = row.result ? (JSON.parse(row.result) as ChatResult) : undefined;
  const text = result?.text ?? row.partial_text ?? '';
  const shown = picturesOf(row);
  return {
    ...base,
    jobId: row.job_id,
    text,
    ...shown,
    state: stateOf(row.state ?? 'failed', text !== '' || shown.pictures !== undefined, result?.finishReason),
    ...reasoningIn(row, result),
    ...(row.model ? { model: row.model } : {}),
    ...(row.error ? { error: JSON.parse(row.error) as JobError } : {}),
    ...(result?.usage ? { usage: result.usage } : {}),
    ...(result?.finishReason ? { finishReason: result.finishReason } : {}),
    ...(result?.toolCalls ? { toolCalls: result.toolCalls } : {}),
  };
}

function reasoningIn(row: MessageRow, result: ChatResult | undefined): Pick<Message, 'reasoning' | 'reasoningField'> {
  const reasoning = result?.reasoning ?? row.partial_reasoning;
  if (!reasoning) return {};
  return { reasoning, ...(result?.reasoningField ? { reasoningField: result.reasoningField } : {}) };
}

const picturesOf = ({ pictures }: MessageRow): Pick<Message, 'pictures'> =>
  pictures === null ? {} : { pictures: JSON.parse(pictures) as string[] };

const toolResultsIn = ({ tool_results: results }: MessageRow): Pick<Message, 'toolResults'> =>
  results === null ? {} : { toolResults: JSON.parse(results) as ToolResult[] };

const elsewhereOf = ({ elsewhere }: MessageRow): AnswerElsewhere =>
  elsewhere === null ? { state: 'done' } : (JSON.parse(elsewhere) as AnswerElsewhere);

/** A succeeded job was answered and charged, even if its answer was cut. */
function stateOf(state: Job['state'], hasContent: boolean, finishReason: string | undefined): MessageState {
  if (state === 'succeeded') return incompleteReason(finishReason) ? 'partial' : 'done';
  if (state === 'running' || state === 'fetching') return 'streaming';
  if (state === 'failed' || state === 'canceled' || state === 'uncertain') return hasContent ? 'partial' : 'failed';
  return 'waiting';
}
