import { type LookupAddress, lookup } from 'node:dns';
import { lookup as lookupNow } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import type { MayConnect } from './address.ts';

export const FORBIDDEN = 'EFORBIDDENADDRESS';

/**
 * A name look-up that gives only addresses which may be connected to. The connection uses exactly what is given here, so a name
 * that answers differently the second time (DNS rebinding) gains nothing.
 */
export function guardedLookup(allowed: () => MayConnect): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '', 0);
      const addresses: LookupAddress[] = found.filter(({ address }) => allowed()(address));
      const [first] = addresses;
      if (!first) return callback(forbidden(hostname), '', 0);
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}

function forbidden(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} leads to a private address`), { code: FORBIDDEN });
}

/**
 * Whether a name may be asked for through a proxy, which looks it up by itself: no, where this machine already knows that it leads
 * only to addresses that are not connected to. A name that cannot be looked up here is left to the proxy.
 */
export async function mayAskProxyFor(hostname: string, allowed: MayConnect): Promise<boolean> {
  const found = await lookupNow(hostname, { all: true }).catch(() => []);
  return found.length === 0 || found.some(({ address }) => allowed(address));
}
