import { describe, expect, test } from 'vitest';
import { aVideo, finished, refusal } from '../../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../../test/helpers/engineHarnesses.ts';
import { enqueue, service, slowDown, states, taken } from '../../../../../test/helpers/limitedService.ts';
import { TestClock } from '../../../../../test/helpers/testPorts.ts';
import type { Gateway } from '../../gateway/index.ts';

const start = engineHarnesses();

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
    const { clock, sends, gateway } = service((_kind, n) => (n <= 2 ? slowDown(60_000) : taken(clock, n)));
    const harness = start({ clock, script: { gateway }, profile: { limits: { imagesAtOnce: 4 } } });
    const [refused = ''] = await enqueue(harness, 1);
    const batch = await enqueue(harness, 3);
    expect(sends).toHaveLength(2);
    await clock.advance(1_000);
    expect(states(harness, [refused, ...batch])).toEqual({ blocked: 2, queued: 2 });
    const [prioritized = ''] = await enqueue(harness, 1);
    expect(harness.job(prioritized).state).toBe('running');
    // It was accepted, so jobs that were never refused go on; the refused ones keep their waiting time.
    await clock.advance(1_000);
    expect(states(harness, [refused, ...batch])).toEqual({ blocked: 2, running: 2 });
    await clock.advance(56_000);
    expect(sends).toHaveLength(5);
    await clock.advance(5_000);
    expect(states(harness, [refused, ...batch, prioritized])).toEqual({ running: 4, queued: 1 });
  });

  test('a long hold of earlier jobs does not lengthen the short one of a later job, nor that of another kind', async () => {
    const { clock, sends, gateway } = service((_kind, n) =>
      n === 1 ? slowDown(200_000) : n <= 3 ? slowDown(2_000) : taken(clock, n),
    );
    const harness = start({ clock, script: { gateway } });
    const [first = ''] = await enqueue(harness, 1);
    await clock.advance(5_000);
    const [image = ''] = await enqueue(harness, 1);
    const [video = ''] = await enqueue(harness, 1, aVideo);
    await clock.advance(1_900);
    expect(sends).toHaveLength(3);
    await clock.advance(1_000);
    expect([image, video].map((id) => harness.job(id).state)).toEqual(['running', 'running']);
    await clock.advance(190_000);
    expect(harness.job(first)).toMatchObject({ state: 'blocked', reason: 'rate' });
    await clock.advance(5_000);
    expect(harness.job(first).state).toBe('running');
  });

  test('one job is told to wait, and the fifty behind it wait too; other kinds go on', async () => {
    const { clock, sends, gateway } = service((kind, n) =>
      kind === 'image' && sends.length === 1 ? slowDown(37_000) : taken(clock, n),
    );
    const harness = start({ clock, script: { gateway }, profile: { limits: { imagesAtOnce: 1, videosAtOnce: 3 } } });
    const ids = await enqueue(harness, 51);
    await enqueue(harness, 3, aVideo);
    await clock.advance(36_900);
    expect(sends.filter(({ kind }) => kind === 'image')).toHaveLength(1);
    expect(sends.filter(({ kind }) => kind === 'video')).toHaveLength(3);
    expect(harness.job(ids[0] ?? '')).toMatchObject({
      state: 'blocked',
      reason: 'rate',
      error: { kind: 'rate_limit' },
    });
    await clock.advance(1_000);
    expect(sends.filter(({ kind }) => kind === 'image')).toHaveLength(2);
  });

  test('a job that becomes due in the middle of a pass is not forgotten', async () => {
    for (let looks = 1; looks <= 15; looks++) {
      const { sends, gateway } = service((_kind, n) => (n === 1 ? slowDown(60_000) : taken(new TestClock(), n)));
      const harness = start({ clock: earlyClock(looks), script: { gateway } });
      await enqueue(harness, 1);
      await harness.clock.advance(70_000);
      expect(sends).toHaveLength(2);
    }
  });

  test('a job that waits for its next attempt goes on, though the clock is set back', async () => {
    const { clock, sends, gateway } = service((_kind, n) =>
      n === 1 ? refusal({ status: 500, retryable: true }) : taken(clock, n),
    );
    const harness = start({ clock, script: { gateway } });
    const [id = ''] = await enqueue(harness, 1);
    expect(harness.job(id)).toMatchObject({ state: 'queued', nextAt: expect.any(Number) });
    clock.set(clock.now() - 24 * 3_600_000);
    await clock.advance(60_000);
    expect(sends).toHaveLength(2);
  });

  test('the hold survives a restart', async () => {
    const { clock, sends, gateway } = service((_kind, n) => (n === 1 ? slowDown(60_000) : taken(clock, n)));
    const profile = { limits: { imagesAtOnce: 1 } };
    const before = start({ clock, script: { gateway }, profile });
    const [first = ''] = await enqueue(before, 3);
    const after = start({ clock, script: { gateway }, profile, dataDir: before.dataDir });
    await clock.advance(59_000);
    expect(after.job(first)).toMatchObject({ state: 'blocked', reason: 'rate' });
    expect(sends).toHaveLength(1);
  });
});

describe('an answer that says when to ask again', () => {
  const soon = (status: number, retryAfterMs?: number) =>
    refusal({ kind: 'server', retryable: true, status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });

  test('is waited for, however often it comes, and fails no job', async () => {
    const { clock, sends, gateway } = service((_, n) => (n <= 50 ? soon(503, 5_000) : taken(clock, n)));
    const harness = start({ clock, script: { gateway } });
    const [id = ''] = await enqueue(harness, 1);
    await clock.advance(6 * 60_000);
    expect(harness.job(id).state).toBe('running');
    expect(sends).toHaveLength(51);
  });

  test('uses up none of the attempts at a service that fails', async () => {
    const { clock, gateway } = service((_, n) => (n <= 15 ? slowDown(2_000) : n === 16 ? soon(503) : taken(clock, n)));
    const harness = start({ clock, script: { gateway } });
    const [id = ''] = await enqueue(harness, 1);
    await clock.advance(5 * 60_000);
    expect(harness.job(id).state).toBe('running');
  });

  test('that one job gets again and again keeps none of the others from being sent', async () => {
    const clock = new TestClock();
    const sent: string[] = [];
    const submitImagine: Gateway['submitImagine'] = async ({ prompt }) => {
      sent.push(prompt);
      return prompt === 'at its limit' ? slowDown() : { ...finished('gs://made/one.png'), type: 'done' };
    };
    const harness = start({ clock, script: { gateway: { submitImagine } }, profile: { limits: { imagesAtOnce: 1 } } });
    await enqueue(harness, 1, { kind: 'imagine', prompt: 'at its limit' });
    await enqueue(harness, 40, { kind: 'imagine', prompt: 'of another model' });
    await clock.advance(10 * 60_000);
    expect(sent.filter((prompt) => prompt === 'of another model')).toHaveLength(40);
    expect(sent.length).toBeLessThan(55);
  });

  test.each([0, 8, 999])('after %i ms is an answer without a time', async (ms) => {
    const { clock, sends, gateway } = service(() => slowDown(ms));
    const harness = start({ clock, script: { gateway } });
    const [id = ''] = await enqueue(harness, 1);
    await clock.advance(10 * 60_000);
    expect(harness.job(id)).toMatchObject({ state: 'blocked', reason: 'rate' });
    expect(sends.length).toBeLessThan(15);
  });
});
