import type { Nano } from '../../../shared/money/money.ts';
import { type ReadDb, sql } from '../store/index.ts';

/** What was ordered for money at that time or later. */
export interface SentSince {
  orders: number;
  /** How many of them are being sent, made or fetched. */
  underWay: number;
  /** Charged, reserved and in doubt. */
  nano: Nano;
  /** How many of them have no known price, and are not in it. */
  unpriced: number;
}

const sentSinceThen = sql(
  'jobs.sentSince',
  `SELECT count(*) AS orders, coalesce(sum(state IN ('sending', 'running', 'fetching')), 0) AS underWay,
      coalesce(sum(charged_nano + reserved_nano + uncertain_nano), 0) AS nano,
      coalesce(sum(price = 'null' AND (unpriced > 0 OR state NOT IN ('succeeded', 'failed', 'canceled'))), 0) AS unpriced
    FROM jobs WHERE play = 0 AND sent_at >= $at`,
);

export const sentSince = (db: ReadDb, at: number): SentSince =>
  db.one<SentSince>(sentSinceThen, { at }) ?? { orders: 0, underWay: 0, nano: 0, unpriced: 0 };
