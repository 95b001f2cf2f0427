import { afterEach, describe, expect, test } from 'vitest';
import {
  DOLLAR,
  type LedgerHarness,
  ledgersOfThisFile,
  perSecondOrVideo,
} from '../../../../test/helpers/ledgerHarness.ts';
import { TestClock } from '../../../../test/helpers/testPorts.ts';
import { costOf } from '../../../shared/money/price.ts';
import { committedUnder, dayOf, exceededCap, headroomFor, monthOf, setBudget } from './index.ts';

/**
 * The day and month that money counts to: those of its reservation, in the user's time zone, wherever the answer arrives or the user
 * travels.
 */

const openLedger = ledgersOfThisFile();
const home = process.env.TZ;
const live = (zone: string) => {
  process.env.TZ = zone;
};
afterEach(() => {
  if (home === undefined) delete process.env.TZ;
  else process.env.TZ = home;
});
const at = (text: string) => Date.parse(text);
const COST = 1.6 * DOLLAR;
const nobody = { play: false, projectId: null, runId: null, floorNano: 0 };

describe('the day and the month', () => {
  test.each([
    ['America/Los_Angeles', '2026-11-30T23:59:59-08:00', '2026-11-30', '2026-11'],
    ['America/Los_Angeles', '2026-12-01T00:00:00-08:00', '2026-12-01', '2026-12'],
    ['Asia/Tokyo', '2026-12-31T23:59:59+09:00', '2026-12-31', '2026-12'],
    ['Asia/Tokyo', '2027-01-01T00:00:00+09:00', '2027-01-01', '2027-01'],
    ['Asia/Kolkata', '2026-03-01T00:15:00+05:30', '2026-03-01', '2026-03'],
    ['Europe/Berlin', '2026-03-29T03:00:00+02:00', '2026-03-29', '2026-03'],
    ['Europe/Berlin', '2026-10-25T23:59:59+01:00', '2026-10-25', '2026-10'],
  ])('in %s at %s are %s and %s', (zone, time, day, month) => {
    live(zone);
    expect([dayOf(at(time)), monthOf(at(time))]).toEqual([day, month]);
  });

  test('a day has as many hours as the clocks say', () => {
    live('Europe/Berlin');
    const hours = (from: string, count: number) =>
      new Set(Array.from({ length: count }, (_, hour) => dayOf(at(from) + hour * 3_600_000)));
    expect(hours('2026-10-25T00:00:00+02:00', 25)).toEqual(new Set(['2026-10-25']));
    expect(hours('2026-03-29T00:00:00+01:00', 23)).toEqual(new Set(['2026-03-29']));
    expect(hours('2026-03-29T00:00:00+01:00', 24).size).toBe(2);
  });
});

const EVENING = '2026-11-30T23:50:00+01:00';
const NEXT_MORNING = '2026-12-01T00:10:00+01:00';

/** Reserved at 23:50 on the last of November in Berlin; now it is 00:10. */
function reservedBeforeMidnight(fields: Parameters<LedgerHarness['job']>[0] = {}) {
  live('Europe/Berlin');
  const harness = openLedger(new TestClock(at(EVENING)));
  const id = harness.job(fields);
  harness.does(id, 'reserve');
  harness.clock.set(at(NEXT_MORNING));
  const used = (day: string, month: string) => [
    committedUnder(harness.store.read, false, 'day', day),
    committedUnder(harness.store.read, false, 'month', month),
  ];
  return { harness, id, used };
}

describe('a request over midnight', () => {
  test.each<[string, (harness: LedgerHarness, id: string) => void, [number, number, number]]>([
    ['charged after it', ({ does }, id) => does(id, 'charge', { seconds: 4, videos: 1 }), [COST, 0, 0]],
    ['given back after it', ({ does }, id) => does(id, 'release'), [0, 0, 0]],
    ['closed after it', ({ does }, id) => does(id, 'releaseAttempt'), [0, 0, 0]],
    ['lost after it', ({ does }, id) => does(id, 'setUncertain'), [0, 0, COST]],
    [
      'lost, then billed after it',
      ({ does }, id) => {
        does(id, 'setUncertain');
        does(id, 'settleDoubt', 5);
      },
      [5, 0, 0],
    ],
    [
      'made shorter after it',
      ({ does }, id) => {
        does(id, 'charge', { seconds: 4, videos: 1 });
        const most = { seconds: 4, videos: 1 };
        does(id, 'correctCharge', { made: { seconds: 3, videos: 1 }, most }, 'shorter');
      },
      [1.2 * DOLLAR, 0, 0.4 * DOLLAR],
    ],
    [
      'taken back after it',
      ({ does }, id) => {
        does(id, 'charge', { seconds: 4, videos: 1 });
        does(id, 'reverseCharge', true, 'refused');
      },
      [0, 0, COST],
    ],
    [
      'under way when its price is set by hand after it',
      ({ write, ledger }, id) => {
        const price = perSecondOrVideo(1);
        write(id, (db, row) =>
          ledger.priceChanges.repriceSent(
            db,
            { ...row, state: 'running' },
            price,
            costOf(price, { seconds: 4, videos: 1 }),
          ),
        );
      },
      [0, 4 * DOLLAR, 0],
    ],
  ])('%s counts to the day and the month that it was reserved on', (_, act, money) => {
    const { harness, id, used } = reservedBeforeMidnight();
    act(harness, id);
    const [settled, reserved, uncertain] = money;
    const committed = settled + reserved + uncertain;
    expect(harness.days()).toEqual({ '2026-11-30': money });
    expect(used('2026-11-30', '2026-11')).toEqual([committed, committed]);
    expect(used('2026-12-01', '2026-12')).toEqual([0, 0]);
  });

  test('whose price rises after it adds to the day of its reservation, and gives all of it back there', () => {
    const { harness, id } = reservedBeforeMidnight();
    const price = perSecondOrVideo(1);
    harness.write(id, (db, row) => {
      harness.ledger.priceChanges.repriceWaiting(db, row, price, costOf(price, { seconds: 4, videos: 1 }));
      harness.ledger.reserve(db, row);
    });
    expect(harness.days()).toEqual({ '2026-11-30': [0, 4 * DOLLAR, 0] });
    harness.does(id, 'release');
    expect(harness.days()).toEqual({ '2026-11-30': [0, 0, 0] });
  });

  test('that is given back and reserved anew counts to the new day', () => {
    const { harness, id, used } = reservedBeforeMidnight();
    harness.write(id, (db, row) => {
      harness.ledger.release(db, row, 'a new day');
      harness.ledger.reserve(db, row);
    });
    expect(harness.days()).toEqual({ '2026-11-30': [0, 0, 0], '2026-12-01': [0, COST, 0] });
    expect(used('2026-12-01', '2026-12')).toEqual([COST, COST]);
  });

  test('that was lost and is sent again counts each attempt on its own day', () => {
    const { harness, id } = reservedBeforeMidnight();
    harness.does(id, 'setUncertain');
    harness.does(id, 'reserve');
    harness.does(id, 'charge', { seconds: 4, videos: 1 });
    expect(harness.days()).toEqual({ '2026-11-30': [0, 0, COST], '2026-12-01': [COST, 0, 0] });
    harness.does(id, 'clearDoubt');
    expect(harness.days()).toEqual({ '2026-11-30': [0, 0, 0], '2026-12-01': [COST, 0, 0] });
  });

  test('that was lost on both days is billed on the day of its first attempt', () => {
    const { harness, id } = reservedBeforeMidnight();
    harness.does(id, 'setUncertain');
    harness.does(id, 'reserve');
    harness.does(id, 'setUncertain');
    expect(harness.days()).toEqual({ '2026-11-30': [0, 0, COST], '2026-12-01': [0, 0, COST] });
    harness.does(id, 'settleDoubt', 5);
    expect(harness.days()).toEqual({ '2026-11-30': [5, 0, 0], '2026-12-01': [0, 0, 0] });
  });

  test('for a night that opens tomorrow is reserved on the day that it is sent', () => {
    live('Europe/Berlin');
    const harness = openLedger(new TestClock(at(EVENING)));
    const id = harness.job({ runId: 'night' });
    harness.does(id, 'reserve', at('2026-12-01T01:00:00+01:00'));
    expect(harness.days()).toEqual({ '2026-12-01': [0, COST, 0] });
    expect(committedUnder(harness.store.read, false, 'run', 'night')).toBe(COST);
  });

  test('whose time to send has passed is reserved today', () => {
    const { harness } = reservedBeforeMidnight();
    const late = harness.job();
    harness.does(late, 'reserve', at(EVENING));
    expect(harness.days()['2026-12-01']).toEqual([0, COST, 0]);
  });
});

describe('a user who travels', () => {
  test.each([
    ['west', 'Asia/Tokyo', 'America/Los_Angeles'],
    ['east', 'America/Los_Angeles', 'Asia/Tokyo'],
  ])('%s gives back what was reserved on the day that it counts to', (_, from, to) => {
    live(from);
    const harness = openLedger(new TestClock(at('2026-12-01T02:00:00Z')));
    harness.store.transaction((db) => setBudget(db, { scope: 'day', hardNano: 10 * DOLLAR }));
    const day = dayOf(harness.clock.now());
    const id = harness.job();
    harness.does(id, 'reserve');
    live(to);
    expect(dayOf(harness.clock.now())).not.toBe(day);
    harness.does(id, 'release');
    expect(harness.days()).toEqual({ [day]: [0, 0, 0] });
    expect(headroomFor(harness.store.read, nobody, harness.clock.now())).toBe(10 * DOLLAR);
    expect(committedUnder(harness.store.read, false, 'month', day.slice(0, 7))).toBe(0);
  });
});

describe('the cap of a day', () => {
  test('is unused again from the first moment of the next day, and that of the month from the next month', () => {
    live('America/Los_Angeles');
    const last = at('2026-11-30T23:59:59.999-08:00');
    const harness = openLedger(new TestClock(last));
    harness.store.transaction((db) => {
      setBudget(db, { scope: 'day', hardNano: COST });
      setBudget(db, { scope: 'month', hardNano: 2 * COST });
    });
    harness.does(harness.job(), 'reserve');
    const over = (time: number, nano: number) =>
      exceededCap(harness.store.read, nobody, { nano, lowNano: nano }, time)?.scope;
    expect([over(last, 1), over(last + 1, 1)]).toEqual(['day', undefined]);
    expect([over(last + 1, COST), over(last + 1, COST + 1), over(last + 1, 2 * COST + 1)]).toEqual([
      undefined,
      'day',
      'day',
    ]);
    harness.store.transaction((db) => setBudget(db, { scope: 'day', hardNano: null }));
    // Of December nothing is used; of November half is.
    expect([over(last, COST), over(last, COST + 1), over(last + 1, 2 * COST)]).toEqual([undefined, 'month', undefined]);
  });
});
