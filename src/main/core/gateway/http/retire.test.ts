import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { createTransport, type HttpRequest } from './transport.ts';

it('a retired client finishes running requests, and sends nothing more with its old key or to its old host', async () => {
  const answers: ServerResponse[] = [];
  const server = createServer((_, response) => {
    answers.push(response);
    response.writeHead(200).write('first, ');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const transport = createTransport({ origin, after: () => () => undefined });
  const call: HttpRequest = {
    method: 'POST',
    url: new URL(`${origin}/x`),
    headers: {},
    body: '{}',
    route: 'paid',
    headerMs: 1,
  };
  const sent = await transport.send(call);
  const retired = transport.retire();
  for (const way of ['paid', 'free'] as const) {
    expect(await transport.send({ ...call, route: way })).toMatchObject({ ok: false, failure: { sent: false } });
  }
  answers[0]?.end('and last');
  let text = '';
  if (sent.ok) for await (const chunk of sent.response.body) text += Buffer.from(chunk).toString();
  expect([text, answers.length]).toEqual(['first, and last', 1]);
  await retired;
  await transport.close();
  server.close();
});
