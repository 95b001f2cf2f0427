import { z } from 'zod';

/** From when on something measured in a take is named. The measures themselves are in `measures.ts`; a limit changes nothing of them. */

const between = (least: number, most: number) => z.number().min(least).max(most).optional();
const whole = (least: number, most: number) => z.int().min(least).max(most).optional();

/** The limits that were changed for a project; others are as shipped. */
export const triageLimitsSchema = z.strictObject({
  /** Mean brightness of a frame, 0 to 1, below which it is black. */
  black: between(0, 1),
  /** So many frames in a row that repeat the one before them are frozen. */
  frozen: whole(1, 250),
  /** So many repeated frames within a second, where things move, are doubled frames. */
  doubled: whole(1, 250),
  /** Difference from one frame to the next, 0 to 1, above the motion around it. */
  cut: between(0, 1),
  /** So many seconds at or below −60 dBFS. */
  silence: between(0.1, 600),
  /** So many samples in a row at full scale. */
  clipping: whole(2, 100_000),
  /** Difference of the first frame from the frame that was given, 0 to 1. */
  jump: between(0, 1),
  /** The same as ΔE 2000 of their mean colours. */
  jumpColour: between(0, 100),
});
export type ChangedTriageLimits = z.infer<typeof triageLimitsSchema>;
export type TriageLimits = { [Name in keyof ChangedTriageLimits]-?: number };
export type TriageLimitName = keyof TriageLimits;

export const SHIPPED_TRIAGE_LIMITS: TriageLimits = {
  black: 0.02,
  frozen: 8,
  doubled: 4,
  cut: 0.25,
  silence: 1,
  clipping: 3,
  jump: 0.08,
  jumpColour: 3,
};

export const triageLimitsOf = (changed: ChangedTriageLimits | undefined): TriageLimits => ({
  ...SHIPPED_TRIAGE_LIMITS,
  ...changed,
});

/** What is as shipped is not stored, so that it follows what is shipped. */
export function changedLimits(limits: ChangedTriageLimits): ChangedTriageLimits {
  const names = Object.keys(limits) as TriageLimitName[];
  const changed = names.filter((name) => limits[name] !== undefined && limits[name] !== SHIPPED_TRIAGE_LIMITS[name]);
  return Object.fromEntries(changed.map((name) => [name, limits[name]]));
}
