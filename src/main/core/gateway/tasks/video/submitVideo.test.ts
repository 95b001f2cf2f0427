import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { clientOf, KEY, SEND } from '../../../../../../test/helpers/gateway/client.ts';
import { chunk, type RawServer, reply, STREAM_HEAD } from '../../../../../../test/helpers/gateway/rawServer.ts';
import { serversOfThisFile } from '../../../../../../test/helpers/gateway/serversOfThisFile.ts';
import type { VideoSubmitRequest } from '../../types.ts';

const serve = serversOfThisFile();
const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});
const answering = (body: string | object, status = 200, headers = {}): Promise<RawServer> =>
  serve((_request, socket) => socket.end(reply(status, body, headers)));

const order: VideoSubmitRequest = {
  model: 'video-pro',
  prompt: 'a storm',
  config: { durationSeconds: 8, aspectRatio: '16:9', seed: 7, sampleCount: 2 },
};
const MP4 = 'https://cdn.example/a.mp4';
const said = (content: string, reason = 'stop') => ({
  id: 'chatcmpl-9',
  object: 'chat.completion',
  choices: [{ message: { role: 'assistant', content }, finish_reason: reason }],
});

test('the request is spelled as the profile says: camelCase, seed in config', async () => {
  const server = await answering(said(MP4));
  const full: VideoSubmitRequest = {
    ...order,
    referenceImages: [{ uri: 'https://a/1.png' }],
    image: { uri: 'https://a/i.png' },
    lastFrame: { uri: 'https://a/l.png' },
    videoUri: 'gs://a/v',
  };
  await clientOf(server.url, { vendor: 'acme' }).gateway.submitVideo(full, SEND);
  expect(server.requests[0]?.headers['idempotency-key']).toMatch(/^order-1-[0-9a-f]{16}$/);
  expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({
    model: 'video-pro',
    messages: [{ role: 'user', content: 'a storm' }],
    extra_body: {
      acme: {
        image: { uri: 'https://a/i.png' },
        lastFrame: { uri: 'https://a/l.png' },
        referenceImages: [{ image: { uri: 'https://a/1.png' }, referenceType: 'asset' }],
        video: { uri: 'gs://a/v' },
        config: { durationSeconds: 8, aspectRatio: '16:9', seed: 7, sampleCount: 2 },
      },
    },
  });
});

test('a request that is not wanted any more once it is kept is not sent', async () => {
  const server = await answering(said(MP4));
  const { gateway } = clientOf(server.url);
  const outcome = await gateway.submitVideo(order, { ...SEND, keep: async () => false });
  expect(outcome).toMatchObject({ type: 'refused', billed: 'no', error: { accepted: 'no' } });
  expect(server.requests).toEqual([]);
});

test('snake_case through the whole tree, seed beside config, bytes as a data address', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'wire-'));
  folders.push(folder);
  await writeFile(join(folder, 'i.png'), 'PNG');
  const server = await answering(said(MP4));
  const { gateway } = clientOf(server.url, { fieldCase: 'snake', seedPlacement: 'beside' });
  await gateway.submitVideo(
    { ...order, image: { uri: 'https://a/i.png' }, lastFrame: { path: join(folder, 'i.png'), mime: 'image/png' } },
    SEND,
  );
  expect(JSON.parse(server.requests[0]?.body ?? '').extra_body).toEqual({
    vendor: {
      image: { uri: 'https://a/i.png' },
      last_frame: { uri: 'data:image/png;base64,UE5H' },
      config: { duration_seconds: 8, aspect_ratio: '16:9' },
      seed: 7,
      sample_count: 2,
    },
  });
  const unread = await gateway.submitVideo(
    { ...order, image: { path: join(folder, 'none.png'), mime: 'image/png' } },
    SEND,
  );
  expect(unread).toMatchObject({ type: 'refused', billed: 'no', error: { accepted: 'no' } });
  expect(server.requests).toHaveLength(1);
});

test('a task that is named in prose alone keeps the prose, without the key', async () => {
  const server = await answering(said(`I have started it as task-1742 with ${KEY}.`));
  const outcome = await clientOf(server.url).gateway.submitVideo(order, SEND);
  expect(outcome).toMatchObject({ type: 'accepted', task: { id: 'task-1742' } });
  const kept = outcome.type === 'accepted' ? outcome.task.said : undefined;
  expect(kept).toContain('I have started it as task-1742');
  expect(kept).not.toContain(KEY);
});

test('an answer that repeats our own request is not taken for a result, now or at a later poll', async () => {
  const echo = {
    id: 'task-1',
    status: 'completed',
    video: { uri: 'https://ours.example/v.mp4' },
    image: { uri: 'https://ours.example/i.png' },
  };
  const server = await serve((request, socket) =>
    socket.write(
      reply(200, request.method === 'POST' ? { ...echo, status: 'queued' } : { ...echo, videos: [{ url: MP4 }] }),
    ),
  );
  const { gateway } = clientOf(server.url);
  const outcome = await gateway.submitVideo({ ...order, videoUri: 'https://ours.example/v.mp4' }, SEND);
  expect(outcome).toMatchObject({ type: 'accepted', task: { id: 'task-1' } });
  if (outcome.type !== 'accepted') return;
  expect(await gateway.poll(outcome.task)).toEqual({ type: 'done', outputs: [{ uri: MP4, role: 'output' }] });
});

test('a partial address at the end of a broken stream does not count', async () => {
  const server = await serve((_request, socket) => {
    const piece = (content: string) =>
      chunk(`data: ${JSON.stringify({ id: 'c-1', choices: [{ delta: { content } }] })}\n\n`);
    socket.end(Buffer.concat([Buffer.from(STREAM_HEAD), piece('Your video: '), piece('https://cdn.example/a')]));
  });
  expect(await clientOf(server.url).gateway.submitVideo(order, SEND)).toMatchObject({
    type: 'unknown',
    error: { kind: 'network' },
  });
});
