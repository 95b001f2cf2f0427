import {
  Gauge,
  Hourglass,
  KeyRound,
  Link2,
  type LucideIcon,
  Moon,
  Pause,
  Scale,
  ServerCrash,
  Wallet,
  WifiOff,
} from 'lucide-react';
import type { Job } from '../../../shared/job.ts';
import { kindOf } from '../../../shared/kinds/index.ts';
import type { Budget } from '../../../shared/ledger.ts';
import { formatNano } from '../../../shared/money.ts';
import { isPlayMoney, type ProfileView } from '../../../shared/profile.ts';
import { formatClock, formatSpan, STATE_WORDS } from '../../ui/index.ts';

export interface Wait {
  icon: LucideIcon;
  /** Why it waits. */
  reason: string;
  /** What would release it. */
  release: string;
}

export interface WaitFacts {
  now: number;
  /** The first job it depends on that is not done. */
  dependency?: { title: string; state: Job['state'] } | undefined;
  /** The budget with the least room. */
  budget?: Budget | undefined;
  profile?: ProfileView | undefined;
  /** The job's lane fails again and again: it is tried now and then. */
  isLaneOut?: boolean;
}

/** What is left under a budget's cap; its three figures count against it together (DESIGN "Money"). */
export function leftOf({ hardNano, softNano, used }: Budget): number | undefined {
  const limit = hardNano ?? softNano;
  if (limit === undefined) return undefined;
  return Math.max(0, limit - used.settledNano - used.reservedNano - used.uncertainNano);
}

/** Why a waiting job waits and what would release it; every reason of the studio has its sentence. */
export function waitOf(job: Job, facts: WaitFacts): Wait {
  if (job.state === 'queued') return queuedWait(job, facts);
  switch (job.reason) {
    case 'dependency':
      return dependencyWait(facts.dependency);
    case 'budget':
      return budgetWait(job, facts.budget);
    case 'offline':
      return { icon: WifiOff, reason: 'The gateway cannot be reached', release: 'Goes by itself when it is back' };
    case 'rate':
      return rateWait(job, facts);
    case 'window':
      return windowWait(job);
    case 'paused':
      return { icon: Pause, reason: 'Paused by you', release: 'Resume all to let it go' };
    case 'key':
      return { icon: KeyRound, reason: 'The profile has no key', release: 'Enter it in Settings, then it goes' };
    case 'auth':
      return { icon: KeyRound, reason: 'The gateway refused the key', release: 'Mend the key in Settings, then retry' };
    case 'price':
      return {
        icon: Scale,
        reason: 'Waits for the price',
        release: 'An answer stated another one: choose at the right',
      };
    case 'quota':
      return { icon: Wallet, reason: 'No quota left at the gateway', release: 'Top up there, then retry' };
    default:
      return { icon: Hourglass, reason: 'Blocked', release: job.error?.message ?? 'Retry it' };
  }
}

function queuedWait(job: Job, { now, isLaneOut = false }: WaitFacts): Wait {
  if (job.nextAt !== undefined && job.nextAt > now) {
    const reason = `Tries again in ${formatSpan(job.nextAt - now)}`;
    return { icon: Hourglass, reason, release: job.error?.message ?? 'Not sent before that' };
  }
  if (isLaneOut) {
    const release = job.error?.message ?? 'Tried now and then, goes by itself when it works';
    return { icon: ServerCrash, reason: 'The gateway fails again and again', release };
  }
  return { icon: Hourglass, reason: 'In line', release: 'Starts when its lane has room' };
}

function windowWait(job: Job): Wait {
  if (job.nextAt === undefined)
    return { icon: Moon, reason: 'Its night is over', release: 'Put it into the next one, or run it now' };
  const what = job.runId === undefined ? 'Opens' : 'The night opens';
  return { icon: Moon, reason: `${what} at ${formatClock(job.nextAt)}`, release: 'Starts by itself then' };
}

function dependencyWait(dependency: WaitFacts['dependency']): Wait {
  const icon = Link2;
  if (!dependency) return { icon, reason: 'Waits for another job', release: 'Starts when that is on disk' };
  const reason = `Waits for ${dependency.title}, ${STATE_WORDS[dependency.state].toLowerCase()}`;
  if (dependency.state === 'uncertain') return { icon, reason, release: 'Resolve the doubt, then it goes' };
  const dead = dependency.state === 'failed' || dependency.state === 'canceled';
  return { icon, reason, release: dead ? 'Retry that job, or cancel this one' : 'Starts when that is on disk' };
}

const SCOPE_WORDS: Record<Budget['scope'], string> = {
  day: 'today',
  month: 'this month',
  project: 'in this project',
  run: 'in this night',
};

function budgetWait(job: Job, budget: Budget | undefined): Wait {
  const icon = Wallet;
  if (job.money.unpriced)
    return { icon, reason: 'Its price is not known', release: 'Set it, or send it once unpriced' };
  const asked = formatNano(job.money.estimateNano);
  const left = budget && leftOf(budget);
  if (!budget || left === undefined)
    return { icon, reason: 'Over the budget', release: `${asked} asked. Raise it on Spend` };
  const over = job.money.estimateNano - left;
  const reason =
    over > 0 ? `Over budget by ${formatNano(over)} ${SCOPE_WORDS[budget.scope]}` : 'Waits for room in the budget';
  return { icon, reason, release: `${asked} asked, ${formatNano(left)} left` };
}

/** From here on the time of day says more than a count. */
const COUNTED_MS = 10 * 60_000;

function rateWait(job: Job, { now, profile }: WaitFacts): Wait {
  const icon = Gauge;
  const { nextAt, error } = job;
  const isAhead = nextAt !== undefined && nextAt > now;
  const slot = !isAhead
    ? ''
    : nextAt - now > COUNTED_MS
      ? `, goes on at ${formatClock(nextAt)}`
      : `, next slot in ${formatSpan(nextAt - now)}`;
  // What the gateway itself asked for goes before the profile's own rule.
  if (error) return { icon, reason: `Rate limit${slot}`, release: error.message };
  const lane = kindOf(job).lanes.find(({ perMinute }) => perMinute);
  const perMinute = profile && lane?.perMinute?.(profile.limits);
  const release = perMinute === undefined ? 'The gateway asked to wait' : `${perMinute} a minute for ${lane?.limited}`;
  return { icon, reason: `Rate limit${slot}`, release };
}

/** Whether a lane that fails again and again is this job's. */
export function isLaneOf({ kind, profileId }: Job, lane: { kind: string; profileId: string } | undefined): boolean {
  if (lane?.profileId !== profileId) return false;
  return kindOf(kind).lanes.some(({ name }) => name === lane.kind);
}

/** The budget that has the least room for this job. */
export function tightestBudget(budgets: readonly Budget[], job: Job): Budget | undefined {
  const meant = budgets.filter(
    ({ scope, projectId, runId, play }) =>
      (scope === 'run' || play === isPlayMoney(job.profileId)) &&
      (scope !== 'project' || projectId === job.projectId) &&
      (scope !== 'run' || runId === job.runId),
  );
  const hard = meant.filter((budget) => budget.hardNano !== undefined);
  return hard.sort((a, b) => (leftOf(a) ?? 0) - (leftOf(b) ?? 0))[0];
}
