import { uniqueBy } from '../../../../shared/contract/values.ts';
import { gatewayError } from '../errors/gatewayError.ts';
import { isDenied } from '../errors/rules/codes.ts';
import { explicitError } from '../errors/serviceError.ts';
import { isTruncated } from '../exchange/answer.ts';
import { queryList } from '../exchange/request.ts';
import type { Failure } from '../http/failure.ts';
import { urlAtOrigin, urlOf } from '../http/origin.ts';
import type { Json } from '../json/parse.ts';
import { recordCost } from '../outcomes/outcome.ts';
import type { Service } from '../service.ts';
import type { GatewayError, StatedCost } from '../types.ts';

/** Queries about the account and its prices: no service bills them, and they go only to the profile's own origin. */
export interface FreeAnswer {
  url: URL;
  /** JSON that came whole, with status 200. */
  body?: Json | undefined;
  /** Set if there was no answer, so nothing is known about the endpoint. */
  failure?: Failure;
  /** The key may not see it. */
  isDenied?: boolean;
  /** Without a body: the endpoint surely has no data. A refusal, an outage or a cut answer proves nothing. */
  isSettled: boolean;
}

/** Each path under the base URL and, if the base URL has a path, at the root of the host too; the one that is remembered comes first. */
export function endpointsOf(service: Service, paths: readonly `/${string}`[], remembered?: string): URL[] {
  const known = remembered === undefined ? undefined : urlAtOrigin(service, remembered);
  const all = [known, ...paths.flatMap((path) => [urlOf(service, path), urlAtOrigin(service, path)])];
  return uniqueBy(
    all.filter((url) => url !== undefined),
    ({ href }) => href,
  );
}

/** Queries the endpoints in sequence until the caller has enough. An answer that contains an error has no body here. */
export async function* answersAt(service: Service, endpoints: readonly URL[]): AsyncGenerator<FreeAnswer> {
  for (const url of endpoints) {
    const { body, ...answer } = await answerAt(service, url);
    yield explicitError(body) ? answer : { ...answer, body };
  }
}

export async function answerAt(service: Service, url: URL): Promise<FreeAnswer> {
  const { answer, failure } = await queryList(service, url);
  if (failure) return { url, failure, isSettled: false };
  const { status, form, json } = answer;
  // If the connection ends the body, unclosed JSON is the only sign that it was cut.
  const isCut = answer.truncatedBy !== undefined || isTruncated(answer);
  const isGood = status === 200 && form === 'json' && !isCut;
  return {
    url,
    ...(isGood ? { body: json } : {}),
    isDenied: isDenied(status),
    isSettled: !isCut && status < 500 && ![401, 403, 408, 425, 429].includes(status),
  };
}

/** The error if no list was shown and at least one was refused. */
export const deniedError = (service: Service, message: string): GatewayError =>
  gatewayError(service, { kind: 'auth', message, accepted: 'no' });

/** Ids of services that keep a record of each generation with its cost (openrouter.ai/docs, GET /api/v1/generation). */
const RECORDED = /^gen-[A-Za-z0-9_-]{6,100}$/;

/** Whether the service that gave this id has a record of the cost. */
export const hasRecord = (id: string): boolean => RECORDED.test(id);

/** The cost in the service's own record; undefined while it has none, or if the service keeps no records. The query is not billed. */
export async function recordedCost(service: Service, id: string): Promise<StatedCost | undefined> {
  if (!hasRecord(id)) return undefined;
  const url = urlOf(service, '/v1/generation');
  url.searchParams.set('id', id);
  return recordCost((await answerAt(service, url)).body, id);
}
