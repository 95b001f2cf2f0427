import { z } from 'zod';

/** What belongs to the person and not to a project. Kept by the host in one settings file, never in the database. */
export const settingsSchema = z.object({
  theme: z.enum(['dark', 'light', 'system'], "must be 'dark', 'light' or 'system'").default('dark'),
  /** The first-run screen has been answered. */
  welcomed: z.boolean().default(false),
  activeProfileId: z.string().default('sandbox'),
  /** The project that was open last. */
  projectId: z.string().optional(),
});
export type Settings = z.infer<typeof settingsSchema>;

export const settingsPatchSchema = z.strictObject({
  theme: settingsSchema.shape.theme.unwrap().optional(),
  welcomed: z.boolean('must be true or false').optional(),
  projectId: z.string().max(200).optional(),
});
