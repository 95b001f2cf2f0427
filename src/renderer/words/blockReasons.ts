import { WAITS_FOR_KEY } from '../../shared/gateway/profile.ts';
import type { BlockReason } from '../../shared/jobs/job.ts';
import { t } from '../../shared/text/texts.ts';

export interface BlockWords {
  /** Why the job waits. */
  reason: string;
  /** What lets it continue, or what to do, if the reason does not say so. */
  release?: string;
}

/** Why a job waits. With more facts than the reason, a page adds them: the dependency, the remaining budget, the time. */
export const BLOCK_WORDS: Record<BlockReason, BlockWords> = {
  dependency: { reason: t`Waits for another job` },
  budget: {
    reason: t`Over budget`,
    release: t`Change the budget in Spend`,
  },
  offline: {
    reason: t`Gateway unreachable`,
    release: t`Sent when it works again`,
  },
  rate: { reason: t`Rate limit`, release: t`The gateway asked to wait` },
  window: {
    reason: t`Waits for an overnight run`,
    release: t`Schedule it again, or run it now`,
  },
  paused: { reason: t`Paused by you` },
  key: {
    reason: WAITS_FOR_KEY,
    release: t`Enter the key in Settings`,
  },
  auth: {
    reason: t`The gateway refused the key`,
    release: t`Correct the key in Settings, then retry`,
  },
  quota: {
    reason: t`No quota left at the gateway`,
    release: t`Top up at the gateway, then retry`,
  },
  price: { reason: t`Waits for a price decision` },
  priceRose: {
    reason: t`Price rose`,
    release: t`Confirm the new price`,
  },
};
