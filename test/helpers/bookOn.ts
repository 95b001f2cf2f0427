import { LedgerWriter, PriceBook } from '../../src/main/core/ledger/index.ts';
import type { Price } from '../../src/shared/price.ts';
import type { Rig } from './engineRig.ts';
import { countingIds, silentLog } from './testPorts.ts';

/** A test may open the book of one rig several times; no entry's id comes twice. */
const ids = countingIds();

/** The price book on a rig's own engine and database; the settings are the rig's profile. */
export function bookOn(rig: Rig, writePrices = keepIn(rig)): PriceBook {
  return new PriceBook({
    store: rig.store,
    ledger: new LedgerWriter({ clock: rig.clock, ids: { id: (prefix) => ids.id(`${prefix}_book`) } }),
    log: silentLog,
    profiles: { get: (id) => (id === 'p' ? rig.profile : undefined), writePrices: (_, prices) => writePrices(prices) },
    jobs: rig.engine,
  });
}

const keepIn = (rig: Rig) => (prices: Price[]) => {
  rig.profile.prices = prices;
};
