import { type Dispatcher, MockAgent } from 'undici';
import type {
  Gateway,
  MediaOutcome,
  PollOutcome,
  RemoteTask,
  SubmitOutcome,
} from '../../../src/main/core/gateway/types.ts';
import { type Case, chatOutcomeAsCase, type Exchange, outcomeAsCase } from './cases.ts';
import { clientOf, SEND } from './client.ts';
import { answerAt, type Delivery, deliver, type Script } from './delivery.ts';
import { rawServer } from './rawServer.ts';

type Outcome = Record<string, unknown>;

/** Plays recorded exchanges to the client. */
export interface Player {
  /** The client's outcome for each answer in turn, in the form of the cases. */
  outcomesOf(exchange: Exchange, stream?: boolean): Promise<Outcome[]>;
  /** How many requests the client has sent. */
  sent(): number;
  close(): Promise<void>;
}

const PROMPT = 'Explain "rate limit reached", an insufficient quota and https://x.example/a.mp4 to me.';
const VIDEO = {
  model: 'video-standard',
  prompt: 'a storm, like https://mood.example/board.mp4',
  config: { durationSeconds: 4 },
  image: { uri: 'https://ours.example/first.png' },
} as const;
const VIDEO_ID = 'task_8f31c2';
/** An id with more digits than a number holds; an answer that contains it is about this task. */
const LONG_ID = '98765432109876543210';
const VIDEO_POLL = `/v1/videos/${VIDEO_ID}`;
const OWN_CLIPS = ['https://ours.example/first.png', 'https://ours.example/clip.mp4'];

const HOOK = 'http://127.0.0.1:9/hooks/j/s';
const REF = 'https://ours.example/ref.png';
const IMAGE = { prompt: `${REF} a hill --v 7`, mode: 'fast', hookUrl: HOOK } as const;
const IMAGE_TASK: RemoteTask = { id: '3f2a-77', kind: 'image', acceptedAt: 0, ownUris: [REF, HOOK] };

interface Service {
  home: string;
  /** Undefined if requests go over real connections. */
  dispatcher?: Dispatcher;
  close(): Promise<void>;
}

/** Without a `delivery`, answers are served from memory and everything but the connection is as in the program. */
export async function playerOf(delivery?: Delivery): Promise<Player> {
  let sent = 0;
  let answerTo: (path: string) => Script;
  const answer = (path: string): Script => {
    sent += 1;
    return answerTo(path);
  };
  const { home, dispatcher, close } = delivery ? await overSockets(delivery, answer) : inMemory(answer);
  return {
    sent: () => sent,
    close,
    async outcomesOf({ kind, answers }, stream = true) {
      const { gateway } = clientOf(home, {}, undefined, undefined, { dispatcher });
      const outcomes: Outcome[] = [];
      let task: RemoteTask | undefined;
      for (const one of answers) {
        answerTo = (path) => one.also?.[path] ?? (isElsewhere(kind, path, one) ? NOT_FOUND : one);
        if (kind === 'chat') outcomes.push(await chatted(gateway, stream));
        else {
          const outcome = await ask(gateway, kind, task ?? taskBefore(kind, one));
          if (outcome.type === 'accepted') task = outcome.task;
          outcomes.push(outcomeAsCase(outcome, home));
        }
      }
      await gateway.close();
      return outcomes;
    },
  };
}

/** A content endpoint has no bytes unless the exchange says so. */
const isElsewhere = (kind: Exchange['kind'], path: string, { poll = VIDEO_POLL }: Case): boolean =>
  kind === 'videoPoll' ? path !== poll : path.endsWith('/content');
const NOT_FOUND: Script = { status: 404, body: { error: { message: 'Not found' } } };

function inMemory(answer: (path: string) => Script): Service {
  const home = 'http://127.0.0.1:1';
  const dispatcher = new MockAgent();
  dispatcher.disableNetConnect();
  const any = () => true;
  dispatcher
    .get(home)
    .intercept({ path: any, method: any })
    .reply(({ path }) => {
      const { status, text, headers } = answerAt(home, answer(path));
      return { statusCode: status, data: text, responseOptions: { headers } };
    })
    .persist();
  return { home, dispatcher, close: () => dispatcher.close() };
}

async function overSockets(delivery: Delivery, answer: (path: string) => Script): Promise<Service> {
  const { url, close } = await rawServer(({ path }, socket) => deliver(socket, delivery, answer(path)));
  return { home: url, close };
}

/** The task of a poll that follows no submit. */
function taskBefore(kind: Exchange['kind'], { body, poll = VIDEO_POLL }: Case): RemoteTask | undefined {
  if (kind === 'imagePoll') return IMAGE_TASK;
  if (kind !== 'videoPoll') return undefined;
  const id = typeof body === 'string' && body.includes(LONG_ID) ? LONG_ID : VIDEO_ID;
  return { id, kind: 'video', acceptedAt: 0, ownUris: OWN_CLIPS, pollPath: poll };
}

/** Sends the studio's next request: after an accepted one, a poll. */
async function ask(
  gateway: Gateway,
  kind: Exchange['kind'],
  task: RemoteTask | undefined,
): Promise<MediaOutcome | PollOutcome | SubmitOutcome> {
  if (task) return gateway.poll(task);
  if (kind === 'video') return gateway.submitVideo(VIDEO, SEND);
  if (kind === 'image') return gateway.submitImagine(IMAGE, SEND);
  const outcome = await gateway.fetchMedia('/files/out.mp4', {});
  if (outcome.type === 'ok') for await (const _bytes of outcome.media.body);
  return outcome;
}

async function chatted(gateway: Gateway, stream: boolean): Promise<Outcome> {
  const streamed = { text: '', reasoning: '' };
  const messages = [{ role: 'user' as const, content: PROMPT }];
  const outcome = await gateway.chat({ model: 'm', messages, stream }, SEND, ({ channel, text }) => {
    streamed[channel] += text;
  });
  return chatOutcomeAsCase(outcome, streamed);
}
