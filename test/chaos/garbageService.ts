import { type ReceivedRequest, rawServer, reply } from '../helpers/gateway/rawServer.ts';
import { BILL_NANO, MEDIA } from './serviceAnswers.ts';

/** A gateway that makes clips, each in a minute, and that can be told to answer nonsense. */

/** Nonsensical answers, as raw bytes. */
export const GARBAGE = {
  'a page': () => answer('text/html', '<!doctype html><html><title>Welcome</title><body>It works!</body></html>'),
  'half of a JSON': () => answer('application/json', '{"id": "vid'),
  nothing: () => answer('application/json', ''),
  'wrong types': () =>
    answer(
      'application/json',
      JSON.stringify({ id: { of: [1] }, status: 7, video: true, choices: 'none', data: [[]] }),
    ),
  bytes: () =>
    answer('application/json', Buffer.from(Array.from({ length: 300 }, (_, index) => 128 + ((index * 37) % 127)))),
  'far too much': () => answer('application/json', `{"data":[${'[1],'.repeat(120_000)}0]}`),
} as const;
export type Garbage = keyof typeof GARBAGE;

const MADE_IN_MS = 60_000;

export type Spoiled = 'requests' | 'polls' | 'downloads';

export interface GarbageService {
  url: string;
  /** The prompts of all requests, in order; all were accepted and are billed. */
  requests: string[];
  bill(): number;
  /** Answers this kind of request with nonsense from now on; undefined ends it. */
  spoil(spoiled: Spoiled | undefined, garbage?: Garbage): void;
  /** How many nonsensical answers it has given. */
  spoiled(): number;
  close(): Promise<void>;
}

export async function startGarbageService(time: () => number): Promise<GarbageService> {
  const requests: string[] = [];
  const takenAt: number[] = [];
  let now: { spoiled: Spoiled; garbage: Garbage } | undefined;
  let spoiled = 0;
  const server = await rawServer((request, socket) => {
    const place = placeOf(request);
    if (place === 'requests') {
      requests.push(promptOf(request));
      takenAt.push(time());
    }
    if (now && now.spoiled === place) {
      spoiled += 1;
      socket.write(GARBAGE[now.garbage]());
    } else socket.write(good(place, request, { takenAt, now: time(), url: server.url }));
  });
  return {
    url: server.url,
    requests,
    bill: () => requests.length * BILL_NANO.video,
    spoil: (place, garbage = 'a page') => {
      now = place && { spoiled: place, garbage };
    },
    spoiled: () => spoiled,
    close: () => server.close(),
  };
}

function answer(type: string, body: string | Buffer): Buffer {
  const bytes = Buffer.from(body);
  const head = `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${bytes.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes]);
}

function placeOf({ method, path }: ReceivedRequest): Spoiled | undefined {
  if (method === 'POST' && path === '/v1/chat/completions') return 'requests';
  if (path.startsWith('/media/')) return 'downloads';
  return path.startsWith('/v1/videos/') ? 'polls' : undefined;
}

function good(
  place: Spoiled | undefined,
  { path }: ReceivedRequest,
  { takenAt, now, url }: { takenAt: readonly number[]; now: number; url: string },
): string | Buffer {
  if (place === 'requests') return reply(200, { id: `video_${takenAt.length}`, object: 'video', status: 'queued' });
  if (place === 'downloads') return answer(MEDIA.video.type, MEDIA.video.bytes);
  const id = path.split('/').at(-1) ?? '';
  const at = takenAt[Number(id.slice('video_'.length)) - 1];
  if (place === 'polls' && at !== undefined) {
    const made = { status: 'completed', video: { url: `${url}/media/${id}.mp4` } };
    return reply(200, { id, object: 'video', ...(now - at < MADE_IN_MS ? { status: 'in_progress' } : made) });
  }
  return reply(404, { error: { message: 'no such path' } });
}

const promptOf = ({ body }: ReceivedRequest): string =>
  (JSON.parse(body) as { messages: { content: string }[] }).messages[0]?.content ?? '';
