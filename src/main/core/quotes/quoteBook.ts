import { createHash } from 'node:crypto';
import type { Profile } from '../../../shared/gateway/profile.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';
import { assetById } from '../library/index.ts';
import type { Clock } from '../ports.ts';
import type { ReadDb, WriteDb } from '../store/index.ts';
import { documentOf, hashOf, type QuoteDocument, type QuoteInput } from './document.ts';
import * as table from './quoteTable.ts';

/** Distinguishes runs of programs with the same name, without revealing the run secret. */
export const markOf = (run: string): string => createHash('sha256').update(`mark\n${run}`).digest('hex').slice(0, 6);

/** The present form of a quote. */
export interface Offer {
  id: string;
  document: QuoteDocument;
}

export const offerOf = (db: ReadDb, wanted: QuoteInput, profile: Profile): Offer => {
  const document = documentOf(wanted, profile, (assetId) => assetById(db, assetId)?.sha256);
  return { id: hashOf(document), document };
};

/** The request of a draft. */
export interface DraftRequest {
  draftId: string;
  conversationId: string;
  request: StudioRequest;
  projectId: string;
}

/** The quotes of drafts, for the director. All in the caller's transaction. */
export class QuoteBook {
  private readonly clock: Pick<Clock, 'now'>;

  constructor(clock: Pick<Clock, 'now'>) {
    this.clock = clock;
  }

  /** The present quote of a draft. */
  offer(db: ReadDb, { draftId, conversationId, request, projectId }: DraftRequest, profile: Profile): Offer {
    return offerOf(db, { asker: { draftId, conversationId }, request, projectId, expiresAt: null }, profile);
  }

  /** Sets the quote of a draft; undefined: it cannot be made. Earlier ones become void. */
  quoteDraft(db: WriteDb, draftId: string, offer: Offer | undefined): void {
    table.voidOtherQuotes(db, draftId, offer?.id ?? '');
    if (offer) table.insertQuote(db, { ...offer, draftId, createdAt: this.clock.now() });
  }

  /** Whether it was open until now: of several approvals only one succeeds. */
  approveDraft(db: WriteDb, id: string, jobId: string): boolean {
    return table.settleQuote(db, id, { state: 'approved', jobId });
  }

  /** The number of its quotes: each change of a draft leaves a void one. */
  ofDraft(db: ReadDb, draftId: string): number {
    return table.quotesOfDraft(db, draftId);
  }

  declineDraft(db: WriteDb, id: string): void {
    table.settleQuote(db, id, { state: 'declined' });
  }
}
