import { setImmediate as nextTurn } from 'node:timers/promises';
import { type BillOfJob, type EvidenceJob, MAX_EVIDENCE_RECORDS } from '../../../shared/evidence/document.ts';
import { agrees, apartNano, figuresOf, type JobFigures } from '../../../shared/evidence/figures.ts';
import {
  type EvidenceRecord,
  MAX_RECORDED_WORDS,
  REDACTIONS,
  type Redaction,
  takenOutOf,
} from '../../../shared/evidence/record.ts';
import { shortened } from '../../../shared/text/shortened.ts';
import type { ReadDb, Store } from '../store/index.ts';
import { recordsOf } from './records.ts';

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
