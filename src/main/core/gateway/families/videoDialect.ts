import type { FoundBy } from '../../../../shared/gateway/connection.ts';
import { videoConfigSchema } from '../../../../shared/kinds/videoConfig.ts';
import { snakeName } from '../../../../shared/wire/spelling.ts';
import { placeOfSamples } from '../../../../shared/wire/video.ts';
import { fold } from '../json/index.ts';
import type { Service } from '../service.ts';
import type { VideoDialect } from '../types.ts';

/**
 * How a service spells video options (spec 2.2 and 2.3 leave vendor name, spelling and the seed's place open). After a definite refusal
 * that names one of them, the same request is sent in the spelling that the refusal asks for; the accepted spelling is remembered.
 */

/** The profile's dialect, unless this service has refused it and accepted another. */
export function videoDialect(service: Service): VideoDialect {
  const own = ownDialect(service);
  const { insteadOf, ...learnt } = service.memory().videoDialect ?? {};
  return insteadOf === spellingOf(own) ? { ...own, ...learnt } : own;
}

function ownDialect({ profile }: Service): VideoDialect {
  const { vendor, fieldCase, seedPlacement, samplePlacement, pictures, omittedFields } = profile;
  return { vendor, fieldCase, seedPlacement, samplePlacement, pictures, omittedFields };
}

/** Remembers the dialect that was accepted instead of the profile's. */
export function learnDialect(service: Service, taken: VideoDialect, by: FoundBy): void {
  const insteadOf = spellingOf(ownDialect(service));
  const { vendor, fieldCase, seedPlacement, samplePlacement, pictures } = taken;
  if (spellingOf(taken) !== insteadOf)
    service.learn({ videoDialect: { vendor, fieldCase, seedPlacement, samplePlacement, pictures, insteadOf } }, by);
}

/** Whether an order was taken in the dialect that is in use. */
export function isDialectTaken(service: Service): boolean {
  const { takenSpelling, videoDialect: learnt, foundBy } = service.memory();
  const used = spellingOf(videoDialect(service));
  // What was accepted after a refusal was remembered before the spelling of each order was.
  return takenSpelling === used || (foundBy?.videoDialect?.by === 'refused' && !!learnt && spellingOf(learnt) === used);
}

/** Whether the profile's dialect is the one in use. */
export const isOwnDialect = (service: Service): boolean =>
  spellingOf(videoDialect(service)) === spellingOf(ownDialect(service));

/** Of the later choices, only what is not usual is named: what was remembered before there was a choice still holds. */
export function spellingOf(dialect: VideoDialect): string {
  const { vendor, fieldCase, seedPlacement, pictures } = dialect;
  const samples = placeOfSamples(dialect);
  return [
    vendor,
    fieldCase,
    seedPlacement,
    ...(samples === seedPlacement ? [] : [`samples ${samples}`]),
    ...(pictures === 'bytes' ? [pictures] : []),
  ].join(' ');
}

/** The part of a refusal that is read. */
const MAX_REFUSAL_LENGTH = 10_000;
const NAMED_IN_BODY = /extra_body(?:\.|\[["']?)([A-Za-z][\w-]{0,63})/g;
/** Phrases for an unknown field. "Not supported" and "not allowed" are about values, which another spelling would only hide. */
const IS_UNKNOWN =
  /(?:unknown|unrecogni[sz]ed|unexpected|invalid) (?:field|parameter|param|key|argument|property|name)|(?:unknown|unexpected|extra) (?:fields|parameters|keys|inputs|arguments|properties)|additional propert|no such field|not a (?:known|valid) field/i;
export const camelFields = [
  'durationSeconds',
  'aspectRatio',
  'generateAudio',
  'sampleCount',
  'lastFrame',
  'referenceImages',
  'referenceType',
];
export const snakeFields = camelFields.map(snakeName);
/** A rule about one of our own fields, such as `extra_body.image`, names no vendor. */
const OWN_FIELDS = new Set(
  [
    ...Object.keys(videoConfigSchema.shape),
    ...['config', 'image', 'lastFrame', 'referenceImages', 'referenceType', 'video'],
    ...['model', 'messages', 'prompt', 'stream'],
  ].map(fold),
);
/** Words for a picture whose address could not be used. */
const IS_PICTURE = /\b(?:image|picture|frame|uri|url|link|fetch|download|base64)/i;
const IS_SEED = /\bseed\b/;
const IS_SAMPLES = /\b(?:sampleCount|sample_count)\b/;

const other = (place: 'config' | 'beside') => (place === 'config' ? 'beside' : 'config');

/**
 * The dialect that a refusal asks for, if it names the unknown field. `hasLinks`: pictures went by links that their bytes can replace.
 */
export function requestedDialect(refusal: string, sent: VideoDialect, hasLinks: boolean): VideoDialect | undefined {
  const text = refusal.slice(0, MAX_REFUSAL_LENGTH);
  const vendor = [...text.matchAll(NAMED_IN_BODY)]
    .flatMap(([, name]) => name ?? [])
    .findLast((name) => name !== sent.vendor && !OWN_FIELDS.has(fold(name)));
  if (vendor !== undefined) return { ...sent, vendor };
  const [ours, theirs] = sent.fieldCase === 'camel' ? [camelFields, snakeFields] : [snakeFields, camelFields];
  const names = (fields: readonly string[]): boolean => fields.some((name) => text.includes(name));
  const isUnknown = IS_UNKNOWN.test(text);
  if (names(theirs) || (isUnknown && names(ours) && !IS_SEED.test(text) && !IS_SAMPLES.test(text)))
    return { ...sent, fieldCase: sent.fieldCase === 'camel' ? 'snake' : 'camel' };
  if (isUnknown && IS_SEED.test(text)) return { ...sent, seedPlacement: other(sent.seedPlacement) };
  if (isUnknown && IS_SAMPLES.test(text)) return { ...sent, samplePlacement: other(placeOfSamples(sent)) };
  if (hasLinks && sent.pictures !== 'bytes' && IS_PICTURE.test(text)) return { ...sent, pictures: 'bytes' };
  return undefined;
}
