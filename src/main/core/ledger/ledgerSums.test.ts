import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryDb } from '../../../../test/helpers/memoryDb.ts';
import { withPlans } from '../../../../test/helpers/plans.ts';
import { type ReadDb, sql, type WriteDb } from '../store/index.ts';
import { dayOf } from './moneyRow.ts';
import { type GroupBy, type Period, totals } from './reports.ts';

const HOUR = 3_600_000;
const NOON = new Date(2026, 10, 1, 12).getTime();

const addJob = sql(
  'test.addJob',
  `INSERT INTO jobs (id, kind, state, request, profile_id, lane, idempotency_key, hook_secret, price, estimate_nano, estimate_low_nano,
     position, created_at) VALUES ($id, 'video', 'succeeded', '{}', 'p', 'l', $id, 's', '{}', 0, 0, 1, 0)`,
);
const addEntry = sql(
  'test.addEntry',
  `INSERT INTO ledger_entries (id, job_id, at, counted_at, day, type, settled_nano, reserved_nano, unpriced, model, kind, project_id, play,
     profile_id) VALUES ($id, $job, $at, $at, $day, 'charge', $nano, $reserved, $unpriced, $model, 'video', $project, $play, $profile)`,
);

/** Entries of a few jobs over five days, or as many of the month before or of the next one, in any order. A traveller's day may be the one before. */
const entry = fc.record({
  job: fc.constantFrom('j1', 'j2', 'j3', 'j4') as fc.Arbitrary<keyof typeof GATEWAY>,
  hour: fc.integer({ min: 0, max: 119 }),
  month: fc.constantFrom(0, 0, 0, -720, 720, 1_440),
  daysBack: fc.constantFrom(0, 0, 0, 0, 0, 1),
  nano: fc.integer({ min: -5, max: 1_000 }),
  reserved: fc.integer({ min: -5, max: 5 }),
  unpriced: fc.constantFrom(0, 1),
  model: fc.constantFrom('a', 'b', null),
  project: fc.constantFrom('p1', null),
});
/** A job never changes its gateway, nor the side of its money. */
const GATEWAY = {
  j1: { play: 0, profile: 'g1' },
  j2: { play: 0, profile: 'g1' },
  j3: { play: 0, profile: 'g2' },
  j4: { play: 1, profile: 'g2' },
};
const hours = fc.option(
  fc.oneof(fc.constantFrom(-732, 0, 12, 36, 60, 84, 120, 732), fc.integer({ min: -720, max: 1_560 })),
  { nil: undefined },
);
const period = fc.record({
  from: hours,
  to: hours,
  play: fc.boolean(),
  profileIds: fc.constantFrom(undefined, ['g1'], ['g1', 'g2'], []),
});
const GROUPS: readonly GroupBy[] = ['day', 'model', 'kind', 'project', 'gateway'];
const COLUMN: Record<GroupBy, string> = {
  day: 'day',
  model: 'model',
  kind: 'kind',
  project: 'project_id',
  gateway: 'profile_id',
};

test('whatever is entered, on whatever days, a report is the sum of its entries, and a job is counted once', () => {
  fc.assert(
    fc.property(
      fc.array(entry, { maxLength: 30 }),
      fc.array(period, { minLength: 6, maxLength: 6 }),
      (entries, periods) => {
        const db = memoryDb();
        for (const id of ['j1', 'j2', 'j3', 'j4']) db.run(addJob, { id });
        for (const [index, { hour, month, daysBack, ...rest }] of entries.entries()) {
          const at = NOON + (hour + month) * HOUR;
          db.run(addEntry, {
            id: `e${index}`,
            at,
            day: dayOf(at - daysBack * 24 * HOUR),
            ...rest,
            ...GATEWAY[rest.job],
          });
        }
        for (const { from, to, play, profileIds } of periods)
          for (const by of GROUPS) {
            const asked: Period = { play, profileIds, ...at('from', from), ...at('to', to) };
            expect(totals(db, by, asked).rows).toEqual(rowsOfEntries(db, by, asked));
          }
      },
    ),
    { numRuns: 40 },
  );
});

const at = (name: 'from' | 'to', hour: number | undefined) =>
  hour === undefined ? {} : { [name]: NOON + hour * HOUR };

function rowsOfEntries(db: ReadDb, by: GroupBy, { play, profileIds, from = 0, to = Number.MAX_SAFE_INTEGER }: Period) {
  const bare = sql(
    'test.bare',
    `SELECT coalesce(${COLUMN[by]}, '') AS key, total(settled_nano) AS settledNano, total(settled_low_nano) AS settledLowNano,
       total(reserved_nano) AS reservedNano, total(uncertain_nano) AS uncertainNano, total(unpriced) AS unpriced,
       count(DISTINCT job_id) AS jobs
     FROM ledger_entries WHERE play = $play AND counted_at >= $from AND counted_at < $to
       AND ($profiles IS NULL OR profile_id IN (SELECT value FROM json_each($profiles))) GROUP BY 1 ORDER BY 1`,
  );
  const profiles = profileIds === undefined ? null : JSON.stringify(profileIds);
  return db.all(bare, { play: play ? 1 : 0, profiles, from, to });
}

test('a report of years reads the sums of months, and of days only beside whole months', () => {
  const db = memoryDb();
  const plans = withPlans(db);
  addThreeDays(db);
  const plansOf = (name: string) => plans.plans.filter((read) => read.name === name).map(({ plan }) => plan);
  const ofMonths = /SEARCH ledger_months USING PRIMARY KEY \(play=\? AND grouped_by=\? AND month>\? AND month<\?\)/;
  const ofDays = /SEARCH ledger_sums USING PRIMARY KEY \(play=\? AND grouped_by=\? AND day>\? AND day<\?\)/g;
  for (const by of ['model', 'kind', 'project'] as const) totals(plans, by, {});
  const whole = plansOf('ledger.monthSums');
  expect(whole).toHaveLength(3);
  for (const plan of whole) {
    expect(plan).toMatch(ofMonths);
    expect(plan).not.toMatch(ofDays);
  }
  totals(plans, 'model', { from: new Date(2026, 10, 2).getTime() });
  const [part] = plansOf('ledger.monthAndDaySums');
  expect(part).toMatch(ofMonths);
  expect(part?.match(ofDays)).toHaveLength(2);
  expect(plansOf('ledger.sums')).toEqual([]);
});

/** One entry on each of the first days of a month. */
function addThreeDays(db: WriteDb): void {
  db.run(addJob, { id: 'j1' });
  const rest = { job: 'j1', nano: 7, reserved: 0, unpriced: 0, model: 'a', project: null, play: 0, profile: 'g' };
  for (const day of [0, 1, 2]) {
    const time = NOON + day * 24 * HOUR;
    db.run(addEntry, { id: `e${day}`, at: time, day: dayOf(time), ...rest });
  }
}
