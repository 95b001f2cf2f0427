import { type Answer, type Asked, ask, HEADER_MS } from '../exchange/index.ts';
import { type Failure, homeUrl, urlOf } from '../http/index.ts';
import { MOST_LISTED } from '../json/index.ts';
import type { Service } from '../service.ts';
import { bearer, plainHeaders } from '../wire/headers.ts';

/** Questions about the account and its prices: reads that no service bills, on the profile's own origin only. */

/** Under the base URL, and, where that has a path of its own, at the root of the host too. */
export function placesOf(service: Service, path: `/${string}`): URL[] {
  const below = urlOf(service, path);
  const root = homeUrl(service, path);
  return !root || below.href === root.href ? [below] : [below, root];
}

export interface Heard {
  /** Set where the service spoke JSON with a good status. */
  answer?: Answer;
  /** There was no answer, or none that says anything about the place: it may be there another time. */
  failure?: Failure;
  status: number;
}

/** Asks for a list of everything, with the key or as anybody may. */
export function askForList(service: Service, url: URL, withKey = true): Promise<Asked> {
  const headers = { ...plainHeaders(), ...(withKey ? bearer(service) : {}) };
  return ask(service, { method: 'GET', url, headers, headerMs: HEADER_MS.test, values: MOST_LISTED });
}

export async function readPlace(service: Service, url: URL): Promise<Heard> {
  const asked = await askForList(service, url);
  if (asked.failure) return { failure: asked.failure, status: 0 };
  const { answer } = asked;
  const good = answer.status === 200 && answer.form === 'json' && !answer.cut;
  return { status: answer.status, ...(good ? { answer } : {}) };
}

/** Says for good that there is nothing here: no such address, or a page or something else instead of an answer. */
export const isDefinite = ({ status, failure }: Heard): boolean =>
  failure === undefined && status < 500 && ![401, 403, 408, 425, 429].includes(status);
