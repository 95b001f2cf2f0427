import { readFile } from 'node:fs/promises';
import type { EditOrder, ImagineOrder } from '../types.ts';

/** Spec 4.2. */
export function imagineBody(order: ImagineOrder): Record<string, unknown> {
  return { prompt: order.prompt, mode: order.mode, ...(order.hookUrl === undefined ? {} : { hookUrl: order.hookUrl }) };
}

/** Spec 4.4: the mask is the PNG's bytes as base64, without a prefix. Rejects when the mask cannot be read. */
export async function editBody(order: EditOrder, maskField: 'mask' | 'maskBase64'): Promise<Record<string, unknown>> {
  return {
    jobId: order.baseTaskId,
    [maskField]: await readFile(order.maskPath, 'base64'),
    ...(order.prompt === undefined ? {} : { prompt: order.prompt }),
    ...(order.timeout === undefined ? {} : { timeout: order.timeout }),
    ...(order.hookUrl === undefined ? {} : { hookUrl: order.hookUrl }),
  };
}
