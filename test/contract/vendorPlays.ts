import { type ReceivedRequest, reply } from '../helpers/gateway/rawServer.ts';

/** Services with different habits, each as the life of one request: their answers, and the job as an outside tool sees it. */
export interface Play {
  /** The request without its prompt, which is the play's name. */
  request: object;
  /** The pattern of its polls' paths. */
  id?: string;
  /** The answers to the submit, in turn; the last one stays. */
  submit: Answer[];
  /** The answers to its polls, in turn; the last one stays. */
  poll?: ((got: ReceivedRequest) => Answer)[];
  /** The final job, as `jobs.get` shows it. */
  expect: object;
  /** The number of requests sent for it; 1 by default. */
  orders?: number;
}

/** Bytes as they go on the wire; after `cut` bytes the connection ends. */
export type Answer = string | 'reset' | { cut: string };

const video = { kind: 'video', model: 'video-standard', config: { durationSeconds: 4 } } as const;
const image = { kind: 'imagine', mode: 'fast' } as const;
const LONG = '98765432109876543210';

const made = (count: number) => ({
  state: 'succeeded',
  progress: 100,
  outputs: Array.from({ length: count }, () => ({ state: 'local' })),
});
export const empty = (status: number, headers = ''): string =>
  `HTTP/1.1 ${status} X\r\n${headers}content-length: 0\r\n\r\n`;

/** `home` serves the results; `away` is another host. */
export function playsAt(home: string, away: string): Record<string, Play> {
  return { ...videoPlays(home, away), ...imagePlays(home), ...doubtPlays(home) };
}

function videoPlays(home: string, away: string): Record<string, Play> {
  const mp4 = (name: string) => `${home}/media/${name}.mp4`;
  const samples = [{ video: { uri: mp4('two-1') } }, { video: { uri: mp4('two-2') } }];
  return {
    'an operation with two samples': {
      request: { ...video, config: { durationSeconds: 4, sampleCount: 2 } },
      id: 'operations/two',
      submit: [reply(200, { name: 'operations/two' })],
      poll: [
        () =>
          reply(200, {
            name: 'operations/two',
            done: true,
            response: { generateVideoResponse: { generatedSamples: samples } },
          }),
      ],
      expect: { ...made(2), remoteId: 'operations/two' },
    },
    'a queue that keeps its result apart': {
      request: video,
      id: 'req-9',
      submit: [
        reply(200, {
          status: 'IN_QUEUE',
          request_id: 'req-9',
          status_url: '/q/req-9/status',
          response_url: '/q/req-9',
        }),
      ],
      poll: [
        ({ path }) =>
          path.endsWith('/status')
            ? reply(200, { status: 'COMPLETED', request_id: 'req-9' })
            : reply(200, { video: { url: mp4('queue') } }),
      ],
      expect: { ...made(1), remoteId: 'req-9' },
    },
    'done with nothing': {
      request: video,
      submit: [reply(200, { name: 'operations/x', done: true, response: {} })],
      expect: { state: 'failed', money: { chargedNano: 0, reservedNano: 0, uncertainNano: 1_600_000_000 } },
    },
    'a look that is sent to another host': {
      request: video,
      id: 'task_away',
      submit: [reply(200, { id: 'task_away', status: 'queued' })],
      poll: [() => empty(302, `location: ${away}/v1/videos/task_away\r\n`)],
      expect: { state: 'running', outputs: [] },
    },
  };
}

function imagePlays(home: string): Record<string, Play> {
  const png = (name: string) => `${home}/media/${name}.png`;
  const four = ['f1', 'f2', 'f3', 'f4'].map(png);
  return {
    'a number beyond 2^53, fetched with GET': {
      request: image,
      id: LONG,
      submit: [reply(200, LONG)],
      poll: [
        () => empty(405),
        () => reply(200, { status: 'IN_PROGRESS', progress: '45%', imageUrl: png('preview') }),
        () =>
          reply(200, { status: 'SUCCESS', cdnImage: png('sheet'), images: four, prompt: 'https://in.example/x.png' }),
      ],
      expect: { ...made(5), remoteId: LONG },
    },
    'queued by its code, with lost looks in between': {
      request: image,
      id: 'mj-22',
      submit: [reply(200, { code: 22, description: 'queued', result: 'mj-22' })],
      poll: [
        () => 'reset',
        () => empty(200),
        () => ({ cut: 'HTTP/1.1 200 X\r\ncontent-length: 90\r\n\r\n{"id":"mj-22","status":"FAIL' }),
        () => reply(200, { id: 'mj-22', status: 'SUCCESS', imageUrl: png('q22'), finishTime: 5 }),
      ],
      expect: { ...made(1), remoteId: 'mj-22' },
    },
    'a full queue, then room': {
      request: image,
      id: 'mj-23',
      submit: [reply(200, { code: 23, description: 'Queue full' }), reply(200, { code: 1, result: 'mj-23' })],
      poll: [() => reply(200, { id: 'mj-23', status: 'SUCCESS', cdnImage: png('q23') })],
      expect: { ...made(1), remoteId: 'mj-23' },
      orders: 2,
    },
  };
}

/** Requests in doubt, until a poll or a webhook resolves them. */
function doubtPlays(home: string): Record<string, Play> {
  const found = (id: string) => reply(200, { id, status: 'SUCCESS', cdnImage: `${home}/media/${id}.png` });
  return {
    'half an answer that named its task': {
      request: image,
      id: 'mj-half',
      submit: [{ cut: 'HTTP/1.1 200 X\r\ncontent-length: 500\r\n\r\n{"jobId":"mj-half","status":"SUC' }],
      poll: [() => found('mj-half')],
      expect: { ...made(1), remoteId: 'mj-half' },
    },
    'a lost order whose webhook still arrives': {
      request: image,
      id: 'mj-hook',
      submit: ['reset'],
      poll: [() => found('mj-hook')],
      expect: { state: 'uncertain' },
    },
  };
}
