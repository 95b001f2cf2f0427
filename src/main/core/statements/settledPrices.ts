import { isDeepStrictEqual } from 'node:util';
import { DEFAULT_PRICES, type Price, priceFor } from '../../../shared/money/price.ts';
import type { SettledPrice } from '../../../shared/money/statement/statement.ts';
import type { BillJob } from './billJobs.ts';
import type { ComparedLine } from './compare.ts';

interface Said extends SettledPrice {
  /** The readings that all of its lines are at. */
  readings: number[];
  book: BookEntry;
}

/**
 * The open prices that all matched lines with such a job say the same about, and that are still open in the price book. A reading is a
 * position: where a line's job was charged at other readings than the book has now, nothing is settled by it.
 */
export function settledPrices(matched: readonly ComparedLine[], prices: readonly Price[]): SettledPrice[] {
  const found = new Map<string, Said>();
  for (const { bill, job, jobNano, ledgerNano = 0 } of matched) {
    if (!bill || !job?.price || jobNano === undefined) continue;
    const { kind, model } = job.price;
    const key = `${kind} ${model}`;
    const says = job.readings.flatMap((nano, index) => (nano === jobNano ? [index] : []));
    const before = found.get(key) ?? {
      ...{ kind, model, reading: -1, lines: 0, ledgerNano: 0, billNano: 0 },
      readings: says,
      book: new BookEntry(prices, job.price),
    };
    const isSame = before.book.isPriceOf(job.price, job.model);
    found.set(key, {
      ...before,
      readings: isSame ? before.readings.filter((index) => says.includes(index)) : [],
      lines: before.lines + 1,
      ledgerNano: before.ledgerNano + ledgerNano,
      billNano: before.billNano + bill.nano,
    });
  }
  return [...found.values()].flatMap(({ readings: [reading, ...others], book: _, ...settled }) =>
    reading !== undefined && others.length === 0 ? [{ ...settled, reading }] : [],
  );
}

type JobPrice = NonNullable<BillJob['price']>;

/** An entry of the price book as it stands there, which is what is set again with one of its readings. */
class BookEntry {
  private readonly prices: readonly Price[];
  private readonly readings: unknown;
  private readonly known = new Map<JobPrice, boolean>();
  private readonly applied = new Map<string | null, boolean>();

  constructor(prices: readonly Price[], { kind, model }: JobPrice) {
    this.prices = prices;
    const entry = [...prices, ...DEFAULT_PRICES].find((price) => price.kind === kind && price.model === model);
    // As a job keeps them.
    if (entry?.settledReading === null) this.readings = JSON.parse(JSON.stringify(entry.readings));
  }

  /** Whether a job was charged at its readings, and is corrected where it is settled. */
  isPriceOf(price: JobPrice, model: string | null): boolean {
    const isKnown = this.known.get(price) ?? isDeepStrictEqual(price.readings, this.readings);
    this.known.set(price, isKnown);
    return isKnown && this.appliesTo(price, model);
  }

  private appliesTo(price: JobPrice, model: string | null): boolean {
    const applies =
      this.applied.get(model) ?? priceFor(this.prices, price.kind, model ?? undefined)?.model === price.model;
    this.applied.set(model, applies);
    return applies;
  }
}
