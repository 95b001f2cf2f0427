import type { Branch, BranchOnMap, BranchSum, Message, Variant } from '../../../shared/chat/conversation.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import { shortened } from '../../../shared/text/shortened.ts';
import { en } from '../../../shared/text/texts.ts';
import type { ReadDb } from '../store/index.ts';
import { type ConversationRow, type MessageRow, messageOf } from './conversations.ts';
import * as queries from './queries.ts';

/**
 * The tree of a conversation's messages. A branch starts after a message of another one; its path is the branch and everything before it,
 * read back from the newest message, so that other branches cost nothing.
 */

export interface Head {
  id: string;
  /** The number of its newest message; null in an empty conversation. */
  head: number | null;
}

/** The named or the active branch. If a damaged row names none, the newest is active. */
export function headOf(db: ReadDb, conversation: ConversationRow, branch?: string): Result<Head> {
  const conversationId = conversation.id;
  const find = (id: string) => db.one<Head>(queries.branchById, { branch: id, conversationId });
  if (branch !== undefined) {
    const named = find(branch);
    return named ? ok(named) : fail('not_found', 'There is no such branch in this conversation.', { field: 'branch' });
  }
  const active = conversation.branch_id === null ? undefined : find(conversation.branch_id);
  if (active) return ok(active);
  const newest = db.one<{ id: string }>(queries.newestBranch, { conversationId });
  const found = newest && find(newest.id);
  return found ? ok(found) : fail('wrong_state', en`This conversation has no branch.`);
}

/** Everything up to this message, oldest first. */
export const pathTo = (db: ReadDb, conversationId: string, head: number | null): Message[] =>
  rowsOfWay(db, conversationId, head, -1).map(messageOf).reverse();

const rowsOfWay = (db: ReadDb, conversationId: string, head: number | null, limit: number): MessageRow[] =>
  head === null ? [] : db.all<MessageRow>(queries.branchPath, { conversationId, head, limit });

/** Leaves room for the other fields in one 256 KB message between processes. */
const PAGE_BYTES = 192 * 1024;
/** The size of one branch in the answer. */
const BRANCH_BYTES = 180;

export interface Page {
  messages: Message[];
  earlier?: string;
  variants: Variant[];
}

/** The newest messages up to `head` that fit in one page; a single message may be larger. */
export function pageOf(db: ReadDb, conversationId: string, head: number | null, branches: number): Page {
  const rows = rowsOfWay(db, conversationId, head, queries.MAX_ROWS);
  const shown: MessageRow[] = [];
  const messages: Message[] = [];
  let bytes = branches * BRANCH_BYTES;
  for (const row of rows) {
    const message = messageOf(row);
    bytes += Buffer.byteLength(JSON.stringify(message));
    if (messages.length > 0 && bytes > PAGE_BYTES) break;
    messages.unshift(message);
    shown.push(row);
  }
  const [oldest] = messages;
  const isWhole = messages.length === rows.length && rows.length < queries.MAX_ROWS;
  const page = { messages, variants: variantsOf(db, conversationId, shown) };
  return oldest && !isWhole ? { ...page, earlier: oldest.id } : page;
}

interface Follower {
  seq: number;
  id: string;
  parent_seq: number | null;
  role: string;
  branch_id: string | null;
}

/** The messages of these that have alternatives with the same role. */
function variantsOf(db: ReadDb, conversationId: string, rows: readonly MessageRow[]): Variant[] {
  const parents = rows.flatMap(({ parent_seq: parent }) => (parent === null ? [] : [parent]));
  const first = rows.some(({ parent_seq: parent }) => parent === null) ? 1 : 0;
  const places = new Map<string, Follower[]>();
  const placeOf = ({ parent_seq: parent, role }: Pick<Follower, 'parent_seq' | 'role'>) => `${parent} ${role}`;
  const followers = db.all<Follower>(queries.followers, { conversationId, parents: JSON.stringify(parents), first });
  for (const follower of followers) places.set(placeOf(follower), [...(places.get(placeOf(follower)) ?? []), follower]);
  return rows.flatMap((row): Variant[] => {
    const there = row.continues === null ? (places.get(placeOf(row)) ?? []) : [];
    const at = there.findIndex(({ id }) => id === row.id);
    if (there.length < 2 || at === -1) return [];
    const [previous, next] = [there[at - 1]?.branch_id, there[at + 1]?.branch_id];
    const beside = { ...(previous ? { previous } : {}), ...(next ? { next } : {}) };
    return [{ messageId: row.id, at: at + 1, of: there.length, ...beside }];
  });
}

interface BranchRow {
  id: string;
  parent_id: string | null;
  message_id: string;
  created_at: number;
}

export const branchesOf = (db: ReadDb, conversationId: string, active: string): Branch[] =>
  db.all<BranchRow>(queries.branches, { conversationId }).map((row) => ({
    id: row.id,
    messageId: row.message_id,
    createdAt: row.created_at,
    active: row.id === active,
    ...(row.parent_id === null ? {} : { parent: row.parent_id }),
  }));

type SumRow = BranchSum & { branch: string | null; play: number | null };

/** Real money; test money only if no real gateway has answered. User messages cost nothing. */
function sumOf(rows: readonly SumRow[]): BranchSum {
  const answered = rows.filter(({ play }) => play !== null);
  const side = answered.find(({ play }) => play === 0) ?? answered[0];
  return {
    messageCount: rows.reduce((sum, row) => sum + row.messageCount, 0),
    chargedNano: side?.chargedNano ?? 0,
    uncertainNano: side?.uncertainNano ?? 0,
    unpriced: side?.unpriced ?? 0,
  };
}

/** Every branch with the sums of its own messages, and the sum of the path to `head`. */
export function mapOf(
  db: ReadDb,
  conversationId: string,
  active: string,
  head: number | null,
): { branches: BranchOnMap[]; way: BranchSum } {
  const sums = Map.groupBy(db.all<SumRow>(queries.sumsOfBranches, { conversationId }), ({ branch }) => branch ?? '');
  const titles = new Map(
    db
      .all<{ id: string; title: string | null }>(queries.titlesOfBranches, { conversationId })
      .map(({ id, title }) => [id, titleOf(title ?? '')]),
  );
  const way = head === null ? [] : db.all<SumRow>(queries.sumOfWay, { conversationId, head, limit: -1 });
  const branches = branchesOf(db, conversationId, active).map((branch) => ({
    ...branch,
    title: titles.get(branch.id) ?? '',
    ...sumOf(sums.get(branch.id) ?? []),
  }));
  return { branches, way: sumOf(way) };
}

/** The beginning of a text, on one line. */
export const titleOf = (text: string): string => shortened(text.trim().split('\n', 1)[0] ?? '', 60);
