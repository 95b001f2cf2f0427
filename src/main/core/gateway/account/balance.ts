import type { Nano } from '../../../../shared/money.ts';
import { explicitFault } from '../errors/serviceError.ts';
import { homeUrl } from '../http/origin.ts';
import type { Json } from '../json/json.ts';
import type { Service } from '../service.ts';
import { type Heard, isDefinite, placesOf, readPlace } from './accountPlaces.ts';
import { creditsLeft, grantsLeft, listedBalance, plainBalance, quotaLeft, subscriptionLeft } from './balanceFields.ts';

interface Place {
  path: `/${string}`;
  left(body: Json | undefined, service: Service, url: URL): Nano | undefined | Promise<Nano | undefined>;
}

const PLACES: Place[] = [
  { path: '/v1/dashboard/billing/credit_grants', left: grantsLeft },
  { path: '/v1/dashboard/billing/subscription', left: subscription },
  { path: '/v1/credits', left: creditsLeft },
  { path: '/user/balance', left: (body) => listedBalance(body) ?? plainBalance(body) },
  { path: '/api/usage/token', left: quotaLeft },
  { path: '/api/user/self', left: quotaLeft },
  { path: '/v1/user/info', left: plainBalance },
  { path: '/v1/balance', left: (body) => listedBalance(body) ?? plainBalance(body) },
];

/** No place of this service tells: it is not looked for again. */
const NOWHERE = '';

/**
 * What is left on the account in nano-dollars, where the service tells it for nothing; undefined where it does not, or not now.
 * The places are tried once, in order, and the one that answered is remembered. Nothing is billed, and the key stays on the profile's own origin.
 */
export async function accountBalance(service: Service): Promise<Nano | undefined> {
  const known = service.memory().balancePath;
  if (known === NOWHERE) return undefined;
  const remembered = known === undefined ? undefined : homeUrl(service, known);
  if (remembered) {
    const place = PLACES.find(({ path }) => remembered.pathname.endsWith(path));
    const { left, heard } = await askPlace(service, place, remembered);
    if (left !== undefined || !isDefinite(heard)) return left;
  }
  let definite = true;
  for (const place of PLACES) {
    for (const url of placesOf(service, place.path)) {
      const { left, heard } = await askPlace(service, place, url);
      if (left !== undefined) {
        service.learn({ balancePath: url.pathname });
        return left;
      }
      if (heard.failure) return undefined;
      definite &&= isDefinite(heard);
    }
  }
  if (definite) service.learn({ balancePath: NOWHERE });
  return undefined;
}

async function askPlace(
  service: Service,
  place: Place | undefined,
  url: URL,
): Promise<{ left?: Nano | undefined; heard: Heard }> {
  const heard = await readPlace(service, url);
  if (!place || !heard.answer || explicitFault(heard.answer.json)) return { heard };
  return { heard, left: await place.left(heard.answer.json, service, url) };
}

const DAY_MS = 86_400_000;

/** The limit is on one page and what was used of it on another, for at most a hundred days. */
async function subscription(body: Json | undefined, service: Service, url: URL): Promise<Nano | undefined> {
  const usage = new URL(url);
  usage.pathname = url.pathname.replace(/subscription$/, 'usage');
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  usage.searchParams.set('start_date', day(service.now() - 99 * DAY_MS));
  usage.searchParams.set('end_date', day(service.now() + DAY_MS));
  const heard = await readPlace(service, usage);
  return heard.answer && subscriptionLeft(body, heard.answer.json);
}
