import { describe, expect, it } from 'vitest';
import { findCanary } from '../../../../test/helpers/canary.ts';
import { clientOf, KEY, SEND } from '../../../../test/helpers/gateway/client.ts';
import { chunk, reply, STREAM_END, STREAM_HEAD } from '../../../../test/helpers/gateway/rawServer.ts';
import { serversOfThisFile } from '../../../../test/helpers/gateway/serversOfThisFile.ts';
import type { ChatDelta } from './types.ts';

/** Services echo the key: in refusals, in debugging fields, in addresses. Nothing that leaves the gateway may contain it. */

const serve = serversOfThisFile();

const leaks = (value: unknown) => findCanary(KEY, { texts: { it: JSON.stringify(value) } }).hits;
const chatOrder = { model: 'm', messages: [{ role: 'user' as const, content: 'Hi' }], stream: true };
const video = { model: 'v', prompt: 'A quay', config: {} };
const task = (kind: 'video' | 'image') => ({ id: 't1', kind, acceptedAt: 1_750_000_000_000 });

const ECHOES: [string, string][] = [
  ['as it is', `Incorrect API key provided: ${KEY}. Find yours at https://x.example`],
  ['with its header', `bad header Authorization: Bearer ${KEY}`],
  ['in an address', `GET https://x.example/?key=${encodeURIComponent(KEY)} failed`],
  ['as base64 of the header', Buffer.from(`Authorization: Bearer ${KEY}`).toString('base64')],
  ['as base64url', Buffer.from(`x${KEY}`).toString('base64url')],
  ['as hex', Buffer.from(KEY).toString('hex')],
  ['cut off', `Incorrect API key provided: ${KEY.slice(0, 18)}…`],
  ['in JSON inside JSON', JSON.stringify({ error: { message: `no: ${KEY}` } })],
];

describe.each(ECHOES)('a key echoed %s', (_, message) => {
  it.each([
    ['a refusal', 401, { error: { message, code: 'invalid_api_key', request_id: message } }],
    ['a plain text', 403, message],
    ['a page', 403, `<html><title>${message}</title></html>`],
    ['a good status', 200, { error: { message } }],
    ['a failed task', 200, { status: 'FAILURE', failReason: message, progress: message }],
  ])('in %s stands in no outcome', async (_form, status, body) => {
    const server = await serve((_request, socket) => socket.end(reply(status, body, { 'x-request-id': `req-${KEY}` })));
    const { gateway } = clientOf(server.url);
    const outcomes = [
      await gateway.chat(chatOrder, SEND, () => undefined),
      await gateway.submitVideo(video, SEND),
      await gateway.submitImagine({ prompt: 'x', mode: 'fast' }, SEND),
      await gateway.poll(task('video')),
      await gateway.poll(task('image')),
      await gateway.fetchMedia(`${server.url}/a.mp4`, {}).then((got) => ('error' in got ? got : 'bytes')),
      await gateway.test(),
    ];
    expect(leaks(outcomes)).toEqual([]);
  });
});

it('an answer that contains the key, split over its pieces, is shown and stored without it', async () => {
  const said = `Your key ${KEY} is fine. ask sk-t`;
  const pieces = said.match(/.{1,7}/g) ?? [];
  const server = await serve((_request, socket) => {
    socket.write(STREAM_HEAD);
    for (const content of pieces)
      socket.write(
        chunk(`data: ${JSON.stringify({ choices: [{ delta: { content, reasoning_content: content } }] })}\n\n`),
      );
    socket.end(Buffer.concat([chunk('data: [DONE]\n\n'), Buffer.from(STREAM_END)]));
  });
  const deltas: ChatDelta[] = [];
  const outcome = await clientOf(server.url).gateway.chat(chatOrder, SEND, (delta) => deltas.push(delta));
  const shown = (channel: string) =>
    deltas.flatMap((delta) => (delta.channel === channel ? [delta.text] : [])).join('');
  const clean = 'Your key ••• is fine. ask sk-t';
  expect(outcome).toMatchObject({ type: 'answered', result: { text: clean, reasoning: clean } });
  expect([shown('text'), shown('reasoning')]).toEqual([clean, clean]);
});

it('nothing that contains a key is remembered about a service', async () => {
  const server = await serve((_request, socket) =>
    socket.end(reply(200, { id: 'op-1', pollingUrl: `${server.url}/poll/{id}?key=${KEY}` })),
  );
  const client = clientOf(server.url);
  const outcome = await client.gateway.submitVideo(video, SEND);
  await client.gateway.poll(task('video'));
  expect(leaks([outcome, client.memory])).toEqual([]);
});

it('a short key damages no id and no answer', async () => {
  const server = await serve((request, socket) => {
    const task = { id: 'task_none_bm9uZQ', status: 'queued', pollingUrl: '/v1/videos/task_none_bm9uZQ' };
    const answer = { choices: [{ message: { content: 'none of it' }, finish_reason: 'stop' }] };
    socket.end(reply(200, request.body.includes('quay') ? task : answer));
  });
  const { gateway } = clientOf(server.url, {}, { apiKey: 'none' });
  expect(await gateway.submitVideo(video, SEND)).toMatchObject({ type: 'accepted', task: { id: 'task_none_bm9uZQ' } });
  const answered = await gateway.chat(chatOrder, SEND, () => undefined);
  expect(answered).toMatchObject({ type: 'answered', result: { text: 'none of it' } });
});

it('an id that shares a run of characters with the key is unchanged; the key itself is removed', async () => {
  const id = `task-${KEY.slice(2, 16)}-7`;
  const server = await serve(({ body }, socket) => {
    const said = body.includes('echo') ? KEY : id;
    socket.end(
      reply(200, body.includes('quay') ? { id: said, object: 'video', status: 'queued' } : { code: 1, result: said }),
    );
  });
  const { gateway } = clientOf(server.url);
  expect(await gateway.submitVideo(video, SEND)).toMatchObject({ task: { id } });
  expect(await gateway.submitImagine({ prompt: 'x', mode: 'fast' }, SEND)).toMatchObject({ task: { id } });
  expect(leaks(await gateway.submitImagine({ prompt: 'echo', mode: 'fast' }, SEND))).toEqual([]);
});
