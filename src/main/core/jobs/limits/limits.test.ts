import { describe, expect, test } from 'vitest';
import { noticesOf } from '../../../../../test/helpers/limitedService.ts';
import { memoryDb } from '../../../../../test/helpers/memoryDb.ts';
import { TestClock } from '../../../../../test/helpers/testPorts.ts';
import type { StudioEvent } from '../../../../shared/contract/events.ts';
import { type Profile, profileSchema } from '../../../../shared/gateway/profile.ts';
import type { Store } from '../../store/index.ts';
import { sentSince } from '../queries/jobSql.ts';
import { Limits, pollLaneOf } from './limits.ts';
import type { HealthSignal } from './throttle.ts';

/** Profiles a and b are of one service, c is of another. `sent`: when the lanes sent before, by the clock. */
function gates(sent: number[] = []) {
  let isUp = false;
  const client = { test: async () => ({ ok: true, steps: [] }) };
  const clock = new TestClock();
  const parsed = profileSchema.parse({ baseUrl: 'https://gateway.example/a', limits: { videoPerMinute: 2 } });
  const profiles: Record<string, Profile> = {
    a: { ...parsed, id: 'a', name: 'A' },
    b: { ...parsed, baseUrl: 'https://gateway.example/b', id: 'b', name: 'B' },
    c: { ...parsed, baseUrl: 'https://other.example', id: 'c', name: 'C' },
  };
  const events: StudioEvent[] = [];
  const db = memoryDb();
  const all = ((statement, params) =>
    statement === sentSince
      ? sent.map((at) => ({ at: clock.now() + at }))
      : db.all(statement, params)) as typeof db.all;
  const store = { read: { ...db, all }, transaction: (write) => write(db) } as Pick<Store, 'read' | 'transaction'>;
  const open = () =>
    new Limits(
      {
        store,
        clock,
        random: () => 0,
        log: { error: () => undefined },
        emit: (event) => void events.push(event),
        profiles: {
          get: (id) => profiles[id],
          openClient: async () => (isUp ? { status: 'ready', client } : { status: 'gone' }),
        },
      },
      { wake: () => undefined, hostReachable: () => undefined, hostUnreachable: () => undefined },
    );
  let limits = open();
  const says = (lane: string, signal: HealthSignal, jobId = lane, sentMsAgo = 0) =>
    limits.ended(lane, { jobId, sentAt: clock.now() - sentMsAgo }, signal);
  return {
    clock,
    events,
    profiles,
    limits: () => limits,
    restart() {
      limits = open();
      limits.restore();
    },
    sends: (lane: string) => limits.started(lane),
    fails: (lane: string, jobId: string | number = lane, failure = '503', mayBeBilled = false) =>
      says(lane, { type: 'failing', failure, mayBeBilled }, `${jobId}`),
    asks: (lane: string, retryAfterMs?: number, sentMsAgo = 0) =>
      says(lane, { type: 'rateLimited', ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }, lane, sentMsAgo),
    accepts: (lane: string) => says(lane, { type: 'healthy' }),
    isAway: (lane: string) => says(lane, { type: 'unreachable' }),
    passesTests() {
      isUp = true;
    },
    /** Why the next request of a lane waits, and for how long. */
    waits(lane: string): string {
      const { waitMs, why, max } = limits.next(lane);
      return why ? `${why} ${waitMs}` : max === 1 ? 'one' : 'free';
    },
  };
}
type Gates = ReturnType<typeof gates>;

const failing = (at: Gates, failures = 5) => {
  for (let n = 0; n < failures; n++) at.fails('chat:a', n);
};

/** What is done, and what each lane waits for after it. */
const rows: [string, [(at: Gates) => unknown, Record<string, string>][]][] = [
  [
    'a service fails after five failures of one type in a row, and closes its lane alone',
    [
      [(at) => failing(at, 4), { 'chat:a': 'free' }],
      [(at) => at.accepts('chat:a'), { 'chat:a': 'free' }],
      [(at) => failing(at), { 'chat:a': 'failing 2000', 'image:a': 'free', 'chat:b': 'free' }],
    ],
  ],
  [
    'a job that keeps failing, and failures of different types, say nothing of the service',
    [
      [(at) => ['1', '1', '1', '1', '2', '2'].map((id) => at.fails('chat:a', id)), { 'chat:a': 'free' }],
      [(at) => ['502', '503', 'network', '502'].map((type) => at.fails('chat:a', type, type)), { 'chat:a': 'free' }],
    ],
  ],
  [
    'a service that fails is tried once at a time, with growing pauses; another type of failure is tried again soon',
    [
      [failing, { 'chat:a': 'failing 2000' }],
      [(at) => at.clock.advance(2_000), { 'chat:a': 'one' }],
      [(at) => at.sends('chat:a'), { 'chat:a': 'failing 30000' }],
      [(at) => at.fails('chat:a'), { 'chat:a': 'failing 4000' }],
      [(at) => failing(at), { 'chat:a': 'failing 4000' }],
      [(at) => at.clock.advance(4_000).then(() => at.sends('chat:a')), { 'chat:a': 'failing 30000' }],
      [(at) => at.clock.advance(30_000), { 'chat:a': 'one' }],
      [(at) => at.fails('chat:a'), { 'chat:a': 'failing 8000' }],
      [(at) => at.sends('chat:a'), { 'chat:a': 'failing 30000' }],
      [(at) => at.fails('chat:a', 1, '502'), { 'chat:a': 'failing 2000' }],
      [(at) => at.clock.advance(1).then(() => at.accepts('chat:a')), { 'chat:a': 'one' }],
    ],
  ],
  [
    'after four attempts that may be billed, a free check comes before the next one',
    [
      [(at) => [1, 2, 3, 4, 5].map((job) => at.fails('chat:a', job, '504', true)), { 'chat:a': 'failing 2000' }],
      [
        async (at) => {
          for (const pauseMs of [2_000, 4_000, 8_000, 16_000]) {
            await at.clock.advance(pauseMs);
            at.sends('chat:a');
            at.fails('chat:a', 1, '504', true);
          }
        },
        { 'chat:a': 'failing 32000' },
      ],
      [(at) => at.clock.advance(32_000), { 'chat:a': 'checked Infinity' }],
      [(at) => at.clock.advance(0), { 'chat:a': 'failing 64000' }],
    ],
  ],
  [
    'a waiting time holds its lane, and no other',
    [
      [(at) => at.asks('image:a', 37_000), { 'image:a': 'asked 37000', 'chat:a': 'free', 'image:b': 'free' }],
      [(at) => at.clock.advance(37_000), { 'image:a': 'one' }],
      [(at) => at.sends('image:a'), { 'image:a': 'spread 100' }],
      [(at) => at.clock.advance(6_000), { 'image:a': 'free' }],
    ],
  ],
  [
    'two lanes of a profile that have one at the same time hold the host; a newer time of a lane replaces it there',
    [
      [(at) => at.asks('image:a', 20_000), { 'chat:b': 'free' }],
      [(at) => at.clock.advance(5_000).then(() => at.asks('poll:a', 5_000)), { 'chat:b': 'asked 15000' }],
      [(at) => at.asks('chat:b', 3_000), { 'chat:b': 'asked 3000', 'image:b': 'asked 15000', 'image:c': 'free' }],
      [(at) => at.clock.advance(1).then(() => at.accepts('chat:b')), { 'chat:b': 'one' }],
    ],
  ],
  [
    'two lanes of different profiles that have one at the same time hold no other lane of the host',
    [[(at) => ['image:a', 'image:b'].map((lane) => at.asks(lane, 9_000)), { 'chat:a': 'free', 'chat:b': 'free' }]],
  ],
  [
    'once a waiting time is ended early, what waited goes out one by one, and a restart waits for nothing',
    [
      [(at) => at.asks('chat:a', 9_000), { 'chat:a': 'asked 9000' }],
      [(at) => at.clock.advance(1_000).then(() => at.accepts('chat:a')), { 'chat:a': 'one' }],
      [(at) => at.sends('chat:a'), { 'chat:a': 'spread 100' }],
      [(at) => at.restart(), { 'chat:a': 'free' }],
    ],
  ],
  [
    'a waiting time that was over at a restart stays over, though the clock is set back',
    [
      [(at) => at.asks('chat:a', 9_000), { 'chat:a': 'asked 9000' }],
      [(at) => at.clock.advance(9_000).then(() => at.restart()), { 'chat:a': 'free' }],
      [(at) => at.clock.set(at.clock.now() - 5_000), { 'chat:a': 'free' }],
      [(at) => at.restart(), { 'chat:a': 'free' }],
    ],
  ],
  [
    'without a time it is 1, 2, 4 … s, a burst counted once, until a request is accepted',
    [
      [(at) => [0, 1, 2].map(() => at.asks('chat:a', undefined, 5)), { 'chat:a': 'asked 1000' }],
      [(at) => at.clock.advance(1_000).then(() => at.asks('chat:a')), { 'chat:a': 'asked 2000' }],
      [(at) => at.clock.advance(2_000).then(() => at.asks('chat:a')), { 'chat:a': 'asked 4000' }],
      [(at) => at.clock.advance(4_000).then(() => at.accepts('chat:a')), { 'chat:a': 'one' }],
      [(at) => at.asks('chat:a'), { 'chat:a': 'asked 1000' }],
    ],
  ],
  [
    'a later answer of the same burst lengthens it, never shortens it, and never beyond five minutes',
    [
      [(at) => at.asks('chat:a', 10_000), { 'chat:a': 'asked 10000' }],
      [(at) => at.clock.advance(100).then(() => at.asks('chat:a', 1_000, 200)), { 'chat:a': 'asked 9900' }],
      [(at) => at.asks('chat:a', 86_400_000, 200), { 'chat:a': 'asked 300000' }],
    ],
  ],
  [
    'a lane sends no more in a minute than its limit, though the clock is set back',
    [
      [(at) => [at.sends('preview:a'), at.sends('preview:a')], { 'preview:a': 'perMinute 60000', 'preview:b': 'one' }],
      [(at) => at.clock.set(at.clock.now() - 7_200_000), { 'preview:a': 'perMinute 60000' }],
      [(at) => at.clock.advance(60_000), { 'preview:a': 'one' }],
    ],
  ],
  [
    'a host that cannot be reached closes all lanes of all its profiles, until it answers',
    [
      [(at) => at.isAway('chat:a'), { 'chat:a': 'unreachable 2000', 'chat:b': 'unreachable 2000', 'chat:c': 'free' }],
      [(at) => at.accepts('image:b'), { 'chat:a': 'one', 'chat:b': 'one' }],
      [(at) => at.sends('chat:a'), { 'chat:a': 'spread 100', 'chat:b': 'one' }],
    ],
  ],
  [
    'a changed profile is tried at once, and waits for nothing that another address asked for',
    [
      [(at) => at.isAway('chat:a'), { 'chat:a': 'unreachable 2000' }],
      [(at) => at.limits().profileChanged('b'), { 'chat:a': 'free', 'chat:b': 'free' }],
      [(at) => at.asks('chat:a', 9_000), { 'chat:a': 'asked 9000' }],
      [(at) => Object.assign(at.profiles.a as Profile, { baseUrl: 'https://new.example' }), { 'chat:a': 'free' }],
    ],
  ],
  [
    'a clock that is set back makes no waiting time longer, and what is sent after it is new',
    [
      [(at) => at.asks('chat:a', 9_000), { 'chat:a': 'asked 9000' }],
      [(at) => at.clock.set(at.clock.now() - 7_200_000), { 'chat:a': 'asked 9000' }],
      [(at) => at.clock.advance(1_000).then(() => at.accepts('chat:a')), { 'chat:a': 'one' }],
      [(at) => at.restart(), { 'chat:a': 'free' }],
    ],
  ],
  [
    'a waiting time outlives a restart, unless it is over, is a day ahead, or was asked by another address',
    [
      [(at) => at.asks('chat:a', 9_000), { 'chat:a': 'asked 9000' }],
      [(at) => at.clock.advance(1_000).then(() => at.restart()), { 'chat:a': 'asked 8000' }],
      [(at) => at.clock.set(at.clock.now() - 86_400_000), { 'chat:a': 'asked 8000' }],
      [(at) => at.restart(), { 'chat:a': 'free' }],
      [(at) => at.asks('chat:a', 9_000), { 'chat:a': 'asked 9000' }],
      [(at) => Object.assign(at.profiles.a as Profile, { baseUrl: 'https://new.example' }), { 'chat:a': 'free' }],
      [(at) => at.restart(), { 'chat:a': 'free' }],
    ],
  ],
];

describe('the next request of a lane', () => {
  test.each(rows)('%s', async (_name, steps) => {
    const at = gates();
    for (const [does, expected] of steps) {
      await does(at);
      expect(Object.fromEntries(Object.keys(expected).map((lane) => [lane, at.waits(lane)]))).toEqual(expected);
    }
  });

  test('counts what the lane sent before a restart, and not what a clock that was set back makes later than now', () => {
    expect(gates([-40_000, -10_000]).waits('preview:a')).toBe('perMinute 20000');
    expect(gates([-10_000, 1]).waits('preview:a')).toBe('one');
  });

  test('goes out alone after a pause, faster every second, and then freely', async () => {
    const at = gates();
    at.asks('chat:a', 1_000);
    await at.clock.advance(1_000);
    const perSecond: number[] = [];
    for (let ms = 0; at.waits('chat:a') !== 'free' && ms < 10_000; ms++) {
      if (at.waits('chat:a') === 'one') {
        perSecond[Math.floor(ms / 1_000)] = (perSecond[Math.floor(ms / 1_000)] ?? 0) + 1;
        at.sends('chat:a');
      }
      await at.clock.advance(1);
    }
    expect(perSecond[0]).toBeLessThanOrEqual(15);
    expect(perSecond).toEqual([...perSecond].sort((a, b) => a - b));
    expect(perSecond.length).toBeLessThan(7);
  });
});

test('polls share the waiting time of the host, and a poll of a new task waits for no polls that fail', () => {
  const at = gates();
  for (let n = 0; n < 5; n++) at.fails(pollLaneOf('a'), n);
  expect([at.limits().pollWaitMs('a'), at.limits().pollWaitMs('a', true), at.waits('chat:a')]).toEqual([
    2_000,
    0,
    'free',
  ]);
  at.isAway('chat:b');
  expect([at.limits().pollWaitMs('a', true), at.limits().pollWaitMs('c')]).toEqual([2_000, 0]);
  expect([at.limits().isOffline('a'), at.limits().isOffline('c')]).toEqual([true, false]);
  expect(noticesOf(at.events)).toHaveLength(2);
});

test('a host that a profile no longer names is said to be back under its own name', async () => {
  const at = gates();
  at.isAway('chat:a');
  Object.assign(at.profiles.a as Profile, { baseUrl: 'https://new.example' });
  at.passesTests();
  await at.clock.advance(3_000);
  const about = 'host https://gateway.example';
  expect(at.events).toMatchObject([
    { level: 'error', about },
    { level: 'info', about },
  ]);
});
