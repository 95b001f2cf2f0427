import type { Json } from '../../../shared/evidence/canonical.ts';
import {
  type EvidenceRecord,
  type Facts,
  FIRST,
  type RecordKind,
  type Redaction,
  recordText,
  type Shown,
  sealedText,
} from '../../../shared/evidence/record.ts';
import { sha256 } from '../proof/index.ts';
import { type ReadDb, sql, type WriteDb } from '../store/index.ts';

/** Records are added in the transaction of the change that they are about, and never changed. */

const insert = sql(
  'evidence.insert',
  `INSERT INTO evidence (job_id, n, at, what, facts, shown, prev, hash, chain)
   VALUES ($jobId, $n, $at, $what, $facts, $shown, $prev, $hash, $chain)`,
);
const lastOfJob = sql('evidence.last', 'SELECT n, hash FROM evidence WHERE job_id = $jobId ORDER BY n DESC LIMIT 1');
const lastOfAll = sql('evidence.lastOfAll', 'SELECT chain FROM evidence ORDER BY seq DESC LIMIT 1');
const ofJob = sql('evidence.ofJob', 'SELECT * FROM evidence WHERE job_id = $jobId ORDER BY n');
const ofJobs = sql(
  'evidence.ofJobs',
  'SELECT * FROM evidence WHERE job_id IN (SELECT value FROM json_each($jobIds)) ORDER BY job_id, n',
);
const ofKind = sql('evidence.ofKind', 'SELECT 1 FROM evidence WHERE job_id = $jobId AND what = $what LIMIT 1');
const page = sql('evidence.page', 'SELECT * FROM evidence WHERE seq > $after ORDER BY seq LIMIT $limit');
const first = sql('evidence.first', 'SELECT at FROM evidence ORDER BY seq LIMIT 1');
const head = sql('evidence.head', 'SELECT seq, chain FROM evidence ORDER BY seq DESC LIMIT 1');

export interface RecordRow {
  seq: number;
  job_id: string;
  n: number;
  at: number;
  what: RecordKind;
  facts: string;
  shown: string | null;
  prev: string;
  hash: string;
  chain: string;
}

/** A fact that may be taken out of what leaves. */
export interface Hideable {
  as: Redaction;
  value: Json;
}

export interface NewRecord {
  jobId: string;
  what: RecordKind;
  facts: Readonly<Record<string, Json | undefined>>;
  /** Sealed with salts made from `secret`, of which nobody learns anything by them. */
  hideable?: Readonly<Record<string, Hideable | undefined>>;
  secret?: string;
  /** When it happened, where that is not now. */
  at?: number;
  /** The job is new: it has no record yet. */
  isFirst?: boolean;
}

/** A record as it is kept: of a long value the salt alone. */
export type KeptRecord = Omit<EvidenceRecord, 'shown'> & { shown?: Readonly<Record<string, KeptValue>> };

/** What is kept of a sealed fact. */
export type KeptValue = Pick<Shown, 'salt'> & Partial<Shown>;

/** Of a longer value only the salt is kept beside its hash: its job's request has it. */
const MAX_SHOWN_CHARACTERS = 8_192;

/** Adds a record to the journal of a job. Deterministic: run twice for one change, it adds the same record. */
export function addRecord(db: WriteDb, { jobId, what, facts, hideable = {}, secret, at, isFirst }: NewRecord): void {
  const last = isFirst ? undefined : db.one<{ n: number; hash: string }>(lastOfJob, { jobId });
  const n = (last?.n ?? 0) + 1;
  const sealed = sealAll(hideable, { n, secret: secret ?? '' });
  const record = {
    n,
    at: at ?? db.now(),
    what,
    facts: { ...facts, ...sealed.facts } as Facts,
    prev: last?.hash ?? FIRST,
  };
  const recordHash = sha256(recordText(jobId, record));
  db.run(insert, {
    jobId,
    n,
    at: record.at,
    what,
    facts: JSON.stringify(record.facts),
    shown: sealed.shown === undefined ? null : JSON.stringify(sealed.shown),
    prev: record.prev,
    hash: recordHash,
    chain: nextInChain(db.one<{ chain: string }>(lastOfAll)?.chain ?? FIRST, recordHash),
  });
}

export const hasRecord = (db: ReadDb, jobId: string, what: RecordKind): boolean =>
  db.one(ofKind, { jobId, what }) !== undefined;

/** What the records of all jobs are chained by. */
export const nextInChain = (before: string, recordHash: string): string => sha256(before + recordHash);

function sealAll(
  hideable: NonNullable<NewRecord['hideable']>,
  { n, secret }: { n: number; secret: string },
): { facts: Facts; shown?: Record<string, KeptValue> } {
  const facts: Record<string, { hidden: Redaction; sha256: string }> = {};
  const shown: Record<string, KeptValue> = {};
  for (const [name, fact] of Object.entries(hideable)) {
    if (fact === undefined) continue;
    const one = { salt: saltOf(secret, `${n} ${name}`), value: fact.value };
    const text = sealedText(one);
    facts[name] = { hidden: fact.as, sha256: sha256(text) };
    shown[name] = text.length <= MAX_SHOWN_CHARACTERS ? one : { salt: one.salt };
  }
  return Object.keys(shown).length === 0 ? { facts } : { facts, shown };
}

/** The salt of one value, half of a hash: nobody who has others of the same secret can make it. */
export const saltOf = (secret: string, name: string): string =>
  sha256(`${secret}\ndailies evidence ${name}`).slice(0, 32);

export const recordOf = (row: RecordRow): KeptRecord => ({
  n: row.n,
  at: row.at,
  what: row.what,
  facts: JSON.parse(row.facts) as Facts,
  prev: row.prev,
  hash: row.hash,
  ...(row.shown === null ? {} : { shown: JSON.parse(row.shown) as Record<string, KeptValue> }),
});

export const recordsOf = (db: ReadDb, jobId: string): KeptRecord[] => db.all<RecordRow>(ofJob, { jobId }).map(recordOf);

export function recordsOfJobs(db: ReadDb, jobIds: readonly string[]): Map<string, KeptRecord[]> {
  const rows = db.all<RecordRow>(ofJobs, { jobIds: JSON.stringify(jobIds) });
  const byJob = Map.groupBy(rows, ({ job_id }) => job_id);
  return new Map([...byJob].map(([jobId, records]) => [jobId, records.map(recordOf)]));
}

/** Rows of the whole journal, in the order in which they were written. */
export const journalPage = (db: ReadDb, after: number, limit: number): RecordRow[] =>
  db.all<RecordRow>(page, { after, limit });

/** When the first record was written; undefined before. */
export const recordsBegin = (db: ReadDb): number | undefined => db.one<{ at: number }>(first)?.at;

/** How many records there are, and what all of them are chained to. */
export const journalHead = (db: ReadDb): { records: number; head: string } => {
  const last = db.one<{ seq: number; chain: string }>(head);
  return { records: last?.seq ?? 0, head: last?.chain ?? FIRST };
};
