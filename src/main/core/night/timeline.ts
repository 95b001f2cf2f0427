import type { DryRunDay, DryRunJob, DryRunLane, MoneyStep } from '../../../shared/jobs/night.ts';
import type { Nano } from '../../../shared/money/money.ts';
import { dayOf } from '../ledger/index.ts';
import type { Lane, PlannedJob } from './simulation.ts';

/** What a dry run draws: lanes, money by time, and what each day pays. */

/** The lanes in the order of their first job. */
export function plannedLanes(jobs: readonly PlannedJob[], lanes: ReadonlyMap<string, Lane>): DryRunLane[] {
  const found = new Map<string, DryRunLane>();
  for (const { lane, ms } of jobs) {
    const known = found.get(lane);
    if (!known) {
      const { atOnce = 1 } = lanes.get(lane) ?? {};
      const name = lane.slice(0, lane.indexOf(':'));
      found.set(lane, { lane, name, atOnce, jobs: 1, shortestMs: ms, longestMs: ms });
      continue;
    }
    known.jobs += 1;
    known.shortestMs = Math.min(known.shortestMs, ms);
    known.longestMs = Math.max(known.longestMs, ms);
  }
  return [...found.values()];
}

/** Steps drawn at most: more than that are no longer told apart on a screen. */
const MAX_STEPS = 400;

/** The rising sums at the moments at which jobs would be sent, from what is used already. */
export function moneySteps(jobs: readonly DryRunJob[], used: MoneyStep): MoneyStep[] {
  const steps: MoneyStep[] = [{ ...used }];
  const inTime = [...jobs].sort((one, other) => one.startsAt - other.startsAt);
  let { nano, lowNano } = used;
  for (const job of inTime) {
    nano += job.nano;
    lowNano += job.lowNano;
    const last = steps.at(-1);
    if (last && last.at === job.startsAt) Object.assign(last, { nano, lowNano });
    else steps.push({ at: job.startsAt, nano, lowNano });
  }
  const every = Math.ceil(steps.length / MAX_STEPS);
  return steps.filter((_, n) => n % every === 0 || n === steps.length - 1);
}

/** The days on which jobs would be sent, in order: each pays what is sent on it. */
export function daysOf(jobs: readonly DryRunJob[], leftOf: (day: string) => Nano | undefined): DryRunDay[] {
  const days = new Map<string, DryRunDay>();
  for (const { startsAt, nano, lowNano, unpriced } of jobs) {
    const day = dayOf(startsAt);
    const known = days.get(day) ?? { day, nano: 0, lowNano: 0, unpriced: 0 };
    days.set(day, {
      day,
      nano: known.nano + nano,
      lowNano: known.lowNano + lowNano,
      unpriced: known.unpriced + (unpriced ? 1 : 0),
    });
  }
  return [...days.values()]
    .sort((one, other) => (one.day < other.day ? -1 : 1))
    .map((day) => {
      const leftNano = leftOf(day.day);
      return { ...day, ...(leftNano === undefined ? {} : { leftNano }) };
    });
}
