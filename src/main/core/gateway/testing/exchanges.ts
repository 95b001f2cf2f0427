import type { Gateway, MediaOutcome, RemoteTask, SubmitOutcome } from '../types.ts';
import { chat, chatOutcomeAsCase, IMAGE, VIDEO } from './answers.ts';
import { type Case, linesOf, outcomeAsCase } from './cases.ts';
import { clientOf, SEND } from './client.ts';
import { deliver, deliveryOf, type Script } from './delivery.ts';
import { type RawServer, rawServer } from './rawServer.ts';

/** The answers to a submit and, if it was accepted, to each poll after it. */
export interface Exchange {
  name: string;
  /** `media`: a fetch of a result's address. */
  kind: 'video' | 'image' | 'chat' | 'media';
  /** The service with these answers, and where they are described. */
  source: string;
  answers: Step[];
}

type Step = Omit<Case, 'name'> & {
  /** The answers of other paths during this step. */
  also?: Record<string, Script>;
};

export interface ExchangePlayer {
  server: RawServer;
  /** The client's outcome for each answer in turn; ends if the request was not accepted. */
  outcomesOf(exchange: Exchange, manner: number): Promise<Record<string, unknown>[]>;
}

/** A content endpoint has no bytes unless the exchange says so. */
const isOfBytes = (path: string): boolean => path.endsWith('/content');
const NO_BYTES: Script = { status: 404, body: { error: { message: 'Not found' } } };

export const exchanges = (): Exchange[] => linesOf<Exchange>('exchanges');

export async function exchangePlayer(): Promise<ExchangePlayer> {
  let step: Step;
  let manner = 0;
  const server = await rawServer((request, socket) => {
    deliver(socket, deliveryOf(manner), step.also?.[request.path] ?? (isOfBytes(request.path) ? NO_BYTES : step));
  });
  return {
    server,
    async outcomesOf({ kind, answers }, given) {
      manner = given;
      const { gateway } = clientOf(server.url);
      const outcomes: Record<string, unknown>[] = [];
      try {
        const ask = asker(kind, gateway, { home: server.url, streamed: given % 2 === 0 });
        for (const answer of answers) {
          step = answer;
          const { outcome, isOver } = await ask();
          outcomes.push(outcome);
          if (isOver) break;
        }
      } finally {
        await gateway.close();
      }
      return outcomes;
    },
  };
}

interface Asked {
  outcome: Record<string, unknown>;
  /** A request that was not accepted has nothing more to ask. */
  isOver: boolean;
}

/** Asks what the studio would ask next: a request that was accepted is polled from then on. */
function asker(
  kind: Exchange['kind'],
  gateway: Gateway,
  { home, streamed }: { home: string; streamed: boolean },
): () => Promise<Asked> {
  let task: RemoteTask | undefined;
  return async () => {
    if (kind === 'chat') return { outcome: chatOutcomeAsCase(...(await chat(gateway, streamed))), isOver: false };
    if (kind === 'media') return { outcome: outcomeAsCase(await fetched(gateway, home), home), isOver: false };
    if (task) return { outcome: outcomeAsCase(await gateway.poll(task), home), isOver: false };
    const outcome = await submit(gateway, kind);
    if (outcome.type === 'accepted') task = outcome.task;
    return { outcome: outcomeAsCase(outcome, home), isOver: outcome.type !== 'accepted' };
  };
}

async function fetched(gateway: Gateway, home: string): Promise<MediaOutcome> {
  const outcome = await gateway.fetchMedia(`${home}/files/out.mp4`, {});
  if (outcome.type === 'ok') for await (const _bytes of outcome.media.body);
  return outcome;
}

const submit = (gateway: Gateway, kind: 'video' | 'image'): Promise<SubmitOutcome> =>
  kind === 'video' ? gateway.submitVideo(VIDEO, SEND) : gateway.submitImagine(IMAGE, SEND);
