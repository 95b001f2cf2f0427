import { urlOf } from '../http/index.ts';
import { recordCost } from '../outcomes/index.ts';
import type { Service } from '../service.ts';
import type { StatedCost } from '../types.ts';
import { queryEndpoint } from './accountEndpoints.ts';

/** Ids of services that keep a record of each generation with its cost (openrouter.ai/docs, GET /api/v1/generation). */
const RECORDED = /^gen-[A-Za-z0-9_-]{6,100}$/;

/** Whether the service that gave this id has a record of the cost. */
export const hasRecord = (id: string): boolean => RECORDED.test(id);

/** The cost in the service's own record; undefined while it has none, or if the service keeps no records. The query is not billed. */
export async function recordedCost(service: Service, id: string): Promise<StatedCost | undefined> {
  if (!hasRecord(id)) return undefined;
  const url = urlOf(service, '/v1/generation');
  url.searchParams.set('id', id);
  const { answer } = await queryEndpoint(service, url);
  return answer && recordCost(answer.json, id);
}
