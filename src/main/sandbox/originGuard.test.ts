import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from './sandbox.ts';

let sandbox: Sandbox;
let port: string;
beforeAll(async () => {
  sandbox = await startSandbox({ speed: 'fast', requireKey: false });
  port = new URL(sandbox.baseUrl).port;
});
afterAll(() => sandbox?.close());

/** `fetch` sets Host and Origin itself. */
function status(method: string, path: string, headers: Record<string, string>, agent?: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    asked.once('error', reject);
    asked.end(method === 'GET' ? undefined : '{"model":"language","messages":[{"role":"user","content":"x"}]}');
  });
}

const PATHS = [
  ['GET', '/v1/models'],
  ['POST', '/v1/chat/completions'],
  ['PUT', '/__sandbox/faults'],
  ['GET', '/__sandbox/requests'],
  ['GET', '/media/x'],
  ['GET', '/nothing'],
] as const;

test.each<Record<string, string>>([
  { host: 'evil.example' },
  { host: 'evil.example:80' },
  { host: '127.0.0.1.evil.example' },
  { host: '192.168.0.9' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'http://127.0.0.1:1' },
  { origin: 'http://localhost' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' },
])('a request with %j has no effect, gets no data and is not logged', async (headers) => {
  for (const [method, path] of PATHS) expect(await status(method, path, headers)).toBe(403);
  expect([sandbox.requests(), sandbox.bill().entries]).toEqual([[], []]);
});

test('a stranger, recognized by its connection, has no effect, gets no data and is not logged', async () => {
  const [own, first] = [sandbox, port];
  // One connection that sends nothing, and the agent's.
  let asked = 0;
  const isStranger = () => ++asked <= 2;
  sandbox = await startSandbox({ speed: 'fast', requireKey: false, isStranger });
  port = new URL(sandbox.baseUrl).port;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const silent = connect(Number(port), '127.0.0.1');
  try {
    await expect.poll(() => asked).toBe(1);
    for (const [method, path] of PATHS) expect(await status(method, path, {}, agent)).toBe(403);
    expect([sandbox.requests(), sandbox.bill().entries]).toEqual([[], []]);
    expect(asked).toBe(2);
    expect(await status('GET', '/__sandbox/requests', {})).toBe(200);
  } finally {
    silent.destroy();
    agent.destroy();
    await sandbox.close();
    [sandbox, port] = [own, first];
  }
});

test('requests by any loopback name, also through a forwarder, are allowed', async () => {
  const known = [`127.0.0.1:${port}`, `localhost:${port}`, 'LOCALHOST', '[::1]:80', '127.0.0.1:1'];
  for (const host of known) expect(await status('GET', '/v1/models', { host })).toBe(200);
  const own = { host: `localhost:${port}`, origin: `http://localhost:${port}`, 'sec-fetch-site': 'same-origin' };
  expect(await status('GET', '/v1/models', own)).toBe(200);
});
