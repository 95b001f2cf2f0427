import { ok } from '../../../../shared/contract/result.ts';
import { flagValue, parsePromptFlags } from '../../../../shared/jobs/promptFlags.ts';
import type { ImagineRequest } from '../../../../shared/kinds/imagine.ts';
import { aspectDifferences } from './differences.ts';
import { imageTask, type TaskDriver } from './driver.ts';

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
