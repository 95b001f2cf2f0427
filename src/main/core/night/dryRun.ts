import type { JobError } from '../../../shared/jobs/job.ts';
import type { CapReading, DryRun, NightRules, PowerSource } from '../../../shared/jobs/night.ts';
import { kindOf } from '../../../shared/kinds/index.ts';
import type { Nano } from '../../../shared/money/money.ts';
import type { Cost } from '../../../shared/money/price.ts';
import { t } from '../../../shared/text/texts.ts';
import { amountFor, committedUnder, countedOfRun, dayOf, hardCaps, monthOf } from '../ledger/index.ts';
import type { ReadDb } from '../store/index.ts';
import { formatGigabytes, type ProfileState } from './gate.ts';
import type { NightJobs, WaitingMember } from './nightJobs.ts';
import { leftOutOf, NO_SOURCE, PRICE_ROSE } from './nightRuns.ts';
import { type Cap, daysOf, type Lane, moneySteps, type PlannedJob, plannedLanes, simulate } from './simulation.ts';

/** A window, a budget and rules to try on a run's queued jobs. */
export interface DryRunPlan {
  runId: string;
  startsAt: number;
  endsAt: number;
  capNano: Nano;
  capReading: CapReading;
  rules: NightRules;
  /** Whether the totals are test money. */
  play: boolean;
}

/** A job that is not queued yet; without `at`, only its price is known. */
export interface AddedJob extends Pick<PlannedJob, 'nano' | 'lowNano' | 'play' | 'projectId'> {
  title: string;
  unpriced: boolean;
  at?: Pick<WaitingMember, 'kind' | 'model' | 'lane' | 'profile_id'>;
}

/** Facts from other modules. */
export interface DryRunContext {
  now: number;
  freeBytes: number;
  isPaused: boolean;
  powerSource: PowerSource;
  /** By profile: whether it can send, its name, and its balance if the gateway states it. */
  profiles: ReadonlyMap<string, ProfileState & { balanceNano?: Nano }>;
  limitsOf(lane: string): { atOnce: number; perMinute?: number };
  jobs: NightJobs;
}

const nextTurn = (): Promise<void> => new Promise((done) => void setImmediate(done));

/** Rows listed in an answer; the counts include all. */
const LISTED = 500;

/** Simulates a run; sends and reserves nothing. With thousands of jobs, other work has its turn between the steps. */
export async function dryRun(
  db: ReadDb,
  plan: DryRunPlan,
  context: DryRunContext,
  added: readonly AddedJob[] = [],
): Promise<DryRun> {
  const members = context.jobs.waitingOfNight(db, plan.runId);
  await nextTurn();
  const msOf = durations(db, context.jobs);
  const more = new Map(added.map((job, index) => [`added ${index}`, job]));
  const planned = [
    ...plannedJobs(db, members, context, plan, msOf),
    ...[...more].map(([id, job]) => plannedOf(id, job, context, msOf)),
  ];
  await nextTurn();
  const { usedOfNight, counted } = countedBeside(db, members, plan);
  const lanes = lanesOf(db, planned, context, msOf);
  const caps = capsOf(db, plan);
  const tried = simulate(planned, {
    from: Math.max(context.now, plan.startsAt),
    endsAt: plan.endsAt,
    lanes,
    caps,
    counted,
    floorNano: plan.rules.budgetFloorNano ?? 0,
    runId: plan.runId,
    capReading: plan.capReading,
  });
  await nextTurn();
  const timed = tried.fits.filter(hasLane);
  const isPlay = plan.play && added.every(({ play }) => play);
  const onSide = new Set(planned.filter(({ play }) => play === isPlay).map(({ id }) => id));
  const ofSide = tried.fits.filter(({ jobId }) => onSide.has(jobId));
  const total = sumOf(ofSide);
  const spent = { nano: usedOfNight(isPlay, 'high'), lowNano: usedOfNight(isPlay, 'low') };
  const end = { nano: spent.nano + total.nano, lowNano: spent.lowNano + total.lowNano };
  const countedAtEnd = amountFor(plan.capReading, end);
  const dayCap = caps.find(({ scope, play }) => scope === 'day' && play === isPlay)?.hardNano;
  const leftOfDay = (day: string) =>
    dayCap === undefined ? undefined : Math.max(0, dayCap - counted(isPlay, 'day', day));
  return {
    at: context.now,
    startsAt: plan.startsAt,
    endsAt: plan.endsAt,
    jobs: members.length,
    ...listsOf(tried, more),
    totalNano: total.nano,
    totalLowNano: total.lowNano,
    unpriced: ofSide.filter(({ unpriced }) => unpriced).length,
    lanes: plannedLanes(planned.filter(hasLane), lanes),
    money: moneySteps(ofSide, { at: plan.startsAt, ...spent }),
    days: daysOf(ofSide, leftOfDay),
    ...(timed.length === 0 ? {} : { endsAbout: timed.reduce((last, { endsAt }) => Math.max(last, endsAt), 0) }),
    capNano: plan.capNano,
    capReading: plan.capReading,
    capLeftNano: plan.capNano - countedAtEnd,
    aboveCountedNano: end.nano - countedAtEnd,
    freeBytes: context.freeBytes,
    balances: [...context.profiles].map(([profileId, { balanceNano }]) => ({
      profileId,
      ...(balanceNano === undefined ? {} : { nano: balanceNano }),
    })),
    notes: notesOf(plan, context, planned.length),
  };
}

/** Amounts that count against the budgets besides the simulated jobs. */
function countedBeside(db: ReadDb, members: readonly WaitingMember[], { runId, capReading }: DryRunPlan) {
  const usedOfNight = (play: boolean, reading: CapReading): Nano =>
    countedOfRun(db, play, runId, reading) - reservedInNight(members, play, runId, reading);
  const counted = (play: boolean, scope: Cap['scope'], key: string): Nano =>
    scope === 'run'
      ? usedOfNight(play, capReading)
      : committedUnder(db, play, scope, key) - reservedUnder(members, play, scope, key);
  return { usedOfNight, counted };
}

type Tried = ReturnType<typeof simulate>;

/** The queued jobs, and separately, by title, the added ones. */
function listsOf(
  { fits, unfit }: Tried,
  added: ReadonlyMap<string, AddedJob>,
): Pick<DryRun, 'fits' | 'fitCount' | 'unfit' | 'unfitCount' | 'added'> {
  const isWaiting = ({ jobId }: { jobId: string }) => !added.has(jobId);
  const titled = <Known extends { jobId: string }>({ jobId, ...job }: Known) => {
    const of = added.get(jobId);
    return of ? [{ ...job, title: of.title }] : [];
  };
  return {
    ...listed(fits.filter(isWaiting), unfit.filter(isWaiting)),
    ...(added.size === 0 ? {} : { added: listed(fits.flatMap(titled), unfit.flatMap(titled)) }),
  };
}

const listed = <Fit, Unfit>(fits: Fit[], unfit: Unfit[]) => ({
  fits: fits.slice(0, LISTED),
  fitCount: fits.length,
  unfit: unfit.slice(0, LISTED),
  unfitCount: unfit.length,
});

const NO_LANE = '';
const hasLane = ({ lane }: { lane: string }): boolean => lane !== NO_LANE;

const sumOf = (jobs: readonly Cost[]): Cost =>
  jobs.reduce((sum, { nano, lowNano }) => ({ nano: sum.nano + nano, lowNano: sum.lowNano + lowNano }), NOTHING);

const NOTHING: Cost = { nano: 0, lowNano: 0 };

function plannedJobs(
  db: ReadDb,
  members: WaitingMember[],
  context: DryRunContext,
  plan: DryRunPlan,
  msOf: (row: Pick<WaitingMember, 'kind' | 'model'>) => number,
): PlannedJob[] {
  const inside = new Set(members.map(({ id }) => id));
  const leftOutTexts = leftOutOf(db, plan.runId);
  const needs = new Map<string, { onId: string; state: string; runId: string | null }[]>();
  for (const { jobId, ...need } of context.jobs.dependenciesOfNight(db, plan.runId))
    needs.set(jobId, [...(needs.get(jobId) ?? []), need]);
  return members.map((row) => {
    const needed = needs.get(row.id) ?? [];
    const leftOut = leftOutTexts.get(row.id);
    const obstacle =
      (leftOut === undefined ? undefined : { reason: 'shot' as const, message: leftOut }) ??
      obstacleOf(row, context) ??
      needed.flatMap((need) => externalObstacle(need, inside) ?? [])[0];
    return {
      id: row.id,
      nano: row.estimate_nano,
      lowNano: row.estimate_low_nano,
      play: row.play === 1,
      unpriced: row.price !== 'null' ? undefined : row.unpriced_allowed === 1 ? 'allowed' : 'held',
      lane: row.lane,
      projectId: row.project_id,
      notBefore: row.not_before,
      dependsOn: needed.map(({ onId }) => onId),
      ms: msOf(row),
      ...(obstacle ? { obstacle } : {}),
    };
  });
}

function plannedOf(
  id: string,
  { at, title: _, unpriced, ...job }: AddedJob,
  context: DryRunContext,
  msOf: (row: Pick<WaitingMember, 'kind' | 'model'>) => number,
): PlannedJob {
  const obstacle = at && obstacleOf({ ...at, reason: null, error: null }, context);
  return {
    ...job,
    id,
    unpriced: unpriced ? 'held' : undefined,
    lane: at?.lane ?? NO_LANE,
    notBefore: null,
    dependsOn: [],
    ms: at ? msOf(at) : 0,
    ...(obstacle ? { obstacle } : {}),
  };
}

type Obstacle = NonNullable<PlannedJob['obstacle']>;

function obstacleOf(
  row: Pick<WaitingMember, 'profile_id' | 'reason' | 'error'>,
  { profiles }: DryRunContext,
): Obstacle | undefined {
  const profile = profiles.get(row.profile_id);
  if (!profile || profile.status === 'gone') return { reason: 'profile', message: t`Its gateway was removed.` };
  if (profile.status === 'no key') return { reason: 'key', message: t`${profile.name} has no key.` };
  if (profile.status === 'unreadable') return { reason: 'key', message: t`The keychain is locked or does not answer.` };
  if (row.reason === 'priceRose') return { reason: 'priceRose', message: PRICE_ROSE };
  if (row.reason !== 'auth' && row.reason !== 'quota') return undefined;
  const said = row.error === null ? '' : ` ${(JSON.parse(row.error) as JobError).message}`;
  return {
    reason: 'mend',
    message: t`The gateway refused the job.${said}`,
  };
}

/** The obstacle of an input from outside this run if it can no longer be made. Open inputs are assumed to be made. */
function externalObstacle(need: { onId: string; state: string }, inside: ReadonlySet<string>): Obstacle | undefined {
  if (inside.has(need.onId)) return undefined;
  if (need.state === 'uncertain') return { reason: 'dependency', message: t`Waits for an unconfirmed job.` };
  if (need.state === 'failed' || need.state === 'canceled') return { reason: 'dependency', message: NO_SOURCE };
  return undefined;
}

/** The usual duration of a kind of job, or a default. */
function durations(db: ReadDb, jobs: NightJobs): (row: Pick<WaitingMember, 'kind' | 'model'>) => number {
  const known = new Map<string, number>();
  return ({ kind, model }) => {
    const key = `${kind} ${model ?? ''}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const ms = jobs.usualMs(db, kind, model) ?? kindOf(kind).usualMs;
    known.set(key, ms);
    return ms;
  };
}

function lanesOf(
  db: ReadDb,
  planned: readonly PlannedJob[],
  context: DryRunContext,
  msOf: (row: Pick<WaitingMember, 'kind' | 'model'>) => number,
): Map<string, Lane> {
  const busy = context.jobs.underWay(db);
  const lanes = new Map<string, Lane>();
  for (const lane of new Set(planned.filter(hasLane).map((job) => job.lane))) {
    const busyUntil = busy
      .filter((row) => row.lane === lane)
      .map((row) => Math.max(context.now, (row.sentAt ?? context.now) + msOf(row)));
    lanes.set(lane, { ...context.limitsOf(lane), busyUntil });
  }
  return lanes;
}

function capsOf(db: ReadDb, plan: DryRunPlan): Cap[] {
  const others = [false, true].flatMap((play) => hardCaps(db, play).map((cap) => ({ ...cap, play })));
  return [{ scope: 'run', key: plan.runId, hardNano: plan.capNano }, ...others];
}

/** Already reserved in the run for these jobs, on one side. */
const reservedInNight = (members: readonly WaitingMember[], play: boolean, runId: string, reading: CapReading): Nano =>
  members
    .filter((row) => (row.play === 1) === play && row.money_run === runId)
    .reduce((sum, row) => sum + amountFor(reading, { nano: row.reserved_nano, lowNano: row.reserved_low_nano }), 0);

/** Already reserved under another budget for these jobs, on one side. */
function reservedUnder(members: readonly WaitingMember[], play: boolean, scope: Cap['scope'], key: string): Nano {
  const counts = (row: WaitingMember): boolean => {
    if ((row.play === 1) !== play) return false;
    if (scope === 'project') return row.project_id === key;
    return row.reserved_at !== null && (scope === 'day' ? dayOf(row.reserved_at) : monthOf(row.reserved_at)) === key;
  };
  return members.filter(counts).reduce((sum, row) => sum + row.reserved_nano, 0);
}

const BATTERY_NOTES: Record<PowerSource, string[]> = {
  mains: [],
  battery: [t`On hold: this computer is on battery`],
  unknown: [t`Browsers do not report the power source. The battery rule has no effect.`],
};

function notesOf({ rules }: DryRunPlan, context: DryRunContext, jobs: number): string[] {
  const notes: string[] = [];
  if (jobs === 0) notes.push(t`No job waits in this run.`);
  if (context.isPaused) notes.push(t`The queue is paused.`);
  if (rules.diskFloorBytes !== null && context.freeBytes < rules.diskFloorBytes)
    notes.push(
      t`${formatGigabytes(context.freeBytes)} free on the disk, less than the minimum of ${formatGigabytes(rules.diskFloorBytes)}: the run would stop at once.`,
    );
  if (rules.notOnBattery) notes.push(...BATTERY_NOTES[context.powerSource]);
  if (rules.balanceFloorNano !== null) {
    for (const { name, balanceNano } of context.profiles.values()) {
      if (balanceNano === undefined)
        notes.push(t`The balance at ${name} is unknown, so the minimum balance cannot stop this run.`);
      else if (balanceNano < rules.balanceFloorNano)
        notes.push(t`The balance at ${name} is already below the run’s minimum: the run would stop at once.`);
    }
  }
  return notes;
}
