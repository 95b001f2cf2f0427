import { z } from 'zod';
import type { Reason } from '../contract/result.ts';
import { en, formatLocale, t } from '../text/texts.ts';
import { type MediaProtocols, type Protocols, protocolsOf } from '../wire/protocols.ts';
import { NO_KEY, noKey } from './httpUrl.ts';

/**
 * Facts about a model: inputs, limits, end. They come from the gateway's list or from the user; unknown ones are absent and never guessed.
 */

const MAX_VALUES = 32;
const MAX_TOKENS = 100_000_000;
/** Dates outside of these years are mistakes. */
const FIRST_DAY = Date.UTC(2015, 0, 1);
const LAST_DAY = Date.UTC(2100, 0, 1);

const flag = z.boolean();
const tokens = z.int().min(1).max(MAX_TOKENS);
const DAYS = 'must be a day of the years 2015 to 2099';

/** Request fields that Dailies writes itself, in any API format. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  ...['model', 'prompt', 'messages', 'stream', 'stream_options', 'tools', 'extra_body', 'modalities', 'image_config'],
  ...['seconds', 'duration', 'size', 'width', 'height', 'resolution', 'aspect_ratio', 'fps', 'seed', 'n', 'quality'],
  ...['image', 'images', 'mask', 'input_reference', 'input_references', 'frame_images', 'generate_audio'],
]);
const MAX_EXTRA_LENGTH = 4_000;

const extraSchema = z
  .record(z.string().regex(/^[A-Za-z][\w.-]{0,99}$/, 'must be a field name'), z.json())
  .refine((extra) => JSON.stringify(extra).length <= MAX_EXTRA_LENGTH, 'must have at most 4,000 characters')
  .refine((extra) => noKey(JSON.stringify(extra)), NO_KEY)
  .refine((extra) => Object.keys(extra).every((name) => !OWN_FIELDS.has(name)), {
    error: ({ input }) => {
      const own = Object.keys(input as object).find((name) => OWN_FIELDS.has(name));
      return `must not have ${own}, which Dailies sends itself`;
    },
  });

/** Each fact with its schema and column label. */
export const MODEL_FACTS = {
  first: { schema: flag, label: t`First frame` },
  last: { schema: flag, label: t`Last frame` },
  references: {
    schema: z.int().min(0).max(16),
    label: t`References`,
  },
  extend: { schema: flag, label: t`Extend` },
  sound: { schema: flag, label: t`Sound` },
  tools: { schema: flag, label: t`Tools` },
  /** In chat messages. */
  pictures: { schema: flag, label: t`Pictures` },
  seconds: {
    schema: z.array(z.number().positive().max(3_600)).min(1).max(MAX_VALUES),
    label: t`Lengths`,
  },
  sizes: {
    schema: z
      .array(z.string().min(1).max(24).refine(isSize, 'must be a size such as 1080p or 1280x720'))
      .min(1)
      .max(MAX_VALUES),
    label: t`Sizes`,
  },
  contextTokens: { schema: tokens, label: t`Context` },
  outputTokens: { schema: tokens, label: t`Output` },
  /** Clips per request. */
  variations: {
    schema: z.int().min(1).max(4),
    label: t`Variations`,
  },
  /** Only set by the user: fields sent with each request of the model. */
  extra: { schema: extraSchema, label: t`Extra parameters` },
  /** Milliseconds since 1970; `null`: no end planned. */
  endsAt: { schema: z.int(DAYS).min(FIRST_DAY, DAYS).max(LAST_DAY, DAYS).nullable(), label: t`Ends` },
} as const satisfies Record<string, { schema: z.ZodType; label: string }>;

export type FactName = keyof typeof MODEL_FACTS;
export const FACT_NAMES = Object.keys(MODEL_FACTS) as FactName[];

type Schemas = { [Name in FactName]: z.ZodOptional<(typeof MODEL_FACTS)[Name]['schema']> };

export const modelFactFields = Object.fromEntries(
  FACT_NAMES.map((name) => [name, MODEL_FACTS[name].schema.optional()]),
) as Schemas;

export const modelFactsSchema = z.object(modelFactFields);
export type ModelFacts = z.output<typeof modelFactsSchema>;

/** The facts that the gateway states of one model, with the field of each. */
export interface StatedModel {
  facts: ModelFacts;
  by: Partial<Record<FactName, string>>;
}

/** Letters and digits around at most one sign: `1080p`, `1280x720`, `16:9`. */
function isSize(text: string): boolean {
  return [...text].every((character) => /[0-9A-Za-z×*:.\- ]/.test(character)) && /\d/.test(text);
}

/** The value; undefined if it is out of bounds. */
export function validFact<Name extends FactName>(name: Name, value: unknown): ModelFacts[Name] | undefined {
  const read = MODEL_FACTS[name].schema.safeParse(value);
  return read.success ? (read.data as ModelFacts[Name]) : undefined;
}

interface ProfileFacts {
  protocols?: Protocols;
  spoken?: Protocols | undefined;
  models?: readonly (ModelFacts & { id: string })[];
  stated?: Readonly<Record<string, StatedModel>> | undefined;
}

/** The facts about a model of this profile; the user's override the gateway's. */
export function factsOf({ models = [], stated = {} }: ProfileFacts, model: string | undefined): ModelFacts {
  if (model === undefined) return {};
  const own = models.find(({ id }) => id === model);
  const facts: Record<string, unknown> = { ...(Object.hasOwn(stated, model) ? stated[model]?.facts : {}) };
  for (const name of FACT_NAMES) if (own?.[name] !== undefined) facts[name] = own[name];
  return facts as ModelFacts;
}

/** The facts that the user set, without the other fields of the entry. */
export const ownFacts = (entry: ModelFacts): ModelFacts =>
  Object.fromEntries(FACT_NAMES.flatMap((name) => (entry[name] === undefined ? [] : [[name, entry[name]]])));

const ended = new Intl.DateTimeFormat(formatLocale(), {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** `1 Dec 2026`: gateways state days in UTC. */
export const dayInUtc = (at: number): string => ended.format(at);

export const hasEnded = ({ endsAt }: ModelFacts, now: number): boolean =>
  endsAt !== undefined && endsAt !== null && endsAt <= now;

/** The reason if the model has ended. */
export const endedReasons = (model: string, facts: ModelFacts, now: number): Reason[] =>
  hasEnded(facts, now)
    ? [
        {
          field: 'model',
          message: en`the model ${model} ended on ${dayInUtc(facts.endsAt ?? now)}; choose another model.`,
        },
      ]
    : [];

/** The facts about profile and model that the readiness of a request depends on. */
export interface ModelLimits {
  contextTokens: number;
  facts?: ModelFacts;
  /** The API formats that it is sent in. */
  protocols?: MediaProtocols;
  now?: number;
}

/** The limits for a request to this model: the profile's, or the model's if they are smaller. */
export function modelLimits(
  profile: (ProfileFacts & { limits: { contextTokens: number } }) | undefined,
  model: string | undefined,
  now: number,
): ModelLimits {
  if (!profile) return { contextTokens: 128_000, now };
  const facts = factsOf(profile, model);
  const { contextTokens } = profile.limits;
  return {
    contextTokens: Math.min(contextTokens, facts.contextTokens ?? contextTokens),
    facts,
    protocols: protocolsOf(profile),
    now,
  };
}
