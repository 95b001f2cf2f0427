import type { QueueStatus } from '../../shared/contract/events.ts';

const none = { count: 0, nano: 0, unpriced: 0 };

/** A queue in which nothing waits, runs or is in doubt. */
export const aQueueStatus = (more: Partial<QueueStatus> = {}): QueueStatus => ({
  revision: 1,
  paused: false,
  offline: false,
  running: 0,
  waiting: 0,
  lanes: [],
  doubt: none,
  doubtElsewhere: none,
  ...more,
});
