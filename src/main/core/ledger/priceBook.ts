import { z } from 'zod';
import { formatNano, MOST_ORDER_NANO, type Nano } from '../../../shared/money.ts';
import { type Price, priceFor, priceSchema } from '../../../shared/price.ts';
import type { Profile } from '../../../shared/profile.ts';
import { fail, type Result } from '../../../shared/result.ts';
import type { Logger } from '../ports.ts';
import { type Store, sql, type WriteDb } from '../store/index.ts';
import type { Poster } from './posting.ts';
import { makesTooDear, type PriceOrigin, type Repriced, reprice } from './repricing.ts';

export interface PriceBookDeps {
  store: Pick<Store, 'transaction' | 'read'>;
  poster: Poster;
  log: Pick<Logger, 'error'>;
  profiles: {
    get(id: string): Profile | undefined;
    /** Writes the whole book of a profile into the settings. */
    writePrices(id: string, prices: Price[]): void;
  };
  jobs: {
    /** What waits has new estimates: it sets aside what it costs now, or waits for the money. */
    repriced(db: WriteDb, jobIds: string[]): void;
  };
}

const setFlag = sql(
  'prices.setPending',
  'INSERT INTO flags (name, value) VALUES ($name, $value) ON CONFLICT DO UPDATE SET value = $value',
);
const dropFlag = sql('prices.dropPending', 'DELETE FROM flags WHERE name = $name');
const pendingFlags = sql('prices.pending', `SELECT name, value FROM flags WHERE name LIKE 'prices:%'`);

const flagOf = (profileId: string): string => `prices:${profileId}`;
const storedBook = z.array(priceSchema);

export interface PricesChanged {
  prices: Price[];
  jobIds: string[];
  /** For the user, where waiting jobs cost something else now. */
  notice?: string;
}

/**
 * Changes prices in one durable step, though the book lies in the settings file and the money in the database: the new book is written into
 * the database together with what follows from it, then into the file. A start after a kill between the two finishes the file.
 */
export class PriceBook {
  private readonly deps: PriceBookDeps;

  constructor(deps: PriceBookDeps) {
    this.deps = deps;
  }

  /** Replaces or adds these entries; the others stay. */
  set(profile: Profile, entries: readonly Price[], origin: PriceOrigin): PricesChanged {
    return this.replace(profile, withEntries(profile, entries), origin);
  }

  /** The refusal of prices that would make an open order dearer than any order is: no sum could hold it. */
  refusalOf(profile: Profile, entries: readonly Price[], origin: PriceOrigin): Result<never> | undefined {
    const prices = withEntries(profile, entries);
    const changed = differences(profile.prices, prices);
    if (!makesTooDear(this.deps.store.read, { ...profile, prices }, { changed, origin })) return undefined;
    const message = `price: an open order would cost more than ${formatNano(MOST_ORDER_NANO)} at this price, which no order does.`;
    return fail('too_large', message, { field: 'price' });
  }

  /** The whole book is another one. */
  replace(profile: Profile, prices: Price[], origin: PriceOrigin): PricesChanged {
    const changed = differences(profile.prices, prices);
    const after = { ...profile, prices };
    const repriced = this.deps.store.transaction((db) => {
      db.run(setFlag, { name: flagOf(profile.id), value: JSON.stringify(prices) });
      const found = reprice(db, this.deps.poster, after, { changed, origin });
      this.deps.jobs.repriced(db, found.waitingIds);
      return found;
    });
    this.write(profile.id, prices);
    const { waitingIds: jobIds } = repriced;
    return jobIds.length === 0 ? { prices, jobIds } : { prices, jobIds, notice: noticeOf(repriced) };
  }

  /** At start: a book that is in the database and may not be in the settings file yet. What cannot be written now is tried at the next start. */
  mend(): void {
    for (const pending of this.deps.store.read.all<{ name: string; value: string }>(pendingFlags)) {
      try {
        this.finish(pending);
      } catch (error) {
        this.deps.log.error({ error: String(error) }, 'a price book could not be written to the settings');
      }
    }
  }

  private finish({ name, value }: { name: string; value: string }): void {
    const profileId = name.slice(flagOf('').length);
    const book = storedBook.safeParse(JSON.parse(value));
    if (book.success && this.deps.profiles.get(profileId)) this.write(profileId, book.data);
    else this.deps.store.transaction((db) => db.run(dropFlag, { name }));
  }

  private write(profileId: string, prices: Price[]): void {
    this.deps.profiles.writePrices(profileId, prices);
    this.deps.store.transaction((db) => db.run(dropFlag, { name: flagOf(profileId) }));
  }
}

const withEntries = (profile: Profile, entries: readonly Price[]): Price[] => [
  ...profile.prices.filter((known) => !entries.some((entry) => sameEntry(known, entry))),
  ...entries,
];
/** "2 waiting jobs may now cost $1.20 instead of $0.40: the price was changed." An unknown price is said to be so, never as an amount. */
function noticeOf({ waitingIds, beforeNano, afterNano, unpricedBefore, unpricedAfter }: Repriced): string {
  const count = waitingIds.length;
  const jobs = count === 1 ? 'One waiting job' : `${count} waiting jobs`;
  const amount = (nano: Nano, unpriced: number): string =>
    unpriced === 0
      ? formatNano(nano)
      : unpriced === count
        ? 'an unknown price'
        : `${formatNano(nano)} and ${unpriced} not priced`;
  const [before, after] = [amount(beforeNano, unpricedBefore), amount(afterNano, unpricedAfter)];
  if (unpricedAfter === count) return `${jobs} may have cost ${before}; now the price is not known.`;
  return unpricedBefore === count
    ? `${jobs} may now cost ${after}: the price was not known before.`
    : `${jobs} may now cost ${after} instead of ${before}: the price was changed.`;
}

const sameEntry = (one: Price, other: Price): boolean => one.kind === other.kind && one.model === other.model;

/** The entries that hold now and did not before; for one that was taken out, what holds in its place. */
function differences(before: readonly Price[], after: readonly Price[]): Price[] {
  const isNew = (price: Price) => !before.some((known) => JSON.stringify(known) === JSON.stringify(price));
  const gone = before.filter((known) => !after.some((price) => sameEntry(known, price)));
  const instead = gone.flatMap(({ kind, model }) => priceFor(after, kind === 'image' ? 'imagine' : kind, model) ?? []);
  return [...after.filter(isNew), ...instead];
}
