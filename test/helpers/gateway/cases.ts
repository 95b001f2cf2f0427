import { readFileSync } from 'node:fs';
import type {
  ChatDelta,
  ChatOutcome,
  MediaOutcome,
  PollOutcome,
  SubmitOutcome,
} from '../../../src/main/core/gateway/types.ts';
import { incompleteReason } from '../../../src/shared/chat/finish.ts';
import type { Usage } from '../../../src/shared/jobs/job.ts';
import { costOf, type Price } from '../../../src/shared/money/price.ts';
import type { Quantity } from '../../../src/shared/money/quantity.ts';
import type { Script } from './delivery.ts';

/** One answer of a gateway, and its expected outcome. */
export interface Case extends Script {
  /** The address of the poll; default: a usual path. */
  poll?: string;
  /** Answers to requests at other paths. */
  also?: Record<string, Script>;
  expect: { type: string } & Record<string, unknown>;
}

/** A request of the client, with the answers to it and, if accepted, to each poll. */
export interface Exchange {
  /** `file: name` of a line of `test/fixtures/answers`, `kind: name` in the file of exchanges. */
  name: string;
  kind: 'chat' | 'video' | 'videoPoll' | 'image' | 'imagePoll' | 'media';
  answers: Case[];
  /** The number of requests for a single answer; default 1. A definite refusal of a spelling is followed by the next one. */
  requests?: number;
}

/** The files whose lines are one answer each, by the request that it answers. */
const FILES: [Exchange['kind'], ...string[]][] = [
  ['chat', 'chat-streams', 'chat-calls', 'chat-bodies', 'chat-cached', 'chat-unreadable', 'chat-errors'],
  ['chat', 'codes', 'sentences', 'statuses', 'finish-reasons'],
  ['video', 'video-submits'],
  ['videoPoll', 'video-polls', 'video-places', 'video-words', 'poll-errors', 'charged'],
  ['image', 'image-submits'],
  ['imagePoll', 'image-polls'],
  ['media', 'early-files', 'ended-links', 'media-answers'],
];

/** All recorded exchanges by name. */
export const recorded = (): Map<string, Exchange> =>
  new Map(
    [
      ...FILES.flatMap(([kind, ...files]) => files.flatMap((file) => answersIn(file, kind))),
      ...linesOf<Exchange>('exchanges').map((one) => ({ ...one, name: `${one.kind}: ${one.name}` })),
    ].map((one) => [one.name, one]),
  );

const answersIn = (file: string, kind: Exchange['kind']): Exchange[] =>
  casesOf(file).map(({ name, requests, ...one }) => ({
    name: `${file}: ${name}`,
    kind,
    requests,
    answers: [{ ...one, expect: { ...UNNAMED[one.expect.type], ...one.expect } }],
  }));

/** Default fields of each file's lines. */
const UNNAMED: Record<string, object> = {
  answered: { reasoning: '', calls: [], stated: undefined },
  accepted: { pollPath: undefined },
  running: { progress: undefined },
  refused: { stated: undefined },
  failed: { stated: undefined },
};

export const casesOf = (file: string) => linesOf<Case & Pick<Exchange, 'name' | 'requests'>>(file);

/** The lines of a file in `test/fixtures/answers`. */
export function linesOf<Line>(file: string): Line[] {
  const path = new URL(`../../fixtures/answers/${file}.jsonl`, import.meta.url);
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

/** An outcome in the form of the cases: addresses at the gateway without their origin, an error's fields at top level. */
export function outcomeAsCase(
  outcome: MediaOutcome | PollOutcome | SubmitOutcome,
  home: string,
): Record<string, unknown> {
  const { error, outputs, task, ...rest } = { error: undefined, outputs: undefined, task: undefined, ...outcome };
  const uris = (role: string) =>
    outputs?.filter((output) => output.role === role).map(({ uri }) => uri.replace(home, '')) ?? [];
  return {
    progress: undefined,
    stated: undefined,
    ...rest,
    ...(error
      ? {
          kind: error.kind,
          message: error.message,
          accepted: error.accepted,
          retryable: error.retryable,
          waitMs: error.retryAfterMs,
        }
      : {}),
    ...(outputs ? { uris: uris('output'), grid: uris('grid') } : {}),
    ...(task ? { id: task.id, pollPath: task.pollPath } : {}),
  };
}

/** A chat's outcome in the form of the cases. The streamed text must equal the stored text. */
export function chatOutcomeAsCase(
  outcome: ChatOutcome,
  streamed: Record<ChatDelta['channel'], string>,
): Record<string, unknown> {
  const { kind, message, accepted, retryable, retryAfterMs: waitMs, requestId } = { ...outcome.error };
  const error = outcome.error ? { kind, message, accepted, retryable, waitMs, requestId } : {};
  if (outcome.type !== 'answered') {
    const billed = outcome.type === 'refused' ? { billed: outcome.billed } : {};
    return { type: outcome.type, stated: outcome.stated, ...billed, ...error };
  }
  const { text, reasoning = '', reasoningField = null, finishReason, toolCalls = [], usage } = outcome.result;
  if (streamed.text !== text || streamed.reasoning !== reasoning) throw new Error('the pieces are not what is kept');
  return {
    type: outcome.complete ? 'answered' : 'cut',
    text,
    reasoning,
    reasoningField,
    finish: finishReason,
    cut: incompleteReason(finishReason),
    calls: toolCalls.map((call) => [
      ...[call.id, call.name, call.arguments],
      ...(call.thoughtSignature === undefined ? [] : [call.thoughtSignature]),
    ]),
    id: outcome.remoteId,
    stated: outcome.stated,
    ...(usage
      ? {
          usage: [usage.promptTokens, usage.completionTokens, usage.totalTokens],
          cached: [usage.cachedTokens ?? null, usage.cacheWriteTokens ?? null],
          costs: costOf(PRICE, quantityOf(usage)).nano,
        }
      : {}),
    ...error,
  };
}

/** $3 in and $15 out per million tokens; reading the cache costs a tenth of input, writing it a quarter more. */
const PRICE: Price = {
  kind: 'chat',
  model: '*',
  readings: [{ unit: 'token', inputNano: 3_000, outputNano: 15_000, cachedNano: 300, cacheWriteNano: 3_750 }],
  settledReading: null,
  source: '',
};

const quantityOf = ({ promptTokens, completionTokens, cachedTokens = 0, cacheWriteTokens = 0 }: Usage): Quantity => ({
  inputTokens: promptTokens,
  outputTokens: completionTokens,
  cachedTokens,
  cacheWriteTokens,
});
