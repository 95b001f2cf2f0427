import type { Draft, DraftKind, DraftState } from '../../../shared/chat/director/draft.ts';
import type { DraftedImage, DraftedShot, ShotPatch } from '../../../shared/chat/director/tools.ts';
import type { Reason } from '../../../shared/contract/result.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';
import { type ReadDb, sql, type WriteDb } from '../store/index.ts';

/** Drafts as rows: the request, which never changes, and their latest form. */

/** A model's request. The ids are those of the future shot and job, so that drafts can refer to each other. */
export type DraftInput = { jobId: string } & (
  | { kind: 'newShot'; shotId: string; shot: DraftedShot; before?: string }
  | { kind: 'changeShot'; shotId: string; patch: ShotPatch }
  | { kind: 'imagine'; image: DraftedImage }
  /** A draft that cannot be made. */
  | { kind: 'malformed'; title: string; errors: Reason[] }
);

/** A draft as the user sees it, with the request and its price: an approval is for that quote. */
export interface DraftPreview {
  draft: Draft;
  request?: StudioRequest;
  quoteId?: string;
}

export interface DraftRow {
  seq: number;
  id: string;
  conversationId: string;
  messageId: string;
  callId: string;
  projectId: string;
  kind: DraftKind;
  state: DraftState;
  asked: DraftInput;
  drawn: DraftPreview;
  jobId: string | null;
  createdAt: number;
}

export type NewDraft = Omit<DraftRow, 'seq' | 'state' | 'jobId' | 'drawn'>;

type StoredRow = Omit<DraftRow, 'asked' | 'drawn'> & { asked: string; drawn: string };

const COLUMNS = `seq, id, conversation_id AS conversationId, message_id AS messageId, call_id AS callId, project_id AS projectId, kind, state,
  asked, drawn, job_id AS jobId, created_at AS createdAt`;
const ofConversation = sql(
  'drafts.ofConversation',
  `SELECT ${COLUMNS} FROM drafts WHERE conversation_id = $conversationId ORDER BY seq`,
);
const ofMessage = sql('drafts.ofMessage', `SELECT ${COLUMNS} FROM drafts WHERE message_id = $messageId ORDER BY seq`);
const byIds = sql(
  'drafts.byIds',
  `SELECT ${COLUMNS} FROM drafts WHERE id IN (SELECT value FROM json_each($ids)) ORDER BY seq`,
);
const insert = sql(
  'drafts.insert',
  `INSERT INTO drafts (id, conversation_id, message_id, call_id, project_id, kind, asked, drawn, created_at)
   VALUES ($id, $conversationId, $messageId, $callId, $projectId, $kind, $asked, '{}', $createdAt)`,
);
const saveDrawn = sql('drafts.saveDrawn', 'UPDATE drafts SET drawn = $drawn WHERE id = $id');
const saveAsked = sql('drafts.saveAsked', 'UPDATE drafts SET asked = $asked WHERE id = $id');
const saveState = sql('drafts.saveState', 'UPDATE drafts SET state = $state, job_id = $jobId WHERE id = $id');
const openByMessage = sql(
  'drafts.openByMessage',
  `SELECT conversation_id AS conversationId, message_id AS messageId, count(*) AS n FROM drafts WHERE state = 'open' GROUP BY 1, 2`,
);
const openOfMessages = sql(
  'drafts.openOfMessages',
  `SELECT count(*) AS n FROM drafts WHERE conversation_id = $conversationId AND state = 'open'
     AND json_extract(asked, '$.kind') <> 'malformed' AND message_id IN (SELECT value FROM json_each($messageIds))`,
);
const dropMalformed = sql(
  'drafts.dropMalformed',
  `DELETE FROM drafts WHERE message_id = $messageId AND json_extract(asked, '$.kind') = 'malformed'`,
);
const followJob = sql('drafts.followJob', 'UPDATE drafts SET job_id = $newId WHERE job_id = $oldId');

const read = ({ asked, drawn, ...row }: StoredRow): DraftRow => ({
  ...row,
  asked: JSON.parse(asked) as DraftInput,
  drawn: JSON.parse(drawn) as DraftPreview,
});

/** The number of open drafts by message; those that cannot be made wait to be declined. */
export const openByMessageIn = (db: ReadDb) =>
  db.all<{ conversationId: string; messageId: string; n: number }>(openByMessage, {});
/** The number of open drafts of these messages. */
export const openOf = (db: ReadDb, conversationId: string, messageIds: ReadonlySet<string>): number =>
  db.one<{ n: number }>(openOfMessages, { conversationId, messageIds: JSON.stringify([...messageIds]) })?.n ?? 0;
/** Oldest first, like the following. */
export const draftsOf = (db: ReadDb, conversationId: string): DraftRow[] =>
  db.all<StoredRow>(ofConversation, { conversationId }).map(read);
export const draftsOfMessage = (db: ReadDb, messageId: string): DraftRow[] =>
  db.all<StoredRow>(ofMessage, { messageId }).map(read);
export const draftsByIds = (db: ReadDb, ids: readonly string[]): DraftRow[] =>
  db.all<StoredRow>(byIds, { ids: JSON.stringify(ids) }).map(read);
export const insertDraft = (db: WriteDb, { asked, ...draft }: NewDraft): number =>
  db.run(insert, { ...draft, asked: JSON.stringify(asked) });
export const removeMalformed = (db: WriteDb, messageId: string): number => db.run(dropMalformed, { messageId });
export const saveRedrawn = (db: WriteDb, id: string, drawn: DraftPreview): number =>
  db.run(saveDrawn, { id, drawn: JSON.stringify(drawn) });
export const saveAskedAgain = (db: WriteDb, id: string, asked: DraftInput): number =>
  db.run(saveAsked, { id, asked: JSON.stringify(asked) });
export const settleDraft = (db: WriteDb, id: string, state: DraftState, jobId: string | null): number =>
  db.run(saveState, { id, state, jobId });
export const followRetriedJob = (db: WriteDb, oldId: string, newId: string): number =>
  db.run(followJob, { oldId, newId });

/** The draft as it was last shown, with its current state. */
export const withFinalState = ({ state, jobId }: DraftRow, draft: Draft): Draft => ({
  ...draft,
  state,
  ...(jobId === null ? {} : { jobId }),
});
