import { fail, ok, type Result } from '../../../../shared/contract/result.ts';
import type { Profile } from '../../../../shared/gateway/profile.ts';
import { flagValue, parsePromptFlags } from '../../../../shared/jobs/promptFlags.ts';
import { type EditRequest, ONE_OF_SEVERAL } from '../../../../shared/kinds/edit.ts';
import type { ImagineRequest } from '../../../../shared/kinds/imagine.ts';
import { en } from '../../../../shared/text/texts.ts';
import { imageFamily } from '../../../../shared/wire/families/index.ts';
import { protocolsOf } from '../../../../shared/wire/protocols.ts';
import type { EditSubmitRequest } from '../../gateway/index.ts';
import { alphaMaskInProcess } from '../../library/index.ts';
import { assetOfRef, imageTaskOf, isOneOfSeveral, wireMedia } from '../references.ts';
import { aspectDifferences } from './differences.ts';
import { type ClaimedJob, imageTask, type SubmitDeps, type TaskDriver } from './driver.ts';

export const editDriver: TaskDriver<EditRequest> = {
  ...imageTask,
  prepareSubmit(deps, claimed) {
    const submitRequest = submitRequestOf(deps, claimed);
    return submitRequest.ok ? ok((gateway, send) => gateway.submitEdit(submitRequest.data, send)) : submitRequest;
  },
  /** Compares the aspect ratio with that of the base image. */
  compare(db, _row, request, { here }) {
    const base = assetOfRef(db, request.base);
    return { differs: aspectDifferences(here, base && base.width > 0 ? `${base.width}:${base.height}` : undefined) };
  },
};

/** Names the base image by the task that made it, and the mask by its file. */
function submitRequestOf(
  deps: SubmitDeps,
  { profile, row, request }: ClaimedJob<EditRequest>,
): Result<EditSubmitRequest> {
  const base = baseOf(deps, request.base, profile);
  if (!base.ok) return base;
  const mask = assetOfRef(deps.store.read, request.mask);
  if (mask?.state !== 'local') return fail('not_found', en`mask: the mask is not on this machine.`);
  const hookUrl = deps.hookUrl(profile, row.id, row.hook_secret);
  const maskPath = deps.library.location.pathOf(mask);
  const { kind: _, base: __, mask: ___, ...options } = request;
  return ok({
    ...options,
    ...base.data,
    maskPath,
    alphaMask: () => alphaMaskInProcess(maskPath),
    ...(mask.sha256 === '' ? {} : { maskSha256: mask.sha256 }),
    ...(hookUrl ? { hookUrl } : {}),
  });
}

/** The picture to edit: the task that made it, or the file for an API format that edits files. */
function baseOf(
  deps: SubmitDeps,
  ref: EditRequest['base'],
  profile: Profile,
): Result<Pick<EditSubmitRequest, 'base' | 'baseTaskId'>> {
  if (imageFamily(protocolsOf(profile).image)) {
    const media = wireMedia(deps, 'base', ref, { ...profile, pictures: 'bytes' });
    if (!media.ok) return media;
    return 'uri' in media.data
      ? fail('not_found', en`base: the picture is not on this machine.`)
      : ok({ base: media.data });
  }
  const baseTaskId = imageTaskOf(deps.store.read, ref);
  if (!baseTaskId) return fail('not_found', en`base: the image has no task at this gateway.`);
  // The number of results is known only once the task has ended, and a request may wait for it.
  if (isOneOfSeveral(deps.store.read, ref)) return fail('invalid_input', `base: ${ONE_OF_SEVERAL}`);
  return ok({ baseTaskId });
}

export const imagineDriver: TaskDriver<ImagineRequest> = {
  ...imageTask,
  prepareSubmit(deps, { profile, row, request }) {
    const hookUrl = deps.hookUrl(profile, row.id, row.hook_secret);
    const { kind: _, ...rest } = request;
    const submitRequest = { ...rest, ...(hookUrl ? { hookUrl } : {}) };
    return ok((gateway, send) => gateway.submitImagine(submitRequest, send));
  },
  /** Compares the aspect ratio with the one that `--ar` requests. */
  compare(_db, _row, request, { here }) {
    const flags = parsePromptFlags(request.prompt);
    return { differs: aspectDifferences(here, flagValue(flags, 'ar') ?? flagValue(flags, 'aspect')) };
  },
};
