import { sql } from '../store/index.ts';

/** The sum of real money; of test money only if no real gateway has answered. */
const sumOf = (column: string) => `coalesce((SELECT total(j.${column}) FROM messages m JOIN jobs j ON j.id = m.job_id
    WHERE m.conversation_id = c.id GROUP BY j.play ORDER BY j.play LIMIT 1), 0) AS ${column}`;
export const CONVERSATION = `SELECT c.*, (SELECT count(*) FROM messages m WHERE m.conversation_id = c.id) AS message_count,
  ${sumOf('charged_nano')}, ${sumOf('uncertain_nano')}, ${sumOf('unpriced')} FROM conversations c`;

export const insertConversation = sql(
  'chat.insertConversation',
  `INSERT INTO conversations (id, title, project_id, model, system, director, created_at, updated_at)
   VALUES ($id, $title, $projectId, $model, $system, $director, $now, $now)`,
);
/** The index with the list's order and all filters. */
export const LISTED = 'conversations c INDEXED BY conversations_listed';
export const conversationsByIds = sql(
  'chat.conversationsByIds',
  `${CONVERSATION} WHERE c.id IN (SELECT value FROM json_each($ids)) ORDER BY c.updated_at DESC, c.id DESC`,
);
export const conversationById = sql('chat.conversationById', `${CONVERSATION} WHERE c.id = $id AND c.removed = 0`);
export const conversationsOfProject = sql(
  'chat.conversationsOfProject',
  `${CONVERSATION} WHERE c.project_id = $projectId AND c.removed = 0 ORDER BY c.created_at, c.id`,
);
export const newestTitled = sql(
  'chat.newestTitled',
  `${CONVERSATION} WHERE c.project_id = $projectId AND c.title = $title AND c.removed = 0 ORDER BY c.created_at DESC, c.seq DESC LIMIT 1`,
);
/** Hidden, not deleted: its messages were paid for. */
export const removeConversation = sql(
  'chat.removeConversation',
  'UPDATE conversations SET removed = 1 WHERE id = $id AND removed = 0',
);
export const showConversation = sql(
  'chat.showConversation',
  'UPDATE conversations SET removed = 0 WHERE id = $id AND removed = 1',
);
export const showOfProject = sql(
  'chat.showOfProject',
  'UPDATE conversations SET removed = 0, project_id = $to WHERE project_id = $projectId AND removed = 1',
);
const OF_PROJECT = 'conversation_id IN (SELECT id FROM conversations WHERE project_id = $projectId)';
/** In an order in which nothing refers to a deleted row. */
export const removeUnseen = [
  sql(
    'chat.removeUnseenMessages',
    `DELETE FROM messages WHERE seq IN (SELECT seq FROM messages WHERE ${OF_PROJECT} LIMIT $limit)`,
  ),
  sql(
    'chat.removeUnseenBranches',
    `DELETE FROM branches WHERE seq IN (SELECT seq FROM branches WHERE ${OF_PROJECT} ORDER BY seq DESC LIMIT $limit)`,
  ),
  sql(
    'chat.removeUnseenConversations',
    'DELETE FROM conversations WHERE id IN (SELECT id FROM conversations WHERE project_id = $projectId LIMIT $limit)',
  ),
] as const;
export const touchConversation = sql(
  'chat.touchConversation',
  'UPDATE conversations SET title = $title, model = $model, system = $system, updated_at = $now WHERE id = $id',
);
/** Null fields stay. */
export const setConversation = sql(
  'chat.set',
  `UPDATE conversations SET title = coalesce($title, title), director = coalesce($director, director)
   WHERE id = $id AND removed = 0`,
);
export const activate = sql('chat.activate', 'UPDATE conversations SET branch_id = $branch WHERE id = $id');
export const insertMessage = sql(
  'chat.insertMessage',
  `INSERT INTO messages (id, conversation_id, role, text, job_id, created_at, branch_id, parent_seq, continues, elsewhere,
     tool_results, pictures)
   VALUES ($id, $conversationId, $role, $text, $jobId, $now, $branch, $parent, $continues, $elsewhere, $toolResults, $pictures)`,
);
export const saveToolResults = sql(
  'chat.saveToolResults',
  'UPDATE messages SET tool_results = $results WHERE id = $id',
);
export const moveMessage = sql('chat.moveMessage', 'UPDATE messages SET job_id = $jobId WHERE id = $id');

export const insertBranch = sql(
  'chat.insertBranch',
  `INSERT INTO branches (id, conversation_id, parent_id, message_id, behind_seq, created_at)
   VALUES ($id, $conversationId, $parent, $messageId, $behind, $now)`,
);
export const branches = sql(
  'chat.branches',
  `SELECT b.id, b.parent_id, b.created_at, coalesce(b.message_id,
     (SELECT m.id FROM messages m WHERE m.branch_id = b.id ORDER BY m.seq LIMIT 1), '') AS message_id
   FROM branches b WHERE b.conversation_id = $conversationId ORDER BY b.seq`,
);
export const countBranches = sql(
  'chat.countBranches',
  'SELECT count(*) AS n FROM branches WHERE conversation_id = $conversationId',
);
/** The branch and its end: the newest message, or else the message that the branch starts after. An empty conversation has no end. */
export const branchById = sql(
  'chat.branchById',
  `SELECT b.id, coalesce((SELECT max(m.seq) FROM messages m WHERE m.branch_id = b.id), b.behind_seq) AS head
   FROM branches b WHERE b.id = $branch AND b.conversation_id = $conversationId`,
);
export const newestBranch = sql(
  'chat.newestBranch',
  'SELECT id FROM branches WHERE conversation_id = $conversationId ORDER BY seq DESC LIMIT 1',
);
/** An empty branch after this message. */
export const emptyBranch = sql(
  'chat.emptyBranch',
  `SELECT b.id FROM branches b WHERE b.conversation_id = $conversationId AND b.message_id = $messageId AND b.behind_seq = $behind
     AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.branch_id = b.id) ORDER BY b.seq LIMIT 1`,
);

const OF_ANSWER = `(SELECT nullif(json_group_array(a.id), '[]')
  FROM (SELECT id FROM assets WHERE job_id = m.job_id AND role = 'output' ORDER BY output_index) a)`;
const MESSAGE = `SELECT m.seq, m.id, m.revision, m.conversation_id, m.role, m.text, m.job_id, m.created_at, m.branch_id, m.parent_seq,
  m.continues, m.elsewhere, m.tool_results, j.state, j.model, j.error, j.result, j.partial_text, j.partial_reasoning,
  CASE WHEN m.role = 'assistant' AND m.job_id IS NOT NULL THEN ${OF_ANSWER} ELSE m.pictures END AS pictures`;
const WITH_JOB = 'LEFT JOIN jobs j ON j.id = m.job_id';

/** The text of a message; for an answer, that of its job. */
export const answerText = `CASE WHEN m.role = 'user' OR m.job_id IS NULL THEN m.text ELSE coalesce(
    (SELECT coalesce(j.result ->> 'text', j.partial_text) FROM jobs j WHERE j.id = m.job_id), '') END`;

/** From a message back to the first. Each must follow an older one; a damaged row ends the path. */
const WAY = `WITH RECURSIVE way (seq, parent_seq) AS (
    SELECT m.seq, m.parent_seq FROM messages m WHERE m.seq = $head AND m.conversation_id = $conversationId
    UNION ALL
    SELECT m.seq, m.parent_seq FROM way CROSS JOIN messages m ON m.seq = way.parent_seq
    WHERE m.seq < way.seq AND m.conversation_id = $conversationId LIMIT $limit)`;
/** Newest first. */
export const branchPath = sql(
  'chat.way',
  `${WAY} ${MESSAGE} FROM way CROSS JOIN messages m ON m.seq = way.seq ${WITH_JOB} ORDER BY way.seq DESC`,
);
/** Rows of one page; its bytes are limited too. */
export const MAX_ROWS = 500;
const SUMS = `count(*) AS messageCount, coalesce(total(j.charged_nano), 0) AS chargedNano,
  coalesce(total(j.uncertain_nano), 0) AS uncertainNano, coalesce(total(j.unpriced), 0) AS unpriced, j.play`;
/** Real money before test money. */
export const sumOfWay = sql(
  'chat.sumOfWay',
  `${WAY} SELECT ${SUMS} FROM way CROSS JOIN messages m ON m.seq = way.seq ${WITH_JOB} GROUP BY j.play`,
);
export const sumsOfBranches = sql(
  'chat.sumsOfBranches',
  `SELECT m.branch_id AS branch, ${SUMS} FROM messages m ${WITH_JOB} WHERE m.conversation_id = $conversationId GROUP BY m.branch_id, j.play`,
);
export const titlesOfBranches = sql(
  'chat.titlesOfBranches',
  `SELECT b.id, (SELECT substr(m.text, 1, 200) FROM messages m WHERE m.branch_id = b.id AND m.role = 'user' ORDER BY m.seq LIMIT 1) AS title
   FROM branches b WHERE b.conversation_id = $conversationId`,
);
/** The successors of these messages, and the first ones if $first; oldest first. */
export const followers = sql(
  'chat.followers',
  `SELECT m.seq, m.id, m.parent_seq, m.role, m.branch_id FROM messages m WHERE m.conversation_id = $conversationId
     AND m.parent_seq IN (SELECT value FROM json_each($parents)) AND m.continues IS NULL
   UNION ALL
   SELECT m.seq, m.id, m.parent_seq, m.role, m.branch_id FROM messages m WHERE $first AND m.conversation_id = $conversationId
     AND m.parent_seq IS NULL AND m.continues IS NULL
   ORDER BY 1`,
);
export const isFollowed = sql(
  'chat.isFollowed',
  'SELECT 1 FROM messages WHERE conversation_id = $conversationId AND parent_seq = $seq LIMIT 1',
);
/** The charge of an answer; null while unknown. */
const KNOWN_CHARGE = `CASE WHEN j.unpriced = 0 AND (j.charged_nano > 0 OR (j.uncertain_nano = 0 AND j.finished_at IS NOT NULL))
  THEN j.charged_nano END`;
/** All messages of a conversation in writing order. */
export const allMessages = sql(
  'chat.allMessages',
  `${MESSAGE}, ${KNOWN_CHARGE} AS charged_nano FROM messages m ${WITH_JOB} WHERE m.conversation_id = $conversationId ORDER BY m.seq`,
);
export const allBranches = sql(
  'chat.allBranches',
  `SELECT id, parent_id, message_id, behind_seq, created_at FROM branches WHERE conversation_id = $conversationId ORDER BY seq`,
);
export const messageById = sql(
  'chat.messageById',
  `${MESSAGE} FROM messages m ${WITH_JOB} WHERE m.id = $id AND m.conversation_id = $conversationId`,
);
const IS_OPEN = `j.state IN ('queued', 'blocked', 'sending', 'running')`;
/** Pending and arriving answers. */
export const openAnswers = sql(
  'chat.openAnswers',
  `SELECT m.job_id AS jobId FROM messages m JOIN jobs j ON j.id = m.job_id WHERE m.conversation_id = $conversationId AND ${IS_OPEN}`,
);
/** Answers that are arriving on one path, without those that wait for an overnight run. */
export const arrivingAnswers = sql(
  'chat.arrivingAnswers',
  `${WAY} SELECT m.job_id AS jobId FROM way CROSS JOIN messages m ON m.seq = way.seq JOIN jobs j ON j.id = m.job_id
   WHERE ${IS_OPEN} AND j.reason IS NOT 'window'`,
);
export const messageByJob = sql('chat.messageByJob', `${MESSAGE} FROM messages m ${WITH_JOB} WHERE m.job_id = $jobId`);
export const messageOfJob = sql('chat.messageOfJob', 'SELECT id, conversation_id FROM messages WHERE job_id = $jobId');
/** The pictures of messages, of all conversations or of these. Removed conversations count, since they can be restored. */
export const namedPictures = sql(
  'chat.namedPictures',
  `SELECT DISTINCT p.value AS id FROM messages m, json_each(m.pictures) p WHERE m.pictures IS NOT NULL
     AND ($ids IS NULL OR m.conversation_id IN (SELECT value FROM json_each($ids)))`,
);
