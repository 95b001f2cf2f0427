import { createServer, type ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { listenAt } from '../../../test/helpers/lastingPort.ts';
import { recordingLog, tempDir } from '../../../test/helpers/testPorts.ts';
import { studiosOfThisFile } from '../../../test/helpers/testStudios.ts';
import { createAccess } from '../hosts/browser/access.ts';
import { lastEndpoint } from '../hosts/browser/endpoint.ts';
import { serveOutside } from '../hosts/electron/outside.ts';
import { openLink } from './index.ts';

/** A program that reaches a studio over loopback sends nothing to another program on its port. */

const openStudio = studiosOfThisFile();
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function start() {
  const { studio, ask } = await openStudio();
  const dataDir = tempDir('link');
  const outside = serveOutside(studio, dataDir, recordingLog());
  closing.push(() => outside.close());
  await ask('settings.set', { commandLine: true });
  await expect.poll(async () => (await openLink(dataDir)).ok).toBe(true);
  const link = await openLink(dataDir);
  if (!link.ok) throw new Error(link.error.message);
  const endpoint = lastEndpoint(dataDir, { warn: () => undefined }, 'desktop-host.json');
  if (!endpoint) throw new Error('no endpoint');
  return { link: link.data, endpoint, outside };
}

/** Another program at the port, which keeps what it is sent. */
async function impostor(port: number, answer: (path: string, response: ServerResponse, body: string) => void) {
  const got: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (bytes) => (body += bytes));
    request.on('end', () => {
      got.push(`${request.url} ${request.headers.authorization ?? ''} ${body}`);
      answer(request.url ?? '', response, body);
    });
  });
  await listenAt(server, port);
  closing.push(
    () =>
      new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      }),
  );
  return { got };
}

test('whoever takes the port of a studio that is gone gets a nonce and nothing else', async () => {
  const { link, endpoint, outside } = await start();
  expect(await link.call('projects.list', {})).toMatchObject({ ok: true });
  await outside.close();
  const { got } = await impostor(endpoint.port, (_, response) =>
    response.end('{"ok":true,"data":{"run":"r","proofs":["x"]}}'),
  );
  const input = { request: { kind: 'imagine' as const, prompt: 'a secret film' }, client: 'A program' };
  const answer = await link.call('quotes.create', input);
  expect(answer).toMatchObject({ ok: false, error: { code: 'unreachable' } });
  expect(answer.ok ? {} : answer.error.data).not.toMatchObject({ lost: true });
  expect(got).toEqual([expect.stringMatching(/^\/hello {2}\{"nonce":"[\w-]{43}"\}$/)]);
});

test('where the connection of the proof ends, the call is not sent over another one', async () => {
  const { link, endpoint, outside } = await start();
  await outside.close();
  const access = createAccess(endpoint, () => endpoint.port, Date.now);
  const { got } = await impostor(endpoint.port, (_, response, body) => {
    response.setHeader('connection', 'close');
    response.end(JSON.stringify({ ok: true, data: access.proveHost(JSON.parse(body).nonce) }));
  });
  const answer = await link.call('quotes.create', { request: { kind: 'imagine', prompt: 'x' }, client: 'A program' });
  expect(answer).toMatchObject({
    ok: false,
    error: { code: 'unreachable', message: expect.stringContaining('Nothing was sent') },
  });
  expect(got.map((one) => one.split(' ')[0])).toEqual(['/hello']);
});

test('several calls at once are each answered', async () => {
  const { link } = await start();
  const answers = await Promise.all(Array.from({ length: 20 }, () => link.call('projects.list', {})));
  expect(answers.every(({ ok }) => ok)).toBe(true);
});
