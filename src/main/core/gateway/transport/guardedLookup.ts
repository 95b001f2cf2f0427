import { type LookupAddress, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { type Reach, reachOf } from './address.ts';

export const FORBIDDEN = 'EFORBIDDENADDRESS';

/**
 * A name look-up that gives only addresses which may be connected to. The connection uses exactly what is given here, so a name
 * that answers differently the second time (DNS rebinding) gains nothing.
 */
export function guardedLookup(allowed: () => ReadonlySet<Reach>): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '', 0);
      const addresses: LookupAddress[] = found.filter(({ address }) => allowed().has(reachOf(address)));
      const [first] = addresses;
      if (!first) return callback(forbidden(hostname), '', 0);
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}

function forbidden(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} leads to a private address`), { code: FORBIDDEN });
}
