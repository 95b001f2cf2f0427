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
  TrendingUp,
  Wallet,
  WifiOff,
} from 'lucide-react';
import { isPlayMoney, type ProfileView, WAITS_FOR_KEY } from '../../../shared/gateway/profile.ts';
import type { BlockReason, Job } from '../../../shared/jobs/job.ts';
import { kindOf } from '../../../shared/kinds/index.ts';
import type { Budget } from '../../../shared/money/ledger.ts';
import { formatNano } from '../../../shared/money/money.ts';
import { t } from '../../../shared/text/texts.ts';
import { formatClock, formatSpan } from '../../ui/index.ts';
import { BLOCK_WORDS, leftOf, leftWords, neverFits } from '../../words/index.ts';

export interface Wait {
  icon: LucideIcon;
  /** Why the job waits. */
  reason: string;
  /** What would let it continue. */
  release: string;
}

export interface WaitFacts {
  now: number;
  /** The first job it depends on that is not done. */
  dependency?: { title: string; state: Job['state'] } | undefined;
  /** The budget with the least left. */
  budget?: Budget | undefined;
  profile?: ProfileView | undefined;
  /** The job's overnight run is paused on battery and ends at this time. */
  heldUntil?: number | undefined;
  /** The job's lane keeps failing and is retried only now and then. */
  isLaneOut?: boolean;
}

const ICONS = {
  dependency: Link2,
  budget: Wallet,
  offline: WifiOff,
  rate: Gauge,
  window: Moon,
  paused: Pause,
  key: KeyRound,
  auth: KeyRound,
  quota: Wallet,
  price: Scale,
  priceRose: TrendingUp,
} satisfies Record<BlockReason, LucideIcon>;

/** Whether the job cannot continue without the key of its profile: to be sent, asked for or downloaded. */
export const waitsForKey = ({ reason, state, outputs }: Job): boolean =>
  reason === 'key' || (state === 'fetching' && outputs.some(({ fault }) => fault === WAITS_FOR_KEY));

/** Why a job waits and what would let it continue; every reason has its sentence. */
export function waitOf(job: Job, facts: WaitFacts): Wait {
  if (job.state === 'queued') return queuedWait(job, facts);
  if (job.reason === undefined) return { icon: Hourglass, reason: t`Waiting`, release: job.error?.message ?? '' };
  const { reason, release = '' } = BLOCK_WORDS[job.reason];
  return { icon: ICONS[job.reason], reason, release, ...knownOf(job, job.reason, facts) };
}

/** Details besides the reason: the dependency, the remaining budget, the time. */
function knownOf(job: Job, reason: BlockReason, facts: WaitFacts): Partial<Wait> {
  if (reason === 'dependency') return dependencyWait(facts.dependency);
  if (reason === 'budget') return budgetWait(job, facts.budget);
  if (reason === 'priceRose') return priceRoseWait(job);
  if (reason === 'rate') return rateWait(job, facts);
  if (reason === 'key' && job.error) return { reason: t`The key cannot be read`, release: job.error.message };
  return reason === 'window' ? windowWait(job, facts) : {};
}

function queuedWait(job: Job, { now, isLaneOut = false }: WaitFacts): Wait {
  if (job.nextAt !== undefined && job.nextAt > now) {
    const reason = t`Tries again in ${formatSpan(job.nextAt - now)}`;
    return { icon: Hourglass, reason, release: job.error?.message ?? '' };
  }
  if (isLaneOut) {
    const release = job.error?.message ?? t`Sent when it works again`;
    return { icon: ServerCrash, reason: t`The gateway keeps failing`, release };
  }
  return { icon: Hourglass, reason: t`Queued`, release: '' };
}

function windowWait(job: Job, { heldUntil }: WaitFacts): Partial<Wait> {
  // A job that was left out of the run has nothing reserved, and does not continue with it.
  const isInLine = job.money.reservedNano > 0 || job.money.unpriced === true;
  // A job whose own time is after the end of its run does not continue with it.
  const goesOn = isInLine && heldUntil !== undefined && (job.nextAt === undefined || job.nextAt < heldUntil);
  if (goesOn) {
    const release = t`Continues when plugged in, until ${formatClock(heldUntil)}`;
    return { reason: t`On hold: this computer is on battery`, release };
  }
  return job.nextAt === undefined ? {} : { reason: t`Starts at ${formatClock(job.nextAt)}`, release: '' };
}

function dependencyWait(dependency: WaitFacts['dependency']): Partial<Wait> {
  if (!dependency) return {};
  const reason = t`Waits for ${dependency.title}`;
  if (dependency.state === 'uncertain') return { reason, release: t`Unconfirmed: sent once it is resolved` };
  const dead = dependency.state === 'failed' || dependency.state === 'canceled';
  return dead ? { reason, release: t`The job before it failed. Retry it, or cancel this one` } : { reason };
}

const OVER: Record<Budget['scope'], (by: string) => string> = {
  day: (by) => t`Over today’s budget by ${by}`,
  month: (by) => t`Over this month’s budget by ${by}`,
  project: (by) => t`Over the project’s budget by ${by}`,
  run: (by) => t`Over the run’s budget by ${by}`,
};

function budgetWait(job: Job, budget: Budget | undefined): Partial<Wait> {
  if (job.money.unpriced) return { reason: t`No price set`, release: t`Set a price, or send without one` };
  const isLow = budget?.countedNano !== undefined;
  const nano = isLow ? job.money.estimateLowNano : job.money.estimateNano;
  const price = formatNano(nano);
  const asked = isLow ? t`${price} needed at the lower price` : t`${price} needed`;
  const left = budget && leftOf(budget);
  if (!budget || left === undefined) return { release: t`${asked}. Change the budget in Spend` };
  if (neverFits(nano, budget)) {
    return {
      reason: t`Price above the whole budget`,
      release: t`${asked}, the budget is ${formatNano(budget.hardNano)}. Change the budget in Spend`,
    };
  }
  const over = nano - left;
  const reason = over > 0 ? OVER[budget.scope](formatNano(over)) : BLOCK_WORDS.budget.reason;
  return { reason, release: `${asked}, ${leftWords(left, budget.hardNano)}` };
}

function priceRoseWait({ money }: Job): Partial<Wait> {
  const was = formatNano(money.confirmedNano ?? 0);
  if (money.unpriced) return { reason: t`No price set; ${was} was confirmed` };
  return { reason: t`Price rose from ${was} to ${formatNano(money.estimateNano)}` };
}

/** From this length on, a time of day says more than a countdown. */
const COUNTED_MS = 10 * 60_000;

function rateWait(job: Job, { now, profile }: WaitFacts): Partial<Wait> {
  const { nextAt, error } = job;
  const isAhead = nextAt !== undefined && nextAt > now;
  const reason = !isAhead
    ? BLOCK_WORDS.rate.reason
    : nextAt - now > COUNTED_MS
      ? t`Rate limit until ${formatClock(nextAt)}`
      : t`Rate limit for ${formatSpan(nextAt - now)}`;
  // A wait that the gateway asked for takes precedence over the profile's own rule.
  if (error) return { reason, release: error.message };
  const lane = kindOf(job).lanes.find(({ perMinute }) => perMinute);
  const perMinute = profile && lane?.perMinute?.(profile.limits);
  return perMinute === undefined ? { reason } : { reason, release: t`${lane?.words}: ${perMinute} per minute` };
}

/** Whether a failing lane is the lane of this job. */
export function isLaneOf({ kind, profileId }: Job, lane: { kind: string; profileId: string } | undefined): boolean {
  if (lane?.profileId !== profileId) return false;
  return kindOf(kind).lanes.some(({ name }) => name === lane.kind);
}

/** The budget that has the least left for this job. */
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
