import { setImmediate as nextTurn } from 'node:timers/promises';
import { type BillOfJob, type EvidenceJob, MAX_EVIDENCE_RECORDS } from '../../../shared/evidence/document.ts';
import { agrees, apartNano, figuresOf, type JobFigures } from '../../../shared/evidence/figures.ts';
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

/** A job as far as a dispute needs it, whether or not records of it were kept. */
export interface DisputedJob {
  id: string;
  profileId: string;
  projectId?: string;
  /** What its row says, for a job without records. */
  figures: JobFigures;
  /** The words of its request. */
  words: string;
  /** What a bill may know it by; it leaves with nothing. */
  names: readonly string[];
}

export interface GatherDeps {
  store: Pick<Store, 'read'>;
  jobs: { disputed(db: ReadDb, ids: readonly string[]): DisputedJob[] };
  storyboard: {
    /** What the user calls the jobs that are takes of a board: `Shot 2, take 9`. */
    takeNames(projectId: string): ReadonlyMap<string, string>;
    projectName(id: string): string | undefined;
  };
  /** What the bills of a gateway that were read have for these jobs, by job. */
  billed(db: ReadDb, profileId: string, jobs: readonly DisputedJob[]): ReadonlyMap<string, BillOfJob>;
}

export interface Gathered {
  /** What does not agree first, the most money of it first. */
  jobs: EvidenceJob[];
  /** What the user calls each job, by its id. */
  titles: Map<string, string>;
  /** How many records hold something of each class. */
  hideable: Record<Redaction, number>;
}

/** So many are read in one turn of the event loop. */
const AT_ONCE = 100;
/** What agrees goes along as one line beyond so many records. */
const MOST_OF_AGREEING = MAX_EVIDENCE_RECORDS / 2;

/** Reads the jobs with their records, a few at a time, and takes out what is to be taken out. */
export async function gather(
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

/** Money first, then what was made otherwise. */
const rank = (figures: JobFigures): number => apartNano(figures) * 2 + (agrees(figures) ? 0 : 1);

interface Found {
  kept: readonly EvidenceRecord[];
  name: string;
  bill: BillOfJob | undefined;
  redact: readonly Redaction[];
}

function evidenceOf(job: DisputedJob, { kept, name, bill, redact }: Found): EvidenceJob {
  const isProven = kept[0]?.what === 'ordered';
  const records = isProven ? kept.map((record) => without(withAllWords(record, job.words), redact)) : [];
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

/** The record as it is, unless its words are the start of these. */
function withAllWords(record: EvidenceRecord, all: string): EvidenceRecord {
  const { words } = record.facts;
  const isCut = typeof words === 'string' && words.length > MAX_RECORDED_WORDS;
  return isCut && all.startsWith(words.slice(0, -1)) ? { ...record, facts: { ...record.facts, words: all } } : record;
}

function without(record: EvidenceRecord, redact: readonly Redaction[]): EvidenceRecord {
  const takenOut = takenOutOf(record, redact);
  const facts = Object.entries(record.facts).filter(([name]) => !takenOut.includes(name));
  return { ...record, facts: Object.fromEntries(facts) };
}

/** Records are added in the transaction of the change that they are about, and never changed. */

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
  /** When it happened, where that is not now. */
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

/** By job, in the order in which they were written. */
export function recordsOf(db: ReadDb, jobIds: readonly string[]): Map<string, EvidenceRecord[]> {
  const rows = db.all<RecordRow>(ofJobs, { jobIds: JSON.stringify(jobIds) });
  const read = ({ at, what, facts }: RecordRow) => ({ at, what, facts: JSON.parse(facts) as Facts });
  return new Map([...Map.groupBy(rows, ({ job_id }) => job_id)].map(([id, own]) => [id, own.map(read)]));
}

/** When the first record was written; undefined before. */
export const recordsBegin = (db: ReadDb): number | undefined => db.one<{ at: number }>(first)?.at;

/** How many were removed before the last one: none ever is by Dailies. */
export const missingRecords = (db: ReadDb): number => db.one<{ n: number }>(missing)?.n ?? 0;

/** Jobs with records, by their ids. */
export const recordedJobs = (db: ReadDb, after: string, limit: number): string[] =>
  db.all<{ id: string }>(jobs, { after, limit }).map(({ id }) => id);
