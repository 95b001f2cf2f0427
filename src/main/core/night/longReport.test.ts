import { expect, test } from 'vitest';
import { EVENING, HOUR, type NightHarness, nightsOfThisFile } from '../../../../test/helpers/nightHarness.ts';
import { settle } from '../../../../test/helpers/testPorts.ts';
import type { JobState } from '../../../shared/jobs/job.ts';
import { NEWEST_ENDED } from '../../../shared/jobs/night.ts';
import type { Verdict } from '../../../shared/jobs/verdict.ts';
import { sql } from '../store/index.ts';

/** The report of a night of more jobs than it lists. */

const start = nightsOfThisFile();

const insertJob = sql(
  'test.sentJob',
  `INSERT INTO jobs (id, kind, state, request, profile_id, lane, idempotency_key, hook_secret, price, estimate_nano, estimate_low_nano,
     charged_nano, charged_low_nano, run_id, verdict, position, created_at, sent_at, finished_at)
   VALUES ($id, 'video', $state, '{}', 'p', 'video:p', $id, '', '{}', 1, 1, 1, 1, $runId, $verdict, $at, 0, $at, $endedAt)`,
);
const join = sql('test.join', 'INSERT INTO night_jobs (run_id, job_id, joined_at) VALUES ($runId, $id, 0)');

interface Some {
  count: number;
  state: JobState;
  verdict?: Verdict;
}

/** Sends these one after the other, as far as the report knows. */
async function sent(harness: NightHarness, all: Some[]): Promise<void> {
  harness.plan();
  const runId = harness.night.currentId() ?? '';
  await harness.clock.advance(3 * HOUR);
  let at = EVENING + 3 * HOUR;
  harness.store.transaction((db) => {
    for (const { count, state, verdict = null } of all)
      for (let n = 0; n < count; n++) {
        at += 1_000;
        const id = `${state} ${verdict ?? ''} ${at}`;
        const endedAt = state === 'running' ? null : at + 10;
        db.run(insertJob, { id, state, runId, verdict, at, endedAt });
        db.run(join, { runId, id });
      }
  });
  await settle();
}

const countsOf = (harness: NightHarness) => {
  const { sent: listed, made, failed, inDoubt, underWay } = harness.report();
  const count = (...states: JobState[]) => listed.filter(({ state }) => states.includes(state)).length;
  return {
    listed: listed.length,
    made: [count('succeeded'), made],
    failed: [count('failed'), failed],
    inDoubt: [count('uncertain'), inDoubt],
    underWay: [count('running'), underWay],
  };
};

test('what runs, what was not made and what waits for a verdict are listed before what is done with', async () => {
  const harness = start();
  await sent(harness, [
    { count: 500, state: 'succeeded', verdict: 'keep' },
    { count: 6, state: 'failed' },
    { count: 3, state: 'uncertain' },
    { count: 400, state: 'succeeded' },
    { count: 2, state: 'running' },
  ]);
  expect(countsOf(harness)).toEqual({
    listed: 500,
    made: [489, 900],
    failed: [6, 6],
    inDoubt: [3, 3],
    underWay: [2, 2],
  });
  const { sent: listed } = harness.report();
  const isToJudge = ({ state, verdict }: (typeof listed)[number]) => state === 'succeeded' && verdict === undefined;
  expect(listed.filter(isToJudge)).toHaveLength(400);
  expect(listed.map(({ startsAt }) => startsAt)).toEqual(listed.map(({ startsAt }) => startsAt).toSorted());
  // The money at each of them is that of all that were sent by then.
  expect(listed.at(0)?.countedByThenNano).toBe(1);
  expect(listed.find(({ state }) => state === 'failed')?.countedByThenNano).toBe(501);
  expect(listed.at(-1)?.countedByThenNano).toBe(911);
});

test('thousands that failed leave room for what was made, and the newest one is always there', async () => {
  const harness = start();
  await sent(harness, [
    { count: 900, state: 'failed' },
    { count: 250, state: 'succeeded' },
    { count: 1, state: 'succeeded', verdict: 'no' },
  ]);
  expect(countsOf(harness)).toMatchObject({ listed: 500, made: [251, 251], failed: [249, 900] });
  expect(harness.report().sent.at(-1)).toMatchObject({ verdict: 'no', countedByThenNano: 1_151 });
});

test('what ended last is listed, and it is told how many ended and how many of the canceled ones were sent', async () => {
  const harness = start();
  await sent(harness, [
    { count: 700, state: 'succeeded' },
    { count: 300, state: 'canceled' },
    { count: 200, state: 'succeeded' },
    { count: 1, state: 'running' },
  ]);
  const { sent: listed, ended, canceled, canceledSent } = harness.report();
  expect({ ended, canceled, canceledSent }).toEqual({ ended: 1_200, canceled: 300, canceledSent: 300 });
  const lastEnded = EVENING + 3 * HOUR + 1_200_000 + 10;
  const ends = listed.flatMap(({ endsAt }) => endsAt ?? []).slice(-NEWEST_ENDED);
  expect(ends).toEqual(Array.from({ length: NEWEST_ENDED }, (_, n) => lastEnded - (NEWEST_ENDED - 1 - n) * 1_000));
});
