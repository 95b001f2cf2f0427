import type { Profile } from '../../../shared/profile.ts';
import {
  clipSeconds,
  type EditRequest,
  type ImagineRequest,
  type MediaRef,
  type StudioRequest,
  type VideoRequest,
} from '../../../shared/request.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { ChatOrder, EditOrder, ImagineOrder, VideoOrder, WireMedia } from '../gateway/index.ts';
import { type AssetRow, assetRow, assetRowsOfJob, contentPath, extensionOf } from '../library/index.ts';
import type { ReadDb } from '../store/index.ts';
import type { EngineDeps } from './deps.ts';
import { rowById } from './records.ts';
import type { JobRow } from './row.ts';
import { lastFrameOf } from './waiting.ts';

/** Turns a request into what the gateway room sends: every reference resolved to an address, a file or a task. */

export type Order =
  | { kind: 'chat'; order: ChatOrder }
  | { kind: 'video'; order: VideoOrder }
  | { kind: 'imagine'; order: ImagineOrder }
  | { kind: 'edit'; order: EditOrder };

type Deps = Pick<EngineDeps, 'store' | 'dataDir' | 'hookUrl'>;

/** A failure here means that nothing was sent. */
export function orderFor(deps: Deps, profile: Profile, row: JobRow, request: StudioRequest): Result<Order> {
  switch (request.kind) {
    case 'chat': {
      const { model, messages, tools } = request;
      const order = { model, messages, stream: request.stream ?? true };
      return ok({ kind: 'chat', order: tools ? { ...order, tools } : order });
    }
    case 'imagine':
      return ok({ kind: 'imagine', order: imagineOrder(deps, profile, row, request) });
    case 'video':
      return videoOrder(deps, request);
    case 'edit':
      return editOrder(deps, profile, row, request);
  }
}

function imagineOrder(deps: Deps, profile: Profile, row: JobRow, request: ImagineRequest): ImagineOrder {
  const hookUrl = deps.hookUrl(profile, row.id, row.hook_secret);
  const order = { prompt: request.prompt, mode: request.mode ?? 'fast' };
  return hookUrl ? { ...order, hookUrl } : order;
}

function videoOrder(deps: Deps, request: VideoRequest): Result<Order> {
  const order: VideoOrder = {
    model: request.model,
    prompt: request.prompt,
    // The length is always said, so that the price is the one that was shown.
    config: { ...request.config, durationSeconds: clipSeconds(request) },
  };
  for (const field of ['image', 'lastFrame'] as const) {
    const ref = request[field];
    if (!ref) continue;
    const media = wireMedia(deps, field, ref);
    if (!media.ok) return media;
    order[field] = media.data;
  }
  if (request.referenceImages) {
    const references = request.referenceImages.map((ref, index) => wireMedia(deps, `referenceImages.${index}`, ref));
    const failed = references.find((media) => !media.ok);
    if (failed && !failed.ok) return failed;
    order.referenceImages = references.flatMap((media) => (media.ok ? [media.data] : []));
  }
  if (request.video) {
    const uri = clipUri(deps.store.read, request.video);
    if (!uri) return fail('not_found', 'video: the service holds no address for this clip, so it cannot be extended.');
    order.videoUri = uri;
  }
  return ok({ kind: 'video', order });
}

function editOrder(deps: Deps, profile: Profile, row: JobRow, request: EditRequest): Result<Order> {
  const base = imageTaskOf(deps.store.read, request.base);
  if (!base) return fail('not_found', 'base: the image has no task at this gateway.');
  const mask = assetOf(deps.store.read, request.mask);
  if (mask?.state !== 'local') return fail('not_found', 'mask: the mask is not on this machine.');
  const hookUrl = deps.hookUrl(profile, row.id, row.hook_secret);
  return ok({
    kind: 'edit',
    order: {
      baseTaskId: base,
      maskPath: pathOf(deps.dataDir, mask),
      ...(request.prompt === undefined ? {} : { prompt: request.prompt }),
      ...(request.timeout === undefined ? {} : { timeout: request.timeout }),
      ...(hookUrl ? { hookUrl } : {}),
    },
  });
}

/** The asset a reference stands for, once it is there. */
export function assetOf(db: ReadDb, ref: MediaRef): AssetRow | undefined {
  if ('assetId' in ref) return assetRow(db, ref.assetId);
  if ('uri' in ref) return undefined;
  if ('frame' in ref) {
    const frame = lastFrameOf(db, ref.jobId);
    return frame === undefined ? undefined : assetRow(db, frame);
  }
  const outputs = assetRowsOfJob(db, ref.jobId).filter((asset) => asset.role === 'output');
  return outputs[ref.output ?? 0];
}

/** The task that made an image, which an edit has to name (spec 4.4). */
export function imageTaskOf(db: ReadDb, ref: MediaRef): string | undefined {
  const jobId = 'jobId' in ref ? ref.jobId : assetOf(db, ref)?.job_id;
  const job = jobId ? rowById(db, jobId) : undefined;
  return job && (job.kind === 'imagine' || job.kind === 'edit') ? (job.remote_id ?? undefined) : undefined;
}

function clipUri(db: ReadDb, ref: MediaRef): string | undefined {
  if ('uri' in ref) return ref.uri;
  return assetOf(db, ref)?.remote_uri ?? undefined;
}

function wireMedia(deps: Deps, field: string, ref: MediaRef): Result<WireMedia> {
  if ('uri' in ref) return ok({ uri: ref.uri });
  const asset = assetOf(deps.store.read, ref);
  if (asset?.state === 'local') return ok({ path: pathOf(deps.dataDir, asset), mime: asset.mime });
  if (asset?.remote_uri) return ok({ uri: asset.remote_uri });
  return fail('not_found', `${field}: the picture is not on this machine.`);
}

const pathOf = (dataDir: string, asset: AssetRow): string =>
  contentPath(dataDir, asset.sha256, extensionOf(asset.mime));
