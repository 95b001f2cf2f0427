import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Result } from '../../src/shared/result.ts';
import { SPENDING, SPENDING_CALLS, type SpendingStudio, startStatingService } from '../helpers/spendingCalls.ts';
import { electronWire, httpWire, type Wire } from './wires.ts';

/** A call that spends is repeated with its key, over every host. */

describe.each([
  ['the browser host', httpWire],
  ['the Electron host', electronWire],
])('%s', (_, open) => {
  let wire: Wire;
  let service: Awaited<ReturnType<typeof startStatingService>>;
  let studio: SpendingStudio;
  beforeAll(async () => {
    [wire, service] = await Promise.all([open(), startStatingService()]);
    studio = {
      service: service.url,
      ask: async (name, input) => {
        const answer = (await wire.call(name, input)) as Result<never>;
        if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`);
        return answer.data;
      },
      until: async (holds) => {
        while (!(await holds())) await pause(20);
      },
    };
    await studio.ask('queue.pause', {});
  });
  afterAll(() => Promise.all([wire?.close(), service?.close()]));

  const allJobs = async () => (await studio.ask('jobs.list', { limit: 500 })).jobs.map(({ id }) => id);
  /** Reservations, and all entries of jobs other than these: jobs of earlier tests are charged whenever they are done. */
  const paidBeside = async (earlier: string[]) => {
    const { total } = await studio.ask('jobs.list', { limit: 1 });
    const entries = await Promise.all(
      [true, false].map(async (play) => (await studio.ask('ledger.entries', { play, limit: 500 })).entries),
    );
    return {
      total,
      entries: entries.flat().filter(({ jobId = '', type }) => type === 'reserve' || !earlier.includes(jobId)),
    };
  };

  test.each(SPENDING_CALLS)(
    '%s: the same key is the same request, and another input under it is refused',
    async (name) => {
      const earlier = await allJobs();
      const { input, other } = await SPENDING[name](studio);
      const requestKey = crypto.randomUUID();
      const first = await wire.call(name, { ...input, requestKey });
      expect(first).toMatchObject({ ok: true });
      const once = await paidBeside(earlier);
      expect(await wire.call(name, { ...input, requestKey })).toEqual(first);
      expect(await wire.call(name, { ...other, requestKey })).toMatchObject({
        ok: false,
        error: { code: 'conflict', message: expect.stringMatching(/^requestKey: /), data: { field: 'requestKey' } },
      });
      expect(await paidBeside(earlier)).toEqual(once);
    },
  );
});
