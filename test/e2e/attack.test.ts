import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isTerminal, type Job } from '../../src/shared/job.ts';
import type { StudioRequest } from '../../src/shared/kinds/index.ts';
import { firstLine } from '../helpers/firstLine.ts';
import { end, type Host, root, startHost } from '../helpers/host.ts';
import { tempDir } from '../helpers/testPorts.ts';

/**
 * The first promise under attack, with the service as a separate program: the studio is killed in the middle of everything, answers are
 * lost, and afterwards the requests and the bill of the service are compared with the studio's data.
 */

interface Service {
  baseUrl: string;
  apiKey: string;
  imagePrefix: string;
  vendor: string;
  imageAuthHeaders: string[];
}
interface SentRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
}
interface Bill {
  totalNano: number;
  entries: { id: string; nano: number }[];
}

let child: ChildProcess;
let service: Service;
let host: Host;

beforeAll(async () => {
  const flags = ['sandbox', '--speed', 'fast', '--state', tempDir('attack-service')];
  child = spawn(process.execPath, [join(root, 'src', 'main', 'start.mjs'), ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  service = JSON.parse(await firstLine(child)) as Service;
  host = await startHost({ dataDir: tempDir('attack'), env: { DAILIES_API_KEY: service.apiKey } });
  const { baseUrl, imagePrefix, vendor, imageAuthHeaders } = service;
  const models = [{ id: 'language', kind: 'chat' as const }];
  const { id } = await host.ask('profiles.save', { baseUrl, imagePrefix, vendor, imageAuthHeaders, models });
  await host.ask('profiles.activate', { id });
});

afterAll(async () => {
  await host?.stop();
  await end(child, 'SIGTERM');
});

const told = async <T>(path: string): Promise<T> => (await (await fetch(service.baseUrl + path)).json()) as T;

async function faults(rules: object[]): Promise<void> {
  const body = JSON.stringify(rules);
  const answer = await fetch(`${service.baseUrl}/__sandbox/faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body,
  });
  expect(answer.ok).toBe(true);
}

const REQUESTS: StudioRequest[] = [
  { kind: 'chat', model: 'language', messages: [{ role: 'user', content: 'Tell me of the sea' }] },
  { kind: 'imagine', prompt: 'A quay at night' },
  { kind: 'video', model: 'video-standard', prompt: 'A quay', config: { durationSeconds: 4 } },
];

const isOver = ({ state }: Job): boolean => isTerminal(state) || state === 'uncertain';

/** Waits until every job has ended. */
async function untilOver(): Promise<Job[]> {
  const all = async () => (await host.ask('jobs.list', { limit: 500 })).jobs;
  await expect.poll(async () => (await all()).every(isOver)).toBe(true);
  return all();
}

async function held(jobs: Job[]): Promise<void> {
  const { requests } = await told<{ requests: SentRequest[] }>('/__sandbox/requests');
  const orders = requests.filter(({ method, path }) => method === 'POST' && /completions|submit/.test(path));
  const keys = orders.map(({ headers }) => headers['idempotency-key']);
  const bill = await told<Bill>('/__sandbox/bill');
  const { sum } = await host.ask('ledger.totals', { groupBy: 'kind' });
  // Only a definitely refused request may have been sent again under its key.
  const attempts = jobs.reduce((total, job) => total + job.attempts.length, 0);
  expect(orders.length).toBeLessThanOrEqual(attempts);
  expect(new Set(keys).size).toBeLessThanOrEqual(jobs.length);
  expect(sum.reservedNano).toBe(0);
  expect(sum.settledNano).toBe(jobs.reduce((total, job) => total + job.money.chargedNano, 0));
  expect(sum.settledNano + sum.uncertainNano).toBeGreaterThanOrEqual(bill.totalNano);
  for (const job of jobs.filter(({ state }) => state === 'succeeded')) {
    const billed = bill.entries.filter(({ id }) => id === job.remoteId).map(({ nano }) => nano);
    expect(billed).toEqual([job.money.chargedNano]);
    expect(job.outputs.every(({ state }) => state === 'local')).toBe(true);
  }
}

test('killed in the middle of everything, again and again: every job is there, none is sent twice, the ledger covers the bill', async () => {
  const acknowledged: string[] = [];
  for (const killAfter of ['sending', 'fetching'] as const) {
    const events = await host.events();
    const { jobs } = await host.ask('jobs.enqueue', { requests: REQUESTS });
    acknowledged.push(...jobs.map(({ id }) => id));
    await events.next('job.changed', ({ job }) => job.state === killAfter);
    await host.kill('SIGKILL');
    await events.close().catch(() => undefined);
    host = await host.restart();
  }
  const jobs = await untilOver();
  expect(new Set(jobs.map(({ id }) => id))).toEqual(new Set(acknowledged));
  await held(jobs);
});

test('answers lost before, in the middle and after are in doubt with one request sent; a 429 goes again and is paid once', async () => {
  await faults([
    { match: { endpoint: 'chat', times: 1 }, action: { kind: 'drop', when: 'after' } },
    { match: { endpoint: 'video', times: 1 }, action: { kind: 'drop', when: 'during' } },
    { match: { endpoint: 'imagine', times: 1 }, action: { kind: 'status', status: 429, retryAfter: 1 } },
  ]);
  const { jobs: made } = await host.ask('jobs.enqueue', { requests: REQUESTS });
  const all = await untilOver();
  const [chat, imagine, video] = made.map(({ id }) => all.find((job) => job.id === id));
  expect([chat?.state, video?.state, imagine?.state]).toEqual(['uncertain', 'uncertain', 'succeeded']);
  expect([chat?.attempts.length, video?.attempts.length, imagine?.attempts.length]).toEqual([1, 1, 2]);
  expect(video?.money).toMatchObject({ chargedNano: 0, reservedNano: 0, uncertainNano: video?.money.estimateNano });
  await held(all);
});

test('three simultaneous commands to send again send it again once', async () => {
  const { jobs } = await host.ask('jobs.list', { states: ['uncertain'], kinds: ['video'] });
  const id = jobs[0]?.id ?? '';
  const answers = await Promise.all([1, 2, 3].map(() => host.rpc('jobs.resolve', { id, as: 'resend' })));
  expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
  const all = await untilOver();
  expect(all.find((job) => job.id === id)).toMatchObject({
    state: 'succeeded',
    attempts: [{}, { outcome: 'accepted' }],
  });
  await held(all);
});
