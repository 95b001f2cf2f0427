import { createHash } from 'node:crypto';
import type { SentRequest, Witness } from '../../gateway/index.ts';
import type { WriteDb } from '../../store/index.ts';
import type { EngineDeps } from '../deps.ts';
import { rowById, saveOmitted } from '../jobRepository.ts';
import { recordAnswer, recordSent, type SentFacts } from '../recordEvidence.ts';
import type { JobRow } from '../row.ts';
import { forgetSent, type StoredRequests, saveKeyOfAttempt, saveRefusedSpelling } from './storedRequests.ts';

/** What is on disk of a request before it leaves. */

type Deps = Pick<EngineDeps, 'store' | 'log'>;

/** Never rejects: what cannot be written is sent all the same. `kept`: where its bytes are kept, too. */
export async function noteSent(deps: Deps, jobId: string, request: SentRequest, kept?: StoredRequests): Promise<void> {
  await noteOmitted(deps, jobId, request);
  const facts = factsOf(request);
  const note = (keeping?: StoredRequests) =>
    deps.store.grouped((db) => {
      // It may have been canceled meanwhile: then its doubt is settled by the bill only.
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
    // On a full disk there may be room for the facts of a request, and none for its bytes.
    if (kept) await note().catch(failed);
  }
}

/** Of a body that holds a secret nothing is told. */
const factsOf = ({ body }: SentRequest): Pick<SentFacts, 'bytes' | 'sha256'> =>
  body === undefined
    ? { bytes: 0, sha256: '' }
    : { bytes: Buffer.byteLength(body), sha256: createHash('sha256').update(body).digest('hex') };

/** Holds also for a request of which nothing else can be written. */
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
 * The request was refused and is about to be sent in another spelling: without this, a kill or a full disk would leave bytes that are not
 * the last ones sent. False if that cannot be written: then nothing more may be sent.
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
 * What left for one attempt, and with which status it was answered. A request that is kept has its record before it leaves; that of
 * another one, such as a chat's, is written with its answer, by the time at which it left.
 */
export class SendWitness implements Witness {
  private readonly unrecorded: SentFacts[] = [];
  private isKept = false;
  private status: number | undefined;
  private readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
  }

  /** The next request has its record. */
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

  /** Adds the records that are missing; the same ones each time it is run. */
  record(db: WriteDb, row: JobRow): void {
    for (const request of this.unrecorded) recordSent(db, row, request);
  }

  /** The outcome, with the status of its answer. */
  on<Outcome extends { type: string }>(outcome: Outcome): Outcome {
    return this.status === undefined || !STATUSED.has(outcome.type) ? outcome : { ...outcome, status: this.status };
  }
}

/** Outcomes that have an answer and no error: an error has its status itself. */
const STATUSED: ReadonlySet<string> = new Set(['accepted', 'done', 'answered']);
