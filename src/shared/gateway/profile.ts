import { z } from 'zod';
import { modelKindSchema } from '../kinds/index.ts';
import { MAX_PRICES, priceSchema } from '../money/price.ts';
import { isBlank } from '../text/nulCharacters.ts';
import { en, t } from '../text/texts.ts';
import type { Protocols } from '../wire/protocols.ts';
import { DIALECT, inputFields, removable, storedFields } from './dialect.ts';
import { extraHeadersInputSchema, extraHeadersSchema } from './extraHeaders.ts';
import { httpUrl, NO_KEY, noKey } from './httpUrl.ts';
import { modelFactFields, type StatedModel } from './modelFacts.ts';
import { limitFields, limitsSchema } from './profileLimits.ts';

/**
 * A profile defines where a gateway is and which dialect it speaks. Whatever the specification leaves open is a setting with a default.
 * Secrets are never part of it.
 */

/**
 * Parses a typed key or token: surrounding white space, such as a file's line break, is removed. The error names the broken rule, never the
 * text.
 */
export const secretSchema = z
  .string()
  .trim()
  .min(1)
  .max(4_096)
  .refine((text) => !/^(bearer|bot|basic)\s/i.test(text), {
    error: 'must be the key alone, without the word Bearer or Bot before it',
    abort: true,
  })
  .refine((text) => !/[\r\n]/.test(text), { error: 'must be one line: there is a line break in it', abort: true })
  .refine((text) => !/\s/.test(text), { error: 'must not have a space in it', abort: true })
  .regex(/^[\x21-\x7e]+$/, en`must be printable ASCII: there is another character in it, maybe an invisible one`);

/** Origin and path, normalized so that appending a path changes neither; `/v1` is part of every path. */
function baseOf(text: string): string {
  const { origin, pathname } = new URL(text);
  const segments = pathname.split('/').filter((segment) => segment !== '');
  if (segments.at(-1) === 'v1') segments.pop();
  return [origin, ...segments].join('/');
}

const modelFields = {
  id: z.string().min(1).max(200).refine(noKey, NO_KEY),
  kind: modelKindSchema,
  /** Preview video models have a limit of their own (spec 8). */
  preview: z.boolean().optional(),
  label: z.string().max(200).refine(noKey, NO_KEY).optional(),
  /** Set by the user; what the gateway states is `stated`. */
  ...modelFactFields,
};
export const modelSchema = z.object(modelFields);
export type ProfileModel = z.infer<typeof modelSchema>;

export const DEFAULT_MODELS: ProfileModel[] = [
  { id: 'language', kind: 'chat', label: t`Production` },
  { id: 'language-exp', kind: 'chat', label: t`Experimental` },
  { id: 'language-exp-thinking', kind: 'chat', label: t`Experimental, thinks first` },
  { id: 'language-exp-nothinking', kind: 'chat', label: t`Experimental, at once` },
  { id: 'video-standard', kind: 'video', label: t`Standard` },
  { id: 'video-pro', kind: 'video', label: t`Pro` },
];

const fields = {
  id: z
    .string()
    .regex(/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/, 'must be 1 to 64 letters, digits, dots, dashes or underscores')
    .refine(noKey, NO_KEY),
  name: z
    .string()
    .trim()
    .refine((text) => !isBlank(text), 'must not be empty')
    .max(100)
    .refine(noKey, NO_KEY),
  baseUrl: httpUrl('the address of the service').transform(baseOf),
  prices: z.array(priceSchema).max(MAX_PRICES),
};

/** An address as it is stored; undefined if it is refused. */
export const addressOf = (typed: string): string | undefined => fields.baseUrl.safeParse(typed).data;

/** The origin that a profile's secrets belong to; undefined if the address is refused. */
export function originOf(baseUrl: unknown): string | undefined {
  const address = typeof baseUrl === 'string' ? addressOf(baseUrl) : undefined;
  return address === undefined ? undefined : new URL(address).origin;
}

/** A stored profile, with every field filled. */
export const profileSchema = z.object({
  id: fields.id.optional(),
  name: fields.name.optional(),
  baseUrl: fields.baseUrl,
  ...storedFields(DIALECT),
  extraHeaders: extraHeadersSchema.default({}),
  /** Earlier versions wrote longer books than they accepted. */
  prices: z
    .array(priceSchema)
    .max(10 * MAX_PRICES)
    .default([]),
  limits: limitsSchema.prefault({}),
  models: z.array(modelSchema).max(2_000).default(DEFAULT_MODELS),
});
export type Profile = z.infer<typeof profileSchema> & {
  id: string;
  name: string;
  /** The facts that the gateway states of its models ({@link StatedModel}), by id. */
  stated?: Record<string, StatedModel>;
  /** The API formats that were found ({@link protocolsOf}). */
  spoken?: Protocols;
};

export const KEY_PLACES = ['keychain', 'memory', 'environment'] as const;
export type KeyPlace = (typeof KEY_PLACES)[number];

/** Why nothing can be sent for a profile whose key may be in the keychain. */
export const KEY_UNREADABLE = t`The keychain that may hold the key is locked or does not answer. Unlock it, or enter the key in Settings.`;

export const WAITS_FOR_KEY = t`Waiting for the API key`;

/** Stored about a gateway over restarts, to be shown while no key is available. Milliseconds since 1970. */
export interface AtGateway {
  /** The last answer about a job. */
  seenAt?: number;
  /** When the first link expires to a result that is not on this disk. */
  linksEndAt?: number;
}

/** Read-only fields of a listed profile; a save may contain them and ignores them. */
const readOnlyFields = {
  /** The place of the key; `null`: nowhere; `unreadable` while the keychain does not answer. */
  key: z.enum([...KEY_PLACES, 'unreadable']).nullable(),
  hasBotToken: z.boolean(),
  /** Extra headers without a stored value: jobs wait for it as for a key. */
  missingHeaders: z.array(z.string()),
  /** The built-in sandbox, which needs no key and costs no real money. */
  builtin: z.boolean(),
  stated: z.record(
    z.string(),
    z.custom<StatedModel>((value) => typeof value === 'object', 'must be as it was read'),
  ),
  spoken: z.custom<Protocols>((value) => typeof value === 'object', 'must be as it was read'),
};

/** A listed profile: with the location of its key, never the key. */
export type ProfileView = Profile & Omit<z.infer<z.ZodObject<typeof readOnlyFields>>, 'stated' | 'spoken'>;

/**
 * The input of `profiles.save`. For an existing profile omitted fields stay, each limit by itself; a new one gets defaults. `null` or an
 * empty text removes an optional field. Bot token and extra header values go to the key store and are never returned.
 */
export const profileInputSchema = z
  .strictObject({
    ...fields,
    ...readOnlyFields,
    ...inputFields(DIALECT),
    botToken: removable(secretSchema),
    extraHeaders: extraHeadersInputSchema,
    limits: z.strictObject(limitFields).partial(),
    models: z.array(z.strictObject(modelFields)).max(2_000),
  })
  .partial();
export type ProfileInput = z.input<typeof profileInputSchema>;

/** An entry of the settings file that is no valid profile, as far as it can be read; the file keeps it unchanged. */
export interface UnreadableProfile {
  id?: string;
  name?: string;
  /** The invalid field and its rule, in one sentence. */
  field: string;
  message: string;
}

export const SANDBOX_PROFILE_ID = 'sandbox';

/** Whether a profile uses test money, which never shares a sum with real money (ARCHITECTURE "The way of one cent"). */
export const isPlayMoney = (profileId: string): boolean => profileId === SANDBOX_PROFILE_ID;
