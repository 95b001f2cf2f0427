import { describe, expect, test } from 'vitest';
import { aVideo, error, lostAnswer, refusal } from '../../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../../test/helpers/engineHarnesses.ts';
import { imagine, noticesOf, service, states, taken } from '../../../../../test/helpers/limitedService.ts';
import type { Gateway } from '../../gateway/index.ts';

const start = engineHarnesses();
type Service = ReturnType<typeof service>;
const at = ({ clock, gateway }: Pick<Service, 'clock' | 'gateway'>, limits: object = {}, more: Partial<Gateway> = {}) =>
  start({ clock, script: { gateway: { ...gateway, ...more } }, profile: { limits } });

test('an old request of the user is not tried early: an outage at night takes its five jobs, however they were enqueued', async () => {
  const { clock, sends, gateway } = service(() => lostAnswer);
  const harness = at({ clock, gateway }, { videosAtOnce: 1 });
  for (let n = 0; n < 12; n++) await harness.enqueue(aVideo, { notBefore: clock.now() + 3_600_000 });
  await clock.advance(3_601_000);
  expect(sends).toHaveLength(5);
});

describe('an outage', () => {
  const busy = refusal({ kind: 'server', retryable: true, status: 503, message: 'Overloaded.' });

  test('allows one attempt at a time, notifies once of each change, fails no job, and then all are sent with delays', async () => {
    let down = true;
    const { clock, sends, gateway } = service((_kind, n) => (down ? busy : taken(clock, n)));
    const harness = at({ clock, gateway }, { imagesAtOnce: 100 });
    const ids = await harness.many(100, imagine);
    const atOnce = sends.length;
    await clock.advance(10 * 60_000);
    const tries = sends.slice(atOnce).map(({ at }) => at);
    expect(tries.length).toBeGreaterThan(8);
    expect(tries.length).toBeLessThan(25);
    expect(noticesOf(harness.events)).toEqual(['error: P keeps failing (Images). Dailies tries again until it works.']);
    expect(states(harness, ids)).toEqual({ queued: 100 });
    down = false;
    const back = clock.now();
    await clock.advance(90_000);
    expect(states(harness, ids)).toEqual({ running: 100 });
    expect(noticesOf(harness.events).slice(1)).toEqual(['info: P works again (Images).']);
    const abouts = harness.events.flatMap((event) => (event.type === 'notice' ? [event.about] : []));
    expect(abouts).toEqual([expect.stringMatching(/^lane image:/), abouts[0]]);
    const resumed = sends.filter(({ at }) => at >= back).map(({ at }) => at);
    const mostInOneMoment = Math.max(...resumed.map((at) => resumed.filter((other) => other === at).length));
    expect(mostInOneMoment).toBeLessThanOrEqual(2);
  });

  test('in which answers are lost leaves few costs in doubt: a free health check comes before the next submission', async () => {
    let tested = 0;
    let well = false;
    const { clock, sends, gateway } = service((_kind, n) => (well ? taken(clock, n) : lostAnswer));
    const test: Gateway['test'] = async () => {
      tested += 1;
      return { steps: [{ name: 'key', ok: well, message: '' }] };
    };
    const harness = at({ clock, gateway }, { imagesAtOnce: 1 }, { test });
    const ids = await harness.many(100, imagine);
    await clock.advance(6 * 3_600_000);
    expect(tested).toBeGreaterThan(10);
    expect(states(harness, ids).uncertain).toBeLessThan(20);
    const sent = sends.length;
    well = true;
    await clock.advance(3_600_000);
    expect(sends.length).toBeGreaterThan(sent);
    expect(noticesOf(harness.events).filter((text) => /Images/.test(text))).toHaveLength(2);
  });

  test('of one job alone stops no other, and the job fails after twenty minutes', async () => {
    const { clock, sends, gateway } = service((kind, n) => (kind === 'image' ? busy : taken(clock, n)));
    const harness = at({ clock, gateway });
    const [id = ''] = await harness.many(1, imagine);
    await clock.advance(25 * 60_000);
    expect(harness.job(id)).toMatchObject({ state: 'failed', error: { kind: 'server' } });
    expect(sends).toHaveLength(12);
  });
});

describe('offline', () => {
  const nobody = refusal({ kind: 'network', retryable: true, message: 'Nothing answers.' });

  test('is detected at the first job, notified once, ends by itself, and the waiting jobs are not sent all at once', async () => {
    let up = false;
    const { clock, sends, gateway } = service((_kind, n) => (up ? taken(clock, n) : nobody));
    const harness = at({ clock, gateway }, { imagesAtOnce: 500 });
    const [first = ''] = await harness.many(1, imagine);
    expect(harness.job(first).reason).toBe('offline');
    expect(harness.engine.status().offline).toBe(true);
    const ids = await harness.many(100, imagine);
    expect(sends.length).toBeLessThan(3);
    await clock.advance(10 * 60_000);
    expect(sends.length).toBeLessThan(20);
    up = true;
    await clock.advance(70_000);
    expect(harness.engine.status().offline).toBe(false);
    expect(states(harness, ids)).toEqual({ running: 100 });
    expect(noticesOf(harness.events)).toEqual([
      'error: P cannot be reached. Waiting jobs continue when it is back.',
      'info: P answers again. Waiting jobs continue.',
    ]);
    const times = sends.slice(-100).map(({ at }) => at);
    expect(new Set(times).size).toBeGreaterThan(50);
  });

  test('ends also when nothing waits any more: the host is probed', async () => {
    let up = false;
    const test: Gateway['test'] = async () => ({ steps: [{ name: 'connect', ok: up, message: '' }] });
    const { clock, gateway } = service(() => nobody);
    const harness = at({ clock, gateway }, {}, { test });
    const [id = ''] = await harness.many(1, imagine);
    harness.engine.commands.cancel(id);
    await clock.advance(300_000);
    const told = () => harness.events.flatMap((event) => (event.type === 'queue.changed' ? event.status.offline : []));
    expect([harness.engine.status().offline, told().at(-1)]).toEqual([true, true]);
    up = true;
    await clock.advance(70_000);
    expect([harness.engine.status().offline, told().at(-1)]).toEqual([false, false]);
  });

  test('is detected by a poll too, and the waiting tasks are not polled one after the other', async () => {
    let up = true;
    let polled = 0;
    const poll: Gateway['poll'] = async () => {
      polled += 1;
      return up ? { type: 'running' } : { type: 'unreachable', error: error({ kind: 'network' }) };
    };
    const { clock, gateway } = service((_kind, n) => taken(clock, n));
    const harness = at({ clock, gateway }, { imagesAtOnce: 100 }, { poll });
    const ids = await harness.many(100, imagine);
    await clock.advance(30_000);
    up = false;
    const before = polled;
    await clock.advance(10 * 60_000);
    expect(harness.engine.status().offline).toBe(true);
    expect(polled - before).toBeLessThan(30);
    up = true;
    await clock.advance(70_000);
    expect(harness.engine.status().offline).toBe(false);
    expect(states(harness, ids)).toEqual({ running: 100 });
  });

  test('polls that fail do not delay the first poll of a newly accepted task', async () => {
    const poll: Gateway['poll'] = async (task) =>
      task.id === 'task-7'
        ? { type: 'failed', error: error({ kind: 'invalid', status: 200 }), billed: 'no' }
        : { type: 'unreachable', error: error({ kind: 'server', status: 500 }) };
    const { clock, gateway } = service((_kind, n) => taken(clock, n));
    const harness = at({ clock, gateway }, { imagesAtOnce: 100 }, { poll });
    await harness.many(6, imagine);
    await clock.advance(5 * 60_000);
    const [fresh = ''] = await harness.many(1, imagine);
    await clock.advance(2_000);
    expect(harness.job(fresh).state).toBe('failed');
  });
});
