import { afterEach } from 'vitest';
import type { Gateway, PollOutcome, SubmitOutcome } from '../../src/main/core/gateway/index.ts';
import { jobTable } from '../../src/main/core/jobs/index.ts';
import { setBudget } from '../../src/main/core/ledger/index.ts';
import { Night } from '../../src/main/core/night/index.ts';
import { type NightPlan, nightPlanSchema, type PowerSource } from '../../src/shared/jobs/night.ts';
import {
  aVideo,
  type EngineHarness,
  finished,
  refusal,
  sentRequest,
  startEngine,
  statusOfKey,
} from './engineHarness.ts';
import { countingIds, settle, silentLog, TestClock } from './testPorts.ts';

/** An engine with the night module, on the same clock and database. */
export interface NightHarness extends EngineHarness {
  night: Night;
  /** The gateway's answers to requests and polls; `script.sent` counts the requests. */
  service: { submit(): SubmitOutcome | Promise<SubmitOutcome>; poll(): PollOutcome };
  /** Notifications shown to the user. */
  notified: string[];
  plan(fields?: object): void;
  setDayCap(hardNano: number): void;
  report(): ReturnType<typeof reportOf>;
  /** Adds a number of videos to the night. */
  fill(count: number, extra?: { dependsOn?: string[] }): Promise<string[]>;
  /** Makes every later request succeed at once. */
  allSucceed(): void;
}

export const DOLLAR = 1_000_000_000;

/** 20:00 local on 21 November 2026. */
export const EVENING = new Date(2026, 10, 21, 20).getTime();
export const HOUR = 3_600_000;

export const aPlan = (fields: object = {}): NightPlan =>
  nightPlanSchema.parse({ start: '23:00', end: '07:00', capNano: 100 * DOLLAR, ...fields });

/** One video after the other. */
export const ONE_AT_ONCE = { profile: { limits: { videosAtOnce: 1 } } };

/** An answer that contains the clip. */
export const made = (): SubmitOutcome => ({ ...finished(), type: 'done' });

const reportOf = (night: Night) => {
  const report = night.report(undefined);
  if (!report.ok) throw new Error(report.error.message);
  return report.data;
};

export function startNight(
  options: Parameters<typeof startEngine>[0] & {
    balance?: () => number | undefined;
    power?: { source(): PowerSource };
    /** Takes by shot. */
    shots?: string[][];
  } = {},
): NightHarness {
  const service: NightHarness['service'] = {
    submit: () => harness.script.submit.shift() ?? refusal({ message: 'the script has no more answers' }),
    poll: () => harness.script.poll.shift() ?? { type: 'running' },
  };
  const submitVideo: Gateway['submitVideo'] = async (_order, { idempotencyKey, keep }) => {
    const { body } = harness.script;
    const isWanted = body === undefined || (await keep?.(sentRequest(idempotencyKey, body)));
    if (isWanted === false) return refusal({ kind: 'network', retryable: true });
    harness.script.sent += 1;
    return service.submit();
  };
  const gateway = { submitVideo, poll: async () => service.poll(), ...options.script?.gateway };
  const harness = startEngine({ clock: new TestClock(EVENING), ...options, script: { gateway } });
  const notified: string[] = [];
  const night = new Night({
    store: harness.store,
    clock: harness.clock,
    ids: { id: (prefix) => `${countingIds().id(prefix)}_${Math.random().toString(36).slice(2)}` },
    log: silentLog,
    notifier: { notify: ({ body }) => void notified.push(body) },
    emit: (event) => void harness.events.push(event),
    freeBytes: options.freeBytes ?? (() => 1e12),
    events: harness.coreEvents,
    jobs: {
      assignNight: (input) => harness.engine.many.assignNight(input),
      isPaused: () => harness.engine.queries.isPaused(),
      limitsOf: (lane) => harness.engine.limitsOf(lane),
      isOutOfOrder: (lane) => harness.engine.isOutOfOrder(lane),
    },
    jobTable,
    takesBeside: (_, jobId) => options.shots?.find((takes) => takes.includes(jobId)) ?? [],
    ...(options.power ? { power: options.power } : {}),
    profiles: {
      state: async (id) => ({
        status: id !== 'p' && id !== 'sandbox' ? 'gone' : statusOfKey(options.hasKey?.() ?? true),
        name: 'P',
      }),
      balance: async () => options.balance?.(),
      isPlay: () => harness.isPlay(),
    },
  });
  night.start();
  const close = harness.close;
  const all = Object.assign(harness, {
    night,
    notified,
    service,
    allSucceed: () => {
      service.submit = made;
    },
    fill: async (count: number, extra: { dependsOn?: string[] } = {}) => {
      const ids: string[] = [];
      for (let n = 0; n < count; n++) ids.push((await harness.enqueue(aVideo, { night: true, ...extra })).id);
      return ids;
    },
    plan: (fields: object = {}) => {
      const planned = night.plan(aPlan(fields));
      if (!planned.ok) throw new Error(planned.error.message);
    },
    setDayCap: (hardNano: number) => {
      harness.store.transaction((db) => setBudget(db, { scope: 'day', hardNano }));
      harness.coreEvents.emit('budgets.changed');
    },
    report: () => reportOf(night),
  });
  harness.close = async () => {
    night.close();
    await close();
    await settle();
  };
  return all;
}

/** Starts night harnesses for the tests of one file, and closes after each test what it started. */
export function nightsOfThisFile(): typeof startNight {
  const harnesses: NightHarness[] = [];
  afterEach(async () => {
    for (const harness of harnesses.splice(0)) await harness.close();
  });
  return (options) => {
    const harness = startNight(options);
    harnesses.push(harness);
    return harness;
  };
}

/** Plans a night and adds that many videos to it. */
export const plannedBy =
  (start: typeof startNight) =>
  async (
    plan: object,
    count: number,
    options?: Parameters<typeof startNight>[0],
  ): Promise<[NightHarness, string[]]> => {
    const harness = start(options);
    harness.plan(plan);
    return [harness, await harness.fill(count)];
  };
