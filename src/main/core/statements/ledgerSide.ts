import type { Nano } from '../../../shared/money/money.ts';
import type { StatementLine } from '../../../shared/money/statement/statement.ts';
import { type AttemptName, type BilledEntry, type BilledJob, billedJobs } from '../jobs/index.ts';
import type { Store } from '../store/index.ts';
import { type BillJob, BillJobs } from './billJobs.ts';
import { namesOf } from './jobIndex.ts';
import type { BillLine } from './readBill.ts';
import type { DecisionRow } from './table.ts';

/** What the ledger has beside a bill: the jobs of its gateway, read in pages so that no turn of the event loop takes long. */

const JOBS_PER_PAGE = 2_000;
/** A day more at both ends: a clock may be wrong, and a zone unknown. */
const MARGIN_MS = 86_400_000;

interface Asked {
  profileId: string;
  from: number;
  to: number;
  lines: readonly BillLine[];
}

/** In the order in which they were sent. */
export async function jobsBeside(store: Pick<Store, 'readAway'>, asked: Asked): Promise<BillJob[]> {
  const { profileId, from, to } = asked;
  const period = { profileId, from: from - MARGIN_MS, to: to + MARGIN_MS };
  const make = new BillJobs();
  const jobs: BillJob[] = [];
  const known = new Set<string>();
  let after: BilledJob | undefined;
  do {
    const start = after;
    const page = await store.readAway((db) => billedJobs.sentIn(db, period, { after: start, limit: JOBS_PER_PAGE }));
    for (const row of page) {
      jobs.push(make.of(row));
      for (const name of [row.id, ...namesOf(row.idempotency_key, row.remote_id ?? '')]) known.add(name);
    }
    after = page.length === JOBS_PER_PAGE ? page.at(-1) : undefined;
  } while (after);
  return withNamed(store, jobs, { ...asked, known, make });
}

/** Adds the jobs that decisions name, whenever they were sent. */
export async function withDecidedJobs(
  store: Pick<Store, 'readAway'>,
  jobs: BillJob[],
  { profileId, jobIds }: { profileId: string; jobIds: readonly string[] },
): Promise<BillJob[]> {
  const known = new Set(jobs.map(({ id }) => id));
  const ids = [...new Set(jobIds.filter((id) => !known.has(id)))];
  if (ids.length === 0) return jobs;
  const rows = await store.readAway((db) => billedJobs.named(db, profileId, { names: [], ids }));
  return merged(jobs, rows, { byJob: new Map(), make: new BillJobs() });
}

/** Lines of these findings are besides the charge, even where nothing is left of it. */
const BESIDES: readonly unknown[] = ['twice', 'refund'];

type Besides = DecisionRow & { jobId: string; done: BilledEntry };

/** The decisions that entered a line besides the charge of its job. */
export function enteredBesides(decisions: readonly DecisionRow[]): Besides[] {
  return decisions.filter((decision): decision is Besides => {
    const { as, jobId, done, shown } = decision;
    if (as !== 'adopt' || jobId === null || done === null || !('before' in done)) return false;
    const type = (JSON.parse(shown) as StatementLine).finding?.type;
    // What settles a doubt of a job that was charged nothing is its charge.
    return BESIDES.includes(type) || (type === 'doubt' && done.before.chargedNano > 0);
  });
}

/** Sets apart what decisions about lines of other bills entered besides the charge of a job. */
export function addBesides(jobs: readonly BillJob[], entered: readonly Besides[]): void {
  const besides = new Map<string, Nano>();
  for (const { jobId, done } of entered)
    besides.set(jobId, (besides.get(jobId) ?? 0) + done.after.chargedNano - done.before.chargedNano);
  if (besides.size > 0) for (const job of jobs) job.besidesNano = besides.get(job.id) ?? 0;
}

/** Adds what lines name by a key of an attempt, or that was sent at another time. */
async function withNamed(
  store: Pick<Store, 'readAway'>,
  jobs: BillJob[],
  { profileId, lines, known, make }: Asked & { known: ReadonlySet<string>; make: BillJobs },
): Promise<BillJob[]> {
  const names = new Set<string>();
  for (const { remoteId, requestKey } of lines)
    for (const name of namesOf(remoteId, requestKey)) if (!known.has(name)) names.add(name);
  if (names.size === 0) return jobs;
  const asked = [...names];
  const attempts = await store.readAway((db) => billedJobs.attemptNames(db, asked));
  const byJob = Map.groupBy(attempts, ({ jobId }) => jobId);
  const ids = [...byJob.keys()];
  const rows = await store.readAway((db) => billedJobs.named(db, profileId, { names: asked, ids }));
  return merged(jobs, rows, { byJob, make });
}

function merged(
  jobs: BillJob[],
  rows: readonly BilledJob[],
  { byJob, make }: { byJob: ReadonlyMap<string, AttemptName[]>; make: BillJobs },
): BillJob[] {
  const named = new Map(rows.map((row) => [row.id, make.of(row, byJob.get(row.id))]));
  const others = jobs.filter(({ id }) => !named.has(id));
  return [...others, ...named.values()].sort((one, other) => one.sentAt - other.sentAt);
}
