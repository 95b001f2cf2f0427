import type { Reason } from '../contract/result.ts';
import { endedReasons, type ModelLimits } from '../gateway/modelFacts.ts';
import { kindOf, type StudioRequest } from '../kinds/index.ts';
import type { MediaInput } from '../kinds/kind.ts';
import type { LookUpMedia, MediaFacts } from '../library/mediaRef.ts';
import { en } from '../text/texts.ts';
import { OWN_PROTOCOLS } from '../wire/protocols.ts';

/** The rules about the media of a request. Pages explain a disabled button with them, and `jobs.enqueue` applies them. */

/** From `modelLimits`, for the profile and model of a request. */
export type ReadinessLimits = ModelLimits;

/** All reasons why a well-formed request cannot be sent, in the order of its fields. */
export function readiness(request: StudioRequest, lookUp: LookUpMedia, limits: ReadinessLimits): Reason[] {
  const { contextTokens, facts = {}, protocols = OWN_PROTOCOLS, now = 0 } = limits;
  const kind = kindOf(request);
  const ended = 'model' in request && request.model ? endedReasons(request.model, facts, now) : [];
  const missing = kind.mediaRefs(request).flatMap((input) => existence(input, lookUp(input.ref)));
  if (ended.length + missing.length > 0) return [...ended, ...missing];
  return kind.reasons(request, { lookUp, contextTokens, facts, protocols });
}

function existence({ field, isNamed = false }: MediaInput, facts: MediaFacts): Reason[] {
  if (facts.status === 'missing') return [{ field, message: en`there is no such asset or job in the library.` }];
  if (facts.status === 'dead') return [{ field, message: en`that job failed or was canceled and has no result.` }];
  return facts.isGone === true && !isNamed ? [{ field, message: GONE }] : [];
}

const GONE = 'is not on this disk any more: bring it in again, or choose another.';
