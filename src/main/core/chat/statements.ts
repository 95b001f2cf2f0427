import { type Sql, sql } from '../store/index.ts';

/** The cost is the sum of real money; of play money only if no real gateway has answered. */
const sumOf = (column: string) => `coalesce((SELECT total(j.${column}) FROM messages m JOIN jobs j ON j.id = m.job_id
    WHERE m.conversation_id = c.id GROUP BY j.play ORDER BY j.play LIMIT 1), 0) AS ${column}`;
const CONVERSATION = `SELECT c.*, (SELECT count(*) FROM messages m WHERE m.conversation_id = c.id) AS message_count,
  ${sumOf('charged_nano')}, ${sumOf('unpriced')} FROM conversations c`;

export const insertConversation = sql(
  'chat.insertConversation',
  `INSERT INTO conversations (id, title, project_id, model, system, created_at, updated_at)
   VALUES ($id, $title, $projectId, $model, $system, $now, $now)`,
);
/** In the order of the list, with all that it is filtered by. */
const LISTED = 'conversations c INDEXED BY conversations_listed';
/** Skipped rows are not summed. */
export const conversations = (where: string): Sql =>
  sql(
    'chat.conversations',
    `${CONVERSATION} WHERE c.id IN (SELECT c.id FROM ${LISTED} WHERE ${where} AND (c.updated_at, c.id) < ($at, $id)
       ORDER BY c.updated_at DESC, c.id DESC LIMIT $limit OFFSET $offset)
     ORDER BY c.updated_at DESC, c.id DESC`,
  );
export const countConversations = (where: string): Sql =>
  sql('chat.count', `SELECT count(*) AS n FROM ${LISTED} WHERE ${where}`);
export const conversationById = sql('chat.conversationById', `${CONVERSATION} WHERE c.id = $id AND c.removed = 0`);
/** Hidden, not deleted: its messages were paid for. */
export const removeConversation = sql(
  'chat.removeConversation',
  'UPDATE conversations SET removed = 1 WHERE id = $id AND removed = 0',
);
export const touchConversation = sql(
  'chat.touchConversation',
  'UPDATE conversations SET title = $title, model = $model, system = $system, updated_at = $now WHERE id = $id',
);
export const insertMessage = sql(
  'chat.insertMessage',
  `INSERT INTO messages (id, conversation_id, role, text, job_id, created_at)
   VALUES ($id, $conversationId, $role, $text, $jobId, $now)`,
);
export const moveMessage = sql('chat.moveMessage', 'UPDATE messages SET job_id = $jobId WHERE id = $id');

const MESSAGE = `SELECT m.id, m.revision, m.conversation_id, m.role, m.text, m.job_id, m.created_at, j.state, j.model, j.error, j.result,
  j.partial_text, j.partial_reasoning FROM messages m LEFT JOIN jobs j ON j.id = m.job_id`;

/** What a message says; its answer is that of its job. */
export const answerText = `CASE WHEN m.role = 'user' OR m.job_id IS NULL THEN m.text ELSE coalesce(
    (SELECT coalesce(j.result ->> 'text', j.partial_text) FROM jobs j WHERE j.id = m.job_id), '') END`;

export const messages = sql('chat.messages', `${MESSAGE} WHERE m.conversation_id = $conversationId ORDER BY m.seq`);
/** Rows of one page; its bytes are limited too. */
export const MAX_ROWS = 500;
export const messagesBefore = sql(
  'chat.messagesBefore',
  `${MESSAGE} WHERE m.conversation_id = $conversationId AND m.seq < $before ORDER BY m.seq DESC LIMIT ${MAX_ROWS}`,
);
export const seqOfMessage = sql(
  'chat.seqOfMessage',
  'SELECT seq FROM messages WHERE id = $id AND conversation_id = $conversationId',
);
/** Answers that are pending or arriving. */
export const openAnswers = sql(
  'chat.openAnswers',
  `SELECT m.job_id AS jobId FROM messages m JOIN jobs j ON j.id = m.job_id
   WHERE m.conversation_id = $conversationId AND j.state IN ('queued', 'blocked', 'sending', 'running')`,
);
export const messageByJob = sql('chat.messageByJob', `${MESSAGE} WHERE m.job_id = $jobId`);
export const messageOfJob = sql('chat.messageOfJob', 'SELECT id, conversation_id FROM messages WHERE job_id = $jobId');
