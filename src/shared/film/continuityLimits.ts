import { z } from 'zod';

/** How far a step at a link must exceed the motion around it to be reported. */

const most = (limit: number) => z.number().min(0).max(limit).optional();

/** The limits that a film changes; the others have their defaults. */
export const seamLimitsSchema = z.strictObject({
  /** Mean difference of two frames, as a share of full scale. */
  frames: most(1),
  /** ΔE 2000. */
  colour: most(100),
  /** LU. */
  sound: most(100),
});

export interface SeamLimits {
  frames: number;
  colour: number;
  sound: number;
}

export const DEFAULT_SEAM_LIMITS: SeamLimits = { frames: 0.05, colour: 3, sound: 2 };

export const seamLimitsOf = (board: { seamLimits?: z.infer<typeof seamLimitsSchema> | undefined } | undefined) => ({
  frames: board?.seamLimits?.frames ?? DEFAULT_SEAM_LIMITS.frames,
  colour: board?.seamLimits?.colour ?? DEFAULT_SEAM_LIMITS.colour,
  sound: board?.seamLimits?.sound ?? DEFAULT_SEAM_LIMITS.sound,
});
