import { agrees, type JobFigures, overchargeNano } from './figures.ts';
import type { EvidenceRecord, Redaction } from './record.ts';

/** `evidence.json`: the subject of a dispute with its records. */

export interface EvidenceScope {
  type: 'jobs' | 'night' | 'month';
  /** The number of a run, or a month: `2026-12`. */
  name?: string;
  /** From the first job's enqueuing to the last record. */
  from: number;
  to: number;
}

/** The lines of all bills for one job: their sum in nano-dollars, each line once. */
export interface BillOfJob {
  nano: number;
  /** The first line in the latest file, and the number of lines on all bills. */
  line: number;
  lines: number;
  /** The name of that file. */
  name?: string;
  readAt: number;
}

export interface EvidenceJob {
  job: string;
  /** The user's name for it, unless it is removed. */
  name?: string;
  figures: JobFigures;
  /** No record: the bill itself proves it. A recorded decision about the line takes precedence. */
  bill?: BillOfJob;
  /** All records, or none if only the summary is exported. */
  records: EvidenceRecord[];
  /** The number of records. */
  count: number;
  /** Made before records were kept: nothing about it is proven. */
  unproven?: true;
}

/** In nano-dollars; null if unknown. */
export interface EvidenceSums {
  orderedNano: number;
  /** Jobs with no price set, left out of the sums. */
  unpriced: number;
  dueNano: number;
  statedNano: number | null;
  /** The number of answers that stated a cost. */
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
  /** The time of the export. */
  at: number;
  currency: 'USD';
  gateway: { name: string; host: string };
  scope: EvidenceScope;
  sums: EvidenceSums;
  takenOut: Redaction[];
  /** The number of jobs and records in the file. */
  holds: { jobs: number; records: number };
  /** Jobs that disagree come first. */
  jobs: EvidenceJob[];
}

export const MAX_EVIDENCE_JOBS = 20_000;
export const MAX_EVIDENCE_RECORDS = 40_000;
/** The largest file that is read, in bytes. */
export const MAX_EVIDENCE_BYTES = 128 * 1024 * 1024;
/** The longest text that a call carries, in characters; a longer file is verified where it is. */
export const MAX_CARRIED_EVIDENCE = 16_000_000;

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
    sums.askedBackNano += overchargeNano(figures);
    if (outcome === 'made') sums.made += 1;
    if (outcome === 'refused') sums.refused += 1;
    if (!agrees(figures)) sums.differ += 1;
  }
  return sums;
}
