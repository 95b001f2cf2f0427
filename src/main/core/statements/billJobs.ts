import { isTerminal } from '../../../shared/jobs/job.ts';
import type { Nano } from '../../../shared/money/money.ts';
import { costOf, openInterpretations, type Price } from '../../../shared/money/price.ts';
import type { Quantity } from '../../../shared/money/quantity.ts';
import type { AttemptName, BilledJob } from '../jobs/index.ts';
import type { BillLine } from './readBill.ts';
import { ZONE_MS } from './times.ts';

/** A job as a bill sees it: what it is known by, when it ran, and what is charged and in doubt for it. */
export interface BillJob {
  id: string;
  kind: string;
  model: string | null;
  /** Task ids. */
  ids: readonly string[];
  /** Idempotency keys, and ids of answers. */
  names: readonly string[];
  sentAt: number;
  endedAt: number;
  /** Whether its cost can be settled: it is over, or lost without a task to ask for. */
  isOver: boolean;
  isCharged: boolean;
  chargedNano: Nano;
  lowNano: Nano;
  uncertainNano: Nano;
  /** Of its charge: what lines of other bills gave back, or entered besides it. */
  besidesNano: Nano;
  isInDoubt: boolean;
  /** Charged at a price that nobody knows. */
  isUnpriced: boolean;
  quantity: Quantity;
  /** At the readings that are open; one figure where the price is settled. */
  readings: readonly Nano[];
  /** The open price that it was charged at; `readings` are its readings. */
  price?: Pick<Price, 'kind' | 'model' | 'readings'>;
}

/** A result that is fetched long after it was made was still made, and billed, soon after it was sent. */
const LONGEST_RUN_MS = 65 * 60_000;

/** A line is found by its time within this of its job. */
export const NEAR_MS = 5 * 60_000;

/** When a line for a job may be. How long took what is in doubt, nobody knows. */
export const lineTimes = (job: BillJob): { from: number; to: number } => ({
  from: job.sentAt - NEAR_MS,
  to: NEAR_MS + (job.isInDoubt ? job.sentAt + LONGEST_RUN_MS : job.endedAt),
});

/** Whether a line is not at the time of its job, and would be in another zone. */
export function isInOtherZone({ at, spanMs }: Pick<BillLine, 'at' | 'spanMs'>, job: BillJob): boolean {
  const { from, to } = lineTimes(job);
  const apartMs = Math.max(from - (at + spanMs), at - to);
  return apartMs > 0 && apartMs < 2 * ZONE_MS;
}

export class BillJobs {
  private readonly prices = new Map<string, Price | null>();

  of(row: BilledJob, names: readonly AttemptName[] = []): BillJob {
    const quantity = row.quantity === null ? {} : (JSON.parse(row.quantity) as Quantity);
    const isOpen = row.charged_nano !== row.charged_low_nano;
    const price = isOpen ? this.priceOf(row.price) : null;
    return {
      id: row.id,
      kind: row.kind,
      model: row.model,
      ids: row.remote_id === null ? [] : [row.remote_id],
      names: [row.idempotency_key, ...names.map(({ name }) => name)],
      sentAt: row.sent_at,
      endedAt: Math.min(row.finished_at ?? row.sent_at, row.sent_at + LONGEST_RUN_MS),
      isOver: isTerminal(row.state) || (row.state === 'uncertain' && row.has_task === 0),
      isCharged: row.quantity !== null || row.charged_nano !== 0,
      chargedNano: row.charged_nano,
      lowNano: row.charged_low_nano,
      uncertainNano: row.uncertain_nano,
      besidesNano: 0,
      isInDoubt: row.uncertain_nano > 0 || row.unpriced_doubt > 0 || row.state === 'uncertain',
      isUnpriced: row.quantity !== null && row.unpriced > row.unpriced_doubt,
      quantity,
      readings: price ? readingsOf(price, quantity) : [row.charged_nano],
      ...(price?.settledReading === null ? { price } : {}),
    };
  }

  private priceOf(json: string): Price | null {
    const known = this.prices.get(json);
    if (known !== undefined) return known;
    const price = JSON.parse(json) as Price | null;
    this.prices.set(json, price);
    return price;
  }
}

const readingsOf = (price: Price, quantity: Quantity): Nano[] =>
  openInterpretations(price).map(
    (reading) => costOf({ ...price, readings: [reading], settledReading: null }, quantity).nano,
  );

/** What the bill may say for it: its charge, or the charge at another reading of its price that is still open. */
export const amountsOf = ({ chargedNano, lowNano, besidesNano, readings }: BillJob): Nano[] => [
  chargedNano - besidesNano,
  lowNano - besidesNano,
  ...(chargedNano === lowNano ? [] : readings),
];

export const isReadingOf = (job: BillJob, nano: Nano): boolean => amountsOf(job).includes(nano);

/** What a line may count for it. */
export function countsOf({ quantity }: BillJob): number[] {
  const { inputTokens = 0, outputTokens = 0, cachedTokens: _cached, cacheWriteTokens: _written, ...counted } = quantity;
  const counts: unknown[] = [...Object.values(counted), outputTokens, inputTokens + outputTokens];
  return counts.filter((count) => typeof count === 'number' && count > 0) as number[];
}
