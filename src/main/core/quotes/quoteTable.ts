import { canonicalJson } from '../../../shared/contract/values.ts';
import type { QuoteState, VoidReason } from '../../../shared/money/quote.ts';
import { type ReadDb, sql, type WriteDb } from '../store/index.ts';
import type { QuoteDocument } from './document.ts';

/** Quotes as rows. A row leaves `open` only once. */

export interface QuoteRow {
  id: string;
  state: QuoteState;
  voidBecause: VoidReason | null;
  document: QuoteDocument;
  draftId: string | null;
  jobId: string | null;
  createdAt: number;
}

type StoredRow = Omit<QuoteRow, 'document'> & { document: string };

const COLUMNS = `id, state, void_because AS voidBecause, document, draft_id AS draftId, job_id AS jobId, created_at AS createdAt`;
const byId = sql('quotes.byId', `SELECT ${COLUMNS} FROM quotes WHERE id = $id`);
const listed = sql(
  'quotes.listed',
  `SELECT ${COLUMNS} FROM quotes WHERE $state IS NULL OR state = $state ORDER BY seq DESC LIMIT $limit`,
);
/** Chats may have any number of quotes, which must not crowd out those of programs. */
const CHAT = `json_extract(document, '$.asker.conversationId')`;
const listedOpen = sql(
  'quotes.listedOpen',
  `SELECT ${COLUMNS} FROM quotes WHERE state = 'open' AND (draft_id IS NULL OR ${CHAT} NOT IN (SELECT value FROM json_each($without)))
   ORDER BY draft_id IS NULL DESC, seq DESC LIMIT $limit`,
);
const countByChat = sql(
  'quotes.countByChat',
  `SELECT ${CHAT} AS conversationId, count(*) AS n FROM quotes WHERE state = 'open' GROUP BY 1`,
);
const countOutside = sql(
  'quotes.countOutside',
  `SELECT count(*) AS n FROM quotes WHERE state = 'open' AND draft_id IS NULL`,
);
const countOfConnection = sql(
  'quotes.countOfConnection',
  `SELECT count(*) AS n FROM quotes WHERE state = 'open' AND draft_id IS NULL AND json_extract(document, '$.asker.mark') IS $mark`,
);
const countOfDraft = sql('quotes.countOfDraft', 'SELECT count(*) AS n FROM quotes WHERE draft_id = $draftId');
/** A draft that is changed back gets the same quote again. */
const insert = sql(
  'quotes.insert',
  `INSERT INTO quotes (id, document, draft_id, expires_at, created_at) VALUES ($id, $document, $draftId, $expiresAt, $createdAt)
   ON CONFLICT (id) DO UPDATE SET state = 'open', void_because = NULL WHERE state = 'void' AND draft_id IS NOT NULL`,
);
const settle = sql(
  'quotes.settle',
  `UPDATE quotes SET state = $state, void_because = $because, job_id = $jobId WHERE id = $id AND state = 'open'`,
);
const voidOthers = sql(
  'quotes.voidOthers',
  `UPDATE quotes SET state = 'void', void_because = 'order' WHERE draft_id = $draftId AND state = 'open' AND id <> $id`,
);
const expired = sql('quotes.expired', `SELECT count(*) AS n FROM quotes WHERE state = 'open' AND expires_at <= $now`);
const expire = sql(
  'quotes.expire',
  `UPDATE quotes SET state = 'void', void_because = 'expired' WHERE state = 'open' AND expires_at <= $now`,
);
const timesOfOpen = sql(
  'quotes.holding',
  `SELECT min(expires_at) AS soonest, coalesce(max(created_at), 0) AS newest FROM quotes WHERE state = 'open' AND expires_at IS NOT NULL`,
);
const followJob = sql('quotes.followJob', 'UPDATE quotes SET job_id = $newId WHERE job_id = $oldId');

const read = ({ document, ...row }: StoredRow): QuoteRow => ({
  ...row,
  document: JSON.parse(document) as QuoteDocument,
});

export const quoteById = (db: ReadDb, id: string): QuoteRow | undefined => {
  const row = db.one<StoredRow>(byId, { id });
  return row && read(row);
};
export const listQuotes = (db: ReadDb, filter: { state: QuoteState | null; limit: number }): QuoteRow[] =>
  db.all<StoredRow>(listed, filter).map(read);
/** Open quotes, without those of these chats. */
export const listOpen = (db: ReadDb, limit: number, without: readonly string[]): QuoteRow[] =>
  db.all<StoredRow>(listedOpen, { limit, without: JSON.stringify(without) }).map(read);
/** The number of open quotes by the chat of their drafts; those of programs are under null. */
export const openByChat = (db: ReadDb) => db.all<{ conversationId: string | null; n: number }>(countByChat, {});
export const countOpenOfPrograms = (db: ReadDb): number => db.one<{ n: number }>(countOutside)?.n ?? 0;
/** Open quotes of one connection, by its mark; connections without a mark count as one, since names can be faked. */
export const openOfConnection = (db: ReadDb, mark: string | undefined): number =>
  db.one<{ n: number }>(countOfConnection, { mark: mark ?? null })?.n ?? 0;
export const quotesOfDraft = (db: ReadDb, draftId: string): number =>
  db.one<{ n: number }>(countOfDraft, { draftId })?.n ?? 0;
export const insertQuote = (
  db: WriteDb,
  { id, document, draftId, createdAt }: Pick<QuoteRow, 'id' | 'document' | 'draftId' | 'createdAt'>,
): number =>
  db.run(insert, { id, document: canonicalJson(document), draftId, expiresAt: document.expiresAt, createdAt });

/** Whether it was open until now. */
export const settleQuote = (
  db: WriteDb,
  id: string,
  { state, because = null, jobId = null }: { state: QuoteState; because?: VoidReason | null; jobId?: string | null },
): boolean => db.run(settle, { id, state, because, jobId }) > 0;

/** Voids earlier quotes of a draft whose request has changed. */
export const voidOtherQuotes = (db: WriteDb, draftId: string, id: string): number =>
  db.run(voidOthers, { draftId, id });
export const hasExpired = (db: ReadDb, now: number): boolean => (db.one<{ n: number }>(expired, { now })?.n ?? 0) > 0;
export const expireQuotes = (db: WriteDb, now: number): number => db.run(expire, { now });
/** Of quotes with an expiry: the first expiry, and the last creation. */
export const openTimes = (db: ReadDb) =>
  db.one<{ soonest: number | null; newest: number }>(timesOfOpen) ?? { soonest: null, newest: 0 };
export const followRetriedJob = (db: WriteDb, oldId: string, newId: string): number =>
  db.run(followJob, { oldId, newId });
