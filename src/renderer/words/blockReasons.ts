import type { BlockReason } from '../../shared/job.ts';

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
    short: 'Waits for another job',
    reason: 'Waits for another job',
    release: 'Starts when that is on disk',
  },
  budget: {
    short: 'Waits for budget',
    reason: 'Over the budget',
    release: 'Raise the cap on Spend, or wait for the next period',
  },
  offline: {
    short: 'Waits for the gateway',
    reason: 'The gateway cannot be reached',
    release: 'Sent by itself when it is back',
  },
  rate: { short: 'Waits for the rate limit', reason: 'Rate limit', release: 'The gateway asked to wait' },
  window: {
    short: 'Waits for the night',
    reason: 'Its night is over',
    release: 'Put it into the next one, or run it now',
  },
  paused: { short: 'The queue is paused', reason: 'Paused by you', release: 'Resume all to go on' },
  key: {
    short: 'Needs a key',
    reason: 'The profile has no key',
    release: 'Enter the key in Settings; then it is sent',
  },
  auth: {
    short: 'The key was refused',
    reason: 'The gateway refused the key',
    release: 'Correct the key in Settings, then retry',
  },
  quota: {
    short: 'Out of quota',
    reason: 'No quota left at the gateway',
    release: 'Top up at the gateway, then retry',
  },
  price: {
    short: 'Waits for a price decision',
    reason: 'Waits for a price decision',
    release: 'An answer stated another price: decide at the right',
  },
} as const satisfies Record<BlockReason, BlockWords>;
