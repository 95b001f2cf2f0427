import type { ImagineRequest } from '../kinds/imagine.ts';

/** Image options of API formats other than image tasks. */
export interface ImageOptions {
  model?: string;
  n?: number;
  size?: string;
  quality?: string;
}

export interface ImagineSubmitRequest extends ImageOptions {
  prompt: string;
  mode?: ImagineRequest['mode'];
  hookUrl?: string;
}

/** An edit with its mask. */
export interface EditForm {
  /** The base image's task (spec 4.4). */
  baseTaskId: string;
  /** The PNG's bytes as base64, without a prefix (spec 2.6). */
  mask: string;
  prompt?: string | undefined;
  timeout?: number | undefined;
  hookUrl?: string | undefined;
}

export type MaskField = 'mask' | 'maskBase64';

/** Paths below the profile's image prefix (spec 4.2, 4.4). */
export const imageSubmitPath = (imagePrefix: string, what: 'imagine' | 'edits'): `/${string}` =>
  `/${imagePrefix}/submit/${what}`;

/** Spec 4.2. */
export function imagineBody(request: ImagineSubmitRequest): Record<string, unknown> {
  return {
    prompt: request.prompt,
    mode: request.mode ?? 'fast',
    ...(request.hookUrl === undefined ? {} : { hookUrl: request.hookUrl }),
  };
}

/** Spec 4.4. */
export function editBody(request: EditForm, maskField: MaskField): Record<string, unknown> {
  return {
    jobId: request.baseTaskId,
    [maskField]: request.mask,
    ...(request.prompt === undefined ? {} : { prompt: request.prompt }),
    ...(request.timeout === undefined ? {} : { timeout: request.timeout }),
    ...(request.hookUrl === undefined ? {} : { hookUrl: request.hookUrl }),
  };
}
