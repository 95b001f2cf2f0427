import type { Asset } from '../../../../shared/asset.ts';
import type { Shot } from '../../../../shared/board.ts';
import type { Job } from '../../../../shared/job.ts';
import { isRequestOf, KINDS } from '../../../../shared/kinds/index.ts';
import type { VideoRequest } from '../../../../shared/kinds/video.ts';
import { emptyShot } from './shots.ts';

/**
 * The shot that a picture or a clip of the library becomes: a picture is its first frame, a clip that was made here gives its words,
 * settings and pictures, and one that came from elsewhere is extended. Undefined for what no shot is made of.
 */
export function shotOfAsset(id: string, asset: Asset, job: Job | undefined, model: string): Shot | undefined {
  const request = job?.request;
  if (isRequestOf(KINDS.video, request)) return shotOfRequest(id, request);
  const shot = emptyShot(id, model);
  if (asset.mime.startsWith('image/')) return { ...shot, source: 'first', image: { assetId: asset.id } };
  if (asset.mime.startsWith('video/')) return { ...shot, source: 'extend', video: { assetId: asset.id } };
  return undefined;
}

/** A clip is gone on from in the words of its job. */
export function remixOf(id: string, asset: Asset, job: Job | undefined, model: string): Shot | undefined {
  if (!asset.mime.startsWith('video/')) return shotOfAsset(id, asset, job, model);
  const request = job?.request;
  const words = isRequestOf(KINDS.video, request) ? { model: request.model, prompt: request.prompt } : {};
  return { ...emptyShot(id, model), ...words, source: 'extend', video: { assetId: asset.id } };
}

function shotOfRequest(id: string, request: VideoRequest): Shot {
  const { kind: _, promotedFrom: __, cast: ___, referenceImages = [], config, ...rest } = request;
  const shot = emptyShot(id, request.model);
  return { ...shot, ...rest, referenceImages, config: config ?? shot.config, source: sourceOf(request) };
}

function sourceOf({ video, lastFrame, image, referenceImages }: VideoRequest): Shot['source'] {
  if (video) return 'extend';
  if (lastFrame) return 'firstLast';
  if (image) return 'first';
  return referenceImages ? 'references' : 'text';
}
