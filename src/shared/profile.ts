import { z } from 'zod';
import { priceSchema } from './price.ts';

/**
 * A profile says where a gateway is and how it speaks. What the specification leaves open (header names, field case, seed placement,
 * poll path) is a setting here with a default, never a guess in the code. Secrets are never part of it.
 */

const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, 'must be a bare header name such as X-API-Key');

const httpUrl = (what: string) =>
  z
    .string(`must be ${what}`)
    .trim()
    .refine(
      (text) => isHttpUrl(text),
      `must be ${what}, starting with http:// or https://, without a name, query or fragment`,
    );

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return false;
  return url.username === '' && url.password === '' && url.search === '' && url.hash === '';
}

export const modelSchema = z.object({
  id: z.string().min(1, 'must not be empty').max(200),
  kind: z.enum(['chat', 'video', 'image'], "must be 'chat', 'video' or 'image'"),
  /** Preview video models have a limit of their own (spec 8). */
  preview: z.boolean().optional(),
  label: z.string().max(200).optional(),
});
export type ProfileModel = z.infer<typeof modelSchema>;

const whole = (low: number, high: number) =>
  z.int('must be a whole number').min(low, `must be ${low} to ${high}`).max(high, `must be ${low} to ${high}`);

export const limitsSchema = z.object({
  /** Preview video models: requests a minute (spec 8). */
  videoPerMinute: whole(1, 10_000).default(10),
  videosAtOnce: whole(1, 1_000).default(4),
  imagesAtOnce: whole(1, 1_000).default(4),
  chatsAtOnce: whole(1, 1_000).default(4),
  downloadsAtOnce: whole(1, 32).default(3),
  contextTokens: whole(1, 10_000_000).default(128_000),
  outputTokens: whole(1, 1_000_000).default(4_096),
});
export type ProfileLimits = z.infer<typeof limitsSchema>;

export const DEFAULT_MODELS: ProfileModel[] = [
  { id: 'language', kind: 'chat', label: 'Production' },
  { id: 'language-exp', kind: 'chat', label: 'Experimental' },
  { id: 'language-exp-thinking', kind: 'chat', label: 'Experimental, thinks first' },
  { id: 'language-exp-nothinking', kind: 'chat', label: 'Experimental, at once' },
  { id: 'video-standard', kind: 'video', label: 'Standard' },
  { id: 'video-pro', kind: 'video', label: 'Pro' },
];

export const profileSchema = z.object({
  id: z
    .string()
    .regex(/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/, 'must be 1 to 64 letters, digits, dots, dashes or underscores')
    .optional(),
  name: z
    .string('must be text')
    .trim()
    .min(1, 'must not be empty')
    .max(100, 'must have at most 100 characters')
    .optional(),
  baseUrl: httpUrl('the address of the service').transform((text) => text.replace(/\/+$/, '').replace(/\/v1$/, '')),
  imagePrefix: z
    .string('must be text')
    .trim()
    .regex(/^\/?[A-Za-z0-9._~-]+(\/[A-Za-z0-9._~-]+)*\/?$/, 'must be a path such as image or mj')
    .transform((text) => text.replace(/^\/+|\/+$/g, ''))
    .default('image'),
  vendor: z.string('must be text').trim().min(1, 'must not be empty').max(100).default('vendor'),
  imageAuthHeaders: z
    .array(headerName, 'must be a list of header names')
    .max(8, 'must be at most 8')
    .default(['X-API-Key', 'Authorization']),
  fieldCase: z.enum(['camel', 'snake'], "must be 'camel' or 'snake'").default('camel'),
  seedPlacement: z.enum(['config', 'beside'], "must be 'config' or 'beside'").default('config'),
  videoPollPath: z
    .string()
    .trim()
    .regex(/^\/[^\s]*$/, 'must be a path that starts with / and has {id} where the id goes')
    .refine((path) => path.includes('{id}'), 'must have {id} where the id goes')
    .optional(),
  webhookBase: httpUrl('the public address of your tunnel').optional(),
  prices: z.array(priceSchema).max(500).default([]),
  limits: limitsSchema.prefault({}),
  models: z.array(modelSchema, 'must be a list of { id, kind }').max(2_000).default(DEFAULT_MODELS),
});

/** What `profiles.save` takes: the profile, and the bot token, which goes to the key store and never comes back. */
export const profileInputSchema = profileSchema.extend({ botToken: z.string().min(1).max(4_096).optional() });
export type ProfileInput = z.input<typeof profileInputSchema>;
export type Profile = z.infer<typeof profileSchema> & { id: string; name: string };

export const KEY_PLACES = ['keychain', 'memory', 'environment'] as const;
export type KeyPlace = (typeof KEY_PLACES)[number];

/** A profile as it is listed: with the place of its key, never the key. */
export type ProfileView = Profile & {
  /** Where the key is; `null` when there is none. */
  key: KeyPlace | null;
  hasBotToken: boolean;
  /** The gateway in a box, which needs no key and costs nothing real. */
  builtin: boolean;
};

export const SANDBOX_PROFILE_ID = 'sandbox';
