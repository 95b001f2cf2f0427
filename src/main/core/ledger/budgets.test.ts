import { describe, expect, test } from 'vitest';
import { DOLLAR, type LedgerHarness, ledgersOfThisFile } from '../../../../test/helpers/ledgerHarness.ts';
import {
  exceededCap,
  exceededSoftCaps,
  fitsUnder,
  hardCaps,
  headroomFor,
  listBudgets,
  periodHeadroom,
  setBudget,
  setRunCapSide,
  spendOfRun,
} from './index.ts';

/** Budgets: what counts, for whom, and the limit to the nano-dollar. */

const openLedger = ledgersOfThisFile();
const nobody = { play: false, projectId: null, runId: null, floorNano: 0 };
type Cap = Parameters<typeof setBudget>[1];
const set = ({ store }: LedgerHarness, ...caps: Cap[]) =>
  store.transaction((db) => {
    for (const cap of caps) setBudget(db, cap);
  });
const reserve = (harness: LedgerHarness, estimateNano: number, fields: Parameters<LedgerHarness['job']>[0] = {}) => {
  const id = harness.job({ estimateNano, estimateLowNano: estimateNano, ...fields });
  harness.does(id, 'reserve');
  return id;
};
const exactly = (nano: number | null) => (nano === null ? null : { nano, lowNano: nano });
const over = ({ store, clock }: LedgerHarness, extraNano: number | null, spender = {}) =>
  exceededCap(store.read, { ...nobody, ...spender }, exactly(extraNano), clock.now())?.scope;
const room = ({ store, clock }: LedgerHarness, spender = {}) =>
  headroomFor(store.read, { ...nobody, ...spender }, clock.now());

describe('what counts against a cap', () => {
  test.each<[string, (harness: LedgerHarness, id: string) => void, number]>([
    ['what is reserved', () => undefined, 1.6 * DOLLAR],
    ['what is in doubt', ({ does }, id) => does(id, 'setUncertain'), 1.6 * DOLLAR],
    [
      'a charge, at its dearest interpretation',
      ({ does }, id) => does(id, 'charge', { seconds: 3, videos: 1 }),
      1.2 * DOLLAR,
    ],
    ['nothing that was released', ({ does }, id) => does(id, 'release'), 0],
  ])('%s', (_, act, used) => {
    const harness = openLedger();
    const hardNano = 5 * DOLLAR;
    set(harness, { scope: 'day', hardNano }, { scope: 'month', hardNano: hardNano + 7 });
    act(harness, reserve(harness, 1.6 * DOLLAR));
    expect([over(harness, hardNano - used), over(harness, hardNano - used + 1)]).toEqual([undefined, 'day']);
    expect(room(harness)).toBe(hardNano - used);
    expect(periodHeadroom(harness.store.read, false, harness.clock.now())).toBe(hardNano - used);
  });

  test('an unknown amount fits under no cap, and where there is no cap nothing limits it', () => {
    const harness = openLedger();
    expect([over(harness, null), room(harness)]).toEqual([undefined, Infinity]);
    set(harness, { scope: 'month', hardNano: 0 });
    expect([over(harness, null), over(harness, 0), over(harness, 1)]).toEqual(['month', undefined, 'month']);
    expect(fitsUnder({ hardNano: 1e15, floorNano: 0 }, 0, null)).toBe(false);
  });

  test('the narrowest of all that concern it decides', () => {
    const harness = openLedger();
    const spender = { projectId: 'film', runId: 'night' };
    set(harness, { scope: 'day', hardNano: 9 }, { scope: 'month', hardNano: 8 });
    set(harness, { scope: 'project', projectId: 'film', hardNano: 7 }, { scope: 'run', runId: 'night', hardNano: 6 });
    for (const [hardNano, scope] of [
      [6, 'run'],
      [7, 'project'],
      [8, 'month'],
      [9, 'day'],
    ] as const) {
      expect([room(harness, spender), over(harness, hardNano + 1, spender) !== undefined]).toEqual([hardNano, true]);
      const key = scope === 'project' ? { projectId: 'film' } : scope === 'run' ? { runId: 'night' } : {};
      set(harness, { scope, hardNano: null, ...key });
    }
    expect(room(harness, spender)).toBe(Infinity);
  });
});

describe('whom a cap concerns', () => {
  test('that of a project its jobs only, and counts theirs only', () => {
    const harness = openLedger();
    set(harness, { scope: 'project', projectId: 'film', hardNano: 10 });
    reserve(harness, 10, { projectId: 'film' });
    reserve(harness, 50, { projectId: 'other' });
    reserve(harness, 50);
    expect([
      over(harness, 1, { projectId: 'film' }),
      over(harness, 1, { projectId: 'other' }),
      over(harness, 1),
    ]).toEqual(['project', undefined, undefined]);
    expect([room(harness, { projectId: 'film' }), room(harness)]).toEqual([0, Infinity]);
  });

  test('that of a night this night only, and not those before it', () => {
    const harness = openLedger();
    set(harness, { scope: 'run', runId: 'last', hardNano: 0 }, { scope: 'run', runId: 'tonight', hardNano: 10 });
    reserve(harness, 4, { runId: 'tonight' });
    expect([over(harness, 1), over(harness, 6, { runId: 'tonight' }), over(harness, 7, { runId: 'tonight' })]).toEqual([
      undefined,
      undefined,
      'run',
    ]);
    expect(spendOfRun(harness.store.read, false, 'tonight').reservedNano).toBe(4);
    expect(spendOfRun(harness.store.read, true, 'tonight').reservedNano).toBe(0);
    expect(hardCaps(harness.store.read, false)).toEqual([]);
  });

  test('that of a night moves with the night to the other side', () => {
    const harness = openLedger();
    set(harness, { scope: 'run', runId: 'night', hardNano: 3, play: true });
    const sides = () =>
      [true, false].map((play) =>
        listBudgets(harness.store.read, harness.clock.now(), { play, runId: 'night' }).map(({ hardNano }) => hardNano),
      );
    expect(sides()).toEqual([[3], []]);
    harness.store.transaction((db) => setRunCapSide(db, 'night', false));
    expect(sides()).toEqual([[], [3]]);
  });

  test('what must remain is kept of the day and of the month, and of nothing else', () => {
    const harness = openLedger();
    const spender = { projectId: 'film', runId: 'night', floorNano: 4 };
    set(harness, { scope: 'project', projectId: 'film', hardNano: 10 }, { scope: 'run', runId: 'night', hardNano: 10 });
    expect([over(harness, 10, spender), over(harness, 11, spender)]).toEqual([undefined, 'project']);
    for (const scope of ['day', 'month'] as const) {
      set(harness, { scope, hardNano: 10 });
      expect([over(harness, 6, spender), over(harness, 7, spender), room(harness, spender)]).toEqual([
        undefined,
        scope,
        6,
      ]);
      // It contains the remaining amount, so that it can be shown to the user.
      expect(exceededCap(harness.store.read, { ...nobody, ...spender }, exactly(7), harness.clock.now())).toMatchObject(
        { hardNano: 10, floorNano: 4 },
      );
      set(harness, { scope, hardNano: null });
    }
  });
});

describe('setting a budget', () => {
  const caps = ({ store, clock }: LedgerHarness) =>
    listBudgets(store.read, clock.now()).map(({ scope, hardNano, softNano }) => [scope, hardNano, softNano]);

  test('changes what is given, keeps what is left out, and removes what is null', () => {
    const harness = openLedger();
    set(harness, { scope: 'day', hardNano: 9, softNano: 5 });
    set(harness, { scope: 'day', softNano: 6 });
    expect(caps(harness)).toEqual([['day', 9, 6]]);
    set(harness, { scope: 'day', hardNano: 0 });
    expect(caps(harness)).toEqual([['day', 0, 6]]);
    set(harness, { scope: 'day', hardNano: null });
    expect(caps(harness)).toEqual([['day', undefined, 6]]);
    expect([over(harness, 1e15), room(harness)]).toEqual([undefined, Infinity]);
    set(harness, { scope: 'day', softNano: null });
    expect(caps(harness)).toEqual([]);
  });

  test('each scope and project has one budget, shown with what is used of it', () => {
    const harness = openLedger();
    reserve(harness, 3, { projectId: 'a' });
    reserve(harness, 5, { projectId: 'b' });
    for (const projectId of ['a', 'b']) set(harness, { scope: 'project', projectId, hardNano: 10 });
    set(harness, { scope: 'month', hardNano: 20 });
    const told = listBudgets(harness.store.read, harness.clock.now());
    expect(told.map(({ scope, projectId, play, used }) => [scope, projectId, play, used.reservedNano])).toEqual([
      ['month', undefined, false, 8],
      ['project', 'a', false, 3],
      ['project', 'b', false, 5],
    ]);
    expect(periodHeadroom(harness.store.read, false, harness.clock.now())).toBe(12);
    expect(hardCaps(harness.store.read, false)).toEqual([
      { scope: 'month', key: '', hardNano: 20 },
      { scope: 'project', key: 'a', hardNano: 10 },
      { scope: 'project', key: 'b', hardNano: 10 },
    ]);
    expect([hardCaps(harness.store.read, true), periodHeadroom(harness.store.read, true, harness.clock.now())]).toEqual(
      [[], Infinity],
    );
  });
});

describe('a soft cap', () => {
  test('is exceeded by its side alone, and that of a project by its jobs', () => {
    const harness = openLedger();
    const warned = (play = false) =>
      exceededSoftCaps(harness.store.read, { play }, harness.clock.now()).map(({ scope }) => scope);
    set(harness, { scope: 'day', softNano: 10 }, { scope: 'project', projectId: 'film', softNano: 4 });
    set(harness, { scope: 'month', hardNano: 1 });
    reserve(harness, 10, { projectId: 'film' });
    expect(warned()).toEqual(['project']);
    reserve(harness, 1);
    expect([warned(), warned(true)]).toEqual([['day', 'project'], []]);
  });
});
