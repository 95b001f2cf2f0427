import { z } from 'zod';
import { EVIDENCE_OUTCOMES, type JobFigures } from './figures.ts';
import { type EvidenceRecord, RECORD_KINDS, REDACTIONS, type Redaction, type Shown } from './record.ts';

/** `evidence.json`: what a dispute is about, with the records that prove it. */

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
  /** What the user calls it: sealed, since it may be taken out. */
  name?: { sha256: string; shown?: Shown };
  figures: JobFigures;
  /** It is no record: the bill itself proves it. A decision about its line is one, and counts before it. */
  bill?: BillOfJob;
  /** All of them, or none where only its line goes along. */
  records: EvidenceRecord[];
  /** How many it has, and the hash of the last one. */
  count: number;
  last: string;
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
  /** Those that do not agree first. */
  jobs: EvidenceJob[];
  /** The whole journal at that time: a later check of it finds this hash at this place. */
  journal: { records: number; head: string };
}

export const MAX_EVIDENCE_JOBS = 20_000;
export const MAX_EVIDENCE_RECORDS = 40_000;
/** Of a file that is read, in characters. */
export const MAX_EVIDENCE_CHARACTERS = 128 * 1024 * 1024;
/** Of one that a call carries; a longer one is proven where it lies. */
export const MAX_CARRIED_EVIDENCE = 16_000_000;

const hex64 = z.string().length(64);
const shownSchema = z.strictObject({ salt: z.string().max(64), value: z.unknown() });
const recordSchema = z.strictObject({
  n: z.int().min(1),
  at: z.number(),
  what: z.enum(RECORD_KINDS),
  facts: z.record(z.string().max(100), z.unknown()),
  prev: hex64,
  hash: hex64,
  shown: z.record(z.string().max(100), shownSchema).optional(),
});
const text = z.string().max(10_000);
const amount = z.number();
const range = z.strictObject({ nano: amount, lowNano: amount }).optional();
const figuresSchema = z.strictObject({
  kind: text,
  model: text.optional(),
  gateway: z.strictObject({ name: text, host: text }).optional(),
  play: z.literal(true).optional(),
  settings: text,
  orderedAt: amount,
  sentAt: amount.optional(),
  attempts: amount,
  outcome: z.enum(EVIDENCE_OUTCOMES),
  requestId: text.optional(),
  operation: text.optional(),
  priceSource: text.optional(),
  ordered: range,
  due: range,
  stated: z.strictObject({ nano: amount.optional(), by: text, as: text }).optional(),
  chargedNano: amount,
  doubtNano: amount,
  billedNano: amount.optional(),
  made: z.strictObject({
    results: amount,
    bytes: amount,
    sha256s: z.array(text).max(1_000),
    seconds: amount.optional(),
    width: amount.optional(),
    height: amount.optional(),
    blackMs: amount.optional(),
    frozenMs: amount.optional(),
  }),
  differs: z.array(z.strictObject({ what: text, ordered: text, made: text })).max(1_000),
  compared: z.boolean(),
});
const jobSchema = z.strictObject({
  job: z.string().max(200),
  name: z.strictObject({ sha256: hex64, shown: shownSchema.optional() }).optional(),
  figures: figuresSchema,
  bill: z.strictObject({ nano: amount, line: amount, lines: amount, name: text.optional(), readAt: amount }).optional(),
  records: z.array(recordSchema).max(MAX_EVIDENCE_RECORDS),
  count: z.int().min(0),
  last: hex64,
  unproven: z.literal(true).optional(),
});

/** The form alone; whether it is true is another question. */
export const evidenceSchema = z.strictObject({
  format: z.literal('dailies-evidence'),
  version: z.literal(1),
  by: z.string().max(200),
  at: z.number(),
  currency: z.literal('USD'),
  gateway: z.strictObject({ name: z.string().max(500), host: z.string().max(500) }),
  scope: z.strictObject({
    type: z.enum(['jobs', 'night', 'month']),
    name: z.string().max(100).optional(),
    from: z.number(),
    to: z.number(),
  }),
  sums: z.record(z.string().max(100), z.number().nullable()),
  takenOut: z.array(z.enum(REDACTIONS)).max(REDACTIONS.length),
  jobs: z.array(jobSchema).max(MAX_EVIDENCE_JOBS),
  journal: z.strictObject({ records: z.int().min(0), head: hex64 }),
});
