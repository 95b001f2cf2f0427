import { LedgerWriter, PriceBook } from '../../src/main/core/ledger/index.ts';
import type { Price } from '../../src/shared/price.ts';
import type { Rig } from './engineRig.ts';
import { countingIds, silentLog } from './testPorts.ts';

/** A test may open one engine's price book several times; entry ids must not repeat. */
const ids = countingIds();

/** The price book on a test engine and its database; the settings are its profile. */
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
