import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { fail, type Result } from '../../../../shared/contract/result.ts';
import { type Profile, SANDBOX_PROFILE_ID } from '../../../../shared/gateway/profile.ts';
import { formatNano, MAX_REQUEST_NANO, type Nano } from '../../../../shared/money/money.ts';
import { MAX_PRICES, type Price, priceSchema, SANDBOX_PRICES } from '../../../../shared/money/price.ts';
import { en, t } from '../../../../shared/text/texts.ts';
import type { Logger } from '../../ports.ts';
import {
  deleteFlag,
  flagsWithPrefix,
  isDiskFault,
  readFlag,
  type Store,
  type WriteDb,
  writeFlag,
} from '../../store/index.ts';
import type { LedgerWriter } from '../ledgerWriter.ts';
import {
  exceedsAtLimits,
  exceedsRequestLimit,
  type PricedJobs,
  type PriceOrigin,
  type Repriced,
  reestimate,
  reprice,
} from './repricing.ts';

export interface PriceBookDeps {
  store: Pick<Store, 'transaction' | 'read'>;
  ledger: LedgerWriter;
  log: Pick<Logger, 'error'>;
  profiles: {
    get(id: string): Profile | undefined;
    /** Writes the whole book of a profile into the settings. */
    writePrices(id: string, prices: Price[]): void;
  };
  jobs: {
    /** Queued jobs have new estimates: each reserves its new cost, or waits for money. */
    repriced(db: WriteDb, jobIds: string[]): void;
  };
  jobTable: PricedJobs;
}

/** Prefix of a profile id: its price book, until that is in the settings file. */
const PENDING = 'prices:';
const pendingFlag = (profileId: string): string => `${PENDING}${profileId}`;
/** Prefix of a profile id: its output limit may have changed, and queued jobs must be estimated again. */
const LIMITS = 'reestimate:';
/** Set once the sandbox's jobs have its stated prices. */
const SANDBOX_STATED = 'sandboxStatesPrices';
const storedBook = z.array(priceSchema);

export interface PriceBookChange {
  prices: Price[];
  /** For the user, if queued jobs now cost something else. */
  notice?: string;
}

/**
 * Changes prices durably, although prices are in the settings file and money is in the database: the new book is written to the database
 * together with its consequences, then to the file. After a crash in between, the next start writes the file.
 */
export class PriceBook {
  private readonly deps: PriceBookDeps;

  constructor(deps: PriceBookDeps) {
    this.deps = deps;
  }

  /** Replaces or adds these entries; the others remain. */
  set(profile: Profile, entries: readonly Price[], origin: PriceOrigin): PriceBookChange {
    return this.replace(profile, withEntries(profile, entries), origin);
  }

  /** The error if {@link set} cannot add the entries: the book would be too long, or a job would cost too much. */
  limitError(profile: Profile, entries: readonly Price[], origin: PriceOrigin): Result<never> | undefined {
    const prices = withEntries(profile, entries);
    // A book that an earlier version made longer may be changed, not extended.
    if (prices.length > Math.max(MAX_PRICES, profile.prices.length)) return bookIsFull;
    return this.costError(profile, prices, origin);
  }

  /** The error if an open job would exceed the limit of one request's cost at these prices. */
  costError(profile: Profile, prices: readonly Price[], origin: PriceOrigin): Result<never> | undefined {
    const jobs = this.deps.jobTable;
    const after = { ...profile, prices: [...prices] };
    if (!exceedsRequestLimit(this.deps.store.read, after, { before: profile.prices, origin, jobs })) return undefined;
    const message = en`price: an open request would cost more than ${formatNano(MAX_REQUEST_NANO)} at this price, more than Dailies accepts for one request.`;
    return fail('too_large', message, { field: 'price' });
  }

  /** The error if a queued job would exceed the limit of one request's cost at the profile's output limit. */
  outputError(profile: Profile): Result<never> | undefined {
    if (!exceedsAtLimits(this.deps.store.read, profile, this.deps.jobTable)) return undefined;
    const message = en`limits.outputTokens: a waiting request would cost more than ${formatNano(MAX_REQUEST_NANO)} with so many, more than Dailies accepts for one request.`;
    return fail('too_large', message, { field: 'limits.outputTokens' });
  }

  /** Before the output limit in the settings changes: queued jobs are estimated again, now or at the next start. */
  noteLimits(profileId: string): void {
    this.deps.store.transaction((db) => writeFlag(db, LIMITS + profileId, ''));
  }

  /** Whether {@link reestimate} is still to be done for the profile. */
  isOwed = ({ id }: Profile): boolean => readFlag(this.deps.store.read, LIMITS + id) !== undefined;

  /** The output limit changed: estimates queued jobs again. */
  reestimate(profile: Profile): PriceBookChange {
    const { jobs, jobTable, ledger, store } = this.deps;
    const repriced = store.transaction((db) => {
      deleteFlag(db, LIMITS + profile.id);
      const found = reestimate(db, ledger, profile, jobTable);
      jobs.repriced(db, found.waitingIds);
      return found;
    });
    return changeOf(profile.prices, repriced, t`Answer limits were changed`);
  }

  /** Replaces the whole price book. */
  replace(profile: Profile, prices: Price[], origin: PriceOrigin): PriceBookChange {
    const after = { ...profile, prices };
    const { jobs, jobTable } = this.deps;
    const repriced = this.deps.store.transaction((db) => {
      writeFlag(db, pendingFlag(profile.id), JSON.stringify(prices));
      const found = reprice(db, this.deps.ledger, after, { before: profile.prices, origin, jobs: jobTable });
      jobs.repriced(db, found.waitingIds);
      return found;
    });
    this.writeOrLeave(profile.id, prices);
    return changeOf(prices, repriced, t`The price has changed`);
  }

  /**
   * At the start, writes price books from the database that may be missing in the settings file. If the disk is full for one, throws that
   * error after the others; other failures are retried at the next start.
   */
  resumeWrites(): void {
    let fault: unknown;
    for (const pending of flagsWithPrefix(this.deps.store.read, PENDING)) {
      try {
        this.resumeWrite(pending);
      } catch (error) {
        if (isDiskFault(error)) fault = error;
        else this.deps.log.error({ error: String(error) }, UNWRITTEN);
      }
    }
    if (fault) throw fault;
  }

  /** At the start: estimates that a crash or a full disk prevented. */
  resumeLimits(): void {
    for (const { name } of flagsWithPrefix(this.deps.store.read, LIMITS)) {
      const profile = this.deps.profiles.get(name.slice(LIMITS.length));
      if (profile && this.outputError(profile) === undefined) this.reestimate(profile);
      else this.deps.store.transaction((db) => deleteFlag(db, name));
    }
  }

  /** At the first start with a sandbox that states its units: settles its jobs made or queued at open prices. */
  settleSandbox(): void {
    const { jobs, jobTable, ledger, profiles, store } = this.deps;
    const profile = profiles.get(SANDBOX_PROFILE_ID);
    if (!profile || readFlag(store.read, SANDBOX_STATED) !== undefined) return;
    const before = profile.prices.filter((price) => !SANDBOX_PRICES.some((stated) => isDeepStrictEqual(stated, price)));
    store.transaction((db) => {
      writeFlag(db, SANDBOX_STATED, '');
      jobs.repriced(db, reprice(db, ledger, profile, { before, origin: 'manual', jobs: jobTable }).waitingIds);
    });
  }

  private resumeWrite({ name, value }: { name: string; value: string }): void {
    const profileId = name.slice(PENDING.length);
    const book = storedBook.safeParse(JSON.parse(value));
    if (book.success && this.deps.profiles.get(profileId)) this.write(profileId, book.data);
    else this.deps.store.transaction((db) => deleteFlag(db, name));
  }

  /** If the file cannot be written, the price still applies; {@link resumeWrites} writes it later. */
  private writeOrLeave(profileId: string, prices: Price[]): void {
    try {
      this.write(profileId, prices);
    } catch (error) {
      this.deps.log.error({ error: String(error) }, UNWRITTEN);
    }
  }

  private write(profileId: string, prices: Price[]): void {
    this.deps.profiles.writePrices(profileId, prices);
    this.deps.store.transaction((db) => deleteFlag(db, pendingFlag(profileId)));
  }
}

function changeOf(prices: Price[], repriced: Repriced, why: string): PriceBookChange {
  return repriced.waitingIds.length === 0 ? { prices } : { prices, notice: noticeOf(repriced, why) };
}

const UNWRITTEN = 'a price book could not be written to the settings';

const bookIsFull = fail(
  'invalid_input',
  en`price: the price book holds at most ${MAX_PRICES} entries. Nothing was changed.`,
  { field: 'price' },
);

const withEntries = (profile: Profile, entries: readonly Price[]): Price[] => [
  ...profile.prices.filter((known) => !entries.some((entry) => sameEntry(known, entry))),
  ...entries,
];
/** "2 waiting jobs may now cost $1.20 instead of $0.40: the price was changed." An unset price is named, never shown as an amount. */
function noticeOf({ waitingIds, beforeNano, afterNano, unpricedBefore, unpricedAfter }: Repriced, why: string): string {
  const count = waitingIds.length;
  const jobs = count === 1 ? 'One waiting job' : `${count} waiting jobs`;
  const amount = (nano: Nano, unpriced: number): string =>
    unpriced === 0
      ? formatNano(nano)
      : unpriced === count
        ? 'an unknown price'
        : `${formatNano(nano)} and ${unpriced} not priced`;
  const [before, after] = [amount(beforeNano, unpricedBefore), amount(afterNano, unpricedAfter)];
  if (unpricedAfter === count) return t`${jobs} may have cost ${before}; now no price is set.`;
  return unpricedBefore === count
    ? t`${jobs} may now cost ${after}: no price was set before.`
    : t`${why}. ${jobs} may now cost ${after} instead of ${before}.`;
}

const sameEntry = (one: Price, other: Price): boolean => one.kind === other.kind && one.model === other.model;
