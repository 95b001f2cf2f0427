import { describe, expect, it } from 'vitest';
import { acceptance, aVideo, startEngine, VIDEO_NANO } from '../../../../test/helpers/engineHarness.ts';
import { type NightHarness, nightsOfThisFile } from '../../../../test/helpers/nightHarness.ts';
import { settle, TestClock } from '../../../../test/helpers/testPorts.ts';
import type { Gateway } from '../gateway/index.ts';

/** What the user changes of a queue while it runs: a lane, many jobs, one that is being sent. */

const start = nightsOfThisFile();

function running(): NightHarness {
  const harness = start({ profile: { limits: { videosAtOnce: 100 } } });
  harness.service.submit = () => acceptance(harness.clock);
  return harness;
}

describe('a lane is paused while the queue runs', () => {
  const lane = { kind: 'video', profileId: 'p' };

  it('from the call on nothing of it is sent, whatever is pressed, and other lanes go on', async () => {
    const { engine, enqueue, script, job } = running();
    await enqueue(aVideo);
    expect(script.sent).toBe(1);
    await engine.commands.setPaused(true, lane);
    const { id } = await enqueue(aVideo);
    await engine.commands.retry({ id });
    for (const isPaused of [true, false]) await engine.commands.setPaused(isPaused);
    await settle();
    expect([script.sent, job(id).reason]).toEqual([1, 'paused']);
    await enqueue({ kind: 'imagine', prompt: 'A quay' });
    expect(script.sent).toBe(2);
    await engine.commands.setPaused(false, lane);
    await settle();
    expect([script.sent, job(id).state]).toEqual([3, 'running']);
  });

  it('also in the turn in which its jobs are about to be sent', async () => {
    const { engine, many, script, job } = running();
    await engine.commands.setPaused(true);
    const ids = await many(30);
    await Promise.all([engine.commands.setPaused(false), engine.commands.setPaused(true, lane)]);
    await settle();
    expect(script.sent).toBe(0);
    expect(new Set(ids.map((id) => job(id).reason))).toEqual(new Set(['paused']));
  });
});

describe('many go into a night at once', () => {
  async function waiting(count: number) {
    const harness = running();
    await harness.engine.commands.setPaused(true);
    harness.plan();
    const ids = await harness.many(count);
    const inNight = () => ids.filter((id) => harness.job(id).runId !== undefined).length;
    const { assignNight } = harness.engine.many;
    const assign = (input: object) => assignNight.call(harness.engine.many, { night: true, ...input });
    return { ...harness, ids, inNight, assign };
  }

  // One slice, and several.
  it.each([3, 60])('%i of them: all or none, at the price that was shown', async (count) => {
    const { engine, script, ids, inNight, assign } = await waiting(count);
    const figures = await engine.many.figures({ ids });
    const shown = figures.ok ? figures.data.waitingPrice : undefined;
    expect(shown?.estimateNano).toBe(count * VIDEO_NANO);
    const stale = { ...shown, estimateNano: count * VIDEO_NANO - 1 };
    expect(await assign({ ids, shown: stale })).toMatchObject({ error: { code: 'conflict' } });
    expect(await assign({ ids: [...ids, 'job_gone'] })).toMatchObject({ error: { code: 'not_found' } });
    engine.commands.cancel(ids[1] ?? '');
    expect(await assign({ ids })).toMatchObject({ error: { code: 'wrong_state' } });
    expect(inNight()).toBe(0);
    // By a rule, only what waits is meant.
    expect(await assign({ filter: { kinds: ['video'] } })).toEqual({ ok: true, data: null });
    expect(inNight()).toBe(count - 1);
    await engine.commands.setPaused(false);
    await settle();
    expect(script.sent).toBe(0);
  });
});

describe('a job is edited while it is about to be sent', () => {
  async function steps(count: number): Promise<void> {
    for (let n = 0; n < count; n += 1) await Promise.resolve();
  }

  /** Edits a job, and lets the queue go on, each after so many steps of other work; what was sent, and what the job says. */
  async function race(beforeEdit: number, beforeQueue: number) {
    const sent: string[] = [];
    const clock = new TestClock();
    const submitVideo: Gateway['submitVideo'] = async (order) => {
      sent.push(JSON.stringify(order));
      return acceptance(clock);
    };
    const { engine, enqueue, job, close } = startEngine({ clock, script: { gateway: { submitVideo } } });
    const asked = (prompt: string) => ({ kind: 'video', model: 'video-standard', prompt }) as const;
    await engine.commands.setPaused(true);
    const { id } = await enqueue(asked('As it was'));
    const [edited] = await Promise.all([
      steps(beforeEdit).then(() => engine.commands.edit({ id, request: asked('As edited') })),
      steps(beforeQueue).then(() => engine.commands.setPaused(false)),
    ]);
    await settle();
    const { request } = job(id);
    await close();
    return { sent, edited, says: 'prompt' in request ? request.prompt : undefined };
  }

  it('what is sent is what the job says, and an edit that comes too late is refused', async () => {
    const outcomes = new Set<string | undefined>();
    const turns = [0, 1, 2, 4, 8, 16, 32, 64];
    for (const [beforeEdit, beforeQueue] of turns.flatMap((n) => [[n, 0] as const, [0, n] as const])) {
      const { sent, edited, says } = await race(beforeEdit, beforeQueue);
      expect(says).toBe(edited.ok ? 'As edited' : 'As it was');
      expect(sent).toEqual([expect.stringContaining(String(says))]);
      if (!edited.ok) expect(edited.error.code).toBe('wrong_state');
      outcomes.add(says);
    }
    expect(outcomes).toEqual(new Set(['As edited', 'As it was']));
  });
});
