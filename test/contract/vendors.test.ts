import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Job } from '../../src/shared/job.ts';
import type { StudioRequest } from '../../src/shared/kinds/index.ts';
import { MEDIA } from '../chaos/serviceAnswers.ts';
import type { EventReader } from '../helpers/events.ts';
import { type RawServer, type ReceivedRequest, rawServer, reply } from '../helpers/gateway/rawServer.ts';
import { type Host, startHost } from '../helpers/host.ts';
import { PATIENCE_MS } from '../helpers/patience.ts';
import { testPng } from '../helpers/png.ts';
import { type Answer, empty, type Play, playsAt } from './vendorPlays.ts';

/**
 * Services with different habits, played against the browser host from the request to the files, as an outside tool sees it. They share
 * one address; a submit is matched by its prompt, a poll by its task.
 */
const KEY = 'sk-vendors-0123456789abcdef';
const NAMES = Object.keys(playsAt('http://home', 'http://away'));

let home: RawServer;
let away: RawServer;
let host: Host;
let events: EventReader;
/** By its end everything has been announced. */
let patience: Promise<unknown>;
let plays: Record<string, Play> = {};
const jobs = new Map<string, string>();
const orders = new Map<string, ReceivedRequest[]>();
const looks = new Map<string, number>();

function answerTo(got: ReceivedRequest): Answer | Buffer {
  if (got.path.startsWith('/media/') || got.path.endsWith('/content')) return fileAt(got.path);
  const isOrder = /submit|chat/.test(got.path);
  const found = Object.entries(plays).find(([name, { id }]) =>
    isOrder ? got.body.includes(`${name}!`) : id !== undefined && decodeURIComponent(got.path).includes(id),
  );
  if (!found) return reply(404, { error: { message: 'Not found' } });
  const [name, play] = found;
  if (isOrder) {
    const before = orders.get(name) ?? [];
    orders.set(name, [...before, got]);
    return play.submit[Math.min(before.length, play.submit.length - 1)] ?? empty(404);
  }
  const count = looks.get(name) ?? 0;
  looks.set(name, count + 1);
  return play.poll?.[Math.min(count, play.poll.length - 1)]?.(got) ?? empty(404);
}

/** Every name is a different file. */
function fileAt(path: string): Buffer {
  const seed = [...path].reduce((sum, sign) => sum * 31 + sign.charCodeAt(0), 7) % 9_973;
  const isPicture = path.endsWith('.png');
  const bytes = isPicture ? testPng(8, 8, seed) : Buffer.concat([MEDIA.video.bytes, freeBox(seed)]);
  const head = `HTTP/1.1 200 X\r\ncontent-type: ${isPicture ? 'image/png' : 'video/mp4'}\r\ncontent-length: ${bytes.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes]);
}

function freeBox(seed: number): Buffer {
  const box = Buffer.alloc(12);
  box.writeUInt32BE(12, 0);
  box.write('free', 4, 'latin1');
  box.writeUInt32BE(seed, 8);
  return box;
}

beforeAll(async () => {
  away = await rawServer((_got, socket) => socket.write(reply(200, { status: 'completed' })));
  home = await rawServer((got, socket) => {
    const answer = answerTo(got);
    if (answer === 'reset') socket.resetAndDestroy();
    else if (typeof answer === 'object' && 'cut' in answer) socket.end(answer.cut);
    else socket.write(answer);
  });
  plays = playsAt(home.url, away.url);
  host = await startHost({ env: { DAILIES_API_KEY: KEY } });
  const limits = { videoPerMinute: 1_000, videosAtOnce: 20, imagesAtOnce: 20 };
  const { id } = await host.ask('profiles.save', { name: 'Vendors', baseUrl: home.url, limits });
  await host.ask('profiles.activate', { id });
  events = await host.events();
  const requests = NAMES.map((name) => ({ ...plays[name]?.request, prompt: `${name}!` })) as StudioRequest[];
  const enqueued = await host.ask('jobs.enqueue', { requests });
  for (const [index, job] of enqueued.jobs.entries()) jobs.set(NAMES[index] ?? '', job.id);
  patience = new Promise((done) => setTimeout(done, PATIENCE_MS).unref());
});
afterAll(async () => {
  await events?.close();
  await host?.stop();
  await home?.close();
  await away?.close();
});

const isShown = (job: Job, wanted: object): boolean => {
  try {
    expect(job).toMatchObject(wanted);
    return true;
  } catch {
    return false;
  }
};

/** The job in the first announced state that matches; if none does, its last state, for comparison. All of them are under way together. */
async function settled(name: string, wanted: object): Promise<Job> {
  const id = jobs.get(name) ?? '';
  const shown = events.next('job.changed', ({ job }) => job.id === id && isShown(job, wanted)).catch(() => undefined);
  await Promise.race([shown, patience]);
  return host.ask('jobs.get', { id });
}

test.each(NAMES)('%s', async (name) => {
  const { expect: wanted = {}, orders: sent = 1 } = plays[name] ?? {};
  expect(await settled(name, wanted)).toMatchObject(wanted);
  expect(orders.get(name)).toHaveLength(sent);
});

test('an incomplete answer is resolved by a poll, without another request', async () => {
  const name = 'half an answer that named its task';
  await settled(name, { state: 'succeeded' });
  const id = jobs.get(name) ?? '';
  expect(await host.ask('jobs.get', { id })).toMatchObject({
    attempts: [{ outcome: 'unknown' }],
    money: { uncertainNano: 0 },
  });
  expect(orders.get(name)).toHaveLength(1);
});

test("a lost request is resolved by a late webhook, and only by the service's answer to the poll", async () => {
  const name = 'a lost order whose webhook still arrives';
  await settled(name, { state: 'uncertain' });
  const { hookUrl } = JSON.parse(orders.get(name)?.[0]?.body ?? '{}') as { hookUrl: string };
  const body = JSON.stringify({ id: 'mj-hook', status: 'FAILURE', failReason: 'forged' });
  expect((await fetch(hookUrl, { method: 'POST', body })).status).toBe(204);
  expect(await settled(name, { state: 'succeeded' })).toMatchObject({
    state: 'succeeded',
    outputs: [{ state: 'local' }],
  });
  expect(orders.get(name)).toHaveLength(1);
});

test('the key went home only, and is in no job', async () => {
  expect(
    home.requests
      .filter(({ path }) => /submit|chat/.test(path))
      .every(({ headers }) => JSON.stringify(headers).includes(KEY)),
  ).toBe(true);
  expect(away.requests).toEqual([]);
  expect(JSON.stringify(await host.ask('jobs.list', { limit: 100 }))).not.toContain(KEY);
});
