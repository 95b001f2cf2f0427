import type { Board } from '../../../shared/board/board.ts';
import type { ToolResult } from '../../../shared/chat/conversation.ts';
import { shotFacts } from '../../../shared/chat/director/shotFacts.ts';
import type { Reason } from '../../../shared/contract/result.ts';
import { formatNanoRange } from '../../../shared/money/money.ts';
import type { Asked, DraftRow } from './draftTable.ts';
import type { ReadCall } from './readCalls.ts';

/** What a model is told of its calls. It is sent with the next request, and paid for as its input: it is short. */

const STATES = { open: 'waits for the user', approved: 'approved, it is being made', declined: 'declined by the user' };
const ON_BOARD = 'on the board, not made';

/** The answer to one call: its drafts with what became of them, or what is wrong with it. */
export function resultOf(call: ReadCall, { board, rows }: { board: Board; rows: readonly DraftRow[] }): ToolResult {
  const { drafts: _drafts, reads, error, ...given } = call;
  const own = rows.filter(({ callId }) => callId === given.id);
  const told = error ? { error: wordsOf(error) } : reads ? boardWords(board, reads) : draftWords(own);
  return { ...given, content: JSON.stringify(told), ...(error ? { error } : {}) };
}

/** The answer to a call of which no draft is kept. */
export function unkeptResult({ drafts, reads, error, ...given }: ReadCall, board: Board): ToolResult {
  const wrong = wrongOf(drafts.map(({ asked }) => asked));
  const told = error
    ? { error: wordsOf(error) }
    : reads
      ? boardWords(board, reads)
      : { drafted: [], not_drafted: wrong };
  return { ...given, content: JSON.stringify(told), ...(error ? { error } : {}) };
}

/** The same once the user has decided on some of them. What the model read of the board stays as it was. */
export function resultAnew(result: ToolResult, rows: readonly DraftRow[]): ToolResult {
  const own = rows.filter(({ callId }) => callId === result.id);
  return own.length === 0 ? result : { ...result, content: JSON.stringify(draftWords(own)) };
}

const wordsOf = ({ field, message }: Reason): string => (field === '' ? message : `${field}: ${message}`);

function draftWords(rows: readonly DraftRow[]) {
  const wrong = wrongOf(rows.map(({ asked }) => asked));
  const drafted = rows.filter(({ asked }) => asked.kind !== 'malformed').map(rowWords);
  return { drafted, ...(wrong.length > 0 ? { not_drafted: wrong } : {}) };
}

const wrongOf = (asked: readonly Asked[]): string[] =>
  asked.flatMap((one) => (one.kind === 'malformed' ? one.errors.slice(0, 3).map(wordsOf) : []));

function rowWords({ id, state, jobId, drawn: { draft } }: DraftRow) {
  const { title, shot, estimateNano, lowNano, unpriced, errors = [] } = draft;
  return {
    draft: id,
    title,
    ...(shot ? { shot: shot.number } : {}),
    price: unpriced ? 'not known' : formatNanoRange(lowNano, estimateNano),
    state: state === 'approved' && jobId === null ? ON_BOARD : STATES[state],
    ...(errors.length > 0 ? { cannot_be_made: errors.slice(0, 3).map(wordsOf) } : {}),
  };
}

/** Of a prompt on the board. */
const PROMPT_LENGTH = 600;

function boardWords({ shots }: Board, { from, count }: { from: number; count: number }) {
  const read = shots.slice(from - 1, from - 1 + count).map((shot, at) => ({
    ...shotFacts(shot, { number: from + at, promptLength: PROMPT_LENGTH }),
    seconds: shot.config.durationSeconds,
    resolution: shot.config.resolution,
  }));
  return { shots: read, total: shots.length };
}
