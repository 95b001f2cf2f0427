import { jobTable } from '../../src/main/core/jobs/index.ts';
import { LedgerWriter, PriceBook } from '../../src/main/core/ledger/index.ts';
import type { Price } from '../../src/shared/money/price.ts';
import type { EngineHarness } from './engineHarness.ts';
import { countingIds, silentLog } from './testPorts.ts';

/** A test may open one engine's price book several times; entry ids must not repeat. */
const ids = countingIds();

/** Opens the price book of a test engine, on its database and profile. */
export function openPriceBook(harness: EngineHarness, writePrices = keepIn(harness)): PriceBook {
  return new PriceBook({
    store: harness.store,
    ledger: new LedgerWriter({ clock: harness.clock, ids: { id: (prefix) => ids.id(`${prefix}_book`) } }),
    log: silentLog,
    profiles: {
      get: (id) => (id === 'p' ? harness.profile : undefined),
      writePrices: (_, prices) => writePrices(prices),
    },
    jobs: harness.engine.commands,
    jobTable,
  });
}

const keepIn = (harness: EngineHarness) => (prices: Price[]) => {
  harness.profile.prices = prices;
};
