import { fail, ok, type Result } from '../../../../shared/contract/result.ts';
import type { VideoRequest } from '../../../../shared/kinds/video.ts';
import { en } from '../../../../shared/text/texts.ts';
import { sentConfig } from '../../../../shared/wire/video.ts';
import type { VideoSubmitRequest } from '../../gateway/index.ts';
import { clipUri, wireMedia } from '../references.ts';
import { compareClips, missingClips } from './differences.ts';
import type { ClaimedJob, SubmitDeps, TaskDriver } from './driver.ts';

export const videoDriver: TaskDriver<VideoRequest> = {
  protocol: 'task',
  hasWebhook: false,
  prepareSubmit(deps, claimed) {
    const submitRequest = submitRequestOf(deps, claimed);
    return submitRequest.ok ? ok((gateway, send) => gateway.submitVideo(submitRequest.data, send)) : submitRequest;
  },
  poll: (gateway, task, signal) => gateway.poll(task, signal),
  pollEveryMs: (ageMs) => (ageMs < 300_000 ? 10_000 : 20_000),
  // A task that is not found was requested at each possible poll path.
  extraPollsIfMissing: 3,
  compare: compareClips,
  findMissing: missingClips,
};

/** Resolves every reference to an address or a file. */
function submitRequestOf(deps: SubmitDeps, { request, profile }: ClaimedJob<VideoRequest>): Result<VideoSubmitRequest> {
  const submitRequest: VideoSubmitRequest = {
    model: request.model,
    prompt: request.prompt,
    config: sentConfig(request),
  };
  for (const field of ['image', 'lastFrame'] as const) {
    const ref = request[field];
    if (!ref) continue;
    const media = wireMedia(deps, field, ref, profile);
    if (!media.ok) return media;
    submitRequest[field] = media.data;
  }
  if (request.referenceImages) {
    const references = request.referenceImages.map((ref, index) =>
      wireMedia(deps, `referenceImages.${index}`, ref, profile),
    );
    const failed = references.find((media) => !media.ok);
    if (failed && !failed.ok) return failed;
    if (request.referenceType !== undefined) submitRequest.referenceType = request.referenceType;
    submitRequest.referenceImages = references.flatMap((media) => (media.ok ? [media.data] : []));
  }
  if (request.video) {
    const uri = clipUri(deps.store.read, request.video, profile.id);
    if (!uri)
      return fail('not_found', en`video: the gateway holds no address for this clip, so it cannot be extended.`);
    submitRequest.videoUri = uri;
  }
  return ok(submitRequest);
}
