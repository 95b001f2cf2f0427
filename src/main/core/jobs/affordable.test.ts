import { describe, expect, test } from 'vitest';
import { aVideo, finished, type Rig, VIDEO_NANO } from '../../../../test/helpers/engineRig.ts';
import { aPlan, DOLLAR, nightsOfThisFile } from '../../../../test/helpers/nightRig.ts';
import { rigsOfThisFile } from '../../../../test/helpers/rigsOfThisFile.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';
import { setBudget } from '../ledger/index.ts';
import { type Sql, type SqlParams, type Store, sql } from '../store/index.ts';
import { nextAffordable } from './affordable.ts';

const start = rigsOfThisFile();
const startNight = nightsOfThisFile();

const aPicture: StudioRequest = { kind: 'imagine', prompt: 'a hill' };
const MANY = 300;

/** Counts the rows and the statements that come to the program, by all hands on the database. */
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

const cap = (rig: Rig, hardNano: number | null, scope: 'day' | 'month' = 'day') => {
  rig.store.transaction((db) => setBudget(db, { scope, play: false, hardNano }));
  rig.engine.budgetsChanged();
};
const many = async (rig: Rig, request: StudioRequest, extra: { night?: boolean; projectId?: string } = {}) => {
  const result = await rig.engine.enqueue({ requests: Array.from({ length: MANY }, () => request), ...extra });
  if (!result.ok) throw new Error(result.error.message);
  await rig.clock.advance(1_000);
  return result.data.jobs.map(({ id }) => id);
};
const states = (rig: Rig, ids: readonly string[], reason: string | undefined) =>
  ids.filter((id) => rig.job(id).reason === reason).length;

describe('what a hard cap holds back', () => {
  const held: [string, (rig: Rig) => Promise<unknown>][] = [
    [
      'of unknown price',
      async (rig) => {
        cap(rig, 50 * DOLLAR);
        await many(rig, aPicture);
      },
    ],
    [
      'dearer than what is left of the day',
      async (rig) => {
        cap(rig, VIDEO_NANO - 1);
        await many(rig, aVideo);
      },
    ],
    [
      'by the cap of its project, with no cap of the day',
      async (rig) => {
        rig.store.transaction((db) =>
          setBudget(db, { scope: 'project', projectId: 'x', play: false, hardNano: VIDEO_NANO - 1 }),
        );
        await many(rig, aVideo, { projectId: 'x' });
      },
    ],
  ];
  test.each(held)('%s is not read at every event', async (_name, hold) => {
    const { seen, wrapStore } = counting();
    const rig = start({ wrapStore });
    await hold(rig);
    expect(rig.engine.list({ limit: 1, states: ['blocked'] }).total).toBe(MANY);
    const before = { ...seen };
    for (let n = 0; n < 5; n++) {
      rig.engine.announce([]);
      await rig.clock.advance(1_000);
    }
    expect(seen.rows - before.rows).toBeLessThan(MANY / 4);
    expect(seen.statements - before.statements).toBeLessThan(MANY);
  });

  test('by the cap of its night is not read at every event', async () => {
    const { seen, wrapStore } = counting();
    const rig = startNight({ wrapStore });
    rig.plan({ capNano: VIDEO_NANO - 1 });
    await many(rig, aVideo, { night: true });
    const before = seen.rows;
    for (let n = 0; n < 5; n++) {
      rig.engine.announce([]);
      await rig.clock.advance(1_000);
    }
    expect(seen.rows - before).toBeLessThan(MANY / 4);
  });

  test('goes on as soon as nothing holds it: a cap is taken away, a night has room', async () => {
    const rig = start();
    rig.engine.setPaused(true);
    cap(rig, 50 * DOLLAR);
    const ids = await many(rig, aPicture);
    expect(states(rig, ids, 'budget')).toBe(MANY);
    cap(rig, null);
    await rig.clock.advance(5_000);
    expect(states(rig, ids, 'paused')).toBe(MANY);
  });

  test('is let go once, one by one, and the others stay', async () => {
    const rig = start();
    rig.engine.setPaused(true);
    cap(rig, 50 * DOLLAR);
    const ids = await many(rig, aPicture);
    rig.engine.allowUnpriced(ids[3] ?? '');
    await rig.clock.advance(1_000);
    expect([states(rig, ids, 'budget'), rig.job(ids[3] ?? '').reason]).toEqual([MANY - 1, 'paused']);
  });

  test('let go while the cap is passed, it goes when there is room again', async () => {
    const rig = start();
    rig.engine.setPaused(true);
    const video = await rig.enqueue(aVideo);
    cap(rig, VIDEO_NANO - 1);
    const { id } = await rig.enqueue(aPicture);
    rig.engine.allowUnpriced(id);
    expect(rig.job(id).reason).toBe('budget');
    rig.engine.cancel(video.id);
    await rig.clock.advance(1_000);
    expect(rig.job(id).reason).toBe('paused');
  });

  test('is shared out in the order of the queue over projects and nights alike', async () => {
    const rig = startNight();
    rig.engine.setPaused(true);
    rig.plan({ capNano: 100 * DOLLAR });
    cap(rig, 1, 'month');
    const jobs = [];
    for (const extra of [{ projectId: 'x' }, { night: true }, {}, { projectId: 'x' }, { night: true }]) {
      const result = await rig.engine.enqueue({ requests: [aVideo], ...extra });
      jobs.push(result.ok ? (result.data.jobs[0]?.id ?? '') : '');
    }
    expect(states(rig, jobs, 'budget')).toBe(5);
    cap(rig, 3 * VIDEO_NANO, 'month');
    await rig.clock.advance(1_000);
    expect(jobs.map((id) => rig.job(id).money.reservedNano > 0)).toEqual([true, true, true, false, false]);
  });

  test('a night that opens tomorrow is held by the cap of tomorrow, not of today', async () => {
    const rig = startNight({ script: { submit: [{ ...finished(), type: 'done' }] } });
    rig.plan({ ...aPlan(), start: '01:00', end: '07:00' });
    cap(rig, VIDEO_NANO);
    const today = await rig.enqueue(aVideo);
    await rig.untilEnd(today.id);
    const [first, second] = [await rig.enqueue(aVideo, { night: true }), await rig.enqueue(aVideo, { night: true })];
    expect([rig.job(first.id).reason, rig.job(second.id).reason]).toEqual(['window', 'budget']);
    rig.engine.cancel(first.id);
    await rig.clock.advance(1_000);
    expect(rig.job(second.id)).toMatchObject({ reason: 'window', money: { reservedNano: VIDEO_NANO } });
  });
});

test('the line for money is found by its index', async () => {
  const rig = start();
  cap(rig, 1);
  await rig.enqueue(aVideo);
  const asked: { statement: Sql; params: SqlParams }[] = [];
  const { read } = rig.store;
  const noted = (statement: Sql, params: SqlParams) => {
    asked.push({ statement, params });
    return [statement, params] as const;
  };
  const one: typeof read.one = (statement, params = {}) => read.one(...noted(statement, params));
  const all: typeof read.all = (statement, params = {}) => read.all(...noted(statement, params));
  nextAffordable({ one, all }, rig.clock.now());
  const planOf = (name: string): string => {
    const { statement, params = {} } = asked.find((one) => one.statement.name === name) ?? {};
    const explain = sql('test.plan', `EXPLAIN QUERY PLAN ${statement?.text}`);
    const plan = read.all<{ detail: string }>(explain, params);
    return plan.map(({ detail }) => detail).join('; ');
  };
  expect(planOf('jobs.groupsShortOfMoney')).toBe('SCAN jobs USING INDEX jobs_short_of_money');
  expect(planOf('jobs.nextAffordable')).toContain(
    'INDEX jobs_short_of_money (play=? AND run_id=? AND project_id=? AND <expr>=? AND position>?)',
  );
});
