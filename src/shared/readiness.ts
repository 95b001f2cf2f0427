import { kindOf, type StudioRequest } from './kinds/index.ts';
import type { MediaInput } from './kinds/kind.ts';
import type { LookUpMedia, MediaFacts } from './mediaRef.ts';
import type { Reason } from './result.ts';

/**
 * The rules about the media that a request references. The pages call this on their draft to explain a disabled button; `jobs.enqueue`
 * calls the same function on the request, so that both always agree.
 */

export interface ReadinessLimits {
  contextTokens: number;
}

/** All reasons why a well-formed request cannot be sent, in the order of its fields; empty when it is ready. */
export function readiness(request: StudioRequest, lookUp: LookUpMedia, { contextTokens }: ReadinessLimits): Reason[] {
  const kind = kindOf(request);
  const missing = kind.mediaRefs(request).flatMap((input) => existence(input, lookUp(input.ref)));
  return missing.length > 0 ? missing : kind.reasons(request, { lookUp, contextTokens });
}

function existence({ field, isNamed = false }: MediaInput, facts: MediaFacts): Reason[] {
  if (facts.status === 'missing') return [{ field, message: 'there is no such asset or job in the library.' }];
  if (facts.status === 'dead') return [{ field, message: 'that job failed or was canceled and has no result.' }];
  return facts.isGone === true && !isNamed ? [{ field, message: GONE }] : [];
}

const GONE = 'is not on this disk any more: bring it in again, or choose another.';
