import { WAITS_FOR_KEY } from '../../shared/gateway/profile.ts';
import type { BlockReason } from '../../shared/jobs/job.ts';
import { t } from '../../shared/text/texts.ts';

export interface BlockWords {
  /** In a row or under a picture. */
  short: string;
  /** Why the job waits. */
  reason: string;
  /** What releases it, or what to do. */
  release: string;
}

/** Why a job waits. Where more is known than the reason, a page says more: what it waits for, how much is left, until when. */
export const BLOCK_WORDS = {
  dependency: {
    short: t`Waits for another job`,
    reason: t`Waits for another job`,
    release: t`Starts when that is on disk`,
  },
  budget: {
    short: t`Waits for budget`,
    reason: t`Over the budget`,
    release: t`Change the budget in Spend`,
  },
  offline: {
    short: t`Waits for the gateway`,
    reason: t`The gateway cannot be reached`,
    release: t`Sent by itself when it is back`,
  },
  rate: { short: t`Waits for the rate limit`, reason: t`Rate limit`, release: t`The gateway asked to wait` },
  window: {
    short: t`Waits for a run`,
    reason: t`Its overnight run is over`,
    release: t`Put it into the next one, or run it now`,
  },
  paused: { short: t`The queue is paused`, reason: t`Paused by you`, release: t`Resume all to go on` },
  key: {
    short: WAITS_FOR_KEY,
    reason: WAITS_FOR_KEY,
    release: t`Enter the key above the list or in Settings; then it is sent`,
  },
  auth: {
    short: t`The key was refused`,
    reason: t`The gateway refused the key`,
    release: t`Correct the key in Settings, then retry`,
  },
  quota: {
    short: t`Out of quota`,
    reason: t`No quota left at the gateway`,
    release: t`Top up at the gateway, then retry`,
  },
  price: {
    short: t`Waits for a price decision`,
    reason: t`Waits for a price decision`,
    release: t`An answer stated another price: decide at the right`,
  },
  priceRose: {
    short: t`Price rose`,
    reason: t`Price rose`,
    release: t`Confirm the new price to send it`,
  },
} as const satisfies Record<BlockReason, BlockWords>;
