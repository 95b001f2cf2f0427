import type { BillOfJob } from '../../../shared/evidence/document.ts';
import { isPlayMoney } from '../../../shared/gateway/profile.ts';
import { isTerminal } from '../../../shared/jobs/job.ts';
import type { Nano } from '../../../shared/money/money.ts';
import { costOf, openInterpretations, type Price } from '../../../shared/money/price.ts';
import type { Quantity } from '../../../shared/money/quantity.ts';
import { type BilledJob, billedJobs } from '../jobs/index.ts';
import { lastPartOf, type ReadDb, type Store, sql } from '../store/index.ts';
import { DAY_MS } from './cells.ts';
import type { BillLine } from './readBill.ts';
import type { StatementRow } from './statementTable.ts';

/** A job for comparison with a bill: its ids, the time it ran, and its charged and unconfirmed cost. */
export interface BillJob {
  id: string;
  kind: string;
  model: string | null;
  /** Task ids. */
  ids: readonly string[];
  /** Idempotency keys, and ids of answers. */
  names: readonly string[];
  sentAt: number;
  endedAt: number;
  /** Whether the cost can be settled: the job is over, or lost without a task to query, and no answer is awaited. */
  isOver: boolean;
  isCharged: boolean;
  chargedNano: Nano;
  lowNano: Nano;
  uncertainNano: Nano;
  /** The part of the charge that lines of bills added or gave back. */
  besidesNano: Nano;
  isInDoubt: boolean;
  /** Charged without a known price. */
  isUnpriced: boolean;
  /** The charge at each open interpretation of the price; a single amount if the price is settled. */
  readings: readonly Nano[];
  /** The open price that it was charged at; `readings` are its readings. */
  price?: Pick<Price, 'kind' | 'model' | 'readings'>;
}

/** A job that another profile sent. */
export interface OtherJob {
  jobId: string;
  /** The name of that profile; absent where it is gone. */
  of: { profile?: string };
}

/**
 * The longest time between sending and billing. A result may be downloaded much later, but it was made and billed soon after it was sent.
 */
export const LONGEST_RUN_MS: number = 65 * 60_000;
/** The largest difference in time between a job and its line. */
export const NEAR_MS: number = 5 * 60_000;
const JOBS_PER_PAGE = 2_000;

/** The times at which a job may have a line. The duration of an unconfirmed job is unknown. */
export const lineTimes = (job: BillJob): { from: number; to: number } => ({
  from: job.sentAt - NEAR_MS,
  to: NEAR_MS + (job.isInDoubt ? job.sentAt + LONGEST_RUN_MS : job.endedAt),
});

/** The distance between a line and the run time of its job, in milliseconds. */
export const apartOf = ({ at, spanMs }: Pick<BillLine, 'at' | 'spanMs'>, job: BillJob): number =>
  Math.max(0, job.sentAt - (at + spanMs), at - job.endedAt);

/** The amounts that a bill may state for the job: its charge, or the charge at another open interpretation of its price. */
export const amountsOf = ({ chargedNano, lowNano, besidesNano, readings }: BillJob): Nano[] => [
  chargedNano - besidesNano,
  lowNano - besidesNano,
  ...(chargedNano === lowNano ? [] : readings),
];

/** The part after the last slash, because `operations/abc` and `abc` mean the same. */
const lastPart = (id: string): string => id.slice(id.lastIndexOf('/') + 1);

/** Each name, and its last part. */
export const namesOf = (...stated: readonly string[]): string[] =>
  [...stated, ...stated.map(lastPart)].filter((name) => name !== '');

/** The ids that a line states. */
export const namesIn = ({ remoteId, requestKey }: Pick<BillLine, 'remoteId' | 'requestKey'>): string[] =>
  namesOf(remoteId, requestKey);

const isOver = ({ id, state, has_task }: BilledJob, isAwaited: Asked['isAwaited']): boolean =>
  !isAwaited(id) && (isTerminal(state) || (state === 'uncertain' && has_task === 0));

/** Makes jobs of rows. */
function makerOf({ besides, isAwaited }: Asked): (row: BilledJob, names?: readonly string[]) => BillJob {
  const prices = new Map<string, Price | null>();
  const priceOf = (json: string): Price | null => {
    const price = prices.get(json) ?? (JSON.parse(json) as Price | null);
    prices.set(json, price);
    return price;
  };
  return (row, names = []) => {
    const quantity = row.quantity === null ? {} : (JSON.parse(row.quantity) as Quantity);
    const price = row.charged_nano === row.charged_low_nano ? null : priceOf(row.price);
    return {
      id: row.id,
      kind: row.kind,
      model: row.model,
      ids: row.remote_id === null ? [] : [row.remote_id],
      names: [row.idempotency_key, ...names],
      sentAt: row.sent_at,
      endedAt: Math.min(row.finished_at ?? row.sent_at, row.sent_at + LONGEST_RUN_MS),
      isOver: isOver(row, isAwaited),
      isCharged: row.quantity !== null || row.charged_nano !== 0,
      chargedNano: row.charged_nano,
      lowNano: row.charged_low_nano,
      uncertainNano: row.uncertain_nano,
      besidesNano: besides.get(row.id) ?? 0,
      isInDoubt: row.uncertain_nano > 0 || row.unpriced_doubt > 0 || row.state === 'uncertain',
      isUnpriced: row.quantity !== null && row.unpriced > row.unpriced_doubt,
      readings: price ? readingsOf(price, quantity) : [row.charged_nano],
      ...(price?.settledReading === null ? { price } : {}),
    };
  };
}

const readingsOf = (price: Price, quantity: Quantity): Nano[] =>
  openInterpretations(price).map(
    (reading) => costOf({ ...price, readings: [reading], settledReading: null }, quantity).nano,
  );

interface Asked {
  profileId: string;
  from: number;
  to: number;
  lines: readonly BillLine[];
  /** Jobs that decisions name. */
  jobIds: readonly string[];
  /** Amounts that were added to the charges of jobs. */
  besides: ReadonlyMap<string, Nano>;
  /** Whether the answer to a job is still awaited. */
  isAwaited(this: void, jobId: string): boolean;
}

/** Jobs sent around a period, and jobs that lines or decisions name, whenever they were sent. Sorted by sending time. */
export async function jobsBeside(store: Pick<Store, 'readInThread'>, asked: Asked): Promise<BillJob[]> {
  const { profileId, from, to, lines, jobIds } = asked;
  // One extra day at both ends, because a clock may be wrong or a zone unknown.
  const period = { profileId, from: from - DAY_MS, to: to + DAY_MS };
  const make = makerOf(asked);
  const jobs = new Map<string, BillJob>();
  const known = new Set<string>();
  let after: BilledJob | undefined;
  do {
    const start = after;
    const page = await store.readInThread((db) =>
      billedJobs.sentIn(db, period, { after: start, limit: JOBS_PER_PAGE }),
    );
    for (const row of page) {
      jobs.set(row.id, make(row));
      for (const name of namesOf(row.idempotency_key, row.remote_id ?? '')) known.add(name);
    }
    after = page.length === JOBS_PER_PAGE ? page.at(-1) : undefined;
  } while (after);
  const names = unknownNames(lines, known);
  const missing = jobIds.filter((id) => !jobs.has(id));
  if (names.length + missing.length === 0) return [...jobs.values()];
  const attempts = await store.readInThread((db) => billedJobs.attemptNames(db, names));
  const byJob = Map.groupBy(attempts, ({ jobId }) => jobId);
  const ids = [...byJob.keys(), ...missing];
  const rows = await store.readInThread((db) => billedJobs.named(db, profileId, { names, ids }));
  for (const row of rows) {
    const own = (byJob.get(row.id) ?? []).map(({ name }) => name);
    jobs.set(row.id, make(row, own));
  }
  return [...jobs.values()].sort((one, other) => one.sentAt - other.sentAt);
}

const unknownNames = (lines: readonly BillLine[], known: ReadonlySet<string>): string[] => [
  ...new Set(lines.flatMap(namesIn).filter((name) => !known.has(name))),
];

/**
 * Jobs of other profiles that lines name, by the hash of the line: one account may have several profiles here but only one bill. Jobs that
 * count nowhere, because their profile was removed and they were not charged, are left out.
 */
export async function jobsOfOthers(
  store: Pick<Store, 'readInThread'>,
  lines: readonly BillLine[],
  { profileId, jobs, nameOf }: { profileId: string; jobs: readonly BillJob[]; nameOf(id: string): string | undefined },
): Promise<Map<string, OtherJob>> {
  const known = new Set(jobs.flatMap(({ ids, names }) => namesOf(...ids, ...names)));
  const strange = lines.filter((line) => !namesIn(line).some((name) => known.has(name)));
  const names = unknownNames(strange, known);
  const found = new Map<string, OtherJob>();
  if (names.length === 0) return found;
  const named = await store.readInThread((db) =>
    billedJobs.namedElsewhere(db, { profileId, play: isPlayMoney(profileId), names }),
  );
  const byName = new Map<string, OtherJob>();
  for (const { name, jobId, profileId: of, chargedNano } of named) {
    const profile = nameOf(of);
    if (profile === undefined && chargedNano === 0) continue;
    for (const one of namesOf(name)) byName.set(one, { jobId, of: profile === undefined ? {} : { profile } });
  }
  for (const line of strange) {
    const name = namesIn(line).find((one) => byName.has(one));
    if (name !== undefined) found.set(line.hash, byName.get(name) as OtherJob);
  }
  return found;
}

/** The lines of stored bills for a job. */

/** A job with all ids that a bill may use for it: its task id, its keys, and the ids of its answers. */
interface NamedJob {
  id: string;
  names: readonly string[];
}

/** Jobs that one query asks for. */
const ASKED_PER_TURN = 500;

/** Selects lines with one of the names in `wanted (name)`, each by its index, without lines that the user assigned to another job. */
function linesNamed(columns: string): string {
  const lines = `SELECT ${columns} FROM wanted w CROSS JOIN statement_lines l ON`;
  const mayBeIts = `AND NOT EXISTS (SELECT 1 FROM statement_decisions o WHERE o.profile_id = $profileId AND o.hash = l.hash
         AND o.undone_at IS NULL AND o.job_id <> w.jobId)`;
  return `${lines} l.remote_id = w.name AND l.remote_id <> '' ${mayBeIts}
    UNION ${lines} ${lastPartOf('remote_id')} = w.name AND instr(l.remote_id, '/') > 0 ${mayBeIts}
    UNION ${lines} l.request_key = w.name AND l.request_key <> '' ${mayBeIts}`;
}

/** Finds lines by ids, as the comparison does, and by decisions about them. */
const found = sql(
  'statements.billed',
  `WITH wanted (name, jobId) AS MATERIALIZED (SELECT value ->> 0, value ->> 1 FROM json_each($wanted)),
     found (jobId, statement_id, line, at, nano, hash) AS (
       ${linesNamed('w.jobId, l.statement_id, l.line, l.at, l.nano, l.hash')}
       UNION SELECT d.job_id, d.statement_id, d.shown ->> 'line', d.shown ->> 'at', d.shown ->> 'billNano', d.hash FROM json_each($ids) w
         CROSS JOIN statement_decisions d ON d.job_id = w.value AND d.job_id IS NOT NULL AND d.undone_at IS NULL
         WHERE d.shown ->> 'billNano' IS NOT NULL)
   SELECT f.jobId, f.statement_id AS statementId, f.line, f.at, f.nano, f.hash, s.name, s.read_at AS readAt, s.to_at AS "to"
   FROM found f CROSS JOIN statements s ON s.id = f.statement_id AND s.profile_id = $profileId AND s.complete = 1
   ORDER BY s.read_at, s.seq, f.line`,
);

/** A line of a bill for a job; without a hash, it is a row that could not be read. */
export interface BilledLine extends Pick<BillLine, 'line' | 'at' | 'nano' | 'hash'> {
  jobId: string;
  statementId: string;
  /** The end of its bill's period. */
  to: number;
  name: string | null;
  readAt: number;
}

/** The lines of a gateway's bills for jobs, those of the latest bill last. */
export function linesOfJobs(db: ReadDb, profileId: string, jobs: readonly NamedJob[]): BilledLine[] {
  const wanted = jobs.flatMap(({ id, names }) => [...new Set(namesOf(...names))].map((name) => [name, id]));
  const ids = jobs.map(({ id }) => id);
  return db.all<BilledLine>(found, { profileId, wanted: JSON.stringify(wanted), ids: JSON.stringify(ids) });
}

/** The lines of this gateway's bills for each job that has any. Of bills that may be copies of each other, only the latest counts. */
export function billedLines(db: ReadDb, profileId: string, jobs: readonly NamedJob[]): Map<string, BillOfJob> {
  const lines = linesOfJobs(db, profileId, jobs).filter(({ hash }) => hash !== '');
  return new Map([...Map.groupBy(lines, ({ jobId }) => jobId)].map(([jobId, own]) => [jobId, together(own)]));
}

/** `lines`: those of one job. */
function together(lines: readonly BilledLine[]): BillOfJob {
  const bills = [...Map.groupBy(lines, ({ statementId }) => statementId).values()].toReversed();
  const counted: BilledLine[][] = [];
  for (const bill of bills)
    if (counted.every((other) => isBefore(bill, firstOf(other)) || isBefore(other, firstOf(bill)))) counted.push(bill);
  const all = counted.flat();
  const [{ line, name, readAt }] = all as [BilledLine];
  const nano = all.reduce((sum, one) => sum + one.nano, 0);
  return { nano, line, lines: all.length, readAt, ...(name === null ? {} : { name }) };
}

const firstOf = (lines: readonly Pick<BilledLine, 'at'>[]): number => Math.min(...lines.map(({ at }) => at));

/**
 * Whether all lines are surely from an earlier period. A bill that continues beyond that time may be another copy, and so may a line of the
 * day before, because the zone of its time may be unknown.
 */
export const isBefore = (lines: readonly Pick<BilledLine, 'at' | 'to'>[], time: number): boolean =>
  lines.every(({ at, to }) => to <= time && at < time - DAY_MS);

/** Other lines for jobs in the bills of a gateway: from other bills, and rows that could not be read. */
export async function linesElsewhere(
  store: Pick<Store, 'readInThread'>,
  { id: statementId, profileId }: StatementRow,
  { jobs, hashes }: { jobs: readonly BillJob[]; hashes: ReadonlySet<string> },
): Promise<ReadonlyMap<string, readonly BilledLine[]>> {
  const all: BilledLine[] = [];
  for (let first = 0; first < jobs.length; first += ASKED_PER_TURN) {
    const asked = new Map(
      jobs.slice(first, first + ASKED_PER_TURN).map(({ id, ids, names }) => [id, { id, names: [...ids, ...names] }]),
    );
    const lines = await store.readInThread((db) => {
      for (const { jobId, name } of billedJobs.namesOfAttempts(db, [...asked.keys()]))
        asked.get(jobId)?.names.push(name);
      return linesOfJobs(db, profileId, [...asked.values()]);
    });
    const isHere = (one: BilledLine): boolean => one.hash !== '' && one.statementId === statementId;
    for (const line of lines) if (!isHere(line) && !hashes.has(line.hash)) all.push(line);
  }
  return Map.groupBy(all, ({ jobId }) => jobId);
}
