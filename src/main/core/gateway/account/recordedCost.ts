import { urlOf } from '../http/index.ts';
import { recordCost } from '../outcomes/index.ts';
import type { Service } from '../service.ts';
import type { StatedCost } from '../types.ts';
import { queryEndpoint } from './accountEndpoints.ts';

/** Ids of services that keep a record of each generation, with its cost (openrouter.ai/docs, GET /api/v1/generation). */
const RECORDED = /^gen-[A-Za-z0-9_-]{6,100}$/;

/** Whether the service that gave this id can be asked later what it cost. */
export const hasRecord = (id: string): boolean => RECORDED.test(id);

/** What the service's own record states as the cost; undefined while it has none, or where there are no records. Nothing is billed by asking. */
export async function recordedCost(service: Service, id: string): Promise<StatedCost | undefined> {
  if (!hasRecord(id)) return undefined;
  const url = urlOf(service, '/v1/generation');
  url.searchParams.set('id', id);
  const { answer } = await queryEndpoint(service, url);
  return answer && recordCost(answer.json, id);
}
