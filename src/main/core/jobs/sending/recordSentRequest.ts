import { createHash } from 'node:crypto';
import type { SentRequest, Witness } from '../../gateway/index.ts';
import type { WriteDb } from '../../store/index.ts';
import type { EngineDeps } from '../deps.ts';
import { rowById, saveOmitted } from '../jobRepository.ts';
import { recordAnswer, recordSent, type SentFacts } from '../recordEvidence.ts';
import type { JobRow } from '../row.ts';
import { forgetSent, type StoredRequests, saveKeyOfAttempt, saveRefusedSpelling } from './storedRequests.ts';

/** Stores facts about a request before it is sent. */

type Deps = Pick<EngineDeps, 'store' | 'log'>;

/** Never rejects: the request is sent even if nothing can be written. `kept`: also stores the bytes there. */
export async function noteSent(deps: Deps, jobId: string, request: SentRequest, kept?: StoredRequests): Promise<void> {
  await noteOmitted(deps, jobId, request);
  const facts = factsOf(request);
  const note = (keeping?: StoredRequests) =>
    deps.store.grouped((db) => {
      // A job that was canceled meanwhile is only settled by the bill.
      const row = rowById(db, jobId);
      if (row?.state !== 'sending') return;
      if (keeping) keeping.save(db, jobId, request, facts);
      else if (kept) forgetSent(db, jobId);
      recordSent(db, row, { ...request, ...facts });
      saveKeyOfAttempt(db, jobId, request.key);
    });
  const failed = (error: unknown): void =>
    deps.log.error({ job: jobId, error: String(error) }, 'a request could not be noted as it is sent');
  try {
    kept?.clockWatch.check();
    await note(kept);
  } catch (error) {
    failed(error);
    // A full disk may have space for the facts of a request but not for its bytes.
    if (kept) await note().catch(failed);
  }
}

/** Nothing is recorded of a body that holds a secret. */
const factsOf = ({ body }: SentRequest): Pick<SentFacts, 'bytes' | 'sha256'> =>
  body === undefined
    ? { bytes: 0, sha256: '' }
    : { bytes: Buffer.byteLength(body), sha256: createHash('sha256').update(body).digest('hex') };

/** Written even if nothing else of the request can be. */
async function noteOmitted({ store, log }: Deps, jobId: string, { omitted }: SentRequest): Promise<void> {
  try {
    // Most requests omit nothing, and need no write of their own.
    if (!omitted?.length && rowById(store.read, jobId)?.omitted === null) return;
    await store.grouped((db) => {
      const row = rowById(db, jobId);
      if (row?.state === 'sending') saveOmitted(db, row, omitted);
    });
  } catch (error) {
    log.error({ job: jobId, error: String(error) }, 'what is not sent of an order could not be noted');
  }
}

/**
 * Must be written before a refused request is sent in another spelling: otherwise a kill or a full disk would leave bytes that are not the
 * last ones sent. False if that fails; then nothing more may be sent.
 */
export function noteRefusedSpelling({ store, log }: Deps, jobId: string, kept?: StoredRequests): boolean {
  try {
    store.transaction((db) => {
      if (kept) forgetSent(db, jobId);
      saveRefusedSpelling(db, jobId);
      const row = rowById(db, jobId);
      if (row) recordAnswer(db, row, 'otherSpelling');
    });
    return true;
  } catch (error) {
    log.error({ job: jobId, error: String(error) }, 'a request is not sent in another spelling');
    return false;
  }
}

/**
 * Collects what was sent in one attempt, and the status of its answer. Requests that are kept are recorded before they are sent; others,
 * such as those of chats, are recorded with their answer, at the time of sending.
 */
export class SendWitness implements Witness {
  private readonly unrecorded: SentFacts[] = [];
  private isKept = false;
  private status: number | undefined;
  private readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
  }

  /** The next request is already recorded. */
  kept(): void {
    this.isKept = true;
  }

  sent(request: Parameters<Witness['sent']>[0]): void {
    this.status = undefined;
    if (!this.isKept) this.unrecorded.push({ ...request, at: this.now() });
    this.isKept = false;
  }

  answered(status: number): void {
    this.status = status;
  }

  /** Adds the missing records. A repeated call adds the same ones. */
  record(db: WriteDb, row: JobRow): void {
    for (const request of this.unrecorded) recordSent(db, row, request);
  }

  /** Adds the status of the answer to the outcome. */
  on<Outcome extends { type: string }>(outcome: Outcome): Outcome {
    return this.status === undefined || !STATUSED.has(outcome.type) ? outcome : { ...outcome, status: this.status };
  }
}

/** Outcomes that have an answer and no error: an error has its status itself. */
const STATUSED: ReadonlySet<string> = new Set(['accepted', 'done', 'answered']);
