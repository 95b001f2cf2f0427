import { type Json, MAX_RECORDED_WORDS } from '../../../shared/evidence/record.ts';
import type { Profile } from '../../../shared/gateway/profile.ts';
import type { JobAttempt } from '../../../shared/jobs/job.ts';
import { kindOf, mediaRefsOf, promptOf } from '../../../shared/kinds/index.ts';
import { addRecord, hasRecord } from '../evidence/index.ts';
import type { SentRequest, StatedCost } from '../gateway/index.ts';
import type { ReadDb, WriteDb } from '../store/index.ts';
import { type JobRow, requestOf } from './row.ts';

/** The engine's entries in the record of a job, each written in the transaction of the change that it describes. */

/** The gateway as it is named in a letter: its name and its host. */
const gatewayOf = ({ name, baseUrl }: Profile): Json => ({ name, host: URL.parse(baseUrl)?.host ?? '' });

/** A new or changed request: its content, its gateway and its price. */
export function recordRequest(
  db: WriteDb,
  row: JobRow,
  profile: Profile | undefined,
  what: 'ordered' | 'changed' = 'ordered',
): void {
  const request = requestOf(row);
  const kind = kindOf(request);
  const words = promptOf(request);
  const references = mediaRefsOf(request).map(({ field, ref }) => ({ field, ...ref }));
  addRecord(db, {
    jobId: row.id,
    what,
    facts: {
      kind: row.kind,
      model: row.model ?? undefined,
      gateway: profile && gatewayOf(profile),
      settings: kind.facts(request),
      ...priceFacts(row),
      ...(row.play === 1 ? { play: true } : {}),
      words: words.length > MAX_RECORDED_WORDS ? `${words.slice(0, MAX_RECORDED_WORDS)}…` : words,
      seed: kind.seed(request),
      references: references.length === 0 ? undefined : (references as unknown as Json),
    },
  });
}

/** The price of the job and the resulting cost. */
const priceFacts = (row: JobRow) => ({
  price: JSON.parse(row.price) as Json,
  ...(row.price === 'null' ? {} : { nano: row.estimate_nano, lowNano: row.estimate_low_nano }),
});

/** The decision to send the job; `again`: the same bytes under the same key. `inputs`: its source files as JSON. */
export function recordClaim(
  db: WriteDb,
  row: JobRow,
  { again, inputs, at }: { again?: true; inputs?: string; at?: number } = {},
): void {
  addRecord(db, {
    jobId: row.id,
    what: 'claimed',
    at,
    facts: {
      attempt: row.tries,
      again,
      ...priceFacts(row),
      inputs: inputs === undefined ? undefined : (JSON.parse(inputs) as Json),
    },
  });
}

/** A request as it left, by its hash. */
export interface SentFacts extends Pick<SentRequest, 'key' | 'path'> {
  bytes: number;
  /** The hash of the body, in lower-case hex; empty if the body holds a secret and is not hashed. */
  sha256: string;
  at?: number;
  headers?: Readonly<Record<string, string>>;
  body?: string | undefined;
}

/** Longer bodies, such as those with pictures, are recorded only by their hash. */
const MAX_BODY_CHARACTERS = 8_000;

/** Records never contain the link secret: it is left out of the body, while the hash is of the bytes that were sent. */
export function recordSent(db: WriteDb, row: JobRow, sent: SentFacts): void {
  const { bytes, sha256, key, path, headers, body, at } = sent;
  const isShort = body !== undefined && body.length <= MAX_BODY_CHARACTERS;
  addRecord(db, {
    jobId: row.id,
    what: 'sent',
    at,
    facts: {
      bytes,
      sha256,
      key: `${key.slice(0, 4)}…${key.slice(-2)}`,
      path,
      headers,
      body: isShort ? body.replaceAll(row.hook_secret, '…') : undefined,
    },
  });
}

/** The outcome of the last attempt. */
export const recordAnswer = (
  db: WriteDb,
  row: JobRow,
  outcome: JobAttempt['outcome'] | 'otherSpelling',
  facts: { status?: number; requestId?: string; message?: string; task?: string } = {},
): void => addRecord(db, { jobId: row.id, what: 'answered', facts: { outcome, ...facts } });

export function recordStated(db: WriteDb, row: JobRow, { by, as, nano, part }: StatedCost): void {
  addRecord(db, { jobId: row.id, what: 'stated', facts: { by, as, nano, ...(part ? { part } : {}) } });
}

/** How often a task was asked for since `since`, and the answers, each counted. */
export interface PollCounts {
  since: number;
  times: number;
  answers: Readonly<Record<string, number>>;
}

export const recordPolls = (
  db: WriteDb,
  row: JobRow,
  { since, times, answers }: PollCounts,
  ended: { results?: number; message?: string },
): void =>
  addRecord(db, {
    jobId: row.id,
    what: 'asked',
    facts: { since, times, answers, operation: row.remote_id ?? undefined, ...ended },
  });

/** A plain event of the job. */
export const recordEvent = (
  db: WriteDb,
  row: Pick<JobRow, 'id'>,
  what: 'canceled' | 'compared' | 'stopped',
  facts: Readonly<Record<string, Json | undefined>>,
): void => addRecord(db, { jobId: row.id, what, facts });

/** Whether the results were compared with the request. */
export const isCompared = (db: ReadDb, row: Pick<JobRow, 'id'>): boolean => hasRecord(db, row.id, 'compared');
