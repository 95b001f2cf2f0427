import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { openTestStore } from '../../../../test/helpers/emptyDatabase.ts';
import { countingIds, silentLog, TestClock, tempDir } from '../../../../test/helpers/testPorts.ts';
import { profileSchema } from '../../../shared/gateway/profile.ts';
import type { SelfTest } from '../../../shared/gateway/webhookCalls.ts';
import { createCoreEvents } from '../coreEvents.ts';
import { startWebhooks } from './webhooks.ts';

/** The receiver called as by a gateway, at its own address or a tunnel's. */

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

const profileAt = (webhookBase?: string) => ({
  ...profileSchema.parse({ baseUrl: 'https://gateway.example', ...(webhookBase ? { webhookBase } : {}) }),
  id: 'p',
  name: 'P',
});

async function receiver() {
  const clock = new TestClock();
  const store = openTestStore({ dataDir: tempDir('hooks'), clock });
  const jobs = { openWebhooks: () => [], lacksTaskId: () => false };
  const events = createCoreEvents();
  const told: string[] = [];
  events.on('webhook.received', (id) => void told.push(id));
  const hooks = await startWebhooks({ clock, ids: countingIds(), log: silentLog, store, jobs, events });
  closings.push(
    () => store.close(),
    () => hooks.close(),
  );
  const run = async (base?: string) => {
    const tested = await hooks.selfTest(profileAt(base));
    if (!tested.ok) throw new Error(tested.error.message);
    return tested.data;
  };
  return { hooks, told, run };
}

async function serve(handle: Parameters<typeof createServer>[1]): Promise<string> {
  const server: Server = createServer(handle ?? (() => undefined));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closings.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const okOf = ({ steps }: SelfTest) => Object.fromEntries(steps.map(({ name, ok }) => [name, ok]));
const ALL = { sent: true, arrived: true, right: true, wrong: true, twice: true, large: true };

test('every guarantee holds, no job hears of it, and it is in no count', async () => {
  const { run, told, hooks } = await receiver();
  const tested = await run();
  expect(okOf(tested)).toEqual(ALL);
  expect(tested.steps.map(({ message }) => message).join(' ')).toMatch(/closed after [1-7] MB/);
  expect(told).toEqual([]);
  expect(tested.lately).toMatchObject({ useful: 0, strange: 0 });
  await fetch(`${hooks.address}/hooks/job_x/${'0'.repeat(32)}`, { method: 'POST', body: '{}' });
  await fetch(hooks.urlFor(profileAt(), 'job_1', 'ab'.repeat(16)), { method: 'POST', body: '{}' });
  expect((await run()).lately).toMatchObject({ useful: 1, strange: 1 });
  expect(told).toEqual(['job_1']);
});

test('through a tunnel that puts a path in front', async () => {
  const { run, hooks } = await receiver();
  const tunnel = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = (request.url ?? '').replace(/^\/tunnel/, '');
    const passed = await fetch(hooks.address + path, { method: 'POST', body: Buffer.concat(chunks) });
    response.writeHead(passed.status).end();
  });
  expect(okOf(await run(`${tunnel}/tunnel`))).toEqual(ALL);
});

test.each([
  ['leads elsewhere', true, 1, /^The call did not arrive \(200\)\. The tunnel leads elsewhere\.$/],
  ['does not answer', false, 0, /^Nothing answers at the public base: /],
])(
  'a public base that %s is named, and the receiver itself is looked at all the same',
  async (_, sent, step, message) => {
    const { run } = await receiver();
    const elsewhere = await serve((_request, response) => void response.writeHead(200).end('hello'));
    const tested = await run(sent ? elsewhere : 'http://127.0.0.1:9');
    expect(okOf(tested)).toEqual({ ...ALL, sent, arrived: false });
    expect(tested.steps[step]?.message).toMatch(message);
  },
);

test('no step names an address or a secret', async () => {
  const { run } = await receiver();
  expect(JSON.stringify(await run())).not.toMatch(/hooks\/|[0-9a-f]{32}/);
});
