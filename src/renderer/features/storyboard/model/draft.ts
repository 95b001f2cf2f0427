import { toSend } from '../../../../shared/board/assignReferences.ts';
import { configOfShot, missingOfShot, requestOfShot, type Shot } from '../../../../shared/board/board.ts';
import type { CastMember } from '../../../../shared/board/cast.ts';
import { linkChain } from '../../../../shared/board/chain.ts';
import { parseInput, type Reason } from '../../../../shared/contract/result.ts';
import type { FilmFacts } from '../../../../shared/film/film.ts';
import { type ReadinessLimits, readiness } from '../../../../shared/jobs/readiness.ts';
import { KINDS } from '../../../../shared/kinds/index.ts';
import type { PricedQuantity } from '../../../../shared/kinds/pricedQuantity.ts';
import { quantityOfClips, type VideoRequest, videoRequestSchema } from '../../../../shared/kinds/video.ts';
import type { LookUpMedia, MediaRef } from '../../../../shared/library/mediaRef.ts';
import { isBlank } from '../../../../shared/text/nulCharacters.ts';
import { t } from '../../../../shared/text/texts.ts';
import { videoForm, videoWire } from '../../../../shared/wire/video.ts';
import { reasonsOf } from '../../../words/index.ts';
import type { ShotView } from './view.ts';

/** All reasons why a take of this shot cannot be made; empty if it can. */
export function reasonsOfShot(
  planned: Shot,
  cast: readonly CastMember[] | undefined,
  lookUp: LookUpMedia,
  limits: ReadinessLimits,
): Reason[] {
  const shot = toSend(planned, cast);
  const missing = missingOfShot(shot);
  const own: Reason[] = isBlank(shot.prompt) ? [{ field: 'prompt', message: t`Write a prompt.` }] : [];
  if (shot.model === '') own.push({ field: 'model', message: t`Choose a model.` });
  if (own.length + missing.length > 0) return [...own, ...missing];
  const parsed = parseInput(videoRequestSchema, requestOfShot(shot));
  if (parsed.ok) return readiness(parsed.data, lookUp, limits);
  return reasonsOf(parsed.error);
}

/** The shot for its next take: its link starts it from the take selected before it, or the one that will be. */
export function linkedShot(
  { shots, media }: { shots: readonly ShotView[]; media: FilmFacts },
  { shot }: ShotView,
): Shot {
  const options = { newId: () => shot.id, isWhole: false };
  return linkChain(shots, new Set([shot.id]), media.assets, options)[0]?.shot ?? shot;
}

/** The quantity that prices a take, even while the shot is not ready: prices never depend on prompts and pictures. */
export function quantityOfShot(shot: Shot): PricedQuantity | undefined {
  const config = configOfShot(shot);
  if (shot.model === '') return undefined;
  return { kind: KINDS.video.name, model: shot.model, quantity: quantityOfClips({ config }) };
}

/** Stands for a picture of this machine: whether it is sent as link or bytes is decided at sending. */
const PICTURE = '…';
const uriOf = (ref: MediaRef): string => ('uri' in ref ? ref.uri : PICTURE);

/**
 * The body that would be sent for a shot, with its link resolved ({@link linkedShot}), in a gateway's API format: names spelled out,
 * reference images in their slots, the priced length. A shot without a seed gets one only when it is sent.
 */
export function wouldBeSent(
  linked: Shot,
  cast: readonly CastMember[] | undefined,
  profile: Parameters<typeof videoWire>[1],
): Record<string, unknown> {
  return videoWire(videoForm(requestOfShot(toSend(linked, cast)) as VideoRequest, uriOf), profile).body;
}
