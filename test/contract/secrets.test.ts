import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CallName } from '../../src/shared/contract/contract.ts';
import { canaryKey, findCanary } from '../helpers/canary.ts';
import { type Host, startHost } from '../helpers/host.ts';

/** Keys in the running program: typed, from the environment, echoed by the gateway, pasted into the wrong field. No copy remains. */

let dataDir: string;
let host: Host | undefined;
let service: Server;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'dailies-secrets-'));
  service = createServer((request, response) => {
    const key = request.headers.authorization ?? request.headers['x-api-key'] ?? '';
    const error = { message: `Incorrect API key provided: ${key}`, headers: request.headers, code: 'invalid_api_key' };
    response
      .writeHead(401, {
        'content-type': 'application/json',
        'x-request-id': `req ${key}`,
        'www-authenticate': `${key}`,
      })
      .end(JSON.stringify({ error, url: `${request.url}?key=${Buffer.from(String(key)).toString('base64')}` }));
  });
  await new Promise<void>((done) => service.listen(0, '127.0.0.1', done));
});
afterEach(async () => {
  await host?.kill('SIGKILL');
  host = undefined;
  service.closeAllConnections();
  service.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const address = () => `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
const REQUESTS = [
  { kind: 'chat', model: 'language', messages: [{ role: 'user', content: 'Hello' }], stream: true },
  { kind: 'video', model: 'video-standard', prompt: 'A quay' },
  { kind: 'imagine', prompt: 'A quay' },
];

/** Everything that the host answered, as text. */
async function talk(running: Host, calls: [CallName, unknown][]): Promise<string> {
  const answers: string[] = [];
  for (const [name, input] of calls) answers.push(JSON.stringify(await running.rpc(name, input as never)));
  return answers.join('\n');
}

describe('the browser host', () => {
  test('leaves no byte of a key in a file, an answer, an event or its arguments', async () => {
    const [typed, environment, refused, pasted] = [canaryKey(), canaryKey(), canaryKey(), canaryKey()];
    host = await startHost({ dataDir, env: { DAILIES_API_KEY: `${environment}\n` } });
    const events = await host.events();
    const profile = { id: 'p', name: 'P', baseUrl: address() };
    const said = [
      await talk(host, [
        ['profiles.save', profile],
        ['profiles.activate', { id: 'p' }],
        ['profiles.list', {}],
        ['profiles.testConnection', { id: 'p' }],
        ['jobs.enqueue', { requests: REQUESTS }],
        ['jobs.enqueue', { requests: [{ kind: 'imagine', prompt: `a quay with ${environment}` }] }],
        ['profiles.setKey', { id: 'p', apiKey: `${refused} ${refused}` }],
        ['profiles.save', { ...profile, baseUrl: `http://user:${pasted}@127.0.0.1/` }],
        ['profiles.save', { ...profile, name: pasted }],
        ['profiles.save', { ...profile, videoPollPath: `/v1/videos/{id}?key=${pasted}` }],
        ['profiles.setKey', { id: 'p', apiKey: `${typed}\n` }],
        ['profiles.save', { ...profile, vendor: `v ${typed}` }],
        ['jobs.enqueue', { requests: [{ kind: 'video', model: 'video-standard', prompt: typed }] }],
        ['jobs.enqueue', { requests: REQUESTS }],
        ['profiles.testConnection', { id: 'p' }],
        ['profiles.balance', { id: 'p' }],
        ['prices.preview', {}],
        ['profiles.found', { id: 'p' }],
        ['profiles.tryImageHeaders', { id: 'p' }],
        ['webhooks.selfTest', { profileId: 'p' }],
        ['models.read', { profileId: 'p' }],
        ['models.list', { profileId: 'p' }],
      ]),
    ];
    await events.next('job.changed', ({ job }) => job.error?.kind === 'auth');
    const { jobs } = await host.ask('jobs.list', { limit: 100 });
    expect(jobs).toHaveLength(6);
    said.push(JSON.stringify(jobs), JSON.stringify(events.seen));
    const { profiles } = await host.ask('profiles.list');
    expect(profiles.find(({ id }) => id === 'p')?.key).toBe('memory');
    const argsFile = `/proc/${host.pid}/cmdline`;
    const args = existsSync(argsFile) ? readFileSync(argsFile) : '';
    await host.kill('SIGTERM');
    for (const key of [typed, environment, refused, pasted]) {
      const { hits, files } = findCanary(key, { paths: [dataDir], texts: { said: said.join('\n'), args } });
      expect(hits).toEqual([]);
      expect(files).toBeGreaterThan(3);
    }
    expect(said.join()).toContain('contains one of your API keys');
    expect(said.join()).toContain('apiKey: must not have a space in it');
  });
});
