import { z } from 'zod';
import { command, query } from '../contract/call.ts';
import { id } from '../contract/paging.ts';

/** In characters (ASCII): about what an imported mask of 8192 × 8192 with texture needs. */
export const MAX_MASK_TEXT = 2_000_000;

const draft = z.string().min(1).max(MAX_MASK_TEXT);

export interface KeptMask {
  draft?: string;
  /** Changes with every save; 0 without a draft. */
  turn: number;
}

/** The unsent mask painted on a picture, as text that only the painter reads. */
export const maskDraftCalls = {
  'library.maskDraft': query<KeptMask>()(z.strictObject({ id })),
  /**
   * Saves the draft; without a text it is removed. The oldest of very many are removed. `after`: the turn that the painter last read or
   * saved; if another one is stored, the call is refused with `conflict`.
   */
  'library.keepMaskDraft': command<Pick<KeptMask, 'turn'>>()(
    z.strictObject({ id, draft: draft.optional(), after: z.int().min(0).optional() }),
  ),
} as const;

export type MaskDraftCall = keyof typeof maskDraftCalls;
