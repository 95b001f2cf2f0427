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

/** A job as a bill sees it: what it is known by, when it ran, and what is charged and in doubt for it. */
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
  /** Whether its cost can be settled: it is over, or lost without a task to ask for, and no answer is still to come. */
  isOver: boolean;
  isCharged: boolean;
  chargedNano: Nano;
  lowNano: Nano;
  uncertainNano: Nano;
  /** Of its charge: what lines of bills entered besides it, or gave back. */
  besidesNano: Nano;
  isInDoubt: boolean;
  /** Charged at a price that nobody knows. */
  isUnpriced: boolean;
  /** At the readings that are open; one figure where the price is settled. */
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

/** A result that is fetched long after it was made was still made, and billed, soon after it was sent. */
export const LONGEST_RUN_MS: number = 65 * 60_000;
/** A line is found by its time within this of its job. */
export const NEAR_MS: number = 5 * 60_000;
const JOBS_PER_PAGE = 2_000;

/** When a line for a job may be. How long took what is in doubt, nobody knows. */
export const lineTimes = (job: BillJob): { from: number; to: number } => ({
  from: job.sentAt - NEAR_MS,
  to: NEAR_MS + (job.isInDoubt ? job.sentAt + LONGEST_RUN_MS : job.endedAt),
});

/** How far a line is from the time its job took, in milliseconds. */
export const apartOf = ({ at, spanMs }: Pick<BillLine, 'at' | 'spanMs'>, job: BillJob): number =>
  Math.max(0, job.sentAt - (at + spanMs), at - job.endedAt);

/** What the bill may say for it: its charge, or the charge at another reading of its price that is still open. */
export const amountsOf = ({ chargedNano, lowNano, besidesNano, readings }: BillJob): Nano[] => [
  chargedNano - besidesNano,
  lowNano - besidesNano,
  ...(chargedNano === lowNano ? [] : readings),
];

/** `operations/abc` and `abc` are one. */
const lastPart = (id: string): string => id.slice(id.lastIndexOf('/') + 1);

/** Each name, and its last part. */
export const namesOf = (...stated: readonly string[]): string[] =>
  [...stated, ...stated.map(lastPart)].filter((name) => name !== '');

/** What a line names. */
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
  /** What was entered besides the charge of jobs. */
  besides: ReadonlyMap<string, Nano>;
  /** Whether the answer of a job is still to come. */
  isAwaited(this: void, jobId: string): boolean;
}

/** Jobs sent about a period, and those that lines or decisions name, whenever they were sent: by the time when they were sent. */
export async function jobsBeside(store: Pick<Store, 'readInThread'>, asked: Asked): Promise<BillJob[]> {
  const { profileId, from, to, lines, jobIds } = asked;
  // A day more at both ends: a clock may be wrong, and a zone unknown.
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
 * The jobs of other profiles that lines name, by the hash of the line: one account may have several profiles here, and one bill. Not those
 * that count nowhere, as their profile is gone and was not charged.
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

/** What the bills that were read have for a job. */

/** A job, and what a bill may know it by: its task id, its keys, and the ids of its answers. */
interface NamedJob {
  id: string;
  names: readonly string[];
}

/** Jobs that one query asks for. */
const ASKED_PER_TURN = 500;

/** Selects the lines that name one of `wanted (name)`, each in its index; the user may have said that one belongs to another job. */
function linesNamed(columns: string): string {
  const lines = `SELECT ${columns} FROM wanted w CROSS JOIN statement_lines l ON`;
  const mayBeIts = `AND NOT EXISTS (SELECT 1 FROM statement_decisions o WHERE o.profile_id = $profileId AND o.hash = l.hash
         AND o.undone_at IS NULL AND o.job_id <> w.jobId)`;
  return `${lines} l.remote_id = w.name AND l.remote_id <> '' ${mayBeIts}
    UNION ${lines} ${lastPartOf('remote_id')} = w.name AND instr(l.remote_id, '/') > 0 ${mayBeIts}
    UNION ${lines} l.request_key = w.name AND l.request_key <> '' ${mayBeIts}`;
}

/** By ids as the comparison does, and by what was decided about a line. */
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

/** A line that a bill has for a job; one without a hash could not be read. */
export interface BilledLine extends Pick<BillLine, 'line' | 'at' | 'nano' | 'hash'> {
  jobId: string;
  statementId: string;
  /** Of its bill: where its period ends. */
  to: number;
  name: string | null;
  readAt: number;
}

/** What the bills of a gateway have for jobs, the bill that was read last at the end. */
export function linesOfJobs(db: ReadDb, profileId: string, jobs: readonly NamedJob[]): BilledLine[] {
  const wanted = jobs.flatMap(({ id, names }) => [...new Set(namesOf(...names))].map((name) => [name, id]));
  const ids = jobs.map(({ id }) => id);
  return db.all<BilledLine>(found, { profileId, wanted: JSON.stringify(wanted), ids: JSON.stringify(ids) });
}

/**
 * What the bills of this gateway have for each job; those that no bill has are left out. Of bills that may be copies of each other the one
 * that was read last counts.
 */
export function billedLines(db: ReadDb, profileId: string, jobs: readonly NamedJob[]): Map<string, BillOfJob> {
  const lines = linesOfJobs(db, profileId, jobs).filter(({ hash }) => hash !== '');
  return new Map([...Map.groupBy(lines, ({ jobId }) => jobId)].map(([jobId, own]) => [jobId, together(own)]));
}

/** `lines`: of one job. */
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
 * Whether lines of a bill are of an earlier time. A bill that still goes on then may be another copy, and so may a line of the day before: the
 * zone of its time may be unknown.
 */
export const isBefore = (lines: readonly Pick<BilledLine, 'at' | 'to'>[], time: number): boolean =>
  lines.every(({ at, to }) => to <= time && at < time - DAY_MS);

/** What else the bills of a gateway have for jobs: lines of other bills, and rows that were not read. */
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
