import type { Socket } from 'node:net';
import { cutOf } from '../../../../shared/finish.ts';
import type { Usage } from '../../../../shared/job.ts';
import { costOf, type Price } from '../../../../shared/price.ts';
import type { Quantity } from '../../../../shared/quantity.ts';
import type { ChatOutcome, RemoteTask } from '../types.ts';
import { type Case, outcomeAsCase } from './cases.ts';
import { clientOf, SEND } from './client.ts';
import { deliver, deliveryOf } from './delivery.ts';
import { type RawServer, rawServer, reply } from './rawServer.ts';

/** Plays a case as the answer to the request that its file is about. */
export interface AnswerPlayer {
  server: RawServer;
  /** The client's outcome for this answer, in the form of the cases. */
  outcomeOf(file: string, one: Case, manner?: number): Promise<Record<string, unknown>>;
}

export const PROMPT = 'Explain "rate limit reached", an insufficient quota and https://x.example/a.mp4 to me.';

export const VIDEO = {
  model: 'video-standard',
  prompt: 'a storm, like https://mood.example/board.mp4',
  config: { durationSeconds: 4 },
  image: { uri: 'https://ours.example/first.png' },
} as const;
const VIDEO_ID = 'task_8f31c2';
/** An id with more digits than a number holds; a case that contains it is about this task. */
const LONG_ID = '98765432109876543210';
const OWN_CLIPS = ['https://ours.example/first.png', 'https://ours.example/clip.mp4'];

const HOOK = 'http://127.0.0.1:9/hooks/j/s';
const REF = 'https://ours.example/ref.png';
export const IMAGE = { prompt: `${REF} a hill --v 7`, mode: 'fast', hookUrl: HOOK } as const;
const IMAGE_TASK: RemoteTask = { id: '3f2a-77', kind: 'image', acceptedAt: 0, ownUris: [REF, HOOK] };

export async function answerPlayer(): Promise<AnswerPlayer> {
  let now: { file: string; one: Case; manner: number };
  const server = await rawServer((request, socket: Socket) => {
    const elsewhere = isVideoPoll(now.file) && request.path !== `/v1/videos/${VIDEO_ID}`;
    if (elsewhere) socket.write(reply(404, { error: { message: 'Not found' } }));
    else deliver(socket, deliveryOf(now.manner), now.one);
  });
  return {
    server,
    async outcomeOf(file, one, manner = 0) {
      now = { file, one, manner };
      const { gateway } = clientOf(server.url);
      try {
        if (file === 'image-submits') return outcomeAsCase(await gateway.submitImagine(IMAGE, SEND), server.url);
        if (file === 'image-polls') return outcomeAsCase(await gateway.poll(IMAGE_TASK), server.url);
        if (file === 'ended-links' || file === 'early-files')
          return outcomeAsCase(await gateway.fetchMedia(`${server.url}/files/out.mp4`, {}), server.url);
        if (file === 'video-submits') return outcomeAsCase(await gateway.submitVideo(VIDEO, SEND), server.url);
        if (isVideoPoll(file)) return outcomeAsCase(await gateway.poll(videoTask(one)), server.url);
        return chatOutcomeAsCase(...(await chat(gateway, manner % 2 === 0)));
      } finally {
        await gateway.close();
      }
    },
  };
}

const VIDEO_POLLS: readonly string[] = ['video-polls', 'video-words', 'poll-errors', 'charged'];
const isVideoPoll = (file: string): boolean => VIDEO_POLLS.includes(file);

function videoTask({ body }: Case): RemoteTask {
  const id = typeof body === 'string' && body.includes(LONG_ID) ? LONG_ID : VIDEO_ID;
  return { id, kind: 'video', acceptedAt: 0, ownUris: OWN_CLIPS, pollPath: `/v1/videos/${VIDEO_ID}` };
}

interface Streamed {
  text: string;
  reasoning: string;
}

export async function chat(
  gateway: ReturnType<typeof clientOf>['gateway'],
  stream: boolean,
): Promise<[ChatOutcome, Streamed]> {
  const streamed = { text: '', reasoning: '' };
  const messages = [{ role: 'user' as const, content: PROMPT }];
  const outcome = await gateway.chat({ model: 'm', messages, stream }, SEND, ({ channel, text }) => {
    streamed[channel] += text;
  });
  return [outcome, streamed];
}

/** A chat's outcome in the form of the cases. The streamed text must equal the stored text. */
export function chatOutcomeAsCase(outcome: ChatOutcome, streamed: Streamed): Record<string, unknown> {
  const { kind, message, accepted, retryable, retryAfterMs: waitMs, requestId } = { ...outcome.error };
  const error = outcome.error ? { kind, message, accepted, retryable, waitMs, requestId } : {};
  if (outcome.type !== 'answered') return { type: outcome.type, ...error };
  const { text, reasoning = '', reasoningField = null, finishReason, toolCalls = [], usage } = outcome.result;
  if (streamed.text !== text || streamed.reasoning !== reasoning) throw new Error('the pieces are not what is kept');
  return {
    type: outcome.complete ? 'answered' : 'cut',
    text,
    reasoning,
    reasoningField,
    finish: finishReason,
    cut: cutOf(finishReason),
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

/** $3 and $15 a million, a tenth for what a cache had, and a quarter more for what was written to it. */
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
