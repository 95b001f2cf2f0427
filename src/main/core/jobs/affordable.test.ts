import { describe, expect, test } from 'vitest';
import { aVideo, type EngineHarness, finished, VIDEO_NANO } from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { aPlan, DOLLAR, nightsOfThisFile } from '../../../../test/helpers/nightHarness.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';
import { setBudget } from '../ledger/index.ts';
import type { Sql, Store } from '../store/index.ts';

const start = engineHarnesses();
const startNight = nightsOfThisFile();

const aPicture: StudioRequest = { kind: 'imagine', prompt: 'a hill' };
const MANY = 300;

/** Counts the statements and the rows that the program reads, over all database handles. */
function counting() {
  const seen = { rows: 0, statements: 0 };
  const counted = <Db extends Pick<Store['read'], 'one' | 'all'>>(db: Db): Db => ({
    ...db,
    one: <Row>(statement: Sql, params = {}) => {
      const row = db.one<Row>(statement, params);
      seen.statements += 1;
      seen.rows += row === undefined ? 0 : 1;
      return row;
    },
    all: <Row>(statement: Sql, params = {}) => {
      const rows = db.all<Row>(statement, params);
      seen.statements += 1;
      seen.rows += rows.length;
      return rows;
    },
  });
  const wrapStore = (store: Store): Store => ({
    ...store,
    read: counted(store.read),
    transaction: (work) => store.transaction((db) => work(counted(db))),
    grouped: (work) => store.grouped((db) => work(counted(db))),
  });
  return { seen, wrapStore };
}

const cap = (harness: EngineHarness, hardNano: number | null, scope: 'day' | 'month' = 'day') => {
  harness.store.transaction((db) => setBudget(db, { scope, play: false, hardNano }));
  harness.coreEvents.emit('budgets.changed');
};
const many = async (
  harness: EngineHarness,
  request: StudioRequest,
  extra: { night?: boolean; projectId?: string } = {},
) => {
  const result = await harness.engine.commands.enqueue({
    requests: Array.from({ length: MANY }, () => request),
    ...extra,
  });
  if (!result.ok) throw new Error(result.error.message);
  await harness.clock.advance(1_000);
  return result.data.jobs.map(({ id }) => id);
};
const states = (harness: EngineHarness, ids: readonly string[], reason: string | undefined) =>
  ids.filter((id) => harness.job(id).reason === reason).length;

describe('jobs blocked by a hard cap', () => {
  const held: [string, (harness: EngineHarness) => Promise<unknown>][] = [
    [
      'of unknown price',
      async (harness) => {
        cap(harness, 50 * DOLLAR);
        await many(harness, aPicture);
      },
    ],
    [
      'dearer than what is left of the day',
      async (harness) => {
        cap(harness, VIDEO_NANO - 1);
        await many(harness, aVideo);
      },
    ],
    [
      'by the cap of its project, with no cap of the day',
      async (harness) => {
        harness.store.transaction((db) =>
          setBudget(db, { scope: 'project', projectId: 'x', play: false, hardNano: VIDEO_NANO - 1 }),
        );
        await many(harness, aVideo, { projectId: 'x' });
      },
    ],
  ];
  test.each(held)('%s is not read at every event', async (_name, hold) => {
    const { seen, wrapStore } = counting();
    const harness = start({ wrapStore });
    await hold(harness);
    expect(harness.engine.queries.list({ limit: 1, states: ['blocked'] }, harness.isPlay()).total).toBe(MANY);
    const before = { ...seen };
    for (let n = 0; n < 5; n++) {
      harness.engine.commands.announce([]);
      await harness.clock.advance(1_000);
    }
    expect(seen.rows - before.rows).toBeLessThan(MANY / 4);
    expect(seen.statements - before.statements).toBeLessThan(MANY);
  });

  test('a job blocked by the cap of its night is not read at every event', async () => {
    const { seen, wrapStore } = counting();
    const harness = startNight({ wrapStore });
    harness.plan({ capNano: VIDEO_NANO - 1 });
    await many(harness, aVideo, { night: true });
    const before = seen.rows;
    for (let n = 0; n < 5; n++) {
      harness.engine.commands.announce([]);
      await harness.clock.advance(1_000);
    }
    expect(seen.rows - before).toBeLessThan(MANY / 4);
  });

  test('are released as soon as they fit: a cap was removed, or the night has headroom', async () => {
    const harness = start();
    harness.engine.commands.setPaused(true);
    cap(harness, 50 * DOLLAR);
    const ids = await many(harness, aPicture);
    expect(states(harness, ids, 'budget')).toBe(MANY);
    cap(harness, null);
    await harness.clock.advance(5_000);
    expect(states(harness, ids, 'paused')).toBe(MANY);
  });

  test('an allowed job of unknown price is sent once, and only that one', async () => {
    const harness = start();
    harness.engine.commands.setPaused(true);
    cap(harness, 50 * DOLLAR);
    const ids = await many(harness, aPicture);
    harness.engine.commands.allowUnpriced({ id: ids[3] ?? '' });
    await harness.clock.advance(1_000);
    expect([states(harness, ids, 'budget'), harness.job(ids[3] ?? '').reason]).toEqual([MANY - 1, 'paused']);
  });

  test('a job that was allowed while the cap is exceeded is sent when there is headroom again', async () => {
    const harness = start();
    harness.engine.commands.setPaused(true);
    const video = await harness.enqueue(aVideo);
    cap(harness, VIDEO_NANO - 1);
    const { id } = await harness.enqueue(aPicture);
    harness.engine.commands.allowUnpriced({ id });
    expect(harness.job(id).reason).toBe('budget');
    harness.engine.commands.cancel(video.id);
    await harness.clock.advance(1_000);
    expect(harness.job(id).reason).toBe('paused');
  });

  test('are released in the order of the queue, across projects and nights', async () => {
    const harness = startNight();
    harness.engine.commands.setPaused(true);
    harness.plan({ capNano: 100 * DOLLAR });
    cap(harness, 1, 'month');
    const jobs = [];
    for (const extra of [{ projectId: 'x' }, { night: true }, {}, { projectId: 'x' }, { night: true }]) {
      const result = await harness.engine.commands.enqueue({ requests: [aVideo], ...extra });
      jobs.push(result.ok ? (result.data.jobs[0]?.id ?? '') : '');
    }
    expect(states(harness, jobs, 'budget')).toBe(5);
    cap(harness, 3 * VIDEO_NANO, 'month');
    await harness.clock.advance(1_000);
    expect(jobs.map((id) => harness.job(id).money.reservedNano > 0)).toEqual([true, true, true, false, false]);
  });

  test("a job of tomorrow’s night is blocked by tomorrow’s cap, not by today's", async () => {
    const harness = startNight({ script: { submit: [{ ...finished(), type: 'done' }] } });
    harness.plan({ ...aPlan(), start: '01:00', end: '07:00' });
    cap(harness, VIDEO_NANO);
    const today = await harness.enqueue(aVideo);
    await harness.untilEnd(today.id);
    const [first, second] = [
      await harness.enqueue(aVideo, { night: true }),
      await harness.enqueue(aVideo, { night: true }),
    ];
    expect([harness.job(first.id).reason, harness.job(second.id).reason]).toEqual(['window', 'budget']);
    harness.engine.commands.cancel(first.id);
    await harness.clock.advance(1_000);
    expect(harness.job(second.id)).toMatchObject({ reason: 'window', money: { reservedNano: VIDEO_NANO } });
  });
});
