import { z } from 'zod';
import { command, query } from '../contract/call.ts';
import { id } from '../contract/paging.ts';

/** In characters; ASCII. A textured picture of 8192 × 8192 that was imported as a mask has about as many. */
export const MAX_MASK_TEXT = 2_000_000;

const draft = z.string().min(1).max(MAX_MASK_TEXT);

export interface KeptMask {
  draft?: string;
  /** Another one for each that is kept; 0 where there is none. */
  turn: number;
}

/** The mask that is painted on a picture and was not sent, as text that only the painter reads. */
export const maskDraftCalls = {
  'library.maskDraft': query<KeptMask>()(z.strictObject({ id })),
  /**
   * Keeps it until it is replaced; without a text, the one that is kept goes. Of very many, those that were kept longest ago go. `after`
   * is the turn of the one that the painter had read or kept last: where another one is kept by now, the call is refused with `conflict`.
   */
  'library.keepMaskDraft': command<Pick<KeptMask, 'turn'>>()(
    z.strictObject({ id, draft: draft.optional(), after: z.int().min(0).optional() }),
  ),
} as const;

export type MaskDraftCall = keyof typeof maskDraftCalls;
