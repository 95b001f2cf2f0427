import { explicitFault } from '../errors/serviceError.ts';
import { homeUrl } from '../http/origin.ts';
import { failureError, gatewayError, type Service } from '../service.ts';
import type { PricesOutcome } from '../types.ts';
import { placesOf, readPlace } from './accountPlaces.ts';
import { readPriceList } from './priceList.ts';

/** Where services of this kind publish their prices: beside the models, or in a list of its own. */
const PATHS = ['/v1/models', '/api/pricing', '/api/ratio_config', '/v1/model/info', '/model/info'] as const;

/** Looks for a published price list; where one was found before, that place is asked first. Sends nothing that is billed. */
export async function listPrices(service: Service): Promise<PricesOutcome> {
  const known = service.memory().pricesPath;
  const kindOf = (id: string) => service.profile.models.find((model) => model.id === id)?.kind;
  const remembered = known === undefined ? undefined : homeUrl(service, known);
  const urls = [...(remembered ? [remembered] : []), ...PATHS.flatMap((path) => placesOf(service, path))];
  const asked = new Set<string>();
  let denied = false;
  let onlyRefused: PricesOutcome | undefined;
  for (const url of urls) {
    if (asked.has(url.href)) continue;
    asked.add(url.href);
    const heard = await readPlace(service, url);
    if (heard.failure) return { type: 'unreachable', error: failureError(service, heard.failure) };
    denied ||= heard.status === 401 || heard.status === 403;
    if (!heard.answer || explicitFault(heard.answer.json)) continue;
    const list = readPriceList(heard.answer.json, kindOf);
    const listed: PricesOutcome = { type: 'listed', from: `${url.host}${url.pathname}`, ...list };
    if (list.prices.length > 0) {
      service.learn({ pricesPath: url.pathname });
      return listed;
    }
    if (list.refused.length > 0) onlyRefused ??= listed;
  }
  if (onlyRefused) return onlyRefused;
  if (!denied) return { type: 'none' };
  const message = 'The service shows its prices to nobody with this key.';
  return { type: 'unreachable', error: gatewayError(service, { kind: 'auth', message, accepted: 'no' }) };
}
