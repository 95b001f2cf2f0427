import type { z } from 'zod';
import type { Board, Shot } from '../../../shared/board/board.ts';
import type { ToolResult } from '../../../shared/chat/conversation.ts';
import type { DraftKind } from '../../../shared/chat/director/draft.ts';
import { shotFacts } from '../../../shared/chat/director/shotFacts.ts';
import {
  changeShotSchema,
  draftedImageSchema,
  draftedShotSchema,
  draftImagesSchema,
  draftShotsSchema,
  isToolName,
  MAX_ARGUMENTS,
  MAX_CALLS,
  MAX_DRAFTS,
  MOST_OPEN,
  readBoardSchema,
  type ToolName,
} from '../../../shared/chat/director/tools.ts';
import { freeId } from '../../../shared/chat/modelMessages.ts';
import { fail, ok, parseInput, type Reason, type Result, type StudioError } from '../../../shared/contract/result.ts';
import type { ToolCall } from '../../../shared/jobs/job.ts';
import { MAX_CALL_ID, MAX_SENT_CALLS } from '../../../shared/kinds/chat.ts';
import { formatNanoRange } from '../../../shared/money/money.ts';
import { shortened } from '../../../shared/text/shortened.ts';
import { formatCount } from '../../../shared/text/texts.ts';
import type { Ids } from '../ports.ts';
import type { DraftInput, DraftRow } from './draftTable.ts';

/** A model's calls, validated by the schemas that it was sent. Untrusted: nothing here makes or changes anything. */

/** A call with its drafts, in a form that a gateway accepts back. */
export interface ParsedToolCall extends SanitizedCall {
  drafts: ParsedDraft[];
  /** The shots requested by `read_board`, from 1. */
  requestedShots?: { from: number; count: number };
  /** Why the call was refused. */
  error?: Reason;
}

type SanitizedCall = Pick<ToolResult, 'id' | 'name' | 'arguments' | 'thoughtSignature'>;

export interface ParsedDraft {
  kind: DraftKind;
  asked: DraftInput;
}

const SHOTS_AT_ONCE = 20;

/** The calls of one answer, against the present board. Calls beyond the limits are refused. `open`: open drafts of earlier answers. */
export function parseToolCalls(calls: readonly ToolCall[], board: Board, ids: Ids, open = 0): ParsedToolCall[] {
  let openQuota = MOST_OPEN - open;
  let answerQuota = MAX_DRAFTS;
  const taken = new Set<string>();
  return calls.slice(0, MAX_SENT_CALLS).map((call, at) => {
    const own = { ...sanitized(call, freeId(call.id.slice(0, MAX_CALL_ID) || `call_${at + 1}`, taken)), drafts: [] };
    if (at >= MAX_CALLS) return { ...own, error: oneTooMany(calls.length) };
    const read =
      openQuota < 1 && isDrafting(call)
        ? refused('', TOO_MANY_OPEN)
        : parseToolCall(call, { board, ids, answerQuota, openQuota });
    const drafts = read.ok ? read.data.drafts : [];
    answerQuota -= drafts.length;
    openQuota -= drafts.filter(isWellFormed).length;
    return read.ok ? { ...own, ...read.data } : { ...own, error: reasonOf(read.error) };
  });
}

const isDrafting = ({ name }: ToolCall): boolean => isToolName(name) && name !== 'read_board';

const isWellFormed = ({ asked }: ParsedDraft): boolean => asked.kind !== 'malformed';

const TOO_MANY_OPEN = `${MOST_OPEN} drafts above this answer wait for the user already; some have to be approved or declined first: “Decline all” above those of an answer does so.`;

const oneTooMany = (count: number): Reason => ({
  field: '',
  message: `This call is one too many: of the ${formatCount(count)} calls of an answer, ${MAX_CALLS} are taken. Make it again in another answer.`,
});

/** Ids and names as gateways require them; invalid JSON arguments would make them refuse the whole history. */
function sanitized(call: ToolCall, id: string): SanitizedCall {
  const isNamed = /^[a-zA-Z0-9_-]{1,64}$/.test(call.name);
  const isShort = call.arguments.length <= MAX_ARGUMENTS;
  return {
    id,
    name: isNamed ? call.name : 'unknown_tool',
    arguments: isShort && parsed(call.arguments) !== undefined ? call.arguments : '{}',
    ...(call.thoughtSignature === undefined ? {} : { thoughtSignature: call.thoughtSignature }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface ParseContext {
  board: Board;
  ids: Ids;
  /** Drafts that this answer may still add. */
  answerQuota: number;
  /** How many of those may wait for the user; drafts that cannot be made do not. */
  openQuota: number;
}

type ParsedItems = Pick<ParsedToolCall, 'drafts' | 'requestedShots'>;

function parseToolCall({ name, arguments: text }: ToolCall, context: ParseContext): Result<ParsedItems> {
  if (!isToolName(name)) return refused('name', `there is no tool ${shortened(name, 60) || 'without a name'}.`);
  if (text.length > MAX_ARGUMENTS)
    return refused('arguments', `must have at most ${formatCount(MAX_ARGUMENTS)} characters.`);
  const input = text.trim() === '' ? {} : parsed(text);
  if (input === undefined) return refused('arguments', 'must be JSON; they are none, or were cut.');
  return PARSERS[name](input, context);
}

const PARSERS: Record<ToolName, (input: unknown, context: ParseContext) => Result<ParsedItems>> = {
  draft_shots(input, context) {
    const { board, ids } = context;
    const call = parseInput(draftShotsSchema, input);
    if (!call.ok) return call;
    const { shots, before } = call.data;
    const follower = before === undefined ? ok(undefined) : shotNamed(board, before, 'before');
    if (!follower.ok) return follower;
    const position = follower.data ? { before: follower.data.id } : {};
    const drafts = itemsOf('newShot', draftedShotSchema, { inputs: shots, field: 'shots' }, context, (shot) => ({
      kind: 'newShot',
      jobId: ids.id('job'),
      shotId: ids.id('shot'),
      shot,
      ...position,
    }));
    return ok({ drafts });
  },
  change_shot(input, { board, ids, answerQuota }) {
    const call = parseInput(changeShotSchema, input);
    if (!call.ok) return call;
    const { shot: named, ...patch } = call.data;
    const shot = shotNamed(board, named, 'shot');
    if (!shot.ok) return shot;
    if (Object.keys(patch).length === 0) return refused('shot', 'needs at least one field that changes.');
    if (answerQuota < 1) return refused('shot', TOO_MANY_DRAFTS);
    const asked: DraftInput = { kind: 'changeShot', jobId: ids.id('job'), shotId: shot.data.id, patch };
    return ok({ drafts: [{ kind: 'changeShot', asked }] });
  },
  draft_images(input, context) {
    const call = parseInput(draftImagesSchema, input);
    if (!call.ok) return call;
    const { images } = call.data;
    const drafts = itemsOf('imagine', draftedImageSchema, { inputs: images, field: 'images' }, context, (image) => ({
      kind: 'imagine',
      jobId: context.ids.id('job'),
      image,
    }));
    return ok({ drafts });
  },
  read_board(input) {
    const call = parseInput(readBoardSchema, input);
    if (!call.ok) return call;
    const { from = 1, count = SHOTS_AT_ONCE } = call.data;
    return ok({ drafts: [], requestedShots: { from, count } });
  },
};

const TOO_MANY_DRAFTS = `is one too many: an answer drafts at most ${MAX_DRAFTS}, and at most ${MOST_OPEN} above it wait for the user.`;

/** Several of one call, each validated alone, so that one wrong item does not refuse the others. */
function itemsOf<S extends z.ZodType>(
  kind: DraftKind,
  schema: S,
  { inputs, field: of }: { inputs: readonly unknown[]; field: string },
  { ids, answerQuota, openQuota }: ParseContext,
  asked: (given: z.output<S>) => DraftInput,
): ParsedDraft[] {
  let taken = 0;
  return inputs.map((input, at) => {
    const field = `${of}.${at}`;
    const given = at >= answerQuota || taken >= openQuota ? refused('', TOO_MANY_DRAFTS) : parseInput(schema, input);
    if (given.ok) {
      taken += 1;
      return { kind, asked: asked(given.data) };
    }
    const errors = reasonsOf(given.error).map((reason) => within(field, reason));
    return { kind, asked: { kind: 'malformed', jobId: ids.id('job'), title: titleOf(input, field), errors } };
  });
}

const within = (field: string, reason: Reason): Reason => ({
  field: reason.field === '' ? field : `${field}.${reason.field}`,
  message: reason.message,
});

/** The given title, or its position. */
function titleOf(input: unknown, field: string): string {
  const { title, prompt } = (typeof input === 'object' && input !== null ? input : {}) as Record<string, unknown>;
  const words = [title, prompt].find((text) => typeof text === 'string' && text.trim() !== '');
  return typeof words === 'string' ? shortened(words.trim(), 80) : field;
}

function shotNamed({ shots }: Board, named: number | string, field: string): Result<Shot> {
  const shot = typeof named === 'number' ? shots[named - 1] : shots.find(({ id }) => id === named);
  if (shot) return ok(shot);
  const there = shots.length === 0 ? 'it has none' : `it has ${shots.length}`;
  return refused(field, `there is no such shot on the board; ${there}.`);
}

const refused = (field: string, message: string): Result<never> =>
  fail('invalid_input', field === '' ? message : `${field}: ${message}`, { field, reasons: [{ field, message }] });

const reasonsOf = ({ message, data }: StudioError): Reason[] =>
  (data?.reasons as Reason[] | undefined) ?? [{ field: '', message }];

const reasonOf = (error: StudioError): Reason => reasonsOf(error)[0] ?? { field: '', message: error.message };

/** The answers to a model's calls. They are sent and paid for with the next request, so they are short. */

const STATES = { open: 'waits for the user', approved: 'approved, it is being made', declined: 'declined by the user' };
const ON_BOARD = 'on the board, not made';

/** The answer to one call: its drafts and their states, or its error. */
export function toolResultOf(
  call: ParsedToolCall,
  { board, rows }: { board: Board; rows: readonly DraftRow[] },
): ToolResult {
  const { drafts: _drafts, requestedShots, error, ...given } = call;
  const own = rows.filter(({ callId }) => callId === given.id);
  const told = error ? { error: wordsOf(error) } : requestedShots ? boardWords(board, requestedShots) : draftWords(own);
  return { ...given, content: JSON.stringify(told), ...(error ? { error } : {}) };
}

/** The answer to a call whose drafts are not stored. */
export function unsavedToolResult(
  { drafts, requestedShots, error, ...given }: ParsedToolCall,
  board: Board,
): ToolResult {
  const wrong = wrongOf(drafts.map(({ asked }) => asked));
  const told = error
    ? { error: wordsOf(error) }
    : requestedShots
      ? boardWords(board, requestedShots)
      : { drafted: [], not_drafted: wrong };
  return { ...given, content: JSON.stringify(told), ...(error ? { error } : {}) };
}

/** The answer after the user's decisions. What the model read of the board stays. */
export function updatedToolResult(result: ToolResult, rows: readonly DraftRow[]): ToolResult {
  const own = rows.filter(({ callId }) => callId === result.id);
  return own.length === 0 ? result : { ...result, content: JSON.stringify(draftWords(own)) };
}

const wordsOf = ({ field, message }: Reason): string => (field === '' ? message : `${field}: ${message}`);

function draftWords(rows: readonly DraftRow[]) {
  const wrong = wrongOf(rows.map(({ asked }) => asked));
  const drafted = rows.filter(({ asked }) => asked.kind !== 'malformed').map(rowWords);
  return { drafted, ...(wrong.length > 0 ? { not_drafted: wrong } : {}) };
}

const wrongOf = (asked: readonly DraftInput[]): string[] =>
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

/** The longest prompt on the board that a model is sent, in characters. */
const PROMPT_LENGTH = 600;

function boardWords({ shots }: Board, { from, count }: { from: number; count: number }) {
  const read = shots.slice(from - 1, from - 1 + count).map((shot, at) => ({
    ...shotFacts(shot, { number: from + at, promptLength: PROMPT_LENGTH }),
    seconds: shot.config.durationSeconds,
    resolution: shot.config.resolution,
  }));
  return { shots: read, total: shots.length };
}
