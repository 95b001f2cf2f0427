import { z } from 'zod';

/** The limits from which a measure becomes a finding. Measures themselves are in `measures.ts`. */

const between = (least: number, most: number) => z.number().min(least).max(most).optional();
const whole = (least: number, most: number) => z.int().min(least).max(most).optional();

/** The limits that a project changes; the others have their defaults. */
export const triageLimitsSchema = z.strictObject({
  /** Mean brightness (0 to 1) below which a frame is black. */
  black: between(0, 1),
  /** This many consecutive repetitions are frozen frames. */
  frozen: whole(1, 250),
  /** This many repetitions within a second, in motion, are doubled frames. */
  doubled: whole(1, 250),
  /** Difference from one frame to the next, 0 to 1, above the motion around it. */
  cut: between(0, 1),
  /** Seconds at or below −60 dBFS. */
  silence: between(0.1, 600),
  /** Consecutive samples at full scale. */
  clipping: whole(2, 100_000),
  /** Difference of the first frame from the given one, 0 to 1. */
  jump: between(0, 1),
  /** The same as ΔE 2000 of the mean colours. */
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

/** Defaults are not stored, so that they can change with a new version. */
export function changedLimits(limits: ChangedTriageLimits): ChangedTriageLimits {
  const names = Object.keys(limits) as TriageLimitName[];
  const changed = names.filter((name) => limits[name] !== undefined && limits[name] !== SHIPPED_TRIAGE_LIMITS[name]);
  return Object.fromEntries(changed.map((name) => [name, limits[name]]));
}
