import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  comparingPrices,
  SPENDING,
  SPENDING_CALLS,
  startStatingService,
  takingKeys,
} from '../../../test/helpers/spendingCalls.ts';
import { countingIds, memoryKeys, memorySettings, TestClock, tempDir } from '../../../test/helpers/testPorts.ts';
import { studiosOfThisFile } from '../../../test/helpers/testStudios.ts';
import type { SpendingCall } from '../../shared/contract/spendingCall.ts';
import { databaseFile } from './store/index.ts';

/** A call whose answer was lost is repeated with its key, and pays for nothing twice. */

const openStudio = studiosOfThisFile();
const sampleDir = path.join(import.meta.dirname, '..', '..', '..', 'resources', 'sample');
let service: Awaited<ReturnType<typeof startStatingService>>;
beforeAll(async () => {
  service = await startStatingService();
});
afterAll(() => service.close());

const EVENING = new Date(2026, 10, 21, 20).getTime();

/** A paused studio that can be closed and opened again on the same folder. */
async function start() {
  const clock = new TestClock(EVENING);
  const dataDir = tempDir('keys');
  const kept = { clock, keys: memoryKeys(), settings: memorySettings(), freeBytes: () => 1e12 };
  let opened = 0;
  const open = () => {
    opened += 1;
    const { id, secret } = countingIds();
    const run = opened;
    return openStudio({
      dataDir,
      sampleDir,
      ports: { ...kept, ids: { id: (prefix) => `${id(prefix)}_${run}`, secret } },
    });
  };
  let studio = await open();
  await studio.ask('queue.pause');
  const until = async (holds: () => Promise<boolean>) => {
    for (let step = 0; !(await holds()); step++) {
      if (step > 1_000) throw new Error('it never came');
      await clock.advance(500);
    }
  };
  return {
    clock,
    until,
    service: service.url,
    ask: (async (name, input) => studio.ask(name, input)) as typeof studio.ask,
    call: (name: SpendingCall, input: object) => studio.studio.call(name, input),
    announcedJobs: () => studio.events.filter(({ type }) => type === 'job.changed').length,
    restart: async () => {
      await studio.close();
      studio = await open();
    },
    query: <Name extends string>(texts: Record<Name, string>) =>
      inDatabase(dataDir, (db) => {
        const rows = Object.entries<string>(texts).map(([name, text]) => [name, db.prepare(text).all()]);
        return Object.fromEntries(rows) as Record<Name, unknown[]>;
      }),
    /** As a disk that is full until the call that it returns. */
    refuseKeys: () => {
      inDatabase(dataDir, (db) =>
        db.exec(`CREATE TRIGGER no_keys BEFORE INSERT ON request_keys BEGIN SELECT RAISE(ABORT, 'full'); END`),
      );
      return () => inDatabase(dataDir, (db) => db.exec('DROP TRIGGER no_keys'));
    },
  };
}

function inDatabase<T>(dataDir: string, work: (db: Database.Database) => T): T {
  const db = new Database(databaseFile(dataDir));
  try {
    return work(db);
  } finally {
    db.close();
  }
}

type Studio = Awaited<ReturnType<typeof start>>;

/** Everything that a call that spends could write, and what was paid for. */
const CONTENT = {
  jobs: 'SELECT id, state, reason, revision, run_id, reserved_nano, charged_nano, uncertain_nano, unpriced_allowed FROM jobs',
  ledger: 'SELECT * FROM ledger_entries',
  messages: 'SELECT * FROM messages',
  branches: 'SELECT * FROM branches',
  conversations: 'SELECT * FROM conversations',
  boards: 'SELECT * FROM boards',
  nights: 'SELECT * FROM night_jobs',
  mismatches: 'SELECT * FROM price_mismatches',
  keys: 'SELECT * FROM request_keys',
};

const comparesPrice = (name: SpendingCall) => comparingPrices().includes(name);
const contentOf = ({ query }: Studio) => query(CONTENT);

/** The keys of calls; a call about many has one more for each of its parts. */
const keysOfCalls = ({ keys }: ReturnType<typeof contentOf>) =>
  (keys as { key: string }[]).filter(({ key }) => !key.includes('/'));

async function prepare(name: SpendingCall) {
  const studio = await start();
  const { input, other } = await SPENDING[name](studio);
  const before = contentOf(studio);
  const requestKey = `key of ${name}`;
  return { studio, before, input, keyed: { ...input, requestKey }, otherKeyed: { ...other, requestKey } };
}

test('each call that compares the price takes a key, and each that takes one is played here', () => {
  expect(takingKeys().sort()).toEqual([...SPENDING_CALLS].sort());
  const others = SPENDING_CALLS.filter((name) => !comparingPrices().includes(name));
  expect(others).toEqual(['jobs.billedTwice']);
});

test('a key that is none is refused by its field', async () => {
  const { call } = await start();
  for (const name of SPENDING_CALLS)
    for (const [requestKey, rule] of [
      ['7 chars', 'must have at least 8 characters'],
      ['x'.repeat(101), 'must have at most 100 characters'],
      [12_345_678, 'must be text'],
    ]) {
      const answer = await call(name, { requestKey });
      const reasons = answer.ok ? [] : answer.error.data?.reasons;
      expect(reasons, name).toContainEqual({ field: 'requestKey', message: rule });
    }
});

describe.each(SPENDING_CALLS)('%s', (name) => {
  test('under one key is made once: at the same time, later, with another input or price, and after a restart', async () => {
    const { studio, before, keyed, otherKeyed } = await prepare(name);
    const [first, ...meanwhile] = await Promise.all([1, 2, 3].map(() => studio.call(name, keyed)));
    expect(first).toMatchObject({ ok: true });
    expect(meanwhile).toEqual([first, first]);
    const after = contentOf(studio);
    const announced = studio.announcedJobs();
    expect(after).not.toEqual(before);
    expect(keysOfCalls(after)).toHaveLength(1);

    expect(await studio.call(name, keyed)).toEqual(first);
    if (comparesPrice(name)) {
      const shown = { estimateNano: 7, lowNano: 7, unpriced: 0 };
      expect(await studio.call(name, { ...keyed, shown })).toEqual(first);
    }
    expect(await studio.call(name, otherKeyed)).toMatchObject({
      ok: false,
      error: {
        code: 'conflict',
        message: expect.stringMatching(/^requestKey: must be a new one, .* with another input before\./),
        data: { field: 'requestKey' },
      },
    });
    expect(studio.announcedJobs()).toBe(announced);

    await studio.restart();
    expect(contentOf(studio)).toEqual(after);
    expect(await studio.call(name, keyed)).toMatchObject({ ok: true });
    expect(contentOf(studio)).toEqual(after);
  });

  test('is refused under the key of another call, and names that call; without a key none is kept', async () => {
    const { studio, input, keyed } = await prepare(name);
    const other = name === 'jobs.enqueue' ? 'jobs.retry' : 'jobs.enqueue';
    const made = await SPENDING[other](studio);
    await studio.call(other, { ...made.input, requestKey: keyed.requestKey });
    const after = contentOf(studio);
    expect(await studio.call(name, keyed)).toMatchObject({
      ok: false,
      error: { code: 'conflict', message: expect.stringContaining(other), data: { field: 'requestKey' } },
    });
    expect(contentOf(studio)).toEqual(after);
    expect(await studio.call(name, input)).toMatchObject({ ok: true });
    expect(contentOf(studio).keys).toEqual(after.keys);
  });

  test('makes nothing where the key cannot be written; refused, it leaves the key unused', async () => {
    const { studio, before, keyed, otherKeyed } = await prepare(name);
    if (comparesPrice(name)) {
      const shown = { estimateNano: 1, lowNano: 1, unpriced: 5 };
      expect(await studio.call(name, { ...keyed, shown })).toMatchObject({ ok: false, error: { code: 'conflict' } });
      expect(contentOf(studio)).toEqual(before);
    }
    const allow = studio.refuseKeys();
    // An adopted cost becomes the price first, in a step of its own that may be repeated.
    await studio.call(name, name === 'prices.resolveMismatch' ? otherKeyed : keyed);
    expect(contentOf(studio)).toEqual(before);
    allow();
    expect(await studio.call(name, keyed)).toMatchObject({ ok: true });
    expect(keysOfCalls(contentOf(studio))).toHaveLength(1);
  });
});

describe('what a repeated call answers', () => {
  test('the jobs as they are now, in their order, whatever became of them and of the price', async () => {
    const studio = await start();
    const shown = { estimateNano: 100_000_000, lowNano: 100_000_000, unpriced: 0 };
    const requests = [1, 2].map((n) => ({ kind: 'imagine' as const, prompt: `Quay ${n}` }));
    const keyed = { requests, shown, requestKey: 'two pictures' };
    const { jobs } = await studio.ask('jobs.enqueue', keyed);
    await studio.ask('jobs.cancel', { id: jobs[0]?.id ?? '' });
    const price = { unit: 'image' as const, nano: 70_000_000 };
    await studio.ask('prices.set', {
      price: { kind: 'image', model: '*', readings: [price], settledReading: 0, source: 'x' },
    });
    const again = await studio.ask('jobs.enqueue', keyed);
    expect(again.jobs.map(({ id, state }) => [id, state])).toEqual([
      [jobs[0]?.id, 'canceled'],
      [jobs[1]?.id, 'blocked'],
    ]);
  });

  test('the jobs, also where the same request would be refused by now', async () => {
    const studio = await start();
    const limits = (contextTokens: number) =>
      studio.ask('profiles.save', { id: 'p', name: 'P', baseUrl: 'http://127.0.0.1:9', limits: { contextTokens } });
    await limits(100_000);
    await studio.ask('profiles.activate', { id: 'p' });
    const content = 'word '.repeat(20_000);
    const request = { kind: 'chat' as const, model: 'language', messages: [{ role: 'user' as const, content }] };
    const keyed = { requests: [request], requestKey: 'a long chat' };
    const { jobs } = await studio.ask('jobs.enqueue', keyed);
    await limits(5_000);
    expect(await studio.call('jobs.enqueue', { requests: [request] })).toMatchObject({ ok: false });
    expect((await studio.ask('jobs.enqueue', keyed)).jobs[0]?.id).toBe(jobs[0]?.id);
  });

  test('the job that was tried again, also where it has succeeded since', async () => {
    const studio = await start();
    const { input } = await SPENDING['prices.resolveMismatch'](studio);
    const { jobs } = await studio.ask('jobs.enqueue', {
      requests: [{ kind: 'chat', model: 'language', messages: [{ role: 'user', content: 'Hi' }], stream: false }],
    });
    const id = jobs[0]?.id ?? '';
    const keyed = { id, requestKey: 'try it now' };
    expect((await studio.ask('jobs.retry', keyed)).state).toBe('blocked');
    await studio.ask('prices.resolveMismatch', input);
    await studio.ask('queue.resume');
    await studio.until(async () => (await studio.ask('jobs.get', { id })).state === 'succeeded');
    expect(await studio.ask('jobs.retry', keyed)).toMatchObject({ id, state: 'succeeded' });
  });

  const shown = { estimateNano: 7, lowNano: 7, unpriced: 0 };
  const [first, second] = [{ requestKey: 'first press' }, { requestKey: 'second press' }];

  test.each<[string, object[], object[], number]>([
    ['one press after another are two jobs', [first], [second, first], 2],
    ['two windows at the same time have one job, and each key stands for it', [first, second], [first, second], 1],
    [
      'one key at the same time makes one, also where another price is shown by then',
      [first, { ...first, shown }],
      [],
      1,
    ],
  ])('of retries of one job: %s', async (_, together, later, count) => {
    const studio = await start();
    const { input } = await SPENDING['jobs.retry'](studio);
    const retry = (more: object) => studio.ask('jobs.retry', { ...input, ...more });
    const made = await Promise.all(together.map(retry));
    for (const more of later) made.push(await retry(more));
    expect(new Set(made.map(({ id }) => id)).size).toBe(count);
    // The first key stands for its first job.
    expect((await retry(first)).id).toBe(made[0]?.id);
  });

  test('the message that answers, also where its conversation was removed', async () => {
    const studio = await start();
    const { input } = await SPENDING['chat.send'](studio);
    const keyed = { ...input, requestKey: 'a message' };
    const sent = await studio.ask('chat.send', keyed);
    await studio.ask('chat.remove', { conversationId: input.conversationId });
    expect(await studio.ask('chat.send', keyed)).toEqual(sent);
  });

  test('the take, also where its shot or its project was removed', async () => {
    const studio = await start();
    const { input } = await SPENDING['storyboard.makeTake'](studio);
    const keyed = { ...input, requestKey: 'a take of one' };
    const { job, board } = await studio.ask('storyboard.makeTake', keyed);
    const saved = await studio.ask('storyboard.save', { ...board, shots: [] });
    expect(await studio.ask('storyboard.makeTake', keyed)).toEqual({ job, board: saved });
    await studio.ask('projects.remove', { id: input.projectId });
    expect((await studio.ask('storyboard.makeTake', keyed)).job.id).toBe(job.id);
  });

  test('a look-up under a key is asked once more only under another key', async () => {
    const studio = await start();
    const { input } = await SPENDING['jobs.resolve'](studio);
    const keyed = { id: input.id, as: 'lookup' as const, requestKey: 'look it up' };
    await studio.ask('jobs.resolve', keyed);
    await studio.ask('jobs.resolve', { id: input.id, as: 'lost' });
    expect((await studio.ask('jobs.resolve', keyed)).state).toBe('failed');
  });
});

test('a key of long ago is still known where the clock jumped, and few calls came since', async () => {
  const studio = await start();
  const requests = [{ kind: 'imagine' as const, prompt: 'A quay' }];
  const enqueue = async (n: number) =>
    (await studio.ask('jobs.enqueue', { requests, requestKey: `key no ${n}` })).jobs[0]?.id;
  const id = await enqueue(0);
  studio.clock.set(studio.clock.now() + 300 * 86_400_000);
  await enqueue(1);
  expect(await enqueue(0)).toBe(id);
});
