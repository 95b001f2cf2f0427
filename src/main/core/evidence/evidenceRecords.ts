import { setImmediate as nextTurn } from 'node:timers/promises';
import { type BillOfJob, type EvidenceJob, MAX_EVIDENCE_RECORDS } from '../../../shared/evidence/document.ts';
import { agrees, figuresOf, type JobFigures, overchargeNano } from '../../../shared/evidence/figures.ts';
import {
  type EvidenceRecord,
  type Facts,
  type Json,
  MAX_RECORDED_WORDS,
  REDACTIONS,
  type RecordKind,
  type Redaction,
  takenOutOf,
} from '../../../shared/evidence/record.ts';
import { shortened } from '../../../shared/text/shortened.ts';
import { type ReadDb, type Store, sql, type WriteDb } from '../store/index.ts';

/** A job in a dispute, with or without records. */
export interface DisputedJob {
  id: string;
  profileId: string;
  projectId?: string;
  /** From its row, for a job without records. */
  figures: JobFigures;
  /** The prompt of its request. */
  words: string;
  /** Ids that a bill may use; never exported. */
  names: readonly string[];
}

export interface GatherDeps {
  store: Pick<Store, 'read'>;
  jobs: { disputed(db: ReadDb, ids: readonly string[]): DisputedJob[] };
  storyboard: {
    /** The user's names for takes of a board: `Shot 2, take 9`. */
    takeNames(projectId: string): ReadonlyMap<string, string>;
    projectName(id: string): string | undefined;
  };
  /** The entries for these jobs on the bills of a gateway. */
  billed(db: ReadDb, profileId: string, jobs: readonly DisputedJob[]): ReadonlyMap<string, BillOfJob>;
}

export interface Gathered {
  /** Jobs that disagree come first, the largest amounts first. */
  jobs: EvidenceJob[];
  /** The user's names for the jobs. */
  titles: Map<string, string>;
  /** The number of records that contain each class. */
  hideable: Record<Redaction, number>;
}

/** Read in one turn of the event loop. */
const AT_ONCE = 100;
/** Beyond this many records, jobs that agree are summarized in a line. */
const MOST_OF_AGREEING = MAX_EVIDENCE_RECORDS / 2;

/** Reads the jobs with their records, a few per turn, and applies the redactions. */
export async function collectEvidence(
  deps: GatherDeps,
  { ids, profileId }: { ids: readonly string[]; profileId: string },
  redact: readonly Redaction[],
): Promise<Gathered> {
  const found: Gathered = { jobs: [], titles: new Map(), hideable: { words: 0, names: 0, seeds: 0 } };
  const takeOf = takesOf(deps.storyboard);
  let held = 0;
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    if (from > 0) await nextTurn();
    const slice = ids.slice(from, from + AT_ONCE);
    const records = recordsOf(deps.store.read, slice);
    const jobs = deps.jobs.disputed(deps.store.read, slice);
    const bills = deps.billed(deps.store.read, profileId, jobs);
    for (const job of jobs) {
      const kept = records.get(job.id) ?? [];
      const take = takeOf(job);
      const name = [deps.storyboard.projectName(job.projectId ?? ''), take]
        .filter((part) => part !== undefined)
        .join(', ');
      const one = evidenceOf(job, { kept, name, bill: bills.get(job.id), redact });
      countHideable(found.hideable, kept, name);
      found.titles.set(job.id, take ?? titleOf(job));
      if (held >= (agrees(one.figures) ? MOST_OF_AGREEING : MAX_EVIDENCE_RECORDS)) one.records = [];
      held += one.records.length;
      found.jobs.push(one);
    }
  }
  found.jobs.sort((one, other) => rank(other.figures) - rank(one.figures));
  return found;
}

function takesOf(storyboard: GatherDeps['storyboard']): (job: DisputedJob) => string | undefined {
  const boards = new Map<string, ReadonlyMap<string, string>>();
  return ({ id, projectId = '' }) => {
    const names = boards.get(projectId) ?? storyboard.takeNames(projectId);
    boards.set(projectId, names);
    return names.get(id);
  };
}

function countHideable(hideable: Gathered['hideable'], kept: readonly EvidenceRecord[], name: string): void {
  for (const one of REDACTIONS) hideable[one] += kept.filter((record) => takenOutOf(record, [one]).length > 0).length;
  if (name !== '') hideable.names += 1;
}

const TITLE_LENGTH = 60;

const titleOf = ({ words, figures }: DisputedJob): string =>
  shortened(words.trim().split('\n', 1)[0] ?? '', TITLE_LENGTH) || figures.kind;

/** Money first, then differences of the result. */
const rank = (figures: JobFigures): number => overchargeNano(figures) * 2 + (agrees(figures) ? 0 : 1);

interface Found {
  kept: readonly EvidenceRecord[];
  name: string;
  bill: BillOfJob | undefined;
  redact: readonly Redaction[];
}

function evidenceOf(job: DisputedJob, { kept, name, bill, redact }: Found): EvidenceJob {
  const isProven = kept[0]?.what === 'ordered';
  const records = isProven ? kept.map((record) => without(withWholePrompt(record, job.words), redact)) : [];
  return {
    job: job.id,
    ...(name === '' || redact.includes('names') ? {} : { name }),
    figures: isProven ? figuresOf(kept, bill) : { ...job.figures, ...(bill ? { billedNano: bill.nano } : {}) },
    ...(bill ? { bill } : {}),
    records,
    count: records.length,
    ...(isProven ? {} : { unproven: true as const }),
  };
}

/** The record with the whole prompt, if it starts with the recorded words. */
function withWholePrompt(record: EvidenceRecord, all: string): EvidenceRecord {
  const { words } = record.facts;
  const isCut = typeof words === 'string' && words.length > MAX_RECORDED_WORDS;
  return isCut && all.startsWith(words.slice(0, -1)) ? { ...record, facts: { ...record.facts, words: all } } : record;
}

function without(record: EvidenceRecord, redact: readonly Redaction[]): EvidenceRecord {
  const takenOut = takenOutOf(record, redact);
  const facts = Object.entries(record.facts).filter(([name]) => !takenOut.includes(name));
  return { ...record, facts: Object.fromEntries(facts) };
}

/** Records are added in the transaction of the change they describe, and never changed. */

const insert = sql(
  'evidence.insert',
  'INSERT INTO evidence (job_id, at, what, facts) VALUES ($jobId, $at, $what, $facts)',
);
const ofJobs = sql(
  'evidence.ofJobs',
  'SELECT * FROM evidence WHERE job_id IN (SELECT value FROM json_each($jobIds)) ORDER BY job_id, seq',
);
const ofKind = sql('evidence.ofKind', 'SELECT 1 FROM evidence WHERE job_id = $jobId AND what = $what LIMIT 1');
const first = sql('evidence.first', 'SELECT at FROM evidence ORDER BY seq LIMIT 1');
const missing = sql('evidence.missing', 'SELECT coalesce(max(seq) - count(*), 0) AS n FROM evidence');
const jobs = sql(
  'evidence.jobs',
  'SELECT DISTINCT job_id AS id FROM evidence WHERE job_id > $after ORDER BY job_id LIMIT $limit',
);

export interface NewRecord {
  jobId: string;
  what: RecordKind;
  facts: Readonly<Record<string, Json | undefined>>;
  /** The time of the event, if not now. */
  at?: number | undefined;
}

export function addRecord(db: WriteDb, { jobId, what, facts, at = db.now() }: NewRecord): void {
  db.run(insert, { jobId, at, what, facts: JSON.stringify(facts) });
}

export const hasRecord = (db: ReadDb, jobId: string, what: RecordKind): boolean =>
  db.one(ofKind, { jobId, what }) !== undefined;

interface RecordRow extends Omit<EvidenceRecord, 'facts'> {
  job_id: string;
  facts: string;
}

/** By job, in writing order. */
export function recordsOf(db: ReadDb, jobIds: readonly string[]): Map<string, EvidenceRecord[]> {
  const rows = db.all<RecordRow>(ofJobs, { jobIds: JSON.stringify(jobIds) });
  const read = ({ at, what, facts }: RecordRow) => ({ at, what, facts: JSON.parse(facts) as Facts });
  return new Map([...Map.groupBy(rows, ({ job_id }) => job_id)].map(([id, own]) => [id, own.map(read)]));
}

export const recordsBegin = (db: ReadDb): number | undefined => db.one<{ at: number }>(first)?.at;

/** The number of records missing before the last one: Dailies never removes any. */
export const missingRecords = (db: ReadDb): number => db.one<{ n: number }>(missing)?.n ?? 0;

/** Jobs with records, in order of id. */
export const recordedJobs = (db: ReadDb, after: string, limit: number): string[] =>
  db.all<{ id: string }>(jobs, { after, limit }).map(({ id }) => id);
