import { z } from 'zod';

/** What of the guide only the page can see; its other steps are read from the film. */
export const GUIDE_SEEN = ['played', 'looked', 'exported'] as const;
export type GuideSeen = (typeof GUIDE_SEEN)[number];

/** The guide of the sample film: which film it belongs to, and how far the person is. */
const guideSchema = z.strictObject({
  projectId: z.string().min(1, 'must not be empty').max(200, 'must have at most 200 characters'),
  isOpen: z.boolean('must be true or false'),
  seen: z.array(z.enum(GUIDE_SEEN)).max(GUIDE_SEEN.length),
  /** Milliseconds since 1970. */
  startedAt: z.int().min(0),
  /** When its last step was done. */
  doneAt: z.int().min(0).optional(),
});
export type GuideSettings = z.infer<typeof guideSchema>;

/** Settings of the person rather than of a project. The host stores them in one settings file, never in the database. */
export const settingsSchema = z.object({
  theme: z.enum(['dark', 'light', 'system'], "must be 'dark', 'light' or 'system'").default('dark'),
  /** The first-run screen has been answered. */
  welcomed: z.boolean().default(false),
  activeProfileId: z.string().default('sandbox'),
  /** The last open project. */
  projectId: z.string().optional(),
  /** The person's own keys, by action; other actions have their default. */
  shortcuts: z.record(z.string(), z.string()).optional(),
  guide: guideSchema.optional().catch(undefined),
  /** Takes that were made before this were looked at in triage; milliseconds since 1970. */
  triageLookedAt: z.int().min(0).optional().catch(undefined),
});
export type Settings = z.infer<typeof settingsSchema>;

export const settingsPatchSchema = z.strictObject({
  theme: settingsSchema.shape.theme.unwrap().optional(),
  welcomed: z.boolean('must be true or false').optional(),
  projectId: z.string().max(200).optional(),
  shortcuts: z
    .record(z.string().min(1).max(100), z.string('must be a chord such as Mod+K').min(1).max(100))
    .refine((own) => Object.keys(own).length <= 500, 'must be at most 500')
    .optional(),
  guide: guideSchema.optional(),
  triageLookedAt: z
    .int('must be a time in milliseconds since 1970')
    .min(0, 'must be a time in milliseconds since 1970')
    .optional(),
});
