import { z } from 'zod';
import type { Reason } from '../contract/result.ts';
import { en } from '../text/texts.ts';
import { imageFamily, protocolLabel } from '../wire/families/index.ts';
import { model } from './fields.ts';

/** Image options of API formats other than image tasks, which use prompt flags instead (spec 2.6). */
export const imageFields = {
  model: model.optional(),
  n: z.int().min(1).max(10).optional(),
  /** Pixels such as 1024x1024, a ratio such as 16:9, or a word of the model. */
  size: z
    .string()
    .regex(/^[0-9A-Za-z:]{1,20}$/, 'must be a size such as 1024x1024, 16:9 or auto')
    .optional(),
  quality: z
    .string()
    .regex(/^[0-9A-Za-z-]{1,20}$/, 'must be a word such as high')
    .optional(),
};

interface ImageOptions {
  model?: string | undefined;
  mode?: string | undefined;
  n?: number | undefined;
  size?: string | undefined;
  quality?: string | undefined;
  timeout?: number | undefined;
}

/** Options that the API format needs or lacks. */
export function imageReasons(request: ImageOptions, protocol: string): Reason[] {
  const family = imageFamily(protocol);
  const label = protocolLabel(protocol);
  const has: Record<keyof ImageOptions, boolean> = family
    ? {
        model: true,
        n: family.variations > 1,
        mode: false,
        timeout: false,
        size: family.sizes.length > 0,
        quality: family.qualities.length > 0,
      }
    : { model: false, n: false, mode: true, timeout: true, size: false, quality: false };
  const unknown = (Object.keys(has) as (keyof ImageOptions)[])
    .filter((field) => request[field] !== undefined && !has[field])
    .map((field) => ({ field, message: en`${label} has no ${field}.` }));
  const missing =
    family && request.model === undefined ? [{ field: 'model', message: en`${label} needs a model.` }] : [];
  return [...missing, ...unknown];
}
