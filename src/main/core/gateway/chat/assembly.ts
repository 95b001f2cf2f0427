import type { ChatResult } from '../../../../shared/job.ts';
import { explicitError, type ServiceError, serviceErrorOf } from '../errors/index.ts';
import { field, isObject, type Json, type JsonObject } from '../json/index.ts';
import type { ChatDelta } from '../types.ts';
import { type Counts, choicesIn, countsOf, followed, readChoices, type Said, usualPiece } from './chunk.ts';
import { createIncrements } from './increments.ts';
import { createThinkSplitter } from './thinkTags.ts';
import { createToolCallAssembly } from './toolCalls.ts';
import { readOtherShape } from './vendorShapes.ts';

/**
 * Puts a chat answer together from its pieces. A whole JSON answer is one piece; a stream is many. Whatever way it came, the
 * deltas handed out join to exactly the text and the reasoning of the result.
 */
export interface ChatAssembly {
  push(piece: Json, eventName?: string): void;
  /** `[DONE]`. */
  done(): void;
  finished(): boolean;
  /** No more of it is kept. */
  full(): boolean;
  /** More has come than is read. */
  overflow(): void;
  /** No more will come: hands out what was held back. */
  end(): void;
  state(): ChatState;
}

export interface ChatState {
  result: ChatResult;
  /** `[DONE]` or a finish reason has come. */
  finished: boolean;
  /** At least one piece was a chat answer. */
  started: boolean;
  serviceError?: ServiceError;
  /** The service's id of the answer. */
  id?: string;
  /** The last piece that spoke of usage: the place of a stated cost. */
  counted?: JsonObject;
  /** It is longer than any answer: what came before is kept. */
  tooLong?: true;
}

/** Four characters for each of the most tokens that a profile allows an answer. */
export const MOST_SAID = 4_000_000;

export function createChatAssembly(onDelta: (delta: ChatDelta) => void): ChatAssembly {
  const state: ChatState = { result: { text: '', finishReason: '' }, finished: false, started: false };
  const calls = createToolCallAssembly();
  const read = createPieceReader();
  /** Pieces of their own have come, so a whole message only repeats them. */
  let inPieces = false;

  const fitting = roomIn(state);
  const { words, thoughts, end, settle } = createVoice(state.result, fitting, onDelta);

  /** A last piece that says once more all that was said. */
  const isSummary = (said: Said): boolean =>
    said.finish !== undefined && said.text.length >= 8 && said.text === settle().text;

  const take = (said: Said): void => {
    const speaks = said.text !== '' || said.reasoning !== '' || said.calls.length > 0;
    if (speaks && !(said.whole && inPieces)) {
      inPieces ||= !said.whole;
      thoughts.push(said.reasoning, said.whole);
      if (!isSummary(said)) words.push(said.text, said.whole);
      if (!calls.push(said.calls, fitting)) state.tooLong = true;
    }
    state.started = true;
    state.id ??= said.id;
    addCounts(state.result, said.counts);
    // What comes after the end takes nothing of the answer back.
    if (said.serviceError && !state.finished) state.serviceError ??= said.serviceError;
    if (said.finish !== undefined) {
      state.finished = true;
      state.result.finishReason ||= said.finish;
    }
  };

  const push = (piece: Json, eventName?: string): void => {
    if (Array.isArray(piece)) {
      for (const entry of piece) push(entry, eventName);
      return;
    }
    if (isObject(piece) && isObject(piece.usage)) state.counted = piece;
    const usual = isObject(piece) && eventName === undefined ? read.usual(piece) : undefined;
    if (usual) return take(usual);
    const serviceError = eventName === 'error' ? serviceErrorOf(piece) : explicitError(piece);
    const said = isObject(piece) ? read.any(piece, serviceError) : undefined;
    if (serviceError && !state.finished) state.serviceError ??= serviceError;
    if (said?.counts === undefined) addCounts(state.result, countsOf(field(piece, 'usage')));
    if (said) take(said);
  };

  return {
    push,
    done() {
      state.finished = true;
    },
    finished: () => state.finished,
    full: () => state.tooLong === true,
    overflow() {
      state.tooLong = true;
    },
    end,
    state() {
      settle();
      const toolCalls = calls.result();
      if (toolCalls.length > 0) state.result.toolCalls = toolCalls;
      return state;
    },
  };
}

/** Gives back as much of each text as there is still room for. */
function roomIn(state: ChatState): (text: string) => string {
  let room = MOST_SAID;
  return (text) => {
    if (text.length > room) state.tooLong = true;
    const fits = text.slice(0, room);
    room -= fits.length;
    return fits;
  };
}

/** So many pieces are joined at once: a text of a hundred thousand loose pieces costs more to keep than to read. */
const SETTLED_AT = 512;

/** Writes what is new into the result and hands it out, reasoning apart from text. */
function createVoice(result: ChatResult, fitting: (text: string) => string, onDelta: (delta: ChatDelta) => void) {
  const fresh: Record<ChatDelta['channel'], string[]> = { text: [], reasoning: [] };
  const settle = (): ChatResult => {
    if (fresh.text.length > 0) result.text += fresh.text.splice(0).join('');
    if (fresh.reasoning.length > 0) result.reasoning = (result.reasoning ?? '') + fresh.reasoning.splice(0).join('');
    return result;
  };
  const say = (channel: ChatDelta['channel'], said: string): void => {
    const text = fitting(said);
    if (text === '') return;
    const pieces = fresh[channel];
    if (pieces.push(text) >= SETTLED_AT) settle();
    onDelta({ channel, text });
  };
  const splitter = createThinkSplitter(
    (text) => say('text', text),
    (text) => say('reasoning', text),
  );
  const words = createIncrements((text) => splitter.push(text));
  const thoughts = createIncrements((text) => say('reasoning', text));
  const end = (): void => {
    thoughts.end();
    words.end();
    splitter.end();
  };
  return { words, thoughts, end, settle };
}

/** Reads pieces of any shape; of several choices it follows one. */
function createPieceReader() {
  let index: number | undefined;
  return {
    usual(piece: JsonObject): Said | undefined {
      const said = index === undefined || index === 0 ? usualPiece(piece) : undefined;
      if (said) index = 0;
      return said;
    },
    any(piece: JsonObject, serviceError: ServiceError | undefined): Said | undefined {
      const found = choicesIn(piece);
      if (!found) return serviceError ? undefined : readOtherShape(piece);
      const mine = followed(found.choices, index);
      if (mine) index = mine.index;
      return readChoices(found.holder, mine?.choice);
    },
  };
}

/** The last word on each count holds: some services send them with every chunk, some in two parts; they are never summed. */
function addCounts(result: ChatResult, counts: Counts | undefined): void {
  if (!counts) return;
  const { total } = counts;
  const prompt = counts.prompt ?? result.usage?.promptTokens;
  const completion = counts.completion ?? result.usage?.completionTokens;
  const promptTokens = prompt ?? Math.max(0, (total ?? 0) - (completion ?? 0));
  const completionTokens = completion ?? Math.max(0, (total ?? 0) - promptTokens);
  result.usage = { promptTokens, completionTokens, totalTokens: total ?? promptTokens + completionTokens };
}
