import type { Board } from '../../../shared/board.ts';
import type { CallOutput, CallParsed } from '../../../shared/contract.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { type CalledTools, hasConversation, jobOfMessage, toolResultsOf, writeOutsideCall } from '../chat/index.ts';
import type { Clock, Ids } from '../ports.ts';
import type { ReadDb, Store, WriteDb } from '../store/index.ts';
import type { Storyboard } from '../storyboard/index.ts';
import { askedAnew } from './changing.ts';
import * as table from './draftTable.ts';
import { settled } from './settled.ts';

/** Drafts of programs outside: they stand in a chat of the program's own, and are quoted and approved like those of a model. */

export interface OutsideParts {
  store: Store;
  clock: Clock;
  ids: Ids;
  storyboard: Pick<Storyboard, 'openBoard'>;
  /** Makes drafts of calls, and answers them. */
  write(db: WriteDb, called: CalledTools, board: Board): void;
  redraw(db: WriteDb, conversationId: string, rows: readonly table.DraftRow[]): void;
  tellModel(db: WriteDb, rows: readonly table.DraftRow[]): void;
  /** After the commit. */
  emitChanged(rows: readonly table.DraftRow[], conversations?: readonly string[]): void;
}

/** Drafts of programs outside that wait for the user at once: each is drawn on a board with the others, and a program never tires. */
const MOST_WAITING = 200;

const tooMany = fail(
  'wrong_state',
  `${MOST_WAITING} drafts of programs wait for the user already. Nothing was added; approve or decline some first.`,
);
const noSuchProject = fail('not_found', 'There is no such project.');
const noSuchDraft = fail('not_found', 'There is no such draft.', { field: 'id' });

/** A program calls a tool. */
export function draftOutside(
  parts: OutsideParts,
  input: CallParsed<'director.draft'>,
): Result<CallOutput<'director.draft'>> {
  const { store, storyboard, ids, clock } = parts;
  const { projectId, client, tool } = input;
  const call = { id: ids.id('call'), name: tool, arguments: JSON.stringify(input.arguments) };
  const written = store.transaction((db): Result<CalledTools> => {
    const board = storyboard.openBoard(db, projectId);
    if (!board) return noSuchProject;
    if (waitingOutside(db) >= MOST_WAITING) return tooMany;
    const called = writeOutsideCall(db, { ids, now: clock.now() }, { projectId, client, call });
    parts.write(db, called, board);
    return ok(called);
  });
  if (!written.ok) return written;
  const { conversationId, messageId } = written.data;
  const rows = table.draftsOfMessage(store.read, messageId);
  parts.emitChanged(rows, [conversationId]);
  const [result] = toolResultsOf(store.read, written.data);
  if (!result) throw new Error(`The call of ${messageId} was not answered.`);
  return ok({ conversationId, result, drafts: rows.map((row) => settled(row, row.drawn.draft)) });
}

const waitingOutside = (db: ReadDb): number =>
  table
    .openByMessageIn(db)
    .filter((message) => hasConversation(db, message.conversationId) && jobOfMessage(db, message) === undefined)
    .reduce((sum, { n }) => sum + n, 0);

/** Changes an open one; what was quoted of it is void. */
export function changeOutside(
  parts: OutsideParts,
  id: string,
  change: Record<string, unknown>,
): Result<CallOutput<'director.change'>> {
  const { store } = parts;
  const changed = store.transaction((db): Result<table.DraftRow> => {
    const [row] = table.draftsByIds(db, [id]);
    if (!row) return noSuchDraft;
    if (row.state !== 'open') return fail('wrong_state', `The draft is ${row.state} already.`, { field: 'id' });
    if (jobOfMessage(db, row) !== undefined)
      return fail('wrong_state', 'The draft is of a model in a chat; only that chat changes it.', { field: 'id' });
    const asked = askedAnew(row.asked, change);
    if (!asked.ok) return asked;
    table.askAnew(db, id, asked.data);
    parts.redraw(db, row.conversationId, table.draftsByIds(db, [id]));
    parts.tellModel(db, [row]);
    const [now] = table.draftsByIds(db, [id]);
    return now ? ok(now) : noSuchDraft;
  });
  if (!changed.ok) return changed;
  parts.emitChanged([changed.data]);
  return ok({ draft: settled(changed.data, changed.data.drawn.draft) });
}
