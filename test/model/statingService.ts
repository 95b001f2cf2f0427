import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A gateway that answers every chat, states its cost and publishes a price. Returns its address; it ends with the test. */
export async function startStating(): Promise<string> {
  const server = createServer((request, response) => {
    const answer = request.url?.endsWith('/models')
      ? { data: [{ id: 'another', pricing: { prompt: '0.000001', completion: '0.000002' } }] }
      : {
          id: 'chatcmpl-1',
          choices: [{ message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
          usage: { prompt_tokens: 4, completion_tokens: 2, total_tokens: 6, cost: 0.5 },
        };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
