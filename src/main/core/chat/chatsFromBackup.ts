import type { RestoredItem } from '../../../shared/contract/backupCalls.ts';
import { shortened } from '../../../shared/text/shortened.ts';
import { t } from '../../../shared/text/texts.ts';
import { notUnfinishedInBackup, type ReadDb, type RestoreParticipant, sql, type WriteDb } from '../store/index.ts';
import type { NewBranch } from './answerRequests.ts';
import { shownTitle } from './conversations.ts';
import { answerText } from './queries.ts';

/**
 * No message is deleted: those since the backup were paid for. A conversation continues from its end in the backup, in a new branch if the
 * old branch has grown. A conversation that is newer than the backup is hidden like a removed one.
 */

const unknownChats = sql(
  'chat.unknownOfBackup',
  `SELECT count(*) AS n FROM past.conversations p WHERE NOT EXISTS (SELECT 1 FROM main.conversations m WHERE m.id = p.id)
     AND ${notUnfinishedInBackup('p.project_id')}`,
);
const shown = (where: string) =>
  sql(
    'chat.shownOfBackup',
    `SELECT m.id, m.title FROM main.conversations m LEFT JOIN past.conversations p ON p.id = m.id WHERE ${where} ORDER BY m.seq DESC`,
  );
const goneChats = shown('m.removed = 0 AND coalesce(p.removed, 1) = 1');
const restoredChats = shown('m.removed = 1 AND p.removed = 0');
const newMessages = sql(
  'chat.newSinceBackup',
  `SELECT m.id, ${answerText} AS text FROM messages m JOIN past.conversations p ON p.id = m.conversation_id AND p.removed = 0
   WHERE NOT EXISTS (SELECT 1 FROM past.messages o WHERE o.id = m.id) ORDER BY m.seq DESC`,
);
const hideNew = sql(
  'chat.hideNewSinceBackup',
  'UPDATE conversations SET removed = 1 WHERE removed = 0 AND id NOT IN (SELECT id FROM past.conversations)',
);
const FIELDS = ['title', 'project_id', 'model', 'system', 'director', 'removed', 'updated_at'];
const pastFields = sql(
  'chat.asInBackup',
  `UPDATE conversations SET (${FIELDS.join(', ')}) = (SELECT ${FIELDS.join(', ')} FROM past.conversations p WHERE p.id = conversations.id)
   WHERE id IN (SELECT m.id FROM main.conversations m JOIN past.conversations p ON p.id = m.id
     WHERE ${FIELDS.map((field) => `m.${field} IS NOT p.${field}`).join(' OR ')})`,
);
/** Without `removed` and the time of the last change. */
const COMPARED = FIELDS.filter((field) => field !== 'removed' && field !== 'updated_at');
const otherFields = sql(
  'chat.otherFieldsThanBackup',
  `SELECT m.id FROM main.conversations m JOIN past.conversations p ON p.id = m.id AND m.removed = 0 AND p.removed = 0
   WHERE ${COMPARED.map((field) => `m.${field} IS NOT p.${field}`).join(' OR ')}`,
);
/** The end of each active branch in the backup, and the end of the same branch now. */
const heads = sql(
  'chat.headsOfBackup',
  `SELECT p.id, p.branch_id AS branch, m.branch_id AS active, m.removed = 0 AND p.removed = 0 AS shown,
     coalesce((SELECT max(o.seq) FROM past.messages o WHERE o.branch_id = p.branch_id), b.behind_seq) AS before,
     coalesce((SELECT max(o.seq) FROM main.messages o WHERE o.branch_id = p.branch_id), b.behind_seq) AS now
   FROM past.conversations p JOIN main.conversations m ON m.id = p.id JOIN past.branches b ON b.id = p.branch_id`,
);
const activate = sql('chat.activateOfBackup', 'UPDATE conversations SET branch_id = $branch WHERE id = $id');
const idOf = sql('chat.idOfNumber', 'SELECT id FROM messages WHERE seq = $seq');
/** An empty branch is reused. */
const emptyBehind = sql(
  'chat.emptyBehind',
  `SELECT b.id FROM branches b WHERE b.conversation_id = $id AND b.behind_seq IS $seq
     AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.branch_id = b.id) ORDER BY b.seq LIMIT 1`,
);

interface HeadThen {
  id: string;
  branch: string;
  active: string | null;
  /** 1 if it exists on both sides and is removed on neither. */
  shown: 0 | 1;
  before: number | null;
  now: number | null;
}

/** `startBranch` adds a branch to a conversation and activates it. */
export const chatsFromBackup = (
  startBranch: (db: WriteDb, conversationId: string, branch: NewBranch) => void,
): RestoreParticipant => ({
  unknown: (db) => db.one<{ n: number }>(unknownChats)?.n ?? 0,
  preview: (db) => ({
    gone: [...chatsIn(db, goneChats), ...messagesIn(db)],
    back: chatsIn(db, restoredChats),
    changed: [{ type: 'chat', count: otherChats(db).size }],
  }),
  restore(db) {
    db.run(hideNew);
    db.run(pastFields);
    for (const head of db.all<HeadThen>(heads)) moveToPast(db, head, startBranch);
    return undefined;
  },
});

/** Conversations whose title, project, model or position would change. */
function otherChats(db: ReadDb): Set<string> {
  const moved = db.all<HeadThen>(heads).filter((head) => head.shown === 1 && branchOf(db, head) !== head.active);
  return new Set([...db.all<{ id: string }>(otherFields), ...moved].map(({ id }) => id));
}

/** The branch that already ends where the backup ended, if there is one. */
const branchOf = (db: ReadDb, { id, branch, before, now }: HeadThen): string | undefined =>
  before === now ? branch : db.one<{ id: string }>(emptyBehind, { id, seq: before })?.id;

function moveToPast(db: WriteDb, head: HeadThen, startBranch: Start): void {
  const { id, branch: parent, active, before } = head;
  const branch = branchOf(db, head);
  if (branch === undefined) startBranch(db, id, { parent, messageId: messageAt(db, before), behind: before });
  else if (branch !== active) db.run(activate, { id, branch });
}

type Start = Parameters<typeof chatsFromBackup>[0];

const messageAt = (db: ReadDb, seq: number | null): string =>
  seq === null ? '' : (db.one<{ id: string }>(idOf, { seq })?.id ?? '');

const chatsIn = (db: ReadDb, statement: typeof goneChats): RestoredItem[] =>
  db
    .all<{ id: string; title: string }>(statement)
    .map(({ id, title }) => ({ type: 'chat', id, title: shownTitle(title) }));

const messagesIn = (db: ReadDb): RestoredItem[] =>
  db
    .all<{ id: string; text: string }>(newMessages)
    .map(({ id, text }) => ({ type: 'message', id, title: shortened(text.trim(), 80) || t`Answer` }));
