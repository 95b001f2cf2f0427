import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Json } from '../../../shared/evidence/canonical.ts';
import {
  type BillOfJob,
  type EvidenceJob,
  MAX_EVIDENCE_JOBS,
  MAX_EVIDENCE_RECORDS,
} from '../../../shared/evidence/document.ts';
import { agrees, apartNano, figuresOf, type JobFigures } from '../../../shared/evidence/figures.ts';
import {
  type EvidenceRecord,
  FIRST,
  isSealed,
  REDACTIONS,
  type Redaction,
  sealedText,
} from '../../../shared/evidence/record.ts';
import { shortened } from '../../../shared/shortened.ts';
import { sha256 } from '../proof/index.ts';
import type { ReadDb, Store } from '../store/index.ts';
import { type KeptRecord, recordsOfJobs } from './records.ts';

/** A job as far as a dispute needs it, whether or not records of it were kept. */
export interface DisputedJob {
  id: string;
  profileId: string;
  projectId?: string;
  /** What its row says, for a job without records. */
  figures: JobFigures;
  /** The words of its request. */
  words: string;
  /** Of its name. */
  nameSalt: string;
  /** What a bill may know it by; it leaves with nothing. */
  names: readonly string[];
}

export interface GatherDeps {
  store: Pick<Store, 'read'>;
  jobs: { disputed(db: ReadDb, ids: readonly string[]): DisputedJob[] };
  /** What the user calls the jobs that are takes of a board: `Shot 2, take 9`. */
  takeNames(projectId: string): ReadonlyMap<string, string>;
  projectName(id: string): string | undefined;
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
  ids: readonly string[],
  redact: readonly Redaction[],
): Promise<Gathered> {
  const found: Gathered = { jobs: [], titles: new Map(), hideable: { words: 0, names: 0, seeds: 0 } };
  const boards = new Map<string, ReadonlyMap<string, string>>();
  const takeNames = (projectId: string): ReadonlyMap<string, string> => {
    const known = boards.get(projectId) ?? deps.takeNames(projectId);
    boards.set(projectId, known);
    return known;
  };
  let held = 0;
  for (let from = 0; from < Math.min(ids.length, MAX_EVIDENCE_JOBS); from += AT_ONCE) {
    if (from > 0) await nextTurn();
    const slice = ids.slice(from, from + AT_ONCE);
    const records = recordsOfJobs(deps.store.read, slice);
    const jobs = deps.jobs.disputed(deps.store.read, slice);
    const bills = billsOf(deps, jobs);
    for (const job of jobs) {
      const one = evidenceOf({ ...deps, takeNames }, job, {
        kept: records.get(job.id) ?? [],
        bill: bills.get(job.id),
        redact,
        hideable: found.hideable,
      });
      found.titles.set(job.id, titleOf(job, takeNames));
      const isWhole = held < (agrees(one.figures) ? MOST_OF_AGREEING : MAX_EVIDENCE_RECORDS);
      if (isWhole) held += one.records.length;
      found.jobs.push(isWhole ? one : { ...one, records: [] });
    }
  }
  found.jobs.sort((one, other) => rank(other.figures) - rank(one.figures));
  return found;
}

/** By job. */
function billsOf({ store, billed }: GatherDeps, jobs: readonly DisputedJob[]): Map<string, BillOfJob> {
  const byProfile = [...Map.groupBy(jobs, ({ profileId }) => profileId)];
  return new Map(byProfile.flatMap(([profileId, own]) => [...billed(store.read, profileId, own)]));
}

const TITLE_LENGTH = 60;

function titleOf({ id, projectId, words, figures }: DisputedJob, takeNames: GatherDeps['takeNames']): string {
  const take = projectId === undefined ? undefined : takeNames(projectId).get(id);
  return take ?? (shortened(words.trim().split('\n', 1)[0] ?? '', TITLE_LENGTH) || figures.kind);
}

/** Money first, then what was made otherwise. */
const rank = (figures: JobFigures): number => apartNano(figures) * 2 + (agrees(figures) ? 0 : 1);

interface Read {
  kept: readonly KeptRecord[];
  bill: BillOfJob | undefined;
  redact: readonly Redaction[];
  hideable: Record<Redaction, number>;
}

function evidenceOf(deps: GatherDeps, job: DisputedJob, { kept, bill, redact, hideable }: Read): EvidenceJob {
  const records = kept.map((record) => shownOf(record, { words: job.words, redact, hideable }));
  const name = nameOf(deps, job, redact, hideable);
  const last = records.at(-1)?.hash ?? FIRST;
  const isProven = records[0]?.n === 1 && records[0].what === 'ordered';
  return {
    job: job.id,
    ...(name ? { name } : {}),
    figures: isProven ? figuresOf(records, bill) : { ...job.figures, ...(bill ? { billedNano: bill.nano } : {}) },
    ...(bill ? { bill } : {}),
    records: isProven ? records : [],
    count: isProven ? records.length : 0,
    last,
    ...(isProven ? {} : { unproven: true as const }),
  };
}

/** A record with the values that are not taken out. A long one that is in the job's request is found there, if it is still the same. */
function shownOf(
  { shown = {}, ...record }: KeptRecord,
  { words, redact, hideable }: { words: string } & Pick<Read, 'redact' | 'hideable'>,
): EvidenceRecord {
  const held: Record<string, { salt: string; value: Json }> = {};
  const classes = new Set<Redaction>();
  for (const [name, { salt, value = words }] of Object.entries(shown)) {
    const fact = record.facts[name];
    if (!isSealed(fact) || sha256(sealedText({ salt, value })) !== fact.sha256) continue;
    classes.add(fact.hidden);
    if (!redact.some((one) => holds(name, fact.hidden, one))) held[name] = { salt, value };
  }
  for (const one of REDACTIONS) if (classes.has(one)) hideable[one] += 1;
  return Object.keys(held).length === 0 ? record : { ...record, shown: held };
}

/** Of what is taken out with which class: a request as it was sent holds seeds beside words. */
const holds = (name: string, as: Redaction, taken: Redaction): boolean =>
  as === taken || (name === 'body' && taken === 'seeds');

function nameOf(
  deps: GatherDeps,
  { id, projectId, nameSalt: salt }: DisputedJob,
  redact: readonly Redaction[],
  hideable: Record<Redaction, number>,
): EvidenceJob['name'] {
  const take = projectId === undefined ? undefined : deps.takeNames(projectId).get(id);
  const project = projectId === undefined ? undefined : deps.projectName(projectId);
  const value = [project, take].filter((part) => part !== undefined).join(', ');
  if (value === '') return undefined;
  hideable.names += 1;
  const shown = { salt, value };
  return { sha256: sha256(sealedText(shown)), ...(redact.includes('names') ? {} : { shown }) };
}
