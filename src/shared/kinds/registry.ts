import { z } from 'zod';
import type { MediaType } from '../mediaRef.ts';
import type { Quantity } from '../quantity.ts';
import { chat } from './chat.ts';
import { edit } from './edit.ts';
import { imagine } from './imagine.ts';
import type { AnyRequest, Kind, MediaInput } from './kind.ts';
import type { Lane } from './lanes.ts';
import { PRICINGS, type PriceKind, type Pricing } from './pricings.ts';
import { video } from './video.ts';

/** The kinds of generation, and the one place that knows which there are. */
export const KINDS = { chat, video, imagine, edit } as const;
export type JobKind = keyof typeof KINDS;
/** What a page asks for (DESIGN "The contract"). */
export type StudioRequest = z.output<(typeof KINDS)[JobKind]['schema']>;
type RequestInput = z.input<(typeof KINDS)[JobKind]['schema']>;

const registry = new Map<string, Kind>(
  Object.entries(KINDS satisfies { [K in JobKind]: Kind<Extract<StudioRequest, { kind: K }>> }),
);

/** Adds a further kind; it is known from then on, until the function that is returned is called. */
export function registerKind<R extends AnyRequest>(kind: Kind<R>): () => void {
  if (registry.has(kind.name)) throw new Error(`There is a kind ${kind.name} already.`);
  registry.set(kind.name, kind);
  return () => registry.delete(kind.name);
}

/** All of them, in the order in which they were added. */
export const allKinds = (): Kind[] => [...registry.values()];

/** The kind of a request or a job, or the one of a name. */
export function kindOf(it: string | { kind: string }): Kind {
  const name = typeof it === 'string' ? it : it.kind;
  const kind = registry.get(name);
  if (!kind) throw new Error(`There is no kind ${name}.`);
  return kind;
}

/** Whether a request is one of this kind. */
export const isRequestOf = <R extends AnyRequest>(kind: Kind<R>, request: AnyRequest | undefined): request is R =>
  request?.kind === kind.name;

/** The names of the kinds that something holds for, as lists are asked for them. */
export const kindsWhere = (holds: (kind: Kind) => boolean): JobKind[] =>
  allKinds()
    .filter(holds)
    .map(({ name }) => name as JobKind);

export const makesFiles = ({ makes }: Kind): boolean => makes !== 'text';

/** How things are priced, each once. */
export const allPricings = (): Pricing[] => [
  ...new Set([...Object.values(PRICINGS), ...allKinds().map(({ pricing }) => pricing)]),
];

export function pricingOf(name: PriceKind): Pricing {
  const pricing = allPricings().find((known) => known.name === name);
  if (!pricing) throw new Error(`There is no price kind ${name}.`);
  return pricing;
}

/** The name of how a job of this kind is priced. */
export const priceKindOf = (it: string | { kind: string }): PriceKind => kindOf(it).pricing.name as PriceKind;

/** By its name; undefined for one that no kind has any more. */
export const laneNamed = (name: string): Lane | undefined =>
  allKinds()
    .flatMap(({ lanes }) => lanes)
    .find((lane) => lane.name === name);

/** Those of a profile's models that a kind is made with. */
export const modelsFor = <M extends { kind: string }>(kind: Kind, models: readonly M[] = []): M[] =>
  models.filter((model) => model.kind === kind.pricing.name);

/** What a job that is not done yet will be, or the last frame of it. */
export function typeToCome(it: { kind: string }, isFrame: boolean): MediaType {
  const { makes } = kindOf(it);
  if (makes === 'text') return 'other';
  return isFrame ? 'image' : makes;
}

/** A request as a list shows it: its words cut, what is long left out. */
export const shortRequest = (request: StudioRequest, length: number): StudioRequest =>
  kindOf(request).shortened(request, length) as StudioRequest;

/** With a seed where its kind takes one and none is chosen; `roll` gives a uint32. */
export const seeded = (request: StudioRequest, roll: () => number): StudioRequest =>
  kindOf(request).seeded(request, roll) as StudioRequest;

/** The words a job is found by and listed under. */
export const promptOf = (request: StudioRequest): string => kindOf(request).promptText(request);

/** Every media reference of a request with the field it stands in. */
export const mediaRefsOf = (request: StudioRequest): MediaInput[] => kindOf(request).mediaRefs(request);

/** The most a request can come to. */
export const quantityOf = (request: StudioRequest, outputTokens: number): Quantity =>
  kindOf(request).most(request, { outputTokens });

const OR = new Intl.ListFormat('en-GB', { type: 'disjunction' });
/** `must be 'a', 'b' or 'c'`. */
const mustBeOneOf = (names: readonly string[]): string => `must be ${OR.format(names.map((name) => `'${name}'`))}`;

/** One of the names that are known at that moment. */
const oneOf = <N extends string>(names: () => readonly string[], message: (names: readonly string[]) => string) =>
  z.custom<N>((value) => typeof value === 'string' && names().includes(value), { error: () => message(names()) });

const kindNames = (): string[] => [...registry.keys()];
const pricingNames = (): string[] => allPricings().map(({ name }) => name);
const invalidOption = (names: readonly string[]): string =>
  `Invalid option: expected one of ${names.map((name) => JSON.stringify(name)).join('|')}`;

export const jobKindSchema = oneOf<JobKind>(kindNames, invalidOption);
export const priceKindSchema = oneOf<PriceKind>(pricingNames, invalidOption);
/** What a model is for. */
export const modelKindSchema = oneOf<PriceKind>(pricingNames, mustBeOneOf);

/** Of what names a kind: each is judged by the schema that its kind has for it. */
export const schemaByKind = <Output, Input>(schemaOf: (kind: Kind) => z.ZodType): z.ZodType<Output, Input> =>
  z.any().transform((value, context) => {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    const kind = isObject && Object.hasOwn(value, 'kind') ? registry.get(value.kind) : undefined;
    if (!kind) {
      context.addIssue({ code: 'custom', path: isObject ? ['kind'] : [], message: mustBeOneOf(kindNames()) });
      return z.NEVER;
    }
    const parsed = schemaOf(kind).safeParse(value);
    if (parsed.success) return parsed.data as Output;
    for (const issue of parsed.error.issues) context.issues.push({ ...issue, path: [...issue.path], input: value });
    return z.NEVER;
  });

/** A request of any kind. */
export const requestSchema = schemaByKind<StudioRequest, RequestInput>(({ schema }) => schema);
