import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Host, root, startHost } from '../helpers/host.ts';

/** `dailies …` as a separate program, against the browser host. */

let host: Host;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dailies-cli-'));
  host = await startHost();
});
afterAll(async () => {
  await host.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

function dailies(args: string[], { dataDir = host.dataDir, env = {} } = {}): Promise<Ended> {
  const given = [join(root, 'src', 'main', 'start.mjs'), ...args, '--data-dir', dataDir];
  const child = spawn(process.execPath, given, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].on('data', (data) => {
      said[stream] += data;
    });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...said })));
}

const put = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const jobs = async () => (await host.ask('jobs.list', {})).jobs;

test('status prints one JSON document, or text without colors if none are wanted', async () => {
  const { code, stdout, stderr } = await dailies(['status', '--json']);
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: true,
    data: { running: 0, askedFromOutside: 0, today: { play: true } },
  });
  const plain = await dailies(['status'], { env: { NO_COLOR: '1', FORCE_COLOR: '' } });
  expect(plain.stdout).toContain('Running');
  expect(plain.stdout).not.toContain('\u001b');
});

test('a batch is enqueued once its price is accepted, and a repeat under its key adds nothing', async () => {
  const file = put('film.csv', 'kind,prompt\nimagine,A quay\nimagine,A lamp\n');
  expect(await dailies(['batch', file])).toMatchObject({ code: 3, stderr: expect.stringMatching(/2 jobs, \$0[.]\d+/) });
  expect(await dailies(['batch', file, '--max', '0.01'])).toMatchObject({ code: 3 });
  const bad = put('bad.csv', 'kind,prompt\nimagine,\n');
  expect(await dailies(['batch', bad, '--yes'])).toMatchObject({ code: 3, stderr: expect.stringContaining('Line 2') });
  expect(await jobs()).toEqual([]);
  const made = await dailies(['batch', file, '--max', '5', '--json']);
  expect(made.code).toBe(0);
  const { data } = JSON.parse(made.stdout) as { data: { count: number; requestKey: string } };
  expect([data.count, (await jobs()).length]).toEqual([2, 2]);
  const again = await dailies(['batch', file, '--yes', '--json', '--request-key', data.requestKey]);
  expect([again.code, (await jobs()).length]).toEqual([0, 2]);
  for (const more of [['--max', '0.000001'], []]) {
    const dearer = await dailies(['batch', file, ...more, '--request-key', data.requestKey]);
    expect(dearer).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('earlier run with this key queued 2 jobs'),
    });
  }
  const other = await dailies(['batch', file, '--max', '0.000001', '--request-key', 'a key that is new']);
  expect(other).toMatchObject({ code: 3, stderr: expect.stringContaining('Nothing was queued') });
  expect(await jobs()).toHaveLength(2);
});

test('a request for approval waits for the user', async () => {
  const before = (await jobs()).length;
  const file = put('order.json', JSON.stringify({ kind: 'imagine', prompt: 'A tower' }));
  const { code, stdout } = await dailies(['quote', file, '--client', 'A script', '--json']);
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { data: { state: 'open', asker: { client: 'A script' } } }]);
  expect((await jobs()).length).toBe(before);
});

test("a program that has taken the host's port learns nothing", async () => {
  const seen: string[] = [];
  const impostor = http.createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    seen.push(`${request.url} ${JSON.stringify(request.headers)} ${body}`);
    response.end(JSON.stringify({ ok: true, data: { run: 'a'.repeat(43), proofs: ['b'.repeat(43)] } }));
  });
  await new Promise<void>((ready) => impostor.listen(0, '127.0.0.1', ready));
  const kept = JSON.parse(readFileSync(join(host.dataDir, 'browser-host.json'), 'utf8')) as Record<string, unknown>;
  const dataDir = join(folder, 'taken');
  mkdirSync(dataDir);
  const port = (impostor.address() as AddressInfo).port;
  writeFileSync(join(dataDir, 'browser-host.json'), JSON.stringify({ ...kept, port }));
  expect(await dailies(['status'], { dataDir })).toMatchObject({ code: 4 });
  impostor.close();
  expect(seen.map((line) => line.split(' ')[0])).toEqual(['/hello']);
  for (const secret of [kept.token, kept.originKey]) expect(seen.join()).not.toContain(secret);
  expect(seen.join()).not.toContain('authorization');
});
