import { describe, expect, test } from 'vitest';
import { aVideo, type EngineHarness, VIDEO_NANO } from '../../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../../test/helpers/engineHarnesses.ts';
import { DOLLAR, nightsOfThisFile } from '../../../../../test/helpers/nightHarness.ts';
import type { StudioRequest } from '../../../../shared/kinds/index.ts';
import { setBudget } from '../../ledger/index.ts';
import type { Sql, Store } from '../../store/index.ts';

const start = engineHarnesses();
const startNight = nightsOfThisFile();

const aPicture: StudioRequest = { kind: 'imagine', prompt: 'a hill' };
const MANY = 300;

/** Counts the statements and the rows that the program reads, over all database handles. */
function counting() {
  const seen = { rows: 0, statements: 0 };
  const count = (rows: number) => {
    seen.statements += 1;
    seen.rows += rows;
  };
  const counted = <Db extends Pick<Store['read'], 'one' | 'all'>>(db: Db): Db => ({
    ...db,
    one: <Row>(statement: Sql, params = {}) => {
      const row = db.one<Row>(statement, params);
      count(row === undefined ? 0 : 1);
      return row;
    },
    all: <Row>(statement: Sql, params = {}) => {
      const rows = db.all<Row>(statement, params);
      count(rows.length);
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

const cap = (harness: EngineHarness, hardNano: number | null, scope: object = { scope: 'day' }) => {
  harness.store.transaction((db) =>
    setBudget(db, { play: false, hardNano, ...scope } as Parameters<typeof setBudget>[1]),
  );
  harness.coreEvents.emit('budgets.changed');
};
const waiting = ({ job }: EngineHarness, ids: readonly string[], reason: string) =>
  ids.filter((id) => job(id).reason === reason).length;

describe('jobs blocked by a hard cap', () => {
  test.each<[string, (harness: EngineHarness) => unknown, StudioRequest, object?]>([
    ['of unknown price', (harness) => cap(harness, 50 * DOLLAR), aPicture],
    ['dearer than what is left of the day', (harness) => cap(harness, VIDEO_NANO - 1), aVideo],
    ['by the cap of its night', () => undefined, aVideo, { night: true }],
  ])('%s are not read at every event', async (_name, hold, request, extra) => {
    const { seen, wrapStore } = counting();
    const harness = startNight({ wrapStore });
    harness.plan({ capNano: VIDEO_NANO - 1 });
    hold(harness);
    await harness.many(MANY, request, extra);
    await harness.clock.advance(1_000);
    expect(harness.engine.queries.list({ limit: 1, states: ['blocked'] }, false).total).toBe(MANY);
    const before = { ...seen };
    for (let n = 0; n < 5; n++) {
      harness.engine.commands.announce();
      await harness.clock.advance(1_000);
    }
    expect(seen.rows - before.rows).toBeLessThan(MANY / 4);
    expect(seen.statements - before.statements).toBeLessThan(MANY);
  });

  test('are released as soon as they fit; of unknown price, one that is allowed is sent once, and only that one', async () => {
    const harness = start();
    harness.engine.commands.setPaused(true);
    cap(harness, 50 * DOLLAR);
    const ids = await harness.many(MANY, aPicture);
    expect(waiting(harness, ids, 'budget')).toBe(MANY);
    harness.engine.commands.allowUnpriced({ id: ids[3] ?? '' });
    await harness.clock.advance(1_000);
    expect([waiting(harness, ids, 'budget'), harness.job(ids[3] ?? '').reason]).toEqual([MANY - 1, 'paused']);
    cap(harness, null);
    await harness.clock.advance(5_000);
    expect(waiting(harness, ids, 'paused')).toBe(MANY);
  });

  test('a job that was allowed while the cap is exceeded is sent when there is headroom again', async () => {
    const harness = start();
    const { engine, enqueue, job, clock } = harness;
    engine.commands.setPaused(true);
    const video = await enqueue(aVideo);
    cap(harness, VIDEO_NANO - 1);
    const { id } = await enqueue(aPicture);
    engine.commands.allowUnpriced({ id });
    expect(job(id).reason).toBe('budget');
    engine.commands.cancel(video.id);
    await clock.advance(1_000);
    expect(job(id).reason).toBe('paused');
  });

  test('are released in the order of the queue, across projects and nights', async () => {
    const harness = startNight();
    harness.engine.commands.setPaused(true);
    harness.plan({ capNano: 100 * DOLLAR });
    cap(harness, 1, { scope: 'month' });
    const ids: string[] = [];
    for (const extra of [{ projectId: 'x' }, { night: true }, {}, { projectId: 'x' }, { night: true }])
      ids.push((await harness.enqueue(aVideo, extra)).id);
    expect(waiting(harness, ids, 'budget')).toBe(5);
    cap(harness, 3 * VIDEO_NANO, { scope: 'month' });
    await harness.clock.advance(1_000);
    expect(ids.map((id) => harness.job(id).money.reservedNano > 0)).toEqual([true, true, true, false, false]);
  });
});
