import type { Board } from '../../../shared/board/board.ts';
import type { ToolResult } from '../../../shared/chat/conversation.ts';
import { changeShotSchema, draftedImageSchema, draftedShotSchema } from '../../../shared/chat/director/tools.ts';
import type { CallOutput, CallParsed } from '../../../shared/contract/contract.ts';
import { fail, ok, parseInput, type Result } from '../../../shared/contract/result.ts';
import type { ToolCall } from '../../../shared/jobs/job.ts';
import { safeProgramName } from '../../../shared/text/safeProgramName.ts';
import {
  type CalledTools,
  hasConversation,
  isChatOf,
  jobOfMessage,
  toolResultsOf,
  writeProgramCall,
} from '../chat/index.ts';
import type { Clock, Ids } from '../ports.ts';
import { markOf, type QuoteBook } from '../quotes/index.ts';
import type { ReadDb, Store, WriteDb } from '../store/index.ts';
import { noSuchProject, type Storyboard } from '../storyboard/index.ts';
import * as table from './draftTable.ts';
import { type DraftInput, withFinalState } from './draftTable.ts';
import { parseToolCalls, unsavedToolResult } from './parseToolCalls.ts';

/** Drafts of programs: in a chat of the program's own, quoted and approved like a model's. */

export interface OutsideParts {
  store: Store;
  clock: Clock;
  ids: Ids;
  storyboard: Pick<Storyboard, 'openBoard'>;
  quotes: Pick<QuoteBook, 'ofDraft'>;
  /** Makes drafts from the calls, and answers them. */
  write(db: WriteDb, called: CalledTools, board: Board): void;
  redraw(db: WriteDb, conversationId: string, rows: readonly table.DraftRow[]): void;
  tellModel(db: WriteDb, rows: readonly table.DraftRow[]): void;
  emitChanged(rows: readonly table.DraftRow[], conversations?: readonly string[]): void;
}

/** The limit of open drafts by programs: each draft is computed on a board with all others, and a program never stops by itself. */
const MOST_WAITING = 200;
/** Open drafts of one connection, so that others have room. */
const MOST_OF_ONE = 100;
/** How often the request of a draft may change: each change leaves a void quote. */
const MOST_QUOTES = 100;

const tooMany = fail(
  'wrong_state',
  `${MOST_WAITING} drafts of programs wait for the user already. Nothing was added; approve or decline some first.`,
);
const tooManyOfOne = (client: string): Result<never> =>
  fail(
    'wrong_state',
    `${MOST_OF_ONE} drafts of “${safeProgramName(client)}” wait for the user already. Nothing was added; approve or decline some first.`,
  );
const changedTooOften = fail(
  'wrong_state',
  `The draft was changed ${MOST_QUOTES} times already. Nothing was changed; draft it anew.`,
  {
    field: 'id',
  },
);
const noSuchDraft = fail('not_found', 'There is no such draft.', { field: 'id' });

export function draftOutside(
  parts: OutsideParts,
  input: CallParsed<'director.draft'>,
): Result<CallOutput<'director.draft'>> {
  const { store, storyboard, ids, clock } = parts;
  const { projectId, client, run, tool } = input;
  const mark = run === undefined ? undefined : markOf(run);
  const call = { id: ids.id('call'), name: tool, arguments: JSON.stringify(input.arguments) };
  const written = store.transaction((db): Result<CalledTools | ToolResult> => {
    const board = storyboard.openBoard(db, projectId);
    if (!board) return noSuchProject;
    const nothing = withoutDrafts(call, board, ids);
    if (nothing) return ok(nothing);
    const waiting = waitingOutside(db);
    if (sumOf(waiting) >= MOST_WAITING) return tooMany;
    const own = waiting.filter(({ conversationId }) => isChatOf(db, conversationId, mark));
    if (sumOf(own) >= MOST_OF_ONE) return tooManyOfOne(client);
    const called = writeProgramCall(db, { ids, now: clock.now() }, { projectId, client, mark, call });
    parts.write(db, called, board);
    // Errors are for the program; the user can do nothing about them.
    table.removeMalformed(db, called.messageId);
    return ok(called);
  });
  if (!written.ok) return written;
  if (!('messageId' in written.data)) return ok({ result: written.data, drafts: [] });
  const { conversationId, messageId } = written.data;
  const rows = table.draftsOfMessage(store.read, messageId);
  parts.emitChanged(rows, [conversationId]);
  const [result] = toolResultsOf(store.read, written.data);
  if (!result) throw new Error(`The call of ${messageId} was not answered.`);
  return ok({ conversationId, result, drafts: rows.map((row) => withFinalState(row, row.drawn.draft)) });
}

/** The answer to a call that drafts nothing; undefined if it drafts something. */
function withoutDrafts(call: ToolCall, board: Board, ids: Ids): ToolResult | undefined {
  const [read] = parseToolCalls([call], board, ids);
  return read?.drafts.every(({ asked }) => asked.kind === 'malformed') ? unsavedToolResult(read, board) : undefined;
}

const waitingOutside = (db: ReadDb) =>
  table
    .openByMessageIn(db)
    .filter((message) => hasConversation(db, message.conversationId) && jobOfMessage(db, message) === undefined);

const sumOf = (messages: readonly { n: number }[]): number => messages.reduce((sum, { n }) => sum + n, 0);

/** Changes an open draft; its old quote is void. */
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
    if (parts.quotes.ofDraft(db, id) >= MOST_QUOTES) return changedTooOften;
    const asked = changedAsk(row.asked, change);
    if (!asked.ok) return asked;
    table.saveAskedAgain(db, id, asked.data);
    parts.redraw(db, row.conversationId, table.draftsByIds(db, [id]));
    parts.tellModel(db, [row]);
    const [now] = table.draftsByIds(db, [id]);
    return now ? ok(now) : noSuchDraft;
  });
  if (!changed.ok) return changed;
  parts.emitChanged([changed.data]);
  return ok({ draft: withFinalState(changed.data, changed.data.drawn.draft) });
}

const patchSchema = changeShotSchema.omit({ shot: true });

/** The changed request: only the given fields change, and it is validated like a new one. */
function changedAsk(asked: DraftInput, change: Record<string, unknown>): Result<DraftInput> {
  if (asked.kind === 'malformed') return fail('wrong_state', 'Nothing was drafted there; draft it anew.');
  const given = 'shot' in asked ? asked.shot : 'patch' in asked ? asked.patch : asked.image;
  const config = { ...('config' in given ? given.config : {}), ...(isObject(change.config) ? change.config : {}) };
  const all = { ...given, ...change, ...(Object.keys(config).length > 0 ? { config } : {}) };
  if (asked.kind === 'newShot') {
    const shot = parseInput(draftedShotSchema, all);
    return shot.ok ? ok({ ...asked, shot: shot.data }) : shot;
  }
  if (asked.kind === 'changeShot') {
    const patch = parseInput(patchSchema, all);
    return patch.ok ? ok({ ...asked, patch: patch.data }) : patch;
  }
  const image = parseInput(draftedImageSchema, all);
  return image.ok ? ok({ ...asked, image: image.data }) : image;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
