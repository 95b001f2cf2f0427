import { type Answer, isTruncated, queryList } from '../exchange/index.ts';
import { type Failure, urlAtOrigin, urlOf } from '../http/index.ts';
import { recordCost } from '../outcomes/index.ts';
import type { Service } from '../service.ts';
import type { StatedCost } from '../types.ts';

/** Queries about the account and its prices: no service bills them, and they go only to the profile's own origin. */

/** The endpoint under the base URL and, if the base URL has a path, at the root of the host too. */
export function endpointsOf(service: Service, path: `/${string}`): URL[] {
  const below = urlOf(service, path);
  const root = urlAtOrigin(service, path);
  return !root || below.href === root.href ? [below] : [below, root];
}

export interface EndpointAnswer {
  /** Set if the service answered with JSON and status 200. */
  answer?: Answer;
  /** Set if there was no answer, so nothing is known about the endpoint. */
  failure?: Failure;
  /** Set if the answer broke off or was too large, so it is not known what the endpoint offers. */
  isCut?: true;
  status: number;
}

export async function queryEndpoint(service: Service, url: URL): Promise<EndpointAnswer> {
  const exchange = await queryList(service, url);
  if (exchange.failure) return { failure: exchange.failure, status: 0 };
  const { answer } = exchange;
  // JSON that ends with the connection has no other sign of it than that it does not close.
  const isCut = answer.truncatedBy !== undefined || isTruncated(answer);
  const good = answer.status === 200 && answer.form === 'json' && !isCut;
  return { status: answer.status, ...(isCut ? { isCut } : {}), ...(good ? { answer } : {}) };
}

/** Whether the answer settles that the endpoint offers nothing; a refusal, an outage or half an answer settles nothing. */
export const isConclusive = ({ status, failure, isCut }: EndpointAnswer): boolean =>
  failure === undefined && !isCut && status < 500 && ![401, 403, 408, 425, 429].includes(status);

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
