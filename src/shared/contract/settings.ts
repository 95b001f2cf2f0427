import { z } from 'zod';
import { LANGUAGE_TAG } from '../text/language.ts';

/** What of the guide only the page can see; its other steps are read from the film. */
export const GUIDE_SEEN = ['played', 'looked', 'exported'] as const;
export type GuideSeen = (typeof GUIDE_SEEN)[number];

/** The guide of the sample film: which film it belongs to, and how far the person is. */
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

/** When backups are made without being asked, and how many are kept. */
const backupSettingsSchema = z.strictObject({
  daily: z.boolean(),
  /** Local time. */
  at: hour,
  keep: kept,
  /** Of so many months the first one stays, beside those; settings of older versions have none, which is the default. */
  monthly: months.optional(),
});
export type BackupSettings = z.infer<typeof backupSettingsSchema>;
export const DEFAULT_BACKUPS: Required<BackupSettings> = { daily: true, at: '06:00', keep: 30, monthly: 12 };

const roomBytes = z.int().min(0).max(1e15);

/** The bin, and what happens when the library's disk fills: below the floor nothing new that makes files is sent, and nothing is downloaded; 0 for none. */
const librarySettingsSchema = z.strictObject({
  floorBytes: roomBytes,
  warnBytes: roomBytes,
  /** What has been in the bin for so many days is deleted by itself, unless something uses it; without it nothing is. */
  binDays: z.union([z.literal(30), z.literal(90)], 'must be 30 or 90').optional(),
});
export type LibrarySettings = z.infer<typeof librarySettingsSchema>;
/** Without a floor of the user's, only the room that the database needs is kept. */
export const DEFAULT_LIBRARY: LibrarySettings = { floorBytes: 0, warnBytes: 2_000_000_000 };

const languageChoice = z
  .string()
  .refine((tag) => tag === 'system' || LANGUAGE_TAG.test(tag), "must be 'system' or the tag of a language, such as de");

const realMoney = z.record(z.string().min(1).max(64), z.string().max(2_000));

/** By the id of a profile; at another origin it is another gateway. */
const checked = z.record(
  z.string().min(1).max(64),
  z.strictObject({ origin: z.string().max(2_000), at: z.int().min(0) }),
);

/** Settings of the person rather than of a project. The host stores them in one settings file, never in the database. */
export const settingsSchema = z.object({
  theme: z.enum(['dark', 'light', 'system']).default('dark'),
  /** The tag of a language; without it that of the system, where the program has it. It is spoken from the next start. */
  language: languageChoice.optional().catch(undefined),
  /** The first-run screen has been answered. */
  welcomed: z.boolean().default(false),
  activeProfileId: z.string().default('sandbox'),
  /** Gateways at which the user agreed to pay real money: the origin of each by the id of its profile. */
  realMoney: realMoney.optional().catch(undefined),
  /** When a gateway passed all checks of its connection last. */
  checked: checked.optional().catch(undefined),
  /** The last open project. */
  projectId: z.string().optional(),
  /** The person's own keys, by action; other actions have their default. */
  shortcuts: z.record(z.string(), z.string()).optional(),
  guide: guideSchema.optional().catch(undefined),
  /** Takes that were made before this were looked at in triage; milliseconds since 1970. */
  triageLookedAt: z.int().min(0).optional().catch(undefined),
  /** Whether the update server is asked, once a day; it is unless switched off. */
  updates: z.boolean().optional().catch(undefined),
  /** Words are checked as they are written, in the desktop window; without a choice where the system does it itself (macOS). */
  spelling: z.boolean().optional().catch(undefined),
  backups: backupSettingsSchema.optional().catch(undefined),
  library: librarySettingsSchema.optional().catch(undefined),
  /** The desktop window answers programs of this user on loopback: the command line and the protocol's server. The browser host always does. */
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
