import { plainHeaders } from '../../../../shared/wire/headers.ts';
import { type Answer, type Exchange, HEADER_MS, sendQuery } from '../exchange/index.ts';
import { type Failure, urlAtOrigin, urlOf } from '../http/index.ts';
import { MOST_LISTED } from '../json/index.ts';
import type { Service } from '../service.ts';
import { bearer } from '../wire/headers.ts';

/** Queries about the account and its prices: no service bills them, and they go to the profile's own origin only. */

/** Under the base URL, and, where that has a path of its own, at the root of the host too. */
export function endpointsOf(service: Service, path: `/${string}`): URL[] {
  const below = urlOf(service, path);
  const root = urlAtOrigin(service, path);
  return !root || below.href === root.href ? [below] : [below, root];
}

export interface EndpointAnswer {
  /** Set where the service spoke JSON with a good status. */
  answer?: Answer;
  /** There was no answer, so nothing is known about the endpoint. */
  failure?: Failure;
  status: number;
}

/** Queries a list of everything, with the key or without. */
export function queryList(service: Service, url: URL, withKey = true): Promise<Exchange> {
  const headers = { ...plainHeaders(), ...(withKey ? bearer(service) : {}) };
  return sendQuery(service, { method: 'GET', url, headers, headerMs: HEADER_MS.test, values: MOST_LISTED });
}

export async function queryEndpoint(service: Service, url: URL): Promise<EndpointAnswer> {
  const exchange = await queryList(service, url);
  if (exchange.failure) return { failure: exchange.failure, status: 0 };
  const { answer } = exchange;
  const good = answer.status === 200 && answer.form === 'json' && !answer.truncatedBy;
  return { status: answer.status, ...(good ? { answer } : {}) };
}

/** The endpoint does not exist: no such address, or a page or something else instead of an answer. */
export const isConclusive = ({ status, failure }: EndpointAnswer): boolean =>
  failure === undefined && status < 500 && ![401, 403, 408, 425, 429].includes(status);
