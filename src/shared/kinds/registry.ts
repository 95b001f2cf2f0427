import { z } from 'zod';
import { mustBeOneOf, ruleOf } from '../contract/validationMessages.ts';
import type { MediaType } from '../library/mediaRef.ts';
import type { Quantity } from '../money/quantity.ts';
import { chat } from './chat.ts';
import { edit } from './edit.ts';
import { imagine } from './imagine.ts';
import type { AnyRequest, Kind, MediaInput } from './kind.ts';
import type { Lane } from './lanes.ts';
import { PRICINGS, type PriceKind, type Pricing } from './pricings.ts';
import { video } from './video.ts';

/** The kinds of generation; no other place lists them. */
export const KINDS = { chat, video, imagine, edit } as const;
export type JobKind = keyof typeof KINDS;
export type StudioRequest = z.output<(typeof KINDS)[JobKind]['schema']>;
type RequestInput = z.input<(typeof KINDS)[JobKind]['schema']>;

const registry = new Map<string, Kind>(
  Object.entries(KINDS satisfies { [K in JobKind]: Kind<Extract<StudioRequest, { kind: K }>> }),
);

/** Adds a kind until the returned function is called. */
export function registerKind<R extends AnyRequest>(kind: Kind<R>): () => void {
  if (registry.has(kind.name)) throw new Error(`There is a kind ${kind.name} already.`);
  registry.set(kind.name, kind);
  return () => registry.delete(kind.name);
}

export const allKinds = (): Kind[] => [...registry.values()];

/** By name, or by the `kind` of a request or job. */
export function kindOf(it: string | { kind: string }): Kind {
  const name = typeof it === 'string' ? it : it.kind;
  const kind = registry.get(name);
  if (!kind) throw new Error(`There is no kind ${name}.`);
  return kind;
}

export const isRequestOf = <R extends AnyRequest>(kind: Kind<R>, request: AnyRequest | undefined): request is R =>
  request?.kind === kind.name;

/** The names of the kinds that match, for list filters. */
export const kindsWhere = (holds: (kind: Kind) => boolean): JobKind[] =>
  allKinds()
    .filter(holds)
    .map(({ name }) => name as JobKind);

export const makesFiles = ({ makes }: Kind): boolean => makes !== 'text';

export const allPricings = (): Pricing[] => [
  ...new Set([...Object.values(PRICINGS), ...allKinds().map(({ pricing }) => pricing)]),
];

export function pricingOf(name: PriceKind): Pricing {
  const pricing = allPricings().find((known) => known.name === name);
  if (!pricing) throw new Error(`There is no price kind ${name}.`);
  return pricing;
}

/** The name of the kind's pricing. */
export const priceKindOf = (it: string | { kind: string }): PriceKind => kindOf(it).pricing.name as PriceKind;

/** Undefined if no kind has that lane any more. */
export const laneNamed = (name: string): Lane | undefined =>
  allKinds()
    .flatMap(({ lanes }) => lanes)
    .find((lane) => lane.name === name);

/** Whether the lane's results are files. */
export const laneMakesFiles = (lane: string): boolean =>
  allKinds().some((kind) => makesFiles(kind) && kind.lanes.some(({ name }) => name === lane));

/** The profile's models for a kind. */
export const modelsFor = <M extends { kind: string }>(kind: Kind, models: readonly M[] = []): M[] =>
  models.filter((model) => model.kind === kind.pricing.name);

/** The expected media type of a job's result, or of its last frame. */
export function expectedMediaType(it: { kind: string }, isFrame: boolean): MediaType {
  const { makes } = kindOf(it);
  if (makes === 'text') return 'other';
  return isFrame ? 'image' : makes;
}

/** The request as lists show it, prompt and long fields shortened. */
export const shortRequest = (request: StudioRequest, length: number): StudioRequest =>
  kindOf(request).shortened(request, length) as StudioRequest;

/** The request with a random seed, if the kind has seeds and none is set; `roll` returns a uint32. */
export const seeded = (request: StudioRequest, roll: () => number): StudioRequest =>
  kindOf(request).seeded(request, roll) as StudioRequest;

export const promptOf = (request: StudioRequest): string => kindOf(request).promptText(request);

export const mediaRefsOf = (request: StudioRequest): MediaInput[] => kindOf(request).mediaRefs(request);

/** The largest quantity that the request can produce. */
export const quantityOf = (request: StudioRequest, outputTokens: number): Quantity =>
  kindOf(request).most(request, { outputTokens });

/** A schema for a name that is registered at the time of parsing. */
const oneOf = <N extends string>(names: () => readonly string[]) =>
  z.custom<N>((value) => typeof value === 'string' && names().includes(value), { error: () => mustBeOneOf(names()) });

const kindNames = (): string[] => [...registry.keys()];
const pricingNames = (): string[] => allPricings().map(({ name }) => name);

export const jobKindSchema = oneOf<JobKind>(kindNames);
export const priceKindSchema = oneOf<PriceKind>(pricingNames);
export const modelKindSchema = oneOf<PriceKind>(pricingNames);

/** A schema for values with a `kind`, validated by that kind's schema. */
export const schemaByKind = <Output, Input>(schemaOf: (kind: Kind) => z.ZodType): z.ZodType<Output, Input> =>
  z.any().transform((value, context) => {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    const kind = isObject && Object.hasOwn(value, 'kind') ? registry.get(value.kind) : undefined;
    if (!kind) {
      context.addIssue({ code: 'custom', path: isObject ? ['kind'] : [], message: mustBeOneOf(kindNames()) });
      return z.NEVER;
    }
    const parsed = schemaOf(kind).safeParse(value, { error: ruleOf });
    if (parsed.success) return parsed.data as Output;
    for (const issue of parsed.error.issues) context.issues.push({ ...issue, path: [...issue.path], input: value });
    return z.NEVER;
  });

export const requestSchema = schemaByKind<StudioRequest, RequestInput>(({ schema }) => schema);
