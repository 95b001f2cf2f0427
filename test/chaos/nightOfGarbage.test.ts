import { expect, test } from 'vitest';
import type { Job } from '../../src/shared/jobs/job.ts';
import type { NightRules, NightRun } from '../../src/shared/jobs/night.ts';
import { canaryKey } from '../helpers/canary.ts';
import { settle, TestClock } from '../helpers/testPorts.ts';
import { openChaosStudio } from './chaosStudio.ts';
import { GARBAGE, type Garbage, type Spoiled, startGarbageService } from './garbageService.ts';
import { BILL_NANO } from './serviceAnswers.ts';

/** The gateway answers nonsense for part of an overnight run. */

const MINUTE = 60_000;
const EVENING = new Date(2026, 10, 21, 22, 59).getTime();
const TAKES = 32;
const GARBAGES = Object.keys(GARBAGE) as Garbage[];

async function nightOf(rules: Partial<NightRules>) {
  const clock = new TestClock(EVENING);
  const service = await startGarbageService(() => clock.now());
  const { call, close } = await openChaosStudio({ clock, baseUrl: service.url, key: canaryKey() });
  const plan = (start: string) => call('night.plan', { start, end: '07:00', capNano: 100_000_000_000, rules });
  await plan('23:00');
  const config = { durationSeconds: 4 as const };
  const requests = Array.from({ length: TAKES }, (_, n) => ({
    kind: 'video' as const,
    model: 'video-standard',
    prompt: `Take ${n}`,
    config,
  }));
  await call('jobs.enqueue', { requests, night: true });
  const jobs = async () => (await call('jobs.list', { limit: 200 })).jobs;
  const count = async (has: (job: Job) => boolean) => (await jobs()).filter(has).length;
  const until = async (isSo: () => Promise<boolean>): Promise<void> => {
    for (let turns = 0; turns < 800 && !(await isSo()); turns++) await clock.advance(30_000);
    expect(await isSo()).toBe(true);
  };
  await until(async () => (await count(({ state }) => state === 'succeeded')) >= 2);
  /** Holds at any time: nothing is sent twice, and every possible charge is in the sums of job, run and ledger. */
  const hold = async (): Promise<void> => {
    await settle();
    expect(new Set(service.requests).size).toBe(service.requests.length);
    const sums = { settledNano: 0, reservedNano: 0, uncertainNano: 0 };
    for (const { money } of await jobs()) {
      sums.settledNano += money.chargedNano;
      sums.reservedNano += money.reservedNano;
      sums.uncertainNano += money.uncertainNano;
    }
    expect(sums.settledNano + sums.reservedNano + sums.uncertainNano).toBeGreaterThanOrEqual(service.bill());
    expect((await run()).used).toMatchObject(sums);
    expect((await call('ledger.totals', { groupBy: 'day' })).sum).toMatchObject(sums);
  };
  const run = async (): Promise<NightRun> => {
    const { current, last } = await call('night.get', {});
    const newest = current ?? last;
    if (!newest) throw new Error('there is no night');
    return newest;
  };
  const finish = async (): Promise<void> => {
    await close();
    await service.close();
  };
  return { clock, service, call, plan, jobs, count, until, hold, run, finish };
}

const isOver = ({ state }: Job): boolean => state === 'succeeded' || state === 'failed' || state === 'uncertain';
const isMade = ({ state, outputs }: Job): boolean => state === 'succeeded' && outputs[0]?.state === 'local';
const isInDoubt = ({ money }: Job): boolean => money.uncertainNano === BILL_NANO.video && money.chargedNano === 0;

/** Answers to polls without a task: the gateway does not know it, so the job is unconfirmed. */
const NAMELESS: readonly Garbage[] = ['nothing', 'wrong types'];
const CASES = GARBAGES.flatMap((garbage) =>
  (['requests', 'polls', 'downloads'] as const).map((place): [Garbage, Spoiled] => [garbage, place]),
);

/** No request is sent twice, no clip is lost, all money is counted, and the run goes on after the outage. */
test.each(CASES)(
  'after twenty minutes of %s for the %s, the run goes on and has lost nothing',
  async (garbage, place) => {
    const night = await nightOf({ goOnInDoubt: true });
    try {
      night.service.spoil(place, garbage);
      for (let minutes = 0; minutes < 20; minutes++) {
        await night.clock.advance(MINUTE);
        await night.hold();
      }
      expect(night.service.spoiled()).toBeGreaterThan(3);
      expect((await night.run()).state).toBe('open');
      // Each request without an answer is unconfirmed: growing pauses keep them few.
      if (place === 'requests') expect(night.service.requests.length).toBeLessThan(TAKES);
      const spoiledRequests = place === 'requests' ? night.service.spoiled() : 0;
      night.service.spoil(undefined);
      await night.until(async () => (await night.count(isOver)) === TAKES);
      await night.hold();
      expect(await night.run()).toMatchObject({ state: 'open', jobs: { waiting: 0, underWay: 0 } });
      expect(night.service.requests).toHaveLength(TAKES);

      const doubtful = (await night.jobs()).filter(isInDoubt);
      expect((await night.count(isMade)) + doubtful.length).toBe(TAKES);
      if (place === 'requests') expect(doubtful).toHaveLength(spoiledRequests);
      if (place === 'downloads' || (place === 'polls' && !NAMELESS.includes(garbage))) expect(doubtful).toEqual([]);
      // Every job with a task can be polled, and its clip exists.
      for (const { id, remoteId } of doubtful) {
        expect(remoteId === undefined).toBe(place === 'requests');
        if (remoteId !== undefined) await night.call('jobs.resolve', { id, as: 'lookup' });
      }
      if (place === 'requests') return;
      await night.until(async () => (await night.count(isMade)) === TAKES);
      await night.hold();
      expect((await night.run()).used).toMatchObject({ settledNano: night.service.bill(), uncertainNano: 0 });
    } finally {
      await night.finish();
    }
  },
);

/** The stop rules of the run apply to nonsense: it stops sending and keeps the queued takes. */
test.each(
  (['a page', 'half of a JSON'] as const).flatMap((garbage): [Garbage, string, Partial<NightRules>][] => [
    [garbage, 'failures', { failuresInRow: 3 }],
    [garbage, 'outage', { goOnInDoubt: true, outageMinutes: 15 }],
  ]),
)(
  '%s for the requests ends the night by its rule (%s), and the next one makes the rest',
  async (garbage, end, rules) => {
    const night = await nightOf(rules);
    try {
      night.service.spoil('requests', garbage);
      await night.until(async () => (await night.run()).state === 'ended');
      expect(await night.run()).toMatchObject({ endedBy: end });
      await night.hold();
      const sent = night.service.requests.length;
      expect(sent).toBeLessThan(TAKES);
      const spoiled = night.service.spoiled();
      night.service.spoil(undefined);
      await night.clock.advance(60 * MINUTE);
      expect(night.service.requests).toHaveLength(sent);
      const { leftOver } = await night.call('night.get', {});
      expect(leftOver).toHaveLength(TAKES - sent);

      await night.plan('02:00');
      await night.call('night.assign', { ids: leftOver, night: true });
      await night.until(async () => (await night.count(isMade)) === TAKES - spoiled);
      expect(new Set(night.service.requests).size).toBe(TAKES);
      expect(night.service.requests).toHaveLength(TAKES);
      expect(await night.count(isInDoubt)).toBe(spoiled);
    } finally {
      await night.finish();
    }
  },
);
