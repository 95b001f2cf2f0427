import { type EditRequest, ONE_OF_SEVERAL } from '../../../../shared/kinds/edit.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { t } from '../../../../shared/texts.ts';
import type { EditSubmitRequest } from '../../gateway/index.ts';
import { assetOf, imageTaskOf, isOneOfSeveral, pathOf } from '../references.ts';
import { aspectDifferences } from './differences.ts';
import type { ClaimedJob, SubmitDeps, TaskDriver } from './driver.ts';
import { imageTask } from './imageTask.ts';

export const editDriver: TaskDriver<EditRequest> = {
  ...imageTask,
  prepareSubmit(deps, claimed) {
    const submitRequest = submitRequestOf(deps, claimed);
    return submitRequest.ok ? ok((gateway, send) => gateway.submitEdit(submitRequest.data, send)) : submitRequest;
  },
  /** Compares the aspect ratio with that of the base image. */
  compare(db, _row, request, { here }) {
    const base = assetOf(db, request.base);
    return { differs: aspectDifferences(here, base && base.width > 0 ? `${base.width}:${base.height}` : undefined) };
  },
};

/** Names the base image by the task that made it, and the mask by its file. */
function submitRequestOf(
  deps: SubmitDeps,
  { profile, row, request }: ClaimedJob<EditRequest>,
): Result<EditSubmitRequest> {
  const base = imageTaskOf(deps.store.read, request.base);
  if (!base) return fail('not_found', t`base: the image has no task at this gateway.`);
  // How many a task makes is known when it has ended, and a request may wait for it.
  if (isOneOfSeveral(deps.store.read, request.base)) return fail('invalid_input', `base: ${ONE_OF_SEVERAL}`);
  const mask = assetOf(deps.store.read, request.mask);
  if (mask?.state !== 'local') return fail('not_found', t`mask: the mask is not on this machine.`);
  const hookUrl = deps.hookUrl(profile, row.id, row.hook_secret);
  return ok({
    baseTaskId: base,
    maskPath: pathOf(deps.library, mask),
    ...(mask.sha256 === '' ? {} : { maskSha256: mask.sha256 }),
    ...(request.prompt === undefined ? {} : { prompt: request.prompt }),
    ...(request.timeout === undefined ? {} : { timeout: request.timeout }),
    ...(hookUrl ? { hookUrl } : {}),
  });
}
