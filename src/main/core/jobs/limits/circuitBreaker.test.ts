import { describe, expect, test } from 'vitest';
import { CircuitBreaker } from './circuitBreaker.ts';
import { RetryAfterHolds } from './retryAfterHolds.ts';
import { SlowStart } from './slowStart.ts';

const rules = { failures: 3, jobs: 2, firstPauseMs: 2_000, longestPauseMs: 10_000 };

const of = (jobId: string, failure = '503') => ({ jobId, failure });

describe('a circuit breaker', () => {
  test('opens at the third consecutive failure, from at least two jobs, and reports it once', () => {
    const circuit = new CircuitBreaker(rules);
    expect([circuit.recordFailure(0, of('a')), circuit.recordFailure(0, of('b')), circuit.recordSuccess()]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect([
      circuit.recordFailure(0, of('a')),
      circuit.recordFailure(0, of('a')),
      circuit.recordFailure(0, of('a')),
    ]).toEqual([undefined, undefined, undefined]);
    expect(circuit.isOpen).toBe(false);
    expect(circuit.recordFailure(0, of('b'))).toBe('opened');
    expect(circuit.recordFailure(0, of('c'))).toBeUndefined();
    expect(circuit.waitMs(0)).toBe(2_000);
  });

  test('allows one attempt at a time, with growing pauses, and closes when one succeeds', () => {
    const circuit = new CircuitBreaker({ ...rules, failures: 1, jobs: 1 });
    let now = 0;
    circuit.recordFailure(now, of('a'));
    const pauses: number[] = [];
    for (let n = 0; n < 5; n++) {
      pauses.push(circuit.waitMs(now));
      now += circuit.waitMs(now);
      circuit.attemptStarted(now);
      expect(circuit.waitMs(now)).toBeGreaterThan(0);
      circuit.recordFailure(now, of('a'));
    }
    expect(pauses).toEqual([2_000, 4_000, 8_000, 10_000, 10_000]);
    expect(circuit.recordSuccess()).toBe('closed');
    expect(circuit.recordSuccess()).toBeUndefined();
    expect(circuit.waitMs(now)).toBe(0);
  });

  test('stays closed for failures of different types; while open, another type is retried soon', () => {
    const circuit = new CircuitBreaker(rules);
    for (let n = 0; n < 12; n++)
      expect(circuit.recordFailure(0, of(`${n}`, ['502', '503', 'network'][n % 3]))).toBeUndefined();
    for (let n = 0; n < 3; n++) circuit.recordFailure(0, of(`${n}`));
    for (const [now, sort] of [
      [2_000, '503'],
      [6_000, '503'],
      [14_000, '502'],
    ] as const) {
      circuit.attemptStarted(now);
      circuit.recordFailure(now, of('a', sort));
    }
    expect(circuit.waitMs(14_000)).toBe(2_000);
  });

  test('the failure of a request sent before it opened does not lengthen the pause', () => {
    const circuit = new CircuitBreaker({ ...rules, failures: 1, jobs: 1 });
    circuit.recordFailure(0, of('a'));
    for (let n = 0; n < 50; n++) circuit.recordFailure(500, of(`${n}`));
    expect(circuit.waitMs(500)).toBe(1_500);
  });

  test('an attempt that never ends does not keep it open forever', () => {
    const circuit = new CircuitBreaker({ ...rules, failures: 1, jobs: 1 });
    circuit.recordFailure(0, of('a'));
    circuit.attemptStarted(2_000);
    expect(circuit.waitMs(32_000)).toBe(0);
  });
});

describe('a waiting time that a service asked for', () => {
  const holds = () => new RetryAfterHolds(() => 0);

  test('holds its lane, and no other', () => {
    const held = holds();
    held.rateLimited('h', 'image:a', { now: 0, sentAt: 0, retryAfterMs: 37_000 });
    expect(held.waitMs('h', 'image:a', 0)).toBe(37_000);
    expect(held.waitMs('h', 'image:a', 37_000)).toBe(0);
    held.rateLimited('h', 'image:b', { now: 0, sentAt: 0, retryAfterMs: 37_000 });
    expect([held.waitMs('h', 'video:a', 0), held.waitMs('other', 'image:a', 0)]).toEqual([0, 0]);
  });

  test('holds the whole host if two lanes of a profile receive one at the same time', () => {
    const held = holds();
    held.rateLimited('h', 'image:a', { now: 0, sentAt: 0, retryAfterMs: 20_000 });
    held.rateLimited('h', 'poll:a', { now: 5_000, sentAt: 4_000, retryAfterMs: 5_000 });
    expect([held.waitMs('h', 'chat:b', 5_000), held.waitMs('other', 'chat:b', 5_000)]).toEqual([15_000, 0]);
  });

  test('without a time is 1, 2, 4 … s, a burst counted once, until a request is accepted', () => {
    const held = holds();
    let now = 0;
    const waits: number[] = [];
    for (let n = 0; n < 4; n++) {
      for (let order = 0; order < 4; order++) held.rateLimited('h', 'chat:a', { now: now + 10 + order, sentAt: now });
      waits.push(held.waitMs('h', 'chat:a', now + 10));
      now += 10 + held.waitMs('h', 'chat:a', now + 10);
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000]);
    held.accepted('h', 'chat:a', { now, sentAt: now });
    held.rateLimited('h', 'chat:a', { now, sentAt: now });
    expect(held.waitMs('h', 'chat:a', now)).toBe(1_000);
  });

  test('can be lengthened by a later answer of the same burst, never shortened, and never exceeds five minutes', () => {
    const held = holds();
    held.rateLimited('h', 'chat:a', { now: 100, sentAt: 0, retryAfterMs: 10_000 });
    held.rateLimited('h', 'chat:a', { now: 200, sentAt: 0, retryAfterMs: 1_000 });
    expect(held.waitMs('h', 'chat:a', 200)).toBe(9_900);
    held.rateLimited('h', 'chat:a', { now: 300, sentAt: 0, retryAfterMs: 86_400_000 });
    expect(held.waitMs('h', 'chat:a', 300)).toBe(300_000);
  });
});

test('a hold that is restored for many jobs counts as one request to wait', () => {
  const held = new RetryAfterHolds(() => 0);
  for (let job = 0; job < 20; job++) held.restore('h', 'chat:a', 3_000, 0);
  expect(held.waitMs('h', 'chat:a', 0)).toBe(3_000);
  held.rateLimited('h', 'chat:a', { now: 3_000, sentAt: 3_000 });
  expect(held.waitMs('h', 'chat:a', 3_000)).toBe(2_000);
});

test('after a pause requests are sent one by one, faster every second, and then freely', () => {
  const start = new SlowStart();
  start.begin(0);
  const perSecond: number[] = [];
  let now = 0;
  for (; start.isOn(now); now += start.waitMs(now)) {
    const second = Math.floor(now / 1_000);
    perSecond[second] = (perSecond[second] ?? 0) + 1;
    start.sent(now);
  }
  expect(perSecond[0]).toBeLessThanOrEqual(15);
  expect(perSecond).toEqual([...perSecond].sort((a, b) => a - b));
  expect(now).toBeLessThan(7_000);
  expect(start.waitMs(now)).toBe(0);
});
