import { snakeName } from '../../../../../shared/wire/spelling.ts';
import type { Service } from '../../service.ts';
import type { VideoDialect } from '../../types.ts';

/**
 * How a service spells video options (spec 2.2 and 2.3 leave vendor name, spelling and the seed's place open). After a definite refusal
 * that names one of them, the same request is sent in the spelling that the refusal asks for; the accepted spelling is remembered.
 */

/** The profile's dialect, unless this service has refused it and accepted another. */
export function videoDialect(service: Service): VideoDialect {
  const { vendor, fieldCase, seedPlacement } = service.profile;
  const own = { vendor, fieldCase, seedPlacement };
  const learnt = service.memory().videoDialect;
  return learnt && learnt.insteadOf === spellingOf(own) ? withoutNote(learnt) : own;
}

const withoutNote = ({ vendor, fieldCase, seedPlacement }: VideoDialect): VideoDialect => ({
  vendor,
  fieldCase,
  seedPlacement,
});

/** Remembers the dialect that was accepted instead of the profile's. */
export function learnDialect(service: Service, taken: VideoDialect): void {
  const { vendor, fieldCase, seedPlacement } = service.profile;
  const insteadOf = spellingOf({ vendor, fieldCase, seedPlacement });
  if (spellingOf(taken) !== insteadOf) service.learn({ videoDialect: { ...withoutNote(taken), insteadOf } });
}

export const spellingOf = ({ vendor, fieldCase, seedPlacement }: VideoDialect): string =>
  [vendor, fieldCase, seedPlacement].join(' ');

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
const IS_DRAW = /\b(?:seed|sampleCount|sample_count)\b/;

/** The dialect that a refusal asks for, if it names the unknown field. */
export function requestedDialect(refusal: string, sent: VideoDialect): VideoDialect | undefined {
  const text = refusal.slice(0, MAX_REFUSAL_LENGTH);
  const vendor = [...text.matchAll(NAMED_IN_BODY)].map(([, name]) => name).findLast((name) => name !== sent.vendor);
  if (vendor !== undefined) return { ...sent, vendor };
  const [ours, theirs] = sent.fieldCase === 'camel' ? [camelFields, snakeFields] : [snakeFields, camelFields];
  const names = (fields: readonly string[]): boolean => fields.some((name) => text.includes(name));
  const isUnknown = IS_UNKNOWN.test(text);
  if (names(theirs) || (isUnknown && names(ours) && !IS_DRAW.test(text)))
    return { ...sent, fieldCase: sent.fieldCase === 'camel' ? 'snake' : 'camel' };
  if (isUnknown && IS_DRAW.test(text))
    return { ...sent, seedPlacement: sent.seedPlacement === 'config' ? 'beside' : 'config' };
  return undefined;
}
