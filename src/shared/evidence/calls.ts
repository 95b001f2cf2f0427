import { z } from 'zod';
import { command, query } from '../contract/call.ts';
import { id } from '../contract/paging.ts';
import type { Export } from '../film/filmExport.ts';
import type { EvidenceJob, EvidenceScope, EvidenceSums } from './document.ts';
import { MAX_CARRIED_EVIDENCE } from './document.ts';
import { type EvidenceRecord, REDACTIONS } from './record.ts';

/** The calls about job records: the record of a job, the export for a dispute, and the verification of either. */

const scopeShape = {
  jobIds: z.array(id).min(1).max(1_000).optional(),
  nightId: id.optional(),
  month: z
    .string()
    .regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, 'must be a month, such as 2026-12')
    .optional(),
  /** The gateway of a run or month; default: the active one. */
  profileId: id.optional(),
  /** The parts to remove from all files. */
  redact: z.array(z.enum(REDACTIONS)).max(REDACTIONS.length).default([]),
};

type Scope = { jobIds?: unknown; nightId?: unknown; month?: unknown };
const isOneScope = ({ jobIds, nightId, month }: Scope): boolean =>
  [jobIds, nightId, month].filter((one) => one !== undefined).length === 1;
const ONE_SCOPE = {
  path: ['jobIds'],
  message: 'are needed where neither a nightId nor a month is given, and only there',
};

export interface EvidenceLine {
  jobId: string;
  /** A take's name on its board, else the beginning of its prompt. Exported unless it is removed. */
  title: string;
  figures: EvidenceJob['figures'];
  records: number;
  unproven?: true;
}

/** The content of a dispute before it is exported. */
export interface EvidencePreview {
  gateway: { name: string; host: string };
  scope: EvidenceScope;
  sums: EvidenceSums;
  jobs: number;
  records: number;
  /** At most 200 of each; the sums cover all. */
  differ: EvidenceLine[];
  agree: EvidenceLine[];
  /** Charged for the jobs that agree, in nano-dollars. */
  agreeNano: number;
  /** The number of records that contain each class. */
  hideable: Record<(typeof REDACTIONS)[number], number>;
  /** The paragraphs of the letter; the second is its heading. */
  letter: string[];
  /** The beginning of `evidence.json` as it would be written; the sizes are bytes. */
  json: string;
  bytes: number;
  jsonBytes: number;
}

export interface EvidenceFault {
  /** A job id or the name of a file. */
  where: string;
  message: string;
}

export interface ListedFile {
  name: string;
  state: 'whole' | 'changed' | 'missing' | 'unlisted';
}

export interface EvidenceVerdict {
  /** What was verified: an evidence file, an exported folder with its hash list, or all job records of this machine. */
  of: 'file' | 'folder' | 'journal';
  whole: boolean;
  /** The finding in one sentence. */
  message: string;
  jobs: number;
  records: number;
  /** At most 100. */
  faults: EvidenceFault[];
  /** The files of a folder, at most 10,000. */
  files?: ListedFile[];
}

export const evidenceCalls = {
  /** The records of a job, compared with the ledger; without `faults` both agree. Jobs before `recordsBegin` have no records. */
  'evidence.journal': query<{ records: EvidenceRecord[]; faults: EvidenceFault[]; recordsBegin?: number }>()(
    z.strictObject({ jobId: id }),
  ),
  /** The content of a dispute about jobs, a run or a month. Writes nothing. */
  'evidence.preview': query<EvidencePreview>()(z.strictObject(scopeShape).refine(isOneScope, ONE_SCOPE)),
  /** Writes letter, JSON and page of a dispute into a folder; sends nothing. */
  'evidence.dispute': command<Export>()(
    z
      .strictObject({
        ...scopeShape,
        name: z.string().trim().min(1).max(200).optional(),
        folder: z.string().min(1).max(4_096).optional(),
      })
      .refine(isOneScope, ONE_SCOPE),
  ),
  /** Verifies an evidence file (`text`), a file or folder on this machine (`path`) or an export; without any of them, all job records. */
  'evidence.verify': query<EvidenceVerdict>()(
    z
      .strictObject({
        text: z.string().max(MAX_CARRIED_EVIDENCE).optional(),
        path: z.string().min(1).max(4_096).optional(),
        exportId: id.optional(),
      })
      .refine(({ text, path, exportId }) => [text, path, exportId].filter((one) => one !== undefined).length <= 1, {
        path: ['text'],
        message: 'must stand alone',
      }),
  ),
} as const;
