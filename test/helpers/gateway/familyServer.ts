import type { Socket } from 'node:net';
import { type RawServer, type ReceivedRequest, rawServer, reply } from './rawServer.ts';

/** A gateway with chosen API formats and models. It keeps a bill. */

export interface FamilyServerOptions {
  speaks: readonly string[];
  /** The entries of its model list. */
  models?: readonly object[];
  /** Answers a request itself; undefined leaves it to the server. `hang up` closes the connection after the request was accepted. */
  instead?(request: ReceivedRequest): string | undefined;
  /** The bytes of its clips and pictures. */
  clip?: Buffer;
  picture?: Buffer;
  port?: number;
}

export interface FamilyServer extends RawServer {
  /** Its charges, in order. */
  bill: { path: string; body: string; key: string | undefined }[];
}

export const HANG_UP = 'hang up';
export const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
);
const b64 = PICTURE.toString('base64');

const noRoute = ({ method, path }: ReceivedRequest): string =>
  reply(404, {
    error: { message: `Invalid URL (${method} ${path})`, type: 'invalid_request_error', param: '', code: '' },
  });
const unknownTask = (): string => reply(400, { code: 'task_not_exist', message: 'task_not_exist', data: null });
const bytes = (body: Buffer, mime: string): Buffer =>
  Buffer.concat([
    Buffer.from(`HTTP/1.1 200 OK\r\ncontent-type: ${mime}\r\ncontent-length: ${body.length}\r\n\r\n`),
    body,
  ]);

export async function familyServer({
  speaks,
  models = [],
  instead,
  clip = Buffer.from('no clip'),
  picture = PICTURE,
  port,
}: FamilyServerOptions): Promise<FamilyServer> {
  const bill: FamilyServer['bill'] = [];
  const tasks = new Map<string, number>();
  const has = (name: string) => speaks.includes(name);
  const make = (prefix: string): string => {
    const id = `${prefix}_${tasks.size + 1}`;
    tasks.set(id, 0);
    return id;
  };
  /** Running at the first poll, done from the second. */
  const polled = (id: string): boolean | undefined => {
    const count = tasks.get(id);
    if (count === undefined) return undefined;
    tasks.set(id, count + 1);
    return count > 0;
  };

  const submits: Record<string, { family: string; answer(): string }[]> = {
    '/v1/videos': [
      {
        family: 'openaiVideos',
        answer: () =>
          reply(200, { id: make('video'), object: 'video', status: 'queued', progress: 0, created_at: 1_764_300_000 }),
      },
      {
        family: 'openRouterVideos',
        answer() {
          const id = make('job');
          return reply(202, { id, polling_url: `/v1/videos/${id}`, status: 'pending' });
        },
      },
    ],
    '/v1/video/generations': [
      { family: 'relayVideos', answer: () => reply(200, { task_id: make('gen'), status: 'queued' }) },
    ],
    '/v1/images/generations': [{ family: 'openaiImages', answer: pictures }],
    '/v1/images/edits': [{ family: 'openaiImages', answer: pictures }],
    '/v1/chat/completions': [
      {
        family: 'chatImages',
        answer: () =>
          reply(200, {
            id: 'gen-1',
            object: 'chat.completion',
            choices: [
              {
                index: 0,
                finish_reason: 'stop',
                message: {
                  role: 'assistant',
                  content: '',
                  images: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${b64}` } }],
                },
              },
            ],
            usage: { prompt_tokens: 4, completion_tokens: 900, total_tokens: 904, cost: 0.04 },
          }),
      },
    ],
  };

  function pictures(): string {
    const usage = { input_tokens: 14, output_tokens: 4160, total_tokens: 4174 };
    const data = [{ b64_json: picture.toString('base64'), url: '' }];
    return reply(200, { created: 1_764_300_000, data, size: '1024x1024', output_format: 'png', usage });
  }

  function polls(request: ReceivedRequest): string | Buffer | undefined {
    const { path } = request;
    if (path === '/v1/models') return reply(200, { object: 'list', data: models });
    if (path === '/v1/videos/models' && has('openRouterVideos'))
      return reply(200, { data: [{ id: 'lab/clip', supported_durations: [4, 8], pricing_skus: {} }] });
    const [, videoId = '', content] = /^\/v1\/videos\/([^/?]+)(\/content)?/.exec(path) ?? [];
    if (videoId !== '' && (has('openaiVideos') || has('openRouterVideos'))) {
      if (content) return tasks.has(videoId) ? bytes(clip, 'video/mp4') : unknownTask();
      const isDone = polled(videoId);
      if (isDone === undefined) return unknownTask();
      return reply(200, has('openaiVideos') ? ofOpenai(videoId, isDone) : ofOpenRouter(videoId, isDone));
    }
    const [, generation = ''] = /^\/v1\/video\/generations\/(.+)$/.exec(path) ?? [];
    if (generation === '' || !has('relayVideos'))
      return path.startsWith('/clip.mp4') ? bytes(clip, 'video/mp4') : undefined;
    const isDone = polled(generation);
    if (isDone === undefined) return unknownTask();
    const url = `http://127.0.0.1:${server.port}/clip.mp4`;
    return reply(200, {
      code: 'success',
      message: '',
      data: isDone
        ? { task_id: generation, status: 'SUCCESS', progress: '100%', fail_reason: '', result_url: url, data: {} }
        : { task_id: generation, status: 'IN_PROGRESS', progress: '40%', fail_reason: '', data: null },
    });
  }

  const ofOpenai = (id: string, isDone: boolean) => ({
    id,
    object: 'video',
    status: isDone ? 'completed' : 'in_progress',
    progress: isDone ? 100 : 40,
    error: null,
  });
  const ofOpenRouter = (id: string, isDone: boolean) => ({
    id,
    status: isDone ? 'completed' : 'in_progress',
    ...(isDone
      ? {
          generation_id: 'gen-9',
          unsigned_urls: [`http://127.0.0.1:${server.port}/v1/videos/${id}/content?index=0`],
          urls: [`http://localhost:${server.port}/clip.mp4?signature=5f`],
          usage: { cost: 0.4, is_byok: false },
        }
      : {}),
  });

  function answer(request: ReceivedRequest, socket: Socket): void {
    const [path = ''] = request.path.split('?');
    const submit = submits[path]?.find(({ family }) => has(family));
    const given = instead?.(request);
    const isTaken = request.method === 'POST' && submit !== undefined && (given === undefined || given === HANG_UP);
    if (isTaken) bill.push({ path, body: request.body, key: request.headers['idempotency-key'] });
    const made = isTaken ? submit.answer() : undefined;
    if (given === HANG_UP) return void socket.destroy();
    socket.write(
      given ??
        made ??
        (request.method === 'GET' ? polls({ ...request, path: request.path }) : undefined) ??
        noRoute(request),
    );
  }

  const server: RawServer = await rawServer(answer, undefined, port);
  return Object.assign(server, { bill });
}
