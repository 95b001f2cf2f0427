import { z } from 'zod';
import { LANGUAGE_TAG } from '../text/language.ts';

/** Steps of the guide that only the page sees; the others are read from the film. */
export const GUIDE_SEEN = ['played', 'looked', 'exported'] as const;
export type GuideSeen = (typeof GUIDE_SEEN)[number];

/** The guide of the sample film: its film, and how far the user is. */
const guideSchema = z.object({
  projectId: z.string().min(1).max(200),
  isOpen: z.boolean(),
  seen: z.array(z.enum(GUIDE_SEEN)).max(GUIDE_SEEN.length),
});
export type GuideSettings = z.infer<typeof guideSchema>;

const hour = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 06:00');
export const MOST_BACKUPS = 100;
const kept = z.int().min(1).max(MOST_BACKUPS);

export const MOST_MONTHS = 120;
const months = z.int().min(0).max(MOST_MONTHS);

/** The time of automatic backups, and how many are kept. */
const backupSettingsSchema = z.strictObject({
  daily: z.boolean(),
  /** Local time. */
  at: hour,
  keep: kept,
  /** The number of months whose first backup is kept as well; absent in older settings: the default. */
  monthly: months.optional(),
});
export type BackupSettings = z.infer<typeof backupSettingsSchema>;
export const DEFAULT_BACKUPS: Required<BackupSettings> = { daily: true, at: '06:00', keep: 30, monthly: 12 };

const roomBytes = z.int().min(0).max(1e15);

/** The bin and the disk limits: below the floor nothing that makes files is sent or downloaded; 0 for none. */
const librarySettingsSchema = z.strictObject({
  floorBytes: roomBytes,
  warnBytes: roomBytes,
  /** Binned files are deleted after so many days unless they are used; absent: never. */
  binDays: z.union([z.literal(30), z.literal(90)], 'must be 30 or 90').optional(),
});
export type LibrarySettings = z.infer<typeof librarySettingsSchema>;
/** Without a floor of the user's, only the room for the database is kept. */
export const DEFAULT_LIBRARY: LibrarySettings = { floorBytes: 0, warnBytes: 2_000_000_000 };

const languageChoice = z
  .string()
  .refine((tag) => tag === 'system' || LANGUAGE_TAG.test(tag), "must be 'system' or the tag of a language, such as de");

const realMoney = z.record(z.string().min(1).max(64), z.string().max(2_000));

/** By profile id; another origin is another gateway. */
const checked = z.record(
  z.string().min(1).max(64),
  z.strictObject({ origin: z.string().max(2_000), at: z.int().min(0) }),
);

/** Settings of the user, not of a project. Stored in the settings file, never in the database. */
export const settingsSchema = z.object({
  theme: z.enum(['dark', 'light', 'system']).default('dark'),
  /** Absent: the system's language, if Dailies has it. Applied at the next start. */
  language: languageChoice.optional().catch(undefined),
  /** The first-run screen has been answered. */
  welcomed: z.boolean().default(false),
  activeProfileId: z.string().default('sandbox'),
  /** The origins at which the user agreed to pay real money, by profile id. */
  realMoney: realMoney.optional().catch(undefined),
  /** When a gateway last passed the connection test. */
  checked: checked.optional().catch(undefined),
  projectId: z.string().optional(),
  /** Changed shortcuts by action. */
  shortcuts: z.record(z.string(), z.string()).optional(),
  guide: guideSchema.optional().catch(undefined),
  /** Takes made before this were seen in the quality check; milliseconds since 1970. */
  triageLookedAt: z.int().min(0).optional().catch(undefined),
  /** Whether to ask the update server once a day; default: yes. */
  updates: z.boolean().optional().catch(undefined),
  /** Spell checking in the desktop window; absent where the system decides (macOS). */
  spelling: z.boolean().optional().catch(undefined),
  backups: backupSettingsSchema.optional().catch(undefined),
  library: librarySettingsSchema.optional().catch(undefined),
  /** Whether the desktop app answers command line and MCP on loopback. The browser host always does. */
  commandLine: z.boolean().optional().catch(undefined),
});
export type Settings = z.infer<typeof settingsSchema>;

export const settingsPatchSchema = z.strictObject({
  theme: settingsSchema.shape.theme.unwrap().optional(),
  language: languageChoice.optional(),
  welcomed: z.boolean().optional(),
  realMoney: realMoney.optional(),
  checked: checked.optional(),
  projectId: z.string().max(200).optional(),
  shortcuts: z
    .record(z.string().min(1).max(100), z.string().min(1).max(100))
    .refine((own) => Object.keys(own).length <= 500, 'must be at most 500')
    .optional(),
  guide: guideSchema.optional(),
  triageLookedAt: z.int().min(0).optional(),
  updates: z.boolean().optional(),
  spelling: z.boolean().optional(),
  backups: backupSettingsSchema.optional(),
  library: librarySettingsSchema.optional(),
  commandLine: z.boolean().optional(),
});
