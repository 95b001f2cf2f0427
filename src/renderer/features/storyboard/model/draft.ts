import { isBlank } from '../../../../shared/blank.ts';
import { missingOfShot, requestOfShot, type Shot } from '../../../../shared/board.ts';
import type { StudioRequest } from '../../../../shared/kinds/index.ts';
import { videoRequestSchema } from '../../../../shared/kinds/video.ts';
import type { LookUpMedia } from '../../../../shared/mediaRef.ts';
import { type ReadinessLimits, readiness } from '../../../../shared/readiness.ts';
import { parseInput, type Reason } from '../../../../shared/result.ts';

/** All that keeps a take of this shot from being made; empty when it can be. */
export function reasonsOfShot(shot: Shot, lookUp: LookUpMedia, limits: ReadinessLimits): Reason[] {
  const missing = missingOfShot(shot);
  const own: Reason[] = isBlank(shot.prompt)
    ? [{ field: 'prompt', message: 'prompt: write what the shot shows.' }]
    : [];
  if (shot.model === '') own.push({ field: 'model', message: 'model: choose a video model.' });
  if (own.length + missing.length > 0) return [...own, ...missing];
  const parsed = parseInput(videoRequestSchema, requestOfShot(shot));
  if (parsed.ok) return readiness(parsed.data, lookUp, limits);
  const { reasons } = parsed.error.data ?? {};
  return Array.isArray(reasons) ? (reasons as Reason[]) : [{ field: '', message: parsed.error.message }];
}

/**
 * A request that costs what the shot will cost, also while the shot is not ready: a price depends on the model, the length and the
 * number of clips only, never on words and pictures.
 */
export function pricedRequest(shot: Shot): StudioRequest | undefined {
  const { config, model } = requestOfShot(shot) as { config?: unknown; model: string };
  const video = shot.source === 'extend' ? { video: { uri: 'clip' } } : {};
  const parsed = videoRequestSchema.safeParse({ kind: 'video', model, prompt: 'price', config, ...video });
  return parsed.success ? parsed.data : undefined;
}
