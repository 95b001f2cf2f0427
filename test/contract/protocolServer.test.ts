import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { canaryKey, findCanary } from '../helpers/canary.ts';
import { type Host, root, startHost } from '../helpers/host.ts';

/** `dailies mcp` as a separate program with the protocol's official client, against the browser host. */

let host: Host;
const key = canaryKey();
beforeAll(async () => {
  host = await startHost();
  await host.ask('profiles.save', { id: 'gateway', name: 'Gateway', baseUrl: 'http://127.0.0.1:9' });
  await host.ask('profiles.setKey', { id: 'gateway', apiKey: key });
  await host.ask('queue.pause', {});
});
afterAll(() => host.stop());

const open: Client[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

/** With the newest revision, or with the handshake of earlier ones. */
async function connect(mode: 'auto' | 'legacy' = 'auto', dataDir = host.dataDir): Promise<Client> {
  const client = new Client({ name: 'A test', version: '1' }, { versionNegotiation: { mode } });
  const args = [join(root, 'src', 'main', 'start.mjs'), 'mcp', '--data-dir', dataDir];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  open.push(client);
  return client;
}

const names = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name).sort();

interface Called {
  isError?: boolean;
  structuredContent?: Record<string, unknown>;
  content: { type: string; uri?: string; text?: string }[];
}

const called = async (client: Client, name: string, given: Record<string, unknown>): Promise<Called> =>
  (await client.callTool({ name, arguments: given })) as never;

const dataOf = <T>({ structuredContent, content }: Called): T => {
  if (!structuredContent) throw new Error(JSON.stringify(content));
  return structuredContent as T;
};

const jobs = async () => (await host.ask('jobs.list', {})).jobs;

describe.each(['auto', 'legacy'] as const)('with the %s handshake', (mode) => {
  test('lists only tools that can run, none that spends, each with a description', async () => {
    const client = await connect(mode);
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(3);
    for (const { name, annotations, outputSchema, inputSchema } of tools) {
      expect([name, annotations]).toMatchObject([name, { destructiveHint: false, openWorldHint: false }]);
      expect(typeof annotations?.readOnlyHint).toBe('boolean');
      expect([outputSchema?.type, inputSchema.type]).toEqual(['object', 'object']);
      expect(name).not.toMatch(/approve|enqueue|make|spend|retry/);
    }
    expect(
      await called(client, 'quotes.approve', { id: 'a' }).then(
        ({ isError }) => isError,
        () => true,
      ),
    ).toBe(true);
  });

  test('a request gets a quote; once the user approves it, it is that job, with a link to its result', async () => {
    const client = await connect(mode);
    await host.ask('profiles.activate', { id: 'sandbox' });
    const before = (await jobs()).length;
    const request = { kind: 'imagine', prompt: `A quay, ${mode}` };
    const { quote } = dataOf<{ quote: { quote: string; state: string; price: string } }>(
      await called(client, 'quote_order', { request }),
    );
    expect(quote).toMatchObject({ state: 'open', price: expect.stringMatching(/^\$/) });
    expect((await jobs()).length).toBe(before);
    expect((await host.ask('quotes.get', { id: quote.quote })).asker).toEqual({
      client: 'A test',
      mark: expect.stringMatching(/^[0-9a-f]{6}$/),
    });
    await host.ask('quotes.approve', { id: quote.quote });
    await host.ask('queue.resume', {});
    const look = async () => called(client, 'look_at_quote', { quote: quote.quote });
    await expect.poll(async () => dataOf<{ job?: { state: string } }>(await look()).job?.state).toBe('succeeded');
    const [link] = (await look()).content.filter(({ type }) => type === 'resource_link');
    const { contents } = await client.readResource({ uri: link?.uri ?? '' });
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ mime: expect.stringMatching(/^image/) });
    await host.ask('queue.pause', {});
  });
});

test('reads no board without a project; with one, drafts and changes shots for the user to decide', async () => {
  const client = await connect();
  expect(await names(client)).toEqual(['list_projects', 'look_at_quote', 'quote_order', 'search_library']);
  const { id: project } = await host.ask('projects.create', { name: 'Last Ferry' });
  await expect.poll(() => names(client)).toContain('draft_shots');
  const shots = [{ prompt: 'A quay', model: 'video-standard', config: { durationSeconds: 4 } }];
  const { drafts } = dataOf<{ drafts: { draft: string; quote: string; estimate_nano: number }[] }>(
    await called(client, 'draft_shots', { project, shots }),
  );
  const [first] = drafts;
  const changed = dataOf<{ draft: { quote: string; estimate_nano: number } }>(
    await called(client, 'change_draft', { draft: first?.draft, config: { durationSeconds: 8 } }),
  );
  expect(changed.draft.estimate_nano).toBe((first?.estimate_nano ?? 0) * 2);
  const old = dataOf<{ quote: { state: string } }>(await called(client, 'look_at_quote', { quote: first?.quote }));
  expect(old.quote.state).toBe('void');
  const board = dataOf<{ total: number }>(await called(client, 'read_board', { project }));
  expect(board.total).toBe(0);
});

test('answers bad and huge input with one sentence, and makes nothing', async () => {
  const client = await connect();
  const before = (await jobs()).length;
  for (const request of [
    {},
    { kind: 'nothing' },
    { kind: 'imagine', prompt: 'a'.repeat(200_000) },
    { kind: 'imagine', prompt: key },
  ]) {
    const { isError, content } = await called(client, 'quote_order', { request });
    expect([isError, content[0]?.type]).toEqual([true, 'text']);
  }
  const wrong = called(client, 'read_board', { project: 'none', count: 1e9 });
  expect(
    await wrong.then(
      ({ isError }) => isError,
      () => true,
    ),
  ).toBe(true);
  expect((await jobs()).length).toBe(before);
});

test('stdout has the protocol only, and no answer holds a key or a token', async () => {
  const args = [join(root, 'src', 'main', 'start.mjs'), 'mcp', '--data-dir', host.dataDir];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (data) => {
    stdout += data;
  });
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const ask = (id: number, method: string, params: object) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } })}\n`);
  ask(1, 'server/discover', {});
  ask(2, 'tools/list', {});
  ask(3, 'tools/call', { name: 'list_projects', arguments: {} });
  ask(4, 'tools/call', { name: 'search_library', arguments: {} });
  await expect.poll(() => stdout.split('\n').length).toBe(5);
  child.stdin.end();
  await new Promise((resolve) => child.once('close', resolve));
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: number; result?: object });
  expect(answers.map(({ id, result }) => [id, result !== undefined]).sort()).toEqual(
    [1, 2, 3, 4].map((id) => [id, true]),
  );
  for (const secret of [key, host.token]) expect(findCanary(secret, { texts: { stdout, stderr } }).hits).toEqual([]);
});

test('without a running studio no tool can run', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dailies-none-'));
  const client = await connect('auto', folder);
  expect(await names(client)).toEqual([]);
  rmSync(folder, { recursive: true });
});
