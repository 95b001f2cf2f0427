import { describe, expect, it } from 'vitest';
import { acceptance, aVideo, startEngine, VIDEO_NANO } from '../../../../test/helpers/engineHarness.ts';
import { type NightHarness, nightsOfThisFile } from '../../../../test/helpers/nightHarness.ts';
import { settle, TestClock } from '../../../../test/helpers/testPorts.ts';
import type { Gateway } from '../gateway/index.ts';

/** What the user changes of a queue while it runs: a lane, many jobs, one that is being sent. */

const start = nightsOfThisFile();

function running(options: Parameters<typeof start>[0] = {}): NightHarness {
  const harness = start({ profile: { limits: { videosAtOnce: 100 } }, ...options });
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
    await engine.commands.setPaused(true);
    await engine.commands.setPaused(false);
    await settle();
    expect([script.sent, job(id).reason]).toEqual([1, 'paused']);
    await enqueue({ kind: 'imagine', prompt: 'A quay' });
    expect(script.sent).toBe(2);
    await engine.commands.setPaused(false, lane);
    await settle();
    expect([script.sent, job(id).state]).toEqual([3, 'running']);
  });

  it('also in the turn in which its jobs are about to be sent', async () => {
    const { engine, enqueue, script, job } = running();
    await engine.commands.setPaused(true);
    const ids: string[] = [];
    for (let n = 0; n < 30; n += 1) ids.push((await enqueue(aVideo)).id);
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
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) ids.push((await harness.enqueue(aVideo)).id);
    const inNight = () => ids.filter((id) => harness.job(id).runId !== undefined).length;
    return { harness, ids, inNight };
  }

  // One slice, and several.
  it.each([3, 60])('%i of them: all or none, at the price that was shown', async (count) => {
    const { harness, ids, inNight } = await waiting(count);
    const { many, commands } = harness.engine;
    const price = { estimateNano: count * VIDEO_NANO, lowNano: 0, unpriced: 0 };
    const figures = await many.figures({ ids });
    const shown = figures.ok ? figures.data.waitingPrice : price;
    expect(shown.estimateNano).toBe(price.estimateNano);
    const stale = { ...shown, estimateNano: shown.estimateNano - 1 };
    expect(await many.assignNight({ ids, night: true, shown: stale })).toMatchObject({ error: { code: 'conflict' } });
    const gone = { ids: [...ids, 'job_gone'], night: true };
    expect(await many.assignNight(gone)).toMatchObject({ error: { code: 'not_found' } });
    expect(inNight()).toBe(0);
    commands.cancel(ids[1] ?? '');
    expect(await many.assignNight({ ids, night: true })).toMatchObject({ error: { code: 'wrong_state' } });
    expect(inNight()).toBe(0);
    // By a rule, only what waits is meant.
    expect(await many.assignNight({ filter: { kinds: ['video'] }, night: true })).toEqual({ ok: true, data: null });
    expect(inNight()).toBe(count - 1);
    await commands.setPaused(false);
    await settle();
    expect(harness.script.sent).toBe(0);
  });

  it('and the money under its cap goes to the first of the queue', async () => {
    const { harness, ids } = await waiting(60);
    harness.plan({ capNano: 5 * VIDEO_NANO });
    await harness.engine.many.assignNight({ ids: [...ids].reverse(), night: true });
    await settle();
    expect(ids.filter((id) => harness.job(id).money.reservedNano > 0)).toEqual(ids.slice(0, 5));
  });
});

describe('a job is edited while it is about to be sent', () => {
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

  async function steps(count: number): Promise<void> {
    for (let n = 0; n < count; n += 1) await Promise.resolve();
  }

  it('what is sent is what the job says, and an edit that comes too late is refused', async () => {
    const outcomes = new Set<string | undefined>();
    for (const n of [0, 1, 2, 4, 8, 16, 32, 64])
      for (const [beforeEdit, beforeQueue] of [
        [n, 0],
        [0, n],
      ] as const) {
        const { sent, edited, says } = await race(beforeEdit, beforeQueue);
        expect(says).toBe(edited.ok ? 'As edited' : 'As it was');
        expect(sent).toEqual([expect.stringContaining(String(says))]);
        if (!edited.ok) expect(edited.error.code).toBe('wrong_state');
        outcomes.add(says);
      }
    expect(outcomes).toEqual(new Set(['As edited', 'As it was']));
  });
});
