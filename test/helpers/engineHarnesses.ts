import { afterEach } from 'vitest';
import type { Gateway, PollOutcome, SubmitOutcome } from '../../src/main/core/gateway/index.ts';
import type { Engine } from '../../src/main/core/jobs/index.ts';
import type { Job } from '../../src/shared/jobs/job.ts';
import type { StudioRequest } from '../../src/shared/kinds/index.ts';
import {
  acceptance,
  aVideo,
  type EngineHarness,
  type EngineOptions,
  finished,
  lostAnswer,
  startEngine,
} from './engineHarness.ts';
import { TestClock } from './testPorts.ts';

/** Starts engines for the tests of one file, and closes after each test what it started. */
export function engineHarnesses(): typeof startEngine {
  const harnesses: EngineHarness[] = [];
  afterEach(async () => {
    for (const harness of harnesses.splice(0)) await harness.close();
  });
  return (options) => {
    const harness = startEngine(options);
    harnesses.push(harness);
    return harness;
  };
}

export interface JobOptions extends Omit<EngineOptions, 'script' | 'clock'> {
  /** The state to reach; the gateway answers accordingly unless scripted otherwise. */
  state?: 'paused' | 'running' | 'uncertain' | 'succeeded' | 'failed' | 'canceled';
  request?: StudioRequest;
  submit?: SubmitOutcome[];
  poll?: PollOutcome[];
  /** The kept request. */
  body?: string;
  gateway?: Partial<Gateway>;
  clock?: TestClock;
  /** How the engine starts; for one that the test abandons or closes itself. */
  open?: typeof startEngine;
}

/** An engine with one job. */
export interface OneJob extends EngineHarness {
  harness: EngineHarness;
  id: string;
  now(): Job;
  commands: Engine['commands'];
  resolve(as: 'again' | 'lookup' | 'lost' | 'resend'): ReturnType<Engine['commands']['resolve']>;
  cancel(): void;
  is(state: Job['state']): Promise<Job>;
  ends(): Promise<Job>;
  /** Waits until the job is charged. */
  charged(): Promise<Job>;
}

const ANSWERS: Record<NonNullable<JobOptions['state']>, (clock: TestClock) => SubmitOutcome[]> = {
  paused: () => [],
  failed: () => [],
  uncertain: () => [lostAnswer],
  running: (clock) => [acceptance(clock)],
  canceled: (clock) => [acceptance(clock)],
  succeeded: (clock) => [acceptance(clock)],
};

/** Makes jobs, each at an engine of its own that is closed after the test. */
export function jobsOfThisFile(start = engineHarnesses()): (options?: JobOptions) => Promise<OneJob> {
  return async ({ state, request = aVideo, submit, poll, body, gateway, open = start, ...options } = {}) => {
    const clock = options.clock ?? new TestClock();
    const script = {
      submit: [...(submit ?? (state ? ANSWERS[state](clock) : []))],
      poll: [...(poll ?? (state === 'succeeded' ? [finished()] : []))],
      ...(body === undefined ? {} : { body }),
      ...(gateway ? { gateway } : {}),
    };
    const harness = open({ ...options, clock, script });
    const { commands } = harness.engine;
    if (state === 'paused') await commands.setPaused(true);
    const { id } = await harness.enqueue(request);
    const is: OneJob['is'] = (wanted) => harness.until(id, (job) => job.state === wanted);
    if (state === 'canceled') commands.cancel(id);
    else if (state && state !== 'paused') await is(state);
    return {
      ...harness,
      harness,
      id,
      commands,
      now: () => harness.job(id),
      resolve: (as) => commands.resolve({ id, as }),
      cancel: () => void commands.cancel(id),
      is,
      ends: () => harness.untilEnd(id),
      charged: () => harness.until(id, ({ money }) => money.chargedNano > 0),
    };
  };
}
