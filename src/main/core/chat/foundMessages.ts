import { type FoundRow, hitsIn, IS_HIT, sql, type TextSource } from '../store/index.ts';
import { shownTitle } from './conversations.ts';
import { answerText } from './statements.ts';

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
