import type { ChatResult } from '../../../../shared/jobs/job.ts';
import { MAX_ANSWER_LENGTH } from '../../../../shared/kinds/chat.ts';
import { explicitError, type ServiceError, serviceErrorOf } from '../errors/serviceError.ts';
import { documentsIn, isDoneMarker, MAX_DOCUMENTS_PER_EVENT } from '../exchange/answer.ts';
import type { ServerEvent } from '../http/body.ts';
import { field, isObject } from '../json/fields.ts';
import type { Json, JsonObject } from '../json/parse.ts';
import type { ChatDelta } from '../types.ts';
import { createIncrements, createThinkSplitter } from './arrivingText.ts';
import {
  type ChatChunk,
  choicesIn,
  choiceToFollow,
  countsOf,
  hasContent,
  parseChoice,
  type TokenCounts,
} from './chunk.ts';
import { createPictureTaker, type PictureSink, PictureSplitter } from './pictures.ts';
import { createToolCallAssembly } from './toolCalls.ts';
import { parseVendorShape } from './vendorShapes.ts';

export interface ChatState {
  result: ChatResult;
  /** `[DONE]` or a finish reason was received. */
  finished: boolean;
  /** At least one piece was a chat answer. */
  started: boolean;
  serviceError?: ServiceError;
  /** The service's id of the answer. */
  id?: string;
  /** The last piece with usage, which may state a cost. */
  usageChunk?: JsonObject;
  /** The answer is longer than the limit; its beginning is kept. */
  tooLong?: true;
}

/**
 * Assembles a chat answer from its chunks. A whole JSON answer is one chunk; a stream is many. In both cases the emitted deltas join to
 * exactly the text and the reasoning of the result. Without a picture sink, addresses of pictures stay in the text.
 */
export class ChatAssembly {
  private readonly answer: ChatState = { result: { text: '', finishReason: '' }, finished: false, started: false };
  private readonly calls = createToolCallAssembly();
  private readonly read = createPieceReader();
  private readonly fitting = createLimiter(this.answer);
  private readonly writer: ReturnType<typeof createTextWriter>;
  /** Whether chunks with only new text were received, so that a cumulative chunk repeats them. */
  private hasDeltas = false;
  private hasReasoningContent = false;
  private readonly pictures: Gallery | undefined;

  constructor(onDelta: (delta: ChatDelta) => void, sink?: PictureSink) {
    const taker = sink && createPictureTaker(sink, this.answer.result);
    this.pictures = taker && {
      isResult: taker.isResult,
      onPicture: (address) => {
        if (!taker.take(address)) this.answer.tooLong = true;
      },
    };
    this.writer = createTextWriter(this.answer.result, this.fitting, onDelta, this.pictures);
  }

  push(piece: Json, eventName?: string): void {
    if (Array.isArray(piece)) {
      for (const entry of piece) this.push(entry, eventName);
      return;
    }
    if (isObject(piece) && isObject(piece.usage)) this.answer.usageChunk = piece;
    const serviceError = eventName === 'error' ? serviceErrorOf(piece) : explicitError(piece);
    const chunk = isObject(piece) ? this.read(piece, serviceError) : undefined;
    this.keepError(serviceError);
    if (chunk?.counts === undefined) addCounts(this.answer.result, countsOf(field(piece, 'usage')));
    if (chunk) this.take(chunk);
  }

  /** Takes one event of a stream; returns `false` once nothing more can follow. */
  takeEvent(event: ServerEvent, documents = documentsIn(event)): boolean {
    for (const document of documents) this.push(document, event.name);
    if (documents.length === 0 && event.name === 'error' && !event.tail) this.push(event.data, 'error');
    if (documents.length >= MAX_DOCUMENTS_PER_EVENT) this.answer.tooLong = true;
    const isDone = isDoneMarker(event);
    this.answer.finished ||= isDone;
    return !isDone;
  }

  finished(): boolean {
    return this.answer.finished;
  }

  /** Whether the answer has reached its limit: nothing more is kept. */
  full(): boolean {
    return this.answer.tooLong === true;
  }

  /** Ends the answer and emits what was held back. */
  end(): void {
    this.writer.end();
  }

  state(): ChatState {
    this.writer.settle();
    const toolCalls = this.calls.result();
    if (toolCalls.length === 0) return this.answer;
    this.answer.result.toolCalls = toolCalls;
    if (this.hasReasoningContent) this.answer.result.reasoningField = 'reasoning_content';
    return this.answer;
  }

  private take(chunk: ChatChunk): void {
    const { answer } = this;
    if (hasContent(chunk) && !(chunk.cumulative && this.hasDeltas)) this.takeContent(chunk);
    for (const address of chunk.pictures) this.pictures?.onPicture(address);
    answer.started = true;
    answer.id ??= chunk.id;
    addCounts(answer.result, chunk.counts);
    this.keepError(chunk.serviceError);
    if (chunk.finish === undefined) return;
    answer.finished = true;
    answer.result.finishReason ||= chunk.finish;
  }

  private takeContent(chunk: ChatChunk): void {
    this.hasDeltas ||= !chunk.cumulative;
    this.hasReasoningContent ||= chunk.isReasoningContent === true;
    this.writer.reasonings.push(chunk.reasoning, chunk.cumulative);
    if (!this.isSummary(chunk)) this.writer.texts.push(chunk.text, chunk.cumulative);
    if (!this.calls.push(chunk.calls, this.fitting)) this.answer.tooLong = true;
  }

  /** Whether this is a last chunk that repeats the whole answer. */
  private isSummary(chunk: ChatChunk): boolean {
    return chunk.finish !== undefined && chunk.text.length >= 8 && chunk.text === this.writer.settle().text;
  }

  /** An error after the end does not invalidate the answer. */
  private keepError(serviceError: ServiceError | undefined): void {
    if (serviceError && !this.answer.finished) this.answer.serviceError ??= serviceError;
  }
}

type Gallery = Omit<ConstructorParameters<typeof PictureSplitter>[0], 'onText'>;

/** Truncates each text to what the limit still allows. */
function createLimiter(state: ChatState): (text: string) => string {
  let room = MAX_ANSWER_LENGTH;
  return (text) => {
    if (text.length > room) state.tooLong = true;
    const fits = text.slice(0, room);
    room -= fits.length;
    return fits;
  };
}

/** Pieces are joined in batches of this size: keeping a hundred thousand separate pieces costs more than reading them. */
const MAX_LOOSE_PIECES = 512;

/** Appends new text to the result and emits it, reasoning and pictures apart from text. */
function createTextWriter(
  result: ChatResult,
  fitting: (text: string) => string,
  onDelta: (delta: ChatDelta) => void,
  gallery: Gallery | undefined,
) {
  const fresh: Record<ChatDelta['channel'], string[]> = { text: [], reasoning: [] };
  const settle = (): ChatResult => {
    if (fresh.text.length > 0) result.text += fresh.text.splice(0).join('');
    if (fresh.reasoning.length > 0) result.reasoning = (result.reasoning ?? '') + fresh.reasoning.splice(0).join('');
    return result;
  };
  const write = (channel: ChatDelta['channel'], chunk: string): void => {
    const text = fitting(chunk);
    if (text === '') return;
    const pieces = fresh[channel];
    if (pieces.push(text) >= MAX_LOOSE_PIECES) settle();
    onDelta({ channel, text });
  };
  const splitter = createThinkSplitter(
    (text) => write('text', text),
    (text) => write('reasoning', text),
  );
  const pictures = gallery && new PictureSplitter({ ...gallery, onText: splitter.push });
  const texts = createIncrements(pictures?.push ?? splitter.push);
  const reasonings = createIncrements((text) => write('reasoning', text));
  const end = (): void => {
    reasonings.end();
    texts.end();
    pictures?.end();
    splitter.end();
  };
  return { texts, reasonings, end, settle };
}

/** Parses pieces of any shape. Of several choices it follows one. */
function createPieceReader() {
  let index: number | undefined;
  return (piece: JsonObject, serviceError: ServiceError | undefined): ChatChunk | undefined => {
    const found = choicesIn(piece);
    if (!found) return serviceError ? undefined : parseVendorShape(piece);
    const mine = choiceToFollow(found.choices, index);
    if (mine) index = mine.index;
    return parseChoice(found.holder, mine?.choice);
  };
}

/**
 * The last value of each count is kept: some services send counts with every chunk, some in two parts, and they must not be summed. A zero
 * never replaces a count: LocalAI and others end a stream with zeros.
 */
function addCounts(result: ChatResult, counts: TokenCounts | undefined): void {
  if (!counts) return;
  const { total } = counts;
  const before = result.usage;
  const prompt = lastCount(before?.promptTokens, counts.prompt);
  const completion = lastCount(before?.completionTokens, counts.completion);
  const cachedTokens = lastCount(before?.cachedTokens, counts.cached);
  const cacheWriteTokens = lastCount(before?.cacheWriteTokens, counts.cacheWrite);
  const promptTokens = prompt ?? Math.max(0, (total ?? 0) - (completion ?? 0));
  const completionTokens = completion ?? Math.max(0, (total ?? 0) - promptTokens);
  result.usage = {
    promptTokens,
    completionTokens,
    totalTokens: total || promptTokens + completionTokens,
    ...(cachedTokens === undefined ? {} : { cachedTokens }),
    ...(cacheWriteTokens === undefined ? {} : { cacheWriteTokens }),
  };
}

const lastCount = (before: number | undefined, now: number | undefined): number | undefined => now || (before ?? now);
