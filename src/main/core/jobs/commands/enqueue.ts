import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallParsed } from '../../../../shared/contract/contract.ts';
import { fail, ok, type Reason, type Result, refuse } from '../../../../shared/contract/result.ts';
import { modelLimits } from '../../../../shared/gateway/modelFacts.ts';
import { isPlayMoney, type Profile } from '../../../../shared/gateway/profile.ts';
import { readiness } from '../../../../shared/jobs/readiness.ts';
import { mediaRefsOf, type StudioRequest, seeded } from '../../../../shared/kinds/index.ts';
import { UINT32_MAX } from '../../../../shared/kinds/videoConfig.ts';
import type { ShownPrice } from '../../../../shared/money/ledger.ts';
import { formatNano, MAX_REQUEST_NANO } from '../../../../shared/money/money.ts';
import { en } from '../../../../shared/text/texts.ts';
import { estimate, priceChanged, shownPriceOf } from '../../ledger/index.ts';
import { currentNightRun, joinNight, type NightRunRow } from '../../night/index.ts';
import { type KeyedCall, onceByKey } from '../../requestKeys/index.ts';
import type { ReadDb, WriteDb } from '../../store/index.ts';
import type { EngineDeps } from '../deps.ts';
import { rowById } from '../jobRepository.ts';
import { laneOf } from '../limits/lanes.ts';
import { positionAtEnd } from '../positions.ts';
import * as statements from '../queries/jobSql.ts';
import { recordRequest } from '../recordEvidence.ts';
import { reevaluate, wantLastFrames } from '../reevaluate.ts';
import { type JobRow, requestOf } from '../row.ts';
import { gatherFacts, type PlannedJobs } from './mediaFacts.ts';

const JUDGED_PER_TURN = 50;

export type EnqueueInput = CallParsed<'jobs.enqueue'>;

/** The input for jobs of documents: with `ids`, the jobs get these, so that the requests may refer to each other. */
export type WriteInput = EnqueueInput & { ids?: readonly string[] };

/** Validates every request before any job is written: a batch is accepted whole or not at all. */
export async function validateRequests(
  deps: EngineDeps,
  profile: Profile,
  requests: StudioRequest[],
  planned?: PlannedJobs,
): Promise<Result<null>> {
  for (const [index, request] of requests.entries()) {
    if (index % JUDGED_PER_TURN === JUDGED_PER_TURN - 1) await nextTurn();
    const [first, ...rest] = await reasonsAgainst(deps, profile, request, planned);
    if (first) return refuse([first, ...rest], requests.length === 1 ? undefined : `requests.${index}`);
  }
  return ok(null);
}

/** All reasons why a request cannot be enqueued for this profile. */
export async function reasonsAgainst(
  deps: EngineDeps,
  profile: Profile,
  request: StudioRequest,
  planned?: PlannedJobs,
): Promise<Reason[]> {
  const lookUp = await gatherFacts(deps, request, profile.id, planned);
  const model = 'model' in request ? request.model : undefined;
  const limits = modelLimits(profile, model, deps.clock.now());
  return [...readiness(request, lookUp, limits), ...tooExpensive(profile, request)];
}

/** The error for a request whose cost is too large for the ledger. */
export function tooExpensive(profile: Profile, request: StudioRequest): Reason[] {
  if (estimate(profile, request).nano <= MAX_REQUEST_NANO) return [];
  const message = `it may cost more than ${formatNano(MAX_REQUEST_NANO)} at its price, more than Dailies accepts for one request; correct the price.`;
  return [{ field: 'price', message }];
}

type WritingDeps = Pick<EngineDeps, 'ids' | 'clock' | 'ledger' | 'random'> & {
  profiles: Pick<EngineDeps['profiles'], 'get'>;
  library: Pick<EngineDeps['library'], 'mediaWork'>;
};

/** During the validation, prices may have changed or the profile may have been removed. */
export function writeJobs(deps: WritingDeps, db: WriteDb, validated: Profile, input: WriteInput): Result<string[]> {
  // Its prices may have been changed during the validation, or it may have been removed.
  const profile = deps.profiles.get(validated.id);
  if (!profile) return profileGone;
  for (const id of input.dependsOn ?? []) {
    if (!rowById(db, id)) return fail('invalid_input', en`dependsOn: there is no job ${id}.`, { field: 'dependsOn' });
  }
  const costs = input.requests.map((request) => estimate(profile, request));
  const changed = priceChanged(input.shown, ...costs.map(shownPriceOf));
  if (changed) return changed;
  const joined = input.night ? nightToJoin(db, deps.clock.now()) : ok(undefined);
  if (!joined.ok) return joined;
  const ids: string[] = [];
  for (const [index, request] of input.requests.entries()) {
    const id = input.ids?.[index] ?? deps.ids.id('job');
    ids.push(writeJob(deps, db, request, { id, profile, input, run: joined.data }));
  }
  return ok(ids);
}

/** The overnight run for new jobs. Its hours may be over before its end is stored; a job that joined then would never be sent. */
export function nightToJoin(db: ReadDb, now: number): Result<NightRunRow> {
  const run = currentNightRun(db);
  if (!run) return noNightPlanned;
  return now < run.ends_at ? ok(run) : nightJustOver;
}

const noNightPlanned = fail('wrong_state', en`night: no overnight run is scheduled; schedule one first.`, {
  field: 'night',
});
const nightJustOver = fail('wrong_state', en`night: the run has just ended. Nothing was changed.`, {
  field: 'night',
});
const profileGone = fail('wrong_state', en`Its gateway was removed. Nothing was queued.`);

interface JobContext {
  id: string;
  profile: Profile;
  /** With the price book at which it was requested, where that may be another than the present one. */
  requestedAt?: Profile;
  input: Pick<WriteInput, 'projectId' | 'notBefore' | 'dependsOn'>;
  run: NightRunRow | undefined;
  /** Behind every waiting job, unless it was set aside. */
  position?: number;
}

/** Writes one validated request as a job with its reservation, in the caller's transaction. */
export function writeJob(
  deps: Omit<WritingDeps, 'profiles'>,
  db: WriteDb,
  given: StudioRequest,
  { id, profile, requestedAt, input, run, position = positionAtEnd(db) }: JobContext,
): string {
  const request = seeded(given, () => Math.floor(deps.random() * (UINT32_MAX + 1)));
  const cost = estimate(profile, request);
  const confirmed = requestedAt ? estimate(requestedAt, request) : cost;
  const model = ('model' in request && request.model) || null;
  db.run(statements.insertJob, {
    id,
    kind: request.kind,
    state: 'queued',
    reason: null,
    request: JSON.stringify(request),
    profileId: profile.id,
    play: isPlayMoney(profile.id) ? 1 : 0,
    projectId: input.projectId ?? null,
    runId: run?.id ?? null,
    model,
    lane: laneOf(profile, request),
    idempotencyKey: deps.ids.secret(),
    hookSecret: deps.ids.secret(),
    price: JSON.stringify(cost.price),
    estimateNano: cost.nano,
    estimateLowNano: cost.lowNano,
    confirmedNano: confirmed.price === null ? null : confirmed.nano,
    position,
    notBefore: input.notBefore ?? null,
    createdAt: deps.clock.now(),
  });
  for (const on of new Set([...jobsNamed(request), ...(input.dependsOn ?? [])]))
    db.run(statements.insertDependency, { id, on });
  if (run) joinNight(db, run.id, { id, isPlay: isPlayMoney(profile.id) }, deps.clock.now());
  const row = rowById(db, id);
  if (!row) return id;
  recordRequest(db, row, profile);
  wantLastFrames(deps, db, row);
  reevaluate(deps, db, row);
  return id;
}

/**
 * Enqueues the same request as a new job, under the profile of the old one and with its open dependencies, once for the key of the call.
 * The old job, and documents that named it (a message, a shot), name the new one in the same transaction. `old` is the row as the caller
 * saw it: if another call has already retried it since, nothing is made and `meanwhile` gives the answer. Generates the new id.
 */
export async function retryAsNew(
  deps: EngineDeps,
  old: JobRow,
  {
    shown,
    night,
    call,
    meanwhile,
  }: {
    shown: ShownPrice | undefined;
    night: boolean | undefined;
    call: KeyedCall | undefined;
    meanwhile: (madeBefore: string) => Result<string>;
  },
): Promise<Result<{ made: string; isRepeat: boolean }>> {
  const profile = deps.profiles.get(old.profile_id);
  if (!profile) return fail('wrong_state', en`Its gateway was removed; send it again with another one.`);
  const requests = [requestOf(old)];
  const validated = await validateRequests(deps, profile, requests);
  if (!validated.ok) return validated;
  return deps.store.transaction((db) =>
    onceByKey(db, call, deps.clock.now(), () => {
      const madeBefore = rowById(db, old.id)?.retried_as ?? null;
      if (madeBefore !== null && madeBefore !== old.retried_as) return meanwhile(madeBefore);
      const dependsOn = openDependencies(db, old);
      const inProject = old.project_id ? { projectId: old.project_id } : {};
      const written = writeJobs(deps, db, profile, { requests, shown, night, dependsOn, ...inProject });
      if (!written.ok) return written;
      const [id = ''] = written.data;
      db.run(statements.saveRetriedAs, { id: old.id, retriedAs: id });
      deps.events.emit('job.retriedAsNew', db, old.id, id);
      return ok(id);
    }),
  );
}

/** The explicit dependencies that may still succeed. One that has ended without a result would only make the new job fail too. */
function openDependencies(db: ReadDb, old: JobRow): string[] {
  const named = jobsNamed(requestOf(old));
  return db
    .all<{ on_id: string }>(statements.dependenciesOf, { id: old.id })
    .map(({ on_id }) => on_id)
    .filter((id) => !named.has(id) && !['failed', 'canceled'].includes(rowById(db, id)?.state ?? 'failed'));
}

/** The jobs whose results a request uses. */
export const jobsNamed = (request: StudioRequest): Set<string> =>
  new Set(mediaRefsOf(request).flatMap(({ ref }) => ('jobId' in ref ? [ref.jobId] : [])));

/** Requests that are being validated or wait to become jobs. The files that they use must not be deleted meanwhile. */
export class RequestsInHand {
  private readonly open = new Set<ReadonlySet<string>>();

  async during<T>(requests: readonly unknown[], work: () => Promise<T>): Promise<T> {
    const names = namesIn(requests);
    this.open.add(names);
    try {
      return await work();
    } finally {
      this.open.delete(names);
    }
  }

  /** The ids of assets and jobs in these requests, among other texts. */
  *named(): Generator<string> {
    for (const names of this.open) yield* names;
  }
}

/** Each text that may be an id; prompts have spaces. */
function namesIn(requests: readonly unknown[]): ReadonlySet<string> {
  const names = new Set<string>();
  JSON.stringify(requests, (_key, value: unknown) => {
    if (typeof value === 'string' && value.length <= 200 && !value.includes(' ')) names.add(value);
    return value;
  });
  return names;
}
