import { expect, test } from 'vitest';
import { acceptance, aVideo } from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { settle } from '../../../../test/helpers/testPorts.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';
import type { Store } from '../store/index.ts';
import { CLAIMED_PER_SLICE } from './sending/scheduler.ts';

const start = engineHarnesses();
const COUNT = 5 * CLAIMED_PER_SLICE + 1;

test.each([
  ['without a rate', { kind: 'imagine', prompt: 'A lamp' } as StudioRequest, { imagesAtOnce: COUNT }],
  ['with a rate', aVideo, { videosAtOnce: COUNT, videoPerMinute: 10_000 }],
])(
  'a lane that is free for many, %s, sends them a few in each turn of the event loop',
  async (_name, request, limits) => {
    let turn = 0;
    const claims: { turn: number; jobs: number }[] = [];
    const watched = (store: Store): Store => ({
      ...store,
      transaction: (work) => {
        const value = store.transaction(work);
        if (!Array.isArray(value) || value[0]?.state !== 'sending') return value;
        claims.push({ turn, jobs: value.length });
        setImmediate(() => {
          turn += 1;
        });
        return value;
      },
    });
    const harness = start({ wrapStore: watched, profile: { limits } });
    const { clock, engine, script } = harness;
    engine.commands.setPaused(true);
    script.submit.push(...Array.from({ length: COUNT }, (_, n) => acceptance(clock, `task-${n}`)));
    const enqueued = await engine.commands.enqueue({ requests: Array.from({ length: COUNT }, () => request) });
    expect(enqueued.ok).toBe(true);
    engine.commands.setPaused(false);
    await settle();
    expect(claims.reduce((sum, { jobs }) => sum + jobs, 0)).toBe(COUNT);
    expect(Math.max(...claims.map(({ jobs }) => jobs))).toBeLessThanOrEqual(CLAIMED_PER_SLICE);
    expect(new Set(claims.map((claim) => claim.turn)).size).toBe(claims.length);
  },
);
