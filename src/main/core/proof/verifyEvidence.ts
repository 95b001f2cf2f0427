import type { EvidenceFault, EvidenceVerdict } from '../../../shared/evidence/calls.ts';
import { canonicalJson, type Json } from '../../../shared/evidence/canonical.ts';
import {
  type EvidenceDocument,
  type EvidenceJob,
  evidenceSchema,
  MAX_EVIDENCE_CHARACTERS,
  MAX_EVIDENCE_JOBS,
} from '../../../shared/evidence/document.ts';
import { figuresOf } from '../../../shared/evidence/figures.ts';
import {
  type EvidenceRecord,
  FIRST,
  isSealed,
  recordText,
  type Shown,
  sealedText,
} from '../../../shared/evidence/record.ts';
import { sumsOf } from '../../../shared/evidence/sums.ts';
import { counted, plural, t } from '../../../shared/texts.ts';
import { sha256 } from './sha256.ts';

/**
 * Proves an evidence file: every byte by the seal at its end, every record by its hash, every value by the hash that stands for it, every
 * figure by the records that it comes from. The file is anybody's: it is read once, in time linear in its length, and bounded.
 */

const MAX_FAULTS = 100;
/** Of the values in a file; ours have five levels. */
const MAX_DEPTH = 32;

const SEAL_START = ',\n  "seal": "';
const SEAL_END = '"\n}\n';
const BODY_END = '\n}';
const SEAL_LENGTH = SEAL_START.length + 64 + SEAL_END.length;

/** The text of a file from its document without the seal, which is the hash of all that stands before it. */
export const sealed = (body: string): string =>
  `${body.slice(0, -BODY_END.length)}${SEAL_START}${sha256(body)}${SEAL_END}`;

/** The document's text, or why the file is not as it was written. */
function unsealed(text: string): { body: string; isWhole: boolean } {
  const end = text.slice(-SEAL_LENGTH);
  const body = text.slice(0, -SEAL_LENGTH) + BODY_END;
  const seal = end.slice(SEAL_START.length, SEAL_START.length + 64);
  return { body, isWhole: end === `${SEAL_START}${seal}${SEAL_END}` && sha256(body) === seal };
}

export function verifyEvidence(text: string): EvidenceVerdict {
  const found = new Faults();
  const document = text.length > MAX_EVIDENCE_CHARACTERS ? undefined : readDocument(text, found);
  if (!document) return verdictOf(found, { jobs: 0, bare: 0, records: 0 });
  document.jobs.forEach((job, index) => void checkJob(job, `job ${index + 1}`, found));
  checkTwice(document.jobs, found);
  if (!same(document.sums, sumsOf(document.jobs))) found.add('sums', t`The sums are not those of the jobs.`);
  return verdictOf(found, {
    jobs: document.jobs.length,
    bare: document.jobs.filter(({ records }) => records.length === 0).length,
    records: document.jobs.reduce((sum, { records }) => sum + records.length, 0),
  });
}

class Faults {
  readonly list: EvidenceFault[] = [];
  count = 0;

  add(where: string, message: string): void {
    this.count += 1;
    if (this.list.length < MAX_FAULTS) this.list.push({ where, message });
  }
}

const NO_EVIDENCE = t`This is not a job record of Dailies.`;

function readDocument(text: string, found: Faults): EvidenceDocument | undefined {
  const { body, isWhole } = unsealed(text);
  const parsed = parse(isWhole ? body : text);
  const { seal: _, ...held } = (typeof parsed === 'object' && parsed !== null ? parsed : {}) as Record<string, unknown>;
  const isBounded = !(Array.isArray(held.jobs) && held.jobs.length > MAX_EVIDENCE_JOBS) && isShallow(held, MAX_DEPTH);
  const document = isBounded ? evidenceSchema.safeParse(held) : undefined;
  if (!isWhole) {
    const isOurs = held.format === 'dailies-evidence';
    found.add('file', document?.success || isOurs ? t`Its bytes are not those that were saved.` : NO_EVIDENCE);
  } else if (!document?.success) found.add('file', NO_EVIDENCE);
  // One form alone is written: in any other a name may stand twice, and readers differ in which they show.
  else if (JSON.stringify(parsed, null, 2) !== body) found.add('file', t`The file is not in the form of a job record.`);
  return document?.success ? (document.data as unknown as EvidenceDocument) : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((held) => isShallow(held, levels - 1));
}

function checkJob(job: EvidenceJob, where: string, found: Faults): void {
  checkName(job, where, found);
  const { records, count, last } = job;
  if (records.length === 0) return;
  checkChain(job.job, records, where, found);
  if (count !== records.length) found.add(where, t`It had ${counted(count, 'record')}, and holds ${records.length}.`);
  if (last !== records.at(-1)?.hash) found.add(where, t`Its last record is not the one that is named.`);
  if (!same(job.figures, figuresOf(records, job.bill))) found.add(where, t`Its figures are not those of its records.`);
}

/** One that stands there twice would be asked back twice. */
function checkTwice(jobs: readonly EvidenceJob[], found: Faults): void {
  const seen = new Set<string>();
  for (const [index, { job }] of jobs.entries()) {
    if (seen.has(job)) found.add(`job ${index + 1}`, t`It stands in the file twice.`);
    seen.add(job);
  }
}

/** Whether each record is the one that the next one names, from the first on. Returns true if all are. */
export function checkChain(jobId: string, records: readonly EvidenceRecord[], where: string, found: FaultList): void {
  let prev = FIRST;
  for (const [index, record] of records.entries()) {
    const place = `${where}, record ${index + 1}`;
    if (record.n !== index + 1) found.add(place, t`A record is missing or stands elsewhere: it is number ${record.n}.`);
    if (record.prev !== prev) found.add(place, t`It does not follow the record before it.`);
    if (sha256(recordText(jobId, record)) !== record.hash) found.add(place, t`It is not what its hash was made of.`);
    checkShown(record, place, found);
    prev = record.hash;
  }
}

type FaultList = Pick<Faults, 'add'>;

/** The faults of a chain alone. */
export function faultsOfChain(jobId: string, records: readonly EvidenceRecord[]): EvidenceFault[] {
  const found = new Faults();
  checkChain(jobId, records, 'this job', found);
  return found.list;
}

function checkShown({ facts, shown = {} }: EvidenceRecord, place: string, found: FaultList): void {
  for (const [name, value] of Object.entries(shown)) {
    const fact = Object.hasOwn(facts, name) ? facts[name] : undefined;
    if (!isSealed(fact) || !isValueOf(fact.sha256, value))
      found.add(place, t`What it shows as ${name.slice(0, 40)} is not what was recorded.`);
  }
}

/** Whether the values kept beside a record are those that were recorded; of a long one the salt alone is kept. */
export const isShownWhole = ({
  facts,
  shown = {},
}: Pick<EvidenceRecord, 'facts'> & { shown?: Readonly<Record<string, Pick<Shown, 'salt'> & Partial<Shown>>> }) =>
  Object.entries(shown).every(([name, { salt, value }]) => {
    const fact = Object.hasOwn(facts, name) ? facts[name] : undefined;
    return isSealed(fact) && (value === undefined || isValueOf(fact.sha256, { salt, value }));
  });

const isValueOf = (hash: string, shown: Shown): boolean => sha256(sealedText(shown)) === hash;

function checkName({ name }: EvidenceJob, where: string, found: FaultList): void {
  if (name?.shown && !isValueOf(name.sha256, name.shown)) found.add(where, t`Its name is not what was recorded.`);
}

const same = (one: unknown, other: unknown): boolean => canonicalJson(one as Json) === canonicalJson(other as Json);

function verdictOf(
  { list, count }: Faults,
  { bare, ...sums }: { jobs: number; bare: number; records: number },
): EvidenceVerdict {
  const { jobs, records } = sums;
  const rest =
    bare === 0 ? '' : ` ${plural(bare, 'more job')} without records ${bare === 1 ? 'is' : 'are'} proven by nothing.`;
  const message =
    count === 0
      ? `Whole: ${plural(records, 'record')} of ${plural(jobs - bare, 'job')}, each as it was written.${rest}`
      : `Not whole: ${list[0]?.message ?? ''}${count > 1 ? ` ${plural(count, 'thing')} in all.` : ''}`;
  return { of: 'file', whole: count === 0, message, ...sums, faults: list };
}
