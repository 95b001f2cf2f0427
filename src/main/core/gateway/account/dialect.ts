import type { FoundBy, FoundSetting } from '../../../../shared/gateway/connection.ts';
import { DIALECT } from '../../../../shared/gateway/dialect.ts';
import { t } from '../../../../shared/text/texts.ts';
import { protocolLabel } from '../../../../shared/wire/families/index.ts';
import { type Medium, OWN_PROTOCOLS } from '../../../../shared/wire/protocols.ts';
import { camelFields, learnDialect, snakeFields, videoDialect } from '../families/index.ts';
import { isObject, type Json, type JsonObject, listOf } from '../json/index.ts';
import type { Service } from '../service.ts';
import type { LearntName, VideoDialect } from '../types.ts';
import { answersAt, endpointsOf } from './freeAnswers.ts';

/**
 * What a service's own description of its calls says about video options. Web frameworks publish it in the form of OpenAPI, and reading
 * it is not billed (spec.openapis.org/oas: paths, schemas, references; fastapi.tiangolo.com: `/openapi.json`).
 */

/** Looks for a description of how the service spells video options, and remembers it for the first request. Nothing is billed. */
export async function readDescribedDialect(service: Service): Promise<VideoDialect | undefined> {
  for await (const { body, failure } of answersAt(service, endpointsOf(service, ['/openapi.json']))) {
    if (failure) break;
    const found = describedDialect(body, videoDialect(service));
    if (!found) continue;
    learnDialect(service, found, 'described');
    return found;
  }
  return undefined;
}

/** The dialect that a description documents; anything it leaves open stays as it is. */
export function describedDialect(description: Json | undefined, own: VideoDialect): VideoDialect | undefined {
  const reader = schemaReader(description);
  const bodies = reader.properties(requestSchema(description)).get('extra_body');
  const described = [...reader.properties(bodies)].filter(
    ([name, schema]) => VENDOR.test(name) && reader.properties(schema).has('config'),
  );
  const [vendor, options] = described.find(([name]) => name === own.vendor) ?? described[0] ?? [];
  // With several vendors, the description does not say which one a model needs.
  if (vendor === undefined || (described.length > 1 && vendor !== own.vendor)) return undefined;
  const beside = reader.properties(options);
  const config = reader.properties(beside.get('config'));
  const isNamed = (name: string): boolean => beside.has(name) || config.has(name);
  const camel = camelFields.some(isNamed);
  const fieldCase = camel === snakeFields.some(isNamed) ? own.fieldCase : camel ? 'camel' : 'snake';
  const placeOf = (...names: string[]) => {
    const inConfig = names.some((name) => config.has(name));
    return inConfig === names.some((name) => beside.has(name)) ? undefined : inConfig ? 'config' : 'beside';
  };
  const seedPlacement = placeOf('seed') ?? own.seedPlacement;
  const samplePlacement = placeOf('sampleCount', 'sample_count') ?? own.samplePlacement;
  return { ...own, vendor, fieldCase, seedPlacement, ...(samplePlacement && { samplePlacement }) };
}

const VENDOR = /^[A-Za-z][\w-]{0,63}$/;

/** The schema of the body of a chat request. */
function requestSchema(description: Json | undefined): Json | undefined {
  const paths = exactField(description, 'paths');
  if (!isObject(paths)) return undefined;
  const path = Object.keys(paths).find((name) => name.endsWith('/chat/completions'));
  const body = path === undefined ? undefined : exactField(exactField(paths[path], 'post'), 'requestBody');
  return exactField(exactField(exactField(body, 'content'), 'application/json'), 'schema');
}

/** The most schemas and properties to look at: a description may refer to itself, and a schema may have any number of properties. */
const MAX_SCHEMAS = 20_000;
const MAX_DEPTH = 12;

function schemaReader(description: Json | undefined) {
  let left = MAX_SCHEMAS;
  /** The properties of a schema, its references and alternatives included. */
  const properties = (schema: Json | undefined, depth = 0): Map<string, Json> => {
    const found = new Map<string, Json>();
    if (!isObject(schema) || depth > MAX_DEPTH || left <= 0) return found;
    const parts = [
      referredTo(description, schema),
      ...['allOf', 'anyOf', 'oneOf'].flatMap((name) => listOf(exactField(schema, name))),
    ];
    left -= 1 + parts.length;
    for (const part of parts) for (const [name, value] of properties(part, depth + 1)) found.set(name, value);
    for (const [name, value] of ownProperties(schema)) {
      left -= 1;
      if (left <= 0) break;
      found.set(name, value);
    }
    return found;
  };
  return { properties };
}

function ownProperties(schema: JsonObject): [string, Json][] {
  const own = exactField(schema, 'properties');
  return isObject(own) ? Object.entries(own) : [];
}

/** `#/components/schemas/Order`. */
function referredTo(description: Json | undefined, schema: JsonObject): Json | undefined {
  const reference = exactField(schema, '$ref');
  if (typeof reference !== 'string' || !reference.startsWith('#/') || reference.length > 500) return undefined;
  return reference
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<Json | undefined>((node, part) => exactField(node, part), description);
}

/** A field by its exact name, as OpenAPI writes it. */
const exactField = (node: Json | undefined, name: string): Json | undefined =>
  isObject(node) && Object.hasOwn(node, name) ? node[name] : undefined;

/** What was learnt of a service's dialect, beside what the profile says of it. */

/** How what is remembered was found, in sentences. */
const HOW: Record<FoundBy, string> = {
  described: t`From the gateway’s documentation`,
  refused: t`Worked before`,
  accepted: t`Worked before`,
  polled: t`Worked before`,
  listed: t`From the gateway’s lists`,
  earlier: t`Found by an earlier version`,
};

interface Learnt {
  name: LearntName;
  setting: string;
  was: string;
  now: string;
}

/** Every setting that differs from the profile's, or that the profile leaves open. */
export function foundSettings(service: Service): FoundSetting[] {
  const { foundBy = {} } = service.memory();
  return [...videoSettings(service), ...otherSettings(service)].map(({ name, ...found }) => {
    const { by, at } = foundBy[name] ?? { by: 'earlier' as const, at: undefined };
    return { ...found, by, how: HOW[by], ...(at === undefined ? {} : { at }) };
  });
}

const VIDEO = ['vendor', 'fieldCase', 'seedPlacement', 'samplePlacement', 'pictures'] as const;

function videoSettings(service: Service): Learnt[] {
  const used = videoDialect(service);
  const { profile } = service;
  return VIDEO.filter((field) => used[field] !== undefined && used[field] !== profile[field]).map((field) => ({
    name: 'videoDialect' as const,
    setting: DIALECT[field].label,
    was: wordOf(field, profile),
    now: wordOf(field, used),
  }));
}

/** As the form shows it. */
function wordOf(field: (typeof VIDEO)[number], dialect: Pick<VideoDialect, (typeof VIDEO)[number]>): string {
  const value = String(dialect[field]);
  const { control } = DIALECT[field];
  const options: readonly { value: string; label: string }[] = 'options' in control ? control.options : [];
  return options.find((option) => option.value === value)?.label ?? value;
}

const OPEN = '–';

function otherSettings({ profile, memory }: Service): Learnt[] {
  const known = memory();
  const [first = OPEN] = profile.imageAuthHeaders;
  const format = (medium: Medium, setting: string) => {
    const [was = OWN_PROTOCOLS[medium], now] = [profile.protocols[medium], known.protocols?.[medium]];
    const isUsed = profile.protocols[medium] === undefined && now !== undefined;
    return differing('protocols', setting, protocolLabel(was), isUsed ? protocolLabel(now) : undefined);
  };
  const all: (Learnt | undefined)[] = [
    format('video', t`Video format`),
    format('image', t`Image format`),
    differing('imageAuthHeader', 'Image key header', first, known.imageAuthHeader),
    differing('fetchMethod', 'Image tasks are asked for by', 'POST', known.fetchMethod),
    differing('videoPollPath', DIALECT.videoPollPath.label, profile.videoPollPath ?? OPEN, known.videoPollPath),
    differing('maskField', 'Mask of an edit', 'mask', known.maskField),
    differing('noStreamOptions', 'Usage in a stream', 'asked for', known.noStreamOptions ? 'not asked for' : undefined),
    differing('pricesPath', 'Prices are listed at', OPEN, known.pricesPath),
    differing('balancePath', 'The balance is at', OPEN, known.balancePath || undefined),
  ];
  return all.filter((one) => one !== undefined);
}

const differing = (name: LearntName, setting: string, was: string, now: string | undefined): Learnt | undefined =>
  now === undefined || now === was ? undefined : { name, setting, was, now };
