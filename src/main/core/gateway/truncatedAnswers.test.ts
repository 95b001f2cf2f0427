import { expect, test } from 'vitest';
import { clientOf, SEND } from '../../../../test/helpers/gateway/client.ts';
import { reply } from '../../../../test/helpers/gateway/rawServer.ts';
import { serversOfThisFile } from '../../../../test/helpers/gateway/serversOfThisFile.ts';

const serve = serversOfThisFile();

/** A service whose answer is complete, or not, when the connection breaks before the announced end. */
async function cutBehind(body: string) {
  const server = await serve((_request, socket) =>
    socket.end(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n${body}`),
  );
  return clientOf(server.url).gateway;
}

const imagine = { prompt: 'a hill', mode: 'fast' } as const;
const video = { model: 'video-standard', prompt: 'a hill', config: { durationSeconds: 4 } } as const;

test.each(['{"code":1,"description":"ok","result":"task-77"}', '{"jobId":"task-77"}'])(
  'the id of an accepted picture is kept when the connection breaks behind it: %s',
  async (body) => {
    const outcome = await (await cutBehind(body)).submitImagine(imagine, SEND);
    expect(outcome).toMatchObject({ type: 'accepted', task: { id: 'task-77' } });
  },
);

test('the id of an accepted video is kept too', async () => {
  const outcome = await (await cutBehind('{"id":"task-77","status":"queued"}')).submitVideo(video, SEND);
  expect(outcome).toMatchObject({ type: 'accepted', task: { id: 'task-77' } });
});

test.each([
  '{"code":1,"result":"task-7',
  '"task-7',
  '17300000',
  '{"code":23,"description":"queue full"}',
  '{"error":"no"}',
])('what may lack its end, or says no before it broke off, is in doubt: %s', async (body) => {
  const gateway = await cutBehind(body);
  expect(await gateway.submitImagine(imagine, SEND)).toMatchObject({ type: 'unknown' });
  expect(await gateway.submitVideo(video, SEND)).toMatchObject({ type: 'unknown' });
});

test.each(['image', 'video'] as const)(
  'bytes that mean nothing, or a redirect away, say nothing about a task (%s), and its place is asked again first',
  async (kind) => {
    let repaired = false;
    const bad = ['\u00e9\u00ff\u00fe no data', 'redirect', 'at your service'];
    let turn = 0;
    const server = await serve((request, socket) => {
      if (!/\/v1\/videos\/task-77$|\/task\/task-77\/fetch$/.test(request.path))
        return socket.write(reply(404, { error: 'no' }));
      if (repaired) return socket.write(reply(200, { id: 'task-77', status: 'in_progress', progress: 40 }));
      const what = bad[turn++ % bad.length] ?? '';
      if (what === 'redirect') return socket.write(reply(302, '', { location: 'http://127.0.0.1:9/elsewhere' }));
      return socket.write(reply(200, what));
    });
    const { gateway } = clientOf(server.url);
    const task = { id: 'task-77', kind, acceptedAt: 0 };
    for (let look = 0; look < 9; look++) expect(await gateway.poll(task)).toMatchObject({ type: 'unreachable' });
    repaired = true;
    expect(await gateway.poll(task)).toMatchObject({ type: 'running', progress: 40 });
  },
);
