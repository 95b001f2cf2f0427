import { z } from 'zod';

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
});
