import { z } from 'zod';
import { OMITTABLE } from '../kinds/videoConfig.ts';
import { t } from '../text/texts.ts';
import { trimmed, trimmedEnd } from '../text/trimmed.ts';
import { protocolsSchema } from '../wire/families/index.ts';
import { OWN_PROTOCOLS, type Protocols, protocolsOf } from '../wire/protocols.ts';
import { httpUrl, NO_KEY, noKey } from './httpUrl.ts';
import { idempotencySchema } from './idempotencySchema.ts';

/**
 * The settings for what the specification leaves open. Profile fields, the input of `profiles.save`, the form and its labels are all derived
 * from this table.
 */

export interface DialectField {
  schema: z.ZodType;
  /** Without a default the field is optional: `null` or an empty text removes it. */
  default?: unknown;
  label: string;
  hint?(about: { webhookAddress?: string | undefined }): string;
  /** The API format that it belongs to; absent: all. */
  format?: string;
  /** The tab of the form. */
  place: 'format' | 'advanced' | 'webhooks';
  control:
    | { as: 'text'; before?: string; placeholder?: string }
    | { as: 'choice'; options: readonly { value: string; label: string }[] }
    /** Names in the order in which they are tried. */
    | { as: 'names' }
    /** Whether the gateway documents what a repeated idempotency key does, with source and time. */
    | { as: 'idempotency' }
    /** The API format of each kind. */
    | { as: 'protocols' };
}

const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, 'must be a bare header name such as X-API-Key')
  .refine(noKey, NO_KEY);

/** The key header that images are first tried with. */
export const firstKeyHeader = ({
  imageAuthHeaders: [first = 'X-API-Key'],
}: {
  imageAuthHeaders: readonly string[];
}): string => first;

/** The address for webhooks: the user's tunnel, or this machine. */
export const webhookBaseOf = ({ webhookBase }: { webhookBase?: string | undefined }): string =>
  trimmedEnd(webhookBase ?? 'http://127.0.0.1:…', '/');

export const DIALECT = {
  protocols: {
    schema: protocolsSchema,
    default: {},
    label: t`Format`,
    place: 'format',
    control: { as: 'protocols' },
  },
  imagePrefix: {
    schema: z
      .string()
      .trim()
      .regex(/^\/?[A-Za-z0-9._~-]+(\/[A-Za-z0-9._~-]+)*\/?$/, 'must be a path such as image or mj')
      .refine(noKey, NO_KEY)
      .transform((text) => trimmed(text, '/')),
    default: 'image',
    label: t`Image prefix`,
    format: OWN_PROTOCOLS.image,
    place: 'format',
    control: { as: 'text', before: '/' },
  },
  vendor: {
    schema: z.string().trim().min(1).max(100).refine(noKey, NO_KEY),
    default: 'vendor',
    label: t`API format name`,
    format: OWN_PROTOCOLS.video,
    place: 'advanced',
    control: { as: 'text' },
  },
  fieldCase: {
    schema: z.enum(['camel', 'snake']),
    default: 'camel',
    label: t`Field style`,
    format: OWN_PROTOCOLS.video,
    place: 'format',
    control: {
      as: 'choice',
      options: [
        { value: 'camel', label: 'lastFrame' },
        { value: 'snake', label: 'last_frame' },
      ],
    },
  },
  seedPlacement: {
    schema: z.enum(['config', 'beside']),
    default: 'config',
    label: t`Seed field`,
    format: OWN_PROTOCOLS.video,
    place: 'format',
    control: {
      as: 'choice',
      options: [
        { value: 'config', label: t`In config` },
        { value: 'beside', label: t`Next to config` },
      ],
    },
  },
  samplePlacement: {
    schema: z.enum(['seed', 'config', 'beside']),
    default: 'seed',
    label: t`Variations`,
    format: OWN_PROTOCOLS.video,
    place: 'advanced',
    control: {
      as: 'choice',
      options: [
        { value: 'seed', label: t`By seed` },
        { value: 'config', label: t`In config` },
        { value: 'beside', label: t`Next to config` },
      ],
    },
  },
  pictures: {
    schema: z.enum(['link', 'bytes']),
    default: 'link',
    label: t`Send images as`,
    hint: () => t`Links expire.`,
    place: 'advanced',
    control: {
      as: 'choice',
      options: [
        { value: 'link', label: t`URL` },
        { value: 'bytes', label: t`File` },
      ],
    },
  },
  omittedFields: {
    schema: z
      .array(z.enum(OMITTABLE))
      .max(OMITTABLE.length)
      .refine(
        (fields) => !(fields.includes('sampleCount') && fields.includes('numberOfVideos')),
        'must leave sampleCount or numberOfVideos',
      ),
    default: [],
    label: t`Video fields to omit`,
    format: OWN_PROTOCOLS.video,
    place: 'advanced',
    control: { as: 'names' },
  },
  imageAuthHeaders: {
    schema: z.array(headerName).max(8),
    default: ['X-API-Key', 'Authorization'],
    label: t`Image key headers`,
    hint: () => t`Tried in this order`,
    format: OWN_PROTOCOLS.image,
    place: 'advanced',
    control: { as: 'names' },
  },
  videoPollPath: {
    schema: z
      .string()
      .trim()
      .regex(/^\/(?![/\\])[^\s\\]*$/, 'must be a path that starts with one / and has {id} where the id goes')
      .refine((path) => path.includes('{id}'), 'must have {id} where the id goes')
      .refine(noKey, NO_KEY),
    label: t`Video poll path`,
    place: 'format',
    control: { as: 'text', placeholder: t`Automatic` },
  },
  webhookBase: {
    schema: httpUrl('the public address of your tunnel'),
    label: t`Public address`,
    hint: ({ webhookAddress }) => (webhookAddress ? t`Tunnel to ${webhookAddress}` : ''),
    format: OWN_PROTOCOLS.image,
    place: 'webhooks',
    control: { as: 'text', placeholder: t`This computer only` },
  },
  idempotency: {
    schema: idempotencySchema,
    default: { kind: 'none' },
    label: t`Idempotency keys`,
    place: 'advanced',
    control: { as: 'idempotency' },
  },
} as const satisfies Record<string, DialectField>;

export function dialectFields(of: { protocols?: Protocols; spoken?: Protocols | undefined }): [string, DialectField][] {
  const used: string[] = Object.values(protocolsOf(of));
  return Object.entries<DialectField>(DIALECT).filter(
    ([, { format }]) => format === undefined || used.includes(format),
  );
}

export type DialectTable = Record<string, DialectField>;

type Removable<T extends DialectTable> = { [K in keyof T]: T[K] extends { default: unknown } ? never : K }[keyof T];

/** An optional field in `profiles.save`. */
export const removable = <T extends z.ZodType>(schema: T) =>
  z.union([schema, z.null(), z.literal('').transform(() => null)]);

/** A profile's fields, with every default filled in. */
export function storedFields<T extends DialectTable>(table: T) {
  const fields = Object.entries(table).map(([name, { schema, default: usual }]) => [
    name,
    usual === undefined ? schema.optional() : schema.default(usual),
  ]);
  return Object.fromEntries(fields) as {
    [K in keyof T]: K extends Removable<T> ? z.ZodOptional<T[K]['schema']> : z.ZodDefault<T[K]['schema']>;
  };
}

/** The fields in `profiles.save`. */
export function inputFields<T extends DialectTable>(table: T) {
  const fields = Object.entries(table).map(([name, { schema, default: usual }]) => [
    name,
    usual === undefined ? removable(schema) : schema,
  ]);
  return Object.fromEntries(fields) as {
    [K in keyof T]: K extends Removable<T> ? ReturnType<typeof removable<T[K]['schema']>> : T[K]['schema'];
  };
}

export const removableNames = (table: DialectTable): string[] =>
  Object.keys(table).filter((name) => table[name]?.default === undefined);

/** A dialect while it is edited: an optional text is empty instead of absent. */
export type DialectDraft<T extends DialectTable = typeof DIALECT> = {
  [K in keyof T]: K extends Removable<T> ? string : z.output<T[K]['schema']>;
};

export const dialectDraft = <T extends DialectTable>(table: T, profile: object): DialectDraft<T> =>
  Object.fromEntries(
    Object.keys(table).map((name) => [name, (profile as Record<string, unknown>)[name] ?? '']),
  ) as DialectDraft<T>;

/** A draft as input of a save: fields emptied in the form are removed, since omitted ones would stay. */
export function dialectInput<T extends DialectTable>(table: T, draft: object) {
  const given = draft as Record<string, unknown>;
  const cleared = removableNames(table);
  const values = Object.keys(table).map((name) => [
    name,
    cleared.includes(name) ? String(given[name]).trim() || null : given[name],
  ]);
  return Object.fromEntries(values) as {
    [K in keyof T]: K extends Removable<T> ? string | null : z.output<T[K]['schema']>;
  };
}
