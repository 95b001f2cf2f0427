import { describe, expect, test } from 'vitest';
import { aVideo, type EngineHarness, finished, refusal } from '../../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../../test/helpers/engineHarnesses.ts';
import { imagine, service, slowDown, states, taken } from '../../../../../test/helpers/limitedService.ts';
import { TestClock } from '../../../../../test/helpers/testPorts.ts';
import type { StudioRequest } from '../../../../shared/kinds/index.ts';
import type { Gateway, SubmitOutcome } from '../../gateway/index.ts';

const start = engineHarnesses();

/** A service whose nth answer is the nth of these; it takes what comes after them. */
function answering(answers: readonly SubmitOutcome[], limits: object = {}) {
  const { clock, sends, gateway } = service((_kind, n) => answers[n - 1] ?? taken(clock, n));
  return { clock, sends, gateway, harness: start({ clock, script: { gateway }, profile: { limits } }) };
}
const times = (count: number, outcome: SubmitOutcome) => Array<SubmitOutcome>(count).fill(outcome);

/** A clock whose timers fire a millisecond early, as real ones may; that millisecond passes after some reads of the clock. */
function earlyClock(looks: number): TestClock {
  const clock = new TestClock();
  const { now, after } = clock;
  let early = 0;
  let left = 0;
  clock.now = () => {
    if (left > 0 && --left === 0) early -= 1;
    return now() - early;
  };
  clock.after = (ms, run) =>
    after(Math.max(0, ms - 1), () => {
      if (left === 0) left = looks;
      run();
    });
  return clock;
}

describe('asked to slow down', () => {
  test('a job that the user asks for meanwhile is tried at once, one of them; the refused one keeps its time', async () => {
    const { clock, sends, harness } = answering(times(2, slowDown(60_000)), { imagesAtOnce: 4 });
    const ids = [...(await harness.many(1, imagine)), ...(await harness.many(3, imagine))];
    expect(sends).toHaveLength(2);
    await clock.advance(1_000);
    expect(states(harness, ids)).toEqual({ blocked: 2, queued: 2 });
    const [prioritized = ''] = await harness.many(1, imagine);
    expect(harness.job(prioritized).state).toBe('running');
    // It was accepted, so jobs that were never refused go on; the refused ones keep their waiting time.
    await clock.advance(1_000);
    expect(states(harness, ids)).toEqual({ blocked: 2, running: 2 });
    await clock.advance(56_000);
    expect(sends).toHaveLength(5);
    await clock.advance(5_000);
    expect(states(harness, [...ids, prioritized])).toEqual({ running: 4, queued: 1 });
  });

  test('a long hold of earlier jobs does not lengthen the short one of a later job, nor that of another kind', async () => {
    const { clock, sends, harness } = answering([slowDown(200_000), ...times(2, slowDown(2_000))]);
    const [first = ''] = await harness.many(1, imagine);
    await clock.advance(5_000);
    const later = [...(await harness.many(1, imagine)), ...(await harness.many(1, aVideo))];
    await clock.advance(1_900);
    expect(sends).toHaveLength(3);
    await clock.advance(1_000);
    expect(states(harness, later)).toEqual({ running: 2 });
    await clock.advance(190_000);
    expect(harness.job(first)).toMatchObject({ state: 'blocked', reason: 'rate' });
    await clock.advance(5_000);
    expect(harness.job(first).state).toBe('running');
  });

  test('one job is told to wait, and the fifty behind it wait too, also after a restart; other kinds go on', async () => {
    const { clock, sends, gateway, harness } = answering([slowDown(37_000)], { imagesAtOnce: 1, videosAtOnce: 3 });
    const [first = ''] = await harness.many(51, imagine);
    await harness.many(3, aVideo);
    const sent = (kind: string) => sends.filter((send) => send.kind === kind).length;
    await clock.advance(20_000);
    expect([sent('image'), sent('video')]).toEqual([1, 3]);
    const { dataDir, profile } = harness;
    const after = start({ clock, script: { gateway }, profile, dataDir });
    await clock.advance(16_900);
    expect(sent('image')).toBe(1);
    const waits = { state: 'blocked', reason: 'rate', error: { kind: 'rate_limit' } };
    expect(after.job(first)).toMatchObject(waits);
    await clock.advance(1_000);
    expect(sent('image')).toBeGreaterThan(1);
  });

  test('a job that becomes due in the middle of a pass is not forgotten', async () => {
    for (let looks = 1; looks <= 15; looks++) {
      const { sends, gateway } = service((_kind, n) => (n === 1 ? slowDown(60_000) : taken(new TestClock(), n)));
      const harness = start({ clock: earlyClock(looks), script: { gateway } });
      await harness.many(1, imagine);
      await harness.clock.advance(70_000);
      expect(sends, 'sent again under its key').toMatchObject([{}, { key: sends[0]?.key }]);
    }
  });
});

describe('though the clock is set back', () => {
  const DAY = 24 * 3_600_000;

  test.each([
    ['slow down', slowDown(5_000), 'blocked'],
    ['too slow', refusal({ kind: 'timeout', status: 408, retryable: true }), 'blocked'],
    ['an error', refusal({ status: 500, retryable: true }), 'queued'],
  ])('a job that was answered with %s goes on', async (_, answer, state) => {
    const { clock, harness } = answering([answer]);
    const [id = ''] = await harness.many(1, imagine);
    expect(harness.job(id)).toMatchObject({ state, nextAt: expect.any(Number) });
    clock.set(clock.now() - DAY);
    await clock.advance(60_000);
    expect(harness.job(id).state).toBe('running');
  });

  test('it goes on after a restart too', async () => {
    const { clock, gateway, harness } = answering([slowDown(5_000)]);
    const [id = ''] = await harness.many(1, imagine);
    clock.set(clock.now() - DAY);
    const after = start({ clock, dataDir: harness.dataDir, script: { gateway } });
    await clock.advance(60_000);
    expect(after.job(id).state).toBe('running');
  });
});

describe('an answer that says when to ask again', () => {
  const soon = (status: number, retryAfterMs?: number) =>
    refusal({ kind: 'server', retryable: true, status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });

  test('is waited for, however often it comes, and fails no job', async () => {
    const { clock, sends, harness } = answering(times(50, soon(503, 5_000)));
    const [id = ''] = await harness.many(1, imagine);
    await clock.advance(6 * 60_000);
    expect(harness.job(id).state).toBe('running');
    expect(sends).toHaveLength(51);
  });

  test('that one job gets again and again keeps none of the others from being sent', async () => {
    const sent: string[] = [];
    const submitImagine: Gateway['submitImagine'] = async ({ prompt }) => {
      sent.push(prompt);
      return prompt === 'at its limit' ? slowDown() : { ...finished('gs://made/one.png'), type: 'done' };
    };
    const { clock, many } = start({ script: { gateway: { submitImagine } }, profile: { limits: { imagesAtOnce: 1 } } });
    const named = (prompt: string): StudioRequest => ({ kind: 'imagine', prompt });
    await many(1, named('at its limit'));
    await many(40, named('of another model'));
    await clock.advance(10 * 60_000);
    expect(sent.filter((prompt) => prompt === 'of another model')).toHaveLength(40);
    expect(sent.length).toBeLessThan(55);
  });

  test.each([0, 8, 999])('after %i ms is an answer without a time', async (ms) => {
    const { clock, sends, harness } = answering(times(99, slowDown(ms)));
    const [id = ''] = await harness.many(1, imagine);
    await clock.advance(10 * 60_000);
    expect(harness.job(id)).toMatchObject({ state: 'blocked', reason: 'rate' });
    expect(sends.length).toBeLessThan(15);
  });
});

test.each<[string, (harness: EngineHarness, id: string) => unknown]>([
  ['the job was asked for', ({ engine }, id) => engine.commands.retry({ id })],
  ['the job was canceled', ({ engine }, id) => engine.commands.cancel(id)],
])('a waiting time survives a restart after %s, and is none at another address', async (_what, command) => {
  for (const baseUrl of [undefined, 'http://127.0.0.1:2']) {
    const { clock, sends, gateway, harness } = answering([slowDown(60_000)], { imagesAtOnce: 1 });
    const [first = ''] = await harness.many(3, imagine);
    expect(await command(harness, first)).toMatchObject({ ok: true });
    await harness.close();
    const profile = { limits: { imagesAtOnce: 1 }, ...(baseUrl ? { baseUrl } : {}) };
    start({ clock, script: { gateway }, dataDir: harness.dataDir, profile });
    await clock.advance(baseUrl ? 2_000 : 59_000);
    expect(sends).toHaveLength(baseUrl ? 2 : 1);
    await clock.advance(2_000);
    expect(sends.length).toBeGreaterThan(1);
  }
});
