import { agrees, apartNano, type JobFigures } from './figures.ts';
import type { EvidenceRecord, Redaction } from './record.ts';

/** `evidence.json`: what a dispute is about, with the records of it. */

/** What a dispute is about. */
export interface EvidenceScope {
  type: 'jobs' | 'night' | 'month';
  /** Of a night: its number; of a month: `2026-12`. */
  name?: string;
  /** When the first of its jobs was ordered, and the last one's last record. */
  from: number;
  to: number;
}

/** What the bills that were read have for a job: all their lines for it, in nano-dollars, each once. */
export interface BillOfJob {
  nano: number;
  /** The first of them in the file that was read last, and how many there are on all bills. */
  line: number;
  lines: number;
  /** Of that file. */
  name?: string;
  readAt: number;
}

export interface EvidenceJob {
  job: string;
  /** What the user calls it, unless that is taken out. */
  name?: string;
  figures: JobFigures;
  /** It is no record: the bill itself proves it. A decision about its line is one, and counts before it. */
  bill?: BillOfJob;
  /** All of them, or none where only its line goes along. */
  records: EvidenceRecord[];
  /** How many it has. */
  count: number;
  /** It was made before records were kept, so nothing of its line is proven. */
  unproven?: true;
}

/** In nano-dollars. A sum that cannot be known is null. */
export interface EvidenceSums {
  orderedNano: number;
  /** Jobs without a known price, which the sums leave out. */
  unpriced: number;
  dueNano: number;
  statedNano: number | null;
  /** How many answers stated a cost. */
  stated: number;
  billedNano: number | null;
  askedBackNano: number;
  made: number;
  refused: number;
  differ: number;
}

export interface EvidenceDocument {
  format: 'dailies-evidence';
  version: 1;
  by: string;
  /** When it was made. */
  at: number;
  currency: 'USD';
  gateway: { name: string; host: string };
  scope: EvidenceScope;
  sums: EvidenceSums;
  takenOut: Redaction[];
  /** How many jobs and records it holds. */
  holds: { jobs: number; records: number };
  /** Those that do not agree first. */
  jobs: EvidenceJob[];
}

export const MAX_EVIDENCE_JOBS = 20_000;
export const MAX_EVIDENCE_RECORDS = 40_000;
/** Of a file that is read, in bytes. */
export const MAX_EVIDENCE_BYTES = 128 * 1024 * 1024;
/** Of one that a call carries, in characters; a longer one is verified where it lies. */
export const MAX_CARRIED_EVIDENCE = 16_000_000;

/** The sums of these jobs' lines. */
export function sumsOf(jobs: readonly Pick<EvidenceJob, 'figures'>[]): EvidenceSums {
  const sums: EvidenceSums = {
    orderedNano: 0,
    unpriced: 0,
    dueNano: 0,
    statedNano: null,
    stated: 0,
    billedNano: null,
    askedBackNano: 0,
    made: 0,
    refused: 0,
    differ: 0,
  };
  for (const { figures } of jobs) {
    const { ordered, due, stated, billedNano, outcome } = figures;
    if (ordered) sums.orderedNano += ordered.nano;
    else sums.unpriced += 1;
    sums.dueNano += due?.nano ?? 0;
    if (stated?.nano !== undefined) {
      sums.statedNano = (sums.statedNano ?? 0) + stated.nano;
      sums.stated += 1;
    }
    if (billedNano !== undefined) sums.billedNano = (sums.billedNano ?? 0) + billedNano;
    sums.askedBackNano += apartNano(figures);
    if (outcome === 'made') sums.made += 1;
    if (outcome === 'refused') sums.refused += 1;
    if (!agrees(figures)) sums.differ += 1;
  }
  return sums;
}
