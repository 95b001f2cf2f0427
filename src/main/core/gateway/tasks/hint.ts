import { echoOf } from '../exchange/echo.ts';
import { isObject, parseJson } from '../json/json.ts';
import type { RemoteTask } from '../types.ts';
import { taskIdOf } from './taskId.ts';

/**
 * The image task that the body of a webhook names. It says where to ask and nothing more: only the answer to that counts
 * (DESIGN "Webhooks").
 */
export function hintedTask(body: string, order: { prompt: string; at: number }): RemoteTask | undefined {
  const json = parseJson(body.replace(/^\uFEFF/, '').trim());
  const id = isObject(json) || Array.isArray(json) ? taskIdOf(json) : undefined;
  const ownUris = echoOf([order.prompt]).addresses;
  return id === undefined
    ? undefined
    : { id, kind: 'image', acceptedAt: order.at, ...(ownUris.length > 0 ? { ownUris } : {}) };
}
