import { sql } from '../../src/main/core/store/index.ts';
import { isTerminal, type JobState } from '../../src/shared/jobs/job.ts';
import type { World } from './world.ts';

/** Checks the invariants after every step; each broken one is one sentence. */

interface JobFacts {
  id: string;
  key: string;
  state: JobState;
  reason: string | null;
  progress: number;
  reserved: number;
  charged: number;
  doubt: number;
}

const JOBS = sql(
  'model.jobs',
  `SELECT id, idempotency_key AS key, state, reason, progress, reserved_nano AS reserved, charged_nano AS charged,
     uncertain_nano AS doubt FROM jobs ORDER BY seq`,
);
const ENTRIES = sql(
  'model.entries',
  `SELECT job_id AS key, sum(settled_nano) AS settled, sum(reserved_nano) AS reserved, sum(uncertain_nano) AS doubt
   FROM ledger_entries GROUP BY job_id`,
);
const RECORDS = sql(
  'model.records',
  `SELECT job_id AS key, total(facts ->> 'settledNano') AS settled, total(facts ->> 'uncertainNano') AS doubt
   FROM evidence GROUP BY job_id`,
);
const DAYS = sql(
  'model.days',
  `SELECT day AS key, sum(settled_nano) AS settled, sum(reserved_nano) AS reserved, sum(uncertain_nano) AS doubt
   FROM ledger_entries GROUP BY day`,
);
const SPEND = sql(
  'model.spend',
  `SELECT key, settled_nano AS settled, reserved_nano AS reserved, uncertain_nano AS doubt FROM spend WHERE play = 0 AND scope = $scope`,
);

/** Reservations of runs at the lower price: computed from their jobs, and as stored with the run. */
const RESERVED_LOW = sql(
  'model.reservedLow',
  `SELECT key, reserved_low_nano AS kept, (
     SELECT coalesce(sum(min(reserved_nano, estimate_low_nano)), 0) FROM jobs WHERE jobs.money_run = spend.key AND jobs.play = spend.play
   ) AS reserved FROM spend WHERE scope = 'run'`,
);

const DAY_CAP = sql('model.dayCap', `SELECT hard_nano AS nano FROM budgets WHERE play = 0 AND scope = 'day'`);

interface Sums {
  key: string;
  settled: number;
  reserved: number;
  doubt: number;
}

const all = ({ settled, reserved, doubt }: Sums): number => settled + reserved + doubt;

/** Remembers earlier states, so that final states stay final and growing values never fall. */
export class Invariants {
  private readonly world: World;
  private readonly ends = new Map<string, JobState>();
  private readonly progress = new Map<string, number>();
  private usage = new Map<string, number>();
  /** Acknowledged jobs. */
  readonly acknowledged = new Set<string>();
  /** Jobs that were ever unconfirmed. */
  readonly doubted = new Set<string>();

  constructor(world: World) {
    this.world = world;
  }

  jobs(): JobFacts[] {
    return this.world.harness().store.read.all<JobFacts>(JOBS);
  }

  check(): string[] {
    const jobs = this.jobs();
    return [
      ...this.world.violations,
      ...this.lost(jobs),
      ...jobs.flatMap((job) => this.ofJob(job)),
      ...this.ofSums(jobs),
    ];
  }

  private lost(jobs: JobFacts[]): string[] {
    const known = new Set(jobs.map(({ id }) => id));
    return [...this.acknowledged].filter((id) => !known.has(id)).map((id) => `${id} is gone`);
  }

  private ofJob(job: JobFacts): string[] {
    const broken: string[] = [];
    const { id, state, reserved, charged, doubt } = job;
    const end = this.ends.get(id);
    if (end !== undefined && end !== state) broken.push(`${id} was ${end} and is ${state}`);
    if (isTerminal(state)) this.ends.set(id, state);
    if (state === 'uncertain') this.doubted.add(id);
    if (job.progress < (this.progress.get(id) ?? 0)) broken.push(`the progress of ${id} fell to ${job.progress}`);
    this.progress.set(id, job.progress);
    if (state === 'blocked' && job.reason === null) broken.push(`${id} waits for no reason`);
    if ((isTerminal(state) || state === 'uncertain') && reserved !== 0)
      broken.push(`${id} is ${state} with ${reserved} reserved`);
    if (reserved < 0 || charged < 0 || doubt < 0)
      broken.push(`${id} has less than nothing: ${reserved}, ${charged}, ${doubt}`);
    const bill = this.world.service.billOf(job.key);
    if (reserved + charged + doubt < bill)
      broken.push(`${id} (${state}) covers ${reserved + charged + doubt} of a bill of ${bill}`);
    if (isTerminal(state) && doubt === 0 && charged !== bill)
      broken.push(`${id} is ${state}, charged ${charged}, billed ${bill}`);
    return broken;
  }

  private ofSums(jobs: JobFacts[]): string[] {
    const { read } = this.world.harness().store;
    const broken: string[] = [];
    const entries = new Map(read.all<Sums>(ENTRIES).map((sums) => [sums.key, sums]));
    for (const { id, charged, reserved, doubt } of jobs) {
      const sums = entries.get(id) ?? { settled: 0, reserved: 0, doubt: 0 };
      if (sums.settled !== charged || sums.reserved !== reserved || sums.doubt !== doubt)
        broken.push(
          `the entries of ${id} sum to ${JSON.stringify(sums)}, its row says ${charged}, ${reserved}, ${doubt}`,
        );
    }
    const records = new Map(read.all<Omit<Sums, 'reserved'>>(RECORDS).map((sums) => [sums.key, sums]));
    for (const { id, charged, doubt } of jobs) {
      const sums = records.get(id);
      if (sums?.settled !== charged || sums.doubt !== doubt)
        broken.push(`the records of ${id} sum to ${JSON.stringify(sums)}, its row says ${charged}, ${doubt}`);
    }
    const spent = new Map(read.all<Sums>(SPEND, { scope: 'day' }).map((sums) => [sums.key, sums]));
    for (const day of read.all<Sums>(DAYS)) {
      const sums = spent.get(day.key);
      if (!sums || sums.settled !== day.settled || sums.reserved !== day.reserved || sums.doubt !== day.doubt)
        broken.push(`the entries of ${day.key} sum to ${JSON.stringify(day)}, its spend says ${JSON.stringify(sums)}`);
    }
    for (const { key, kept, reserved } of read.all<{ key: string; kept: number; reserved: number }>(RESERVED_LOW))
      if (kept !== reserved) broken.push(`the jobs of ${key} reserve ${reserved} at least, its spend says ${kept}`);
    return [...broken, ...this.overCap(spent)];
  }

  /** A day's sum never exceeds the budget; a budget set below it stops it from growing. */
  private overCap(spent: Map<string, Sums>): string[] {
    const before = this.usage;
    this.usage = new Map([...spent].map(([day, sums]) => [day, all(sums)]));
    const cap = this.world.harness().store.read.one<{ nano: number | null }>(DAY_CAP)?.nano ?? null;
    if (cap === null) return [];
    return [...this.usage].flatMap(([day, used]) =>
      used > cap && used > (before.get(day) ?? 0) ? [`${day} counts ${used}, over the cap of ${cap}`] : [],
    );
  }
}
