import type { Witness } from '../gateway/index.ts';
import type { WriteDb } from '../store/index.ts';
import { recordSent, type SentFacts } from './journaled.ts';
import type { JobRow } from './row.ts';

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
