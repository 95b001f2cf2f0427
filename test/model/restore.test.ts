import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { databaseFile } from '../../src/main/core/store/index.ts';
import { type FaultRule, type Sandbox, startSandbox } from '../../src/main/sandbox/index.ts';
import type { Job } from '../../src/shared/jobs/job.ts';
import { memoryKeys, TestClock, testPorts } from '../helpers/testPorts.ts';
import type { TestStudio } from '../helpers/testStudio.ts';
import { studiosOfThisFile } from '../helpers/testStudios.ts';

/** A backup is restored over newer, paid work: no record changes, nothing is sent again, and nothing can be sent twice. */

const openStudio = studiosOfThisFile();
const CLIP = { kind: 'video', model: 'video-standard', config: { durationSeconds: 4 } } as const;
const isEnded = ({ state }: Job): boolean => ['succeeded', 'failed', 'canceled', 'uncertain'].includes(state);
const LOST: FaultRule = {
  match: { endpoint: 'video', promptIncludes: 'lost' },
  action: { kind: 'drop', when: 'after' },
};

/** Tables that hold what was sent, what it cost, and what a repeat would find. */
const RECORDS = [
  'SELECT id, state, request, profile_id, remote_id, idempotency_key, result, charged_nano, uncertain_nano, reserved_nano, sent_at FROM jobs ORDER BY seq',
  'SELECT * FROM attempts ORDER BY job_id, n',
  'SELECT * FROM ledger_entries ORDER BY seq',
  'SELECT * FROM ledger_sums ORDER BY 1, 2, 3, 4, 5',
  'SELECT * FROM spend ORDER BY 1, 2, 3',
  'SELECT * FROM request_keys ORDER BY seq',
  'SELECT id, sha256, state, bytes, emptied FROM assets ORDER BY seq',
  'SELECT * FROM sent_requests ORDER BY job_id',
];

function recordsOf(dataDir: string): string[] {
  const db = new Database(databaseFile(dataDir), { readonly: true });
  try {
    return RECORDS.map((statement) => JSON.stringify(db.prepare(statement).all()));
  } finally {
    db.close();
  }
}

async function start() {
  const sandbox: Sandbox = await startSandbox({ speed: 'fast', media: 'tiny', requireKey: false, faults: [LOST] });
  onTestFinished(() => sandbox.close());
  const clock = new TestClock(new Date(2026, 10, 21, 20).getTime());
  const ports = testPorts({ clock, keys: memoryKeys({ p: 'sk-0123456789abcdef' }) });
  const studio = await openStudio({ ports });
  await studio.ask('profiles.save', { id: 'p', name: 'P', baseUrl: sandbox.baseUrl, vendor: sandbox.vendor });
  await studio.ask('profiles.activate', { id: 'p' });
  return { sandbox, clock, ports, studio };
}

async function ended({ ask }: TestStudio, clock: TestClock, id: string): Promise<Job> {
  for (let step = 0; step < 4_000; step++) {
    const job = await ask('jobs.get', { id });
    if (isEnded(job)) return job;
    await clock.advance(500);
    await new Promise((done) => setImmediate(done));
  }
  throw new Error('it never ended');
}

const enqueue = async ({ ask }: TestStudio, prompt: string, requestKey: string): Promise<string> =>
  (await ask('jobs.enqueue', { requests: [{ ...CLIP, prompt }], requestKey })).jobs[0]?.id ?? '';

test('payments, unconfirmed jobs and keys are unchanged by a restore, and nothing is sent', async () => {
  const { sandbox, clock, ports, studio } = await start();
  const { ask, dataDir } = studio;
  const first = await enqueue(studio, 'A quay', 'key-of-job-1');
  await ended(studio, clock, first);
  await ask('queue.pause');
  const waiting = await enqueue(studio, 'A pier', 'key-of-job-2');
  const { id } = await ask('backups.make');
  await ask('queue.resume');

  expect((await ended(studio, clock, waiting)).state).toBe('succeeded');
  const paid = await ended(studio, clock, await enqueue(studio, 'A gull', 'key-of-job-3'));
  const doubt = await ended(studio, clock, await enqueue(studio, 'A lost quay', 'key-of-job-4'));
  expect([paid.state, doubt.state]).toEqual(['succeeded', 'uncertain']);
  const [before, bill] = [recordsOf(dataDir), sandbox.bill()];
  const totals = await ask('ledger.totals', { groupBy: 'day' });
  const sent = sandbox.requests().length;

  const { kept, gone } = await ask('backups.preview', { id });
  expect(kept.doubts).toBe(1);
  expect(kept.files).toBe(2);
  expect(kept.ledgerEntries).toBeGreaterThan(3);
  expect(gone).toEqual([]);
  await ask('backups.restore', { id });

  expect(recordsOf(dataDir)).toEqual(before);
  expect(await ask('ledger.totals', { groupBy: 'day' })).toEqual(totals);
  expect((await ask('queue.status')).doubt).toMatchObject({ count: 1 });
  const file = studio.studio.media.open(paid.outputs[0]?.id ?? '');
  expect(file.ok && file.data.bytes).toBeGreaterThan(0);
  // A page that lost its answer repeats the call.
  expect(await enqueue(studio, 'A gull', 'key-of-job-3')).toBe(paid.id);
  expect(await enqueue(studio, 'A pier', 'key-of-job-2')).toBe(waiting);
  await clock.advance(600_000);
  await studio.close();
  const again = await openStudio({ dataDir, ports });
  await clock.advance(600_000);
  expect((await again.ask('jobs.get', { id: doubt.id })).state).toBe('uncertain');
  expect(recordsOf(dataDir)[2]).toBe(before[2]);
  expect(sandbox.bill()).toEqual(bill);
  expect(
    sandbox
      .requests()
      .slice(sent)
      .filter(({ method }) => method === 'POST'),
  ).toEqual([]);
});

test('a restore is refused while a request is being sent, and works afterwards', async () => {
  let release = (): void => undefined;
  const arrived = Promise.withResolvers<void>();
  const service = createServer((request, response) => {
    request.resume();
    release = () => response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}');
    arrived.resolve();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void service.close());
  await once(service, 'listening');
  const clock = new TestClock();
  const studio = await openStudio({ ports: { clock, keys: memoryKeys({ p: 'sk-0123456789abcdef' }) } });
  const baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  await studio.ask('profiles.save', { id: 'p', name: 'P', baseUrl });
  await studio.ask('profiles.activate', { id: 'p' });
  const { id } = await studio.ask('backups.make');
  const { id: projectId } = await studio.ask('projects.create', { name: 'New' });
  const job = await enqueue(studio, 'A quay', 'key-of-job');
  await arrived.promise;
  expect(await studio.call('backups.restore', { id })).toMatchObject({
    ok: false,
    error: { code: 'wrong_state', message: expect.stringContaining('One request is being sent') },
  });
  expect((await studio.ask('projects.list')).projects.map((project) => project.id)).toContain(projectId);
  expect((await studio.ask('backups.list')).backups).toHaveLength(1);
  release();
  await ended(studio, clock, job);
  await studio.ask('backups.restore', { id });
  expect((await studio.ask('projects.list')).projects.map((project) => project.id)).not.toContain(projectId);
});
