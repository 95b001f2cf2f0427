import { z } from 'zod';
import { isBlank } from './blank.ts';
import { extraHeadersInputSchema, extraHeadersSchema } from './extraHeaders.ts';
import { NO_KEY, noKey } from './keyLike.ts';
import { modelKindSchema } from './kinds/index.ts';
import { priceSchema } from './price.ts';
import { limitFields, limitsSchema } from './profileLimits.ts';
import { trimmed } from './trimmed.ts';

/**
 * A profile says where a gateway is and how it speaks. What the specification leaves open (header names, field case, seed placement,
 * poll path) is a setting here with a default, never a guess in the code. Secrets are never part of it.
 */

/**
 * A key or token as it is typed or pasted: white space around it, such as the line break of a file, is taken off; inside it nothing is
 * guessed. The rule it breaks is named, its text never.
 */
export const secretSchema = z
  .string('must be text')
  .trim()
  .min(1, 'must not be empty')
  .max(4_096, 'must have at most 4,096 characters')
  .refine((text) => !/^(bearer|bot|basic)\s/i.test(text), {
    error: 'must be the key alone, without the word Bearer or Bot before it',
    abort: true,
  })
  .refine((text) => !/[\r\n]/.test(text), { error: 'must be one line: there is a line break in it', abort: true })
  .refine((text) => !/\s/.test(text), { error: 'must not have a space in it', abort: true })
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII: there is another character in it, maybe an invisible one');

const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, 'must be a bare header name such as X-API-Key')
  .refine(noKey, NO_KEY);

const httpUrl = (what: string) =>
  z
    .string(`must be ${what}`)
    .trim()
    .refine(
      (text) => isHttpUrl(text),
      `must be ${what}, starting with http:// or https://, without a name, query or fragment`,
    )
    .refine(noKey, NO_KEY);

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return false;
  return url.username === '' && url.password === '' && url.search === '' && url.hash === '';
}

/** Origin and path in one spelling, so that a path put behind it can change neither; `/v1` is part of every path of ours. */
function baseOf(text: string): string {
  const { origin, pathname } = new URL(text);
  const segments = pathname.split('/').filter((segment) => segment !== '');
  if (segments.at(-1) === 'v1') segments.pop();
  return [origin, ...segments].join('/');
}

const modelFields = {
  id: z.string().min(1, 'must not be empty').max(200).refine(noKey, NO_KEY),
  kind: modelKindSchema,
  /** Preview video models have a limit of their own (spec 8). */
  preview: z.boolean().optional(),
  label: z.string().max(200).refine(noKey, NO_KEY).optional(),
};
export const modelSchema = z.object(modelFields);
export type ProfileModel = z.infer<typeof modelSchema>;

export const DEFAULT_MODELS: ProfileModel[] = [
  { id: 'language', kind: 'chat', label: 'Production' },
  { id: 'language-exp', kind: 'chat', label: 'Experimental' },
  { id: 'language-exp-thinking', kind: 'chat', label: 'Experimental, thinks first' },
  { id: 'language-exp-nothinking', kind: 'chat', label: 'Experimental, at once' },
  { id: 'video-standard', kind: 'video', label: 'Standard' },
  { id: 'video-pro', kind: 'video', label: 'Pro' },
];

const fields = {
  id: z
    .string('must be text')
    .regex(/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/, 'must be 1 to 64 letters, digits, dots, dashes or underscores')
    .refine(noKey, NO_KEY),
  name: z
    .string('must be text')
    .trim()
    .refine((text) => !isBlank(text), 'must not be empty')
    .max(100, 'must have at most 100 characters')
    .refine(noKey, NO_KEY),
  baseUrl: httpUrl('the address of the service').transform(baseOf),
  imagePrefix: z
    .string('must be text')
    .trim()
    .regex(/^\/?[A-Za-z0-9._~-]+(\/[A-Za-z0-9._~-]+)*\/?$/, 'must be a path such as image or mj')
    .refine(noKey, NO_KEY)
    .transform((text) => trimmed(text, '/')),
  vendor: z.string('must be text').trim().min(1, 'must not be empty').max(100).refine(noKey, NO_KEY),
  imageAuthHeaders: z.array(headerName, 'must be a list of header names').max(8, 'must be at most 8'),
  fieldCase: z.enum(['camel', 'snake'], "must be 'camel' or 'snake'"),
  seedPlacement: z.enum(['config', 'beside'], "must be 'config' or 'beside'"),
  videoPollPath: z
    .string('must be text')
    .trim()
    .regex(/^\/(?![/\\])[^\s\\]*$/, 'must be a path that starts with one / and has {id} where the id goes')
    .refine((path) => path.includes('{id}'), 'must have {id} where the id goes')
    .refine(noKey, NO_KEY),
  webhookBase: httpUrl('the public address of your tunnel'),
  prices: z.array(priceSchema).max(500),
};

/** A profile as it is kept, every field filled. */
export const profileSchema = z.object({
  id: fields.id.optional(),
  name: fields.name.optional(),
  baseUrl: fields.baseUrl,
  imagePrefix: fields.imagePrefix.default('image'),
  vendor: fields.vendor.default('vendor'),
  imageAuthHeaders: fields.imageAuthHeaders.default(['X-API-Key', 'Authorization']),
  extraHeaders: extraHeadersSchema.default({}),
  fieldCase: fields.fieldCase.default('camel'),
  seedPlacement: fields.seedPlacement.default('config'),
  videoPollPath: fields.videoPollPath.optional(),
  webhookBase: fields.webhookBase.optional(),
  prices: fields.prices.default([]),
  limits: limitsSchema.prefault({}),
  models: z.array(modelSchema, 'must be a list of { id, kind }').max(2_000).default(DEFAULT_MODELS),
});
export type Profile = z.infer<typeof profileSchema> & { id: string; name: string };

export const KEY_PLACES = ['keychain', 'memory', 'environment'] as const;
export type KeyPlace = (typeof KEY_PLACES)[number];

/** What a listed profile tells besides: it may come back with a save, and changes nothing there. */
const toldFields = {
  /** Where the key is; `null` when there is none. */
  key: z.enum(KEY_PLACES, 'is where the key is; a key is given to profiles.setKey').nullable(),
  hasBotToken: z.boolean('must be true or false'),
  /** Extra headers whose value is not there (any more): jobs wait for it as they wait for a key. */
  missingHeaders: z.array(z.string()),
  /** The gateway in a box, which needs no key and costs nothing real. */
  builtin: z.boolean('must be true or false'),
};

/** A profile as it is listed: with the place of its key, never the key. */
export type ProfileView = Profile & z.infer<z.ZodObject<typeof toldFields>>;

const removable = <T extends z.ZodType>(schema: T) => z.union([schema, z.null(), z.literal('').transform(() => null)]);

/**
 * What `profiles.save` takes. Of a profile that is there already, what is left out stays, each limit by itself; of a new one it is filled
 * with its default. `null` or an empty text takes away what need not be there. The bot token and the values of extra headers go to the
 * key store and never come back.
 */
export const profileInputSchema = z
  .strictObject({
    ...fields,
    ...toldFields,
    videoPollPath: removable(fields.videoPollPath),
    webhookBase: removable(fields.webhookBase),
    botToken: removable(secretSchema),
    extraHeaders: extraHeadersInputSchema,
    limits: z.strictObject(limitFields, 'must be { name: number }').partial(),
    models: z.array(z.strictObject(modelFields), 'must be a list of { id, kind }').max(2_000),
  })
  .partial();
export type ProfileInput = z.input<typeof profileInputSchema>;

/** An entry of the settings file that is no profile, as far as it can be told; it is kept there as it is. */
export interface UnreadableProfile {
  id?: string;
  name?: string;
  /** The field at fault, and the rule it breaks, in one sentence. */
  field: string;
  message: string;
}

export const SANDBOX_PROFILE_ID = 'sandbox';

/** Whether the money of a profile is play money. It and real money are never in one sum (DESIGN "Money"). */
export const isPlayMoney = (profileId: string): boolean => profileId === SANDBOX_PROFILE_ID;
