import type { QueueStatus } from '../../../shared/events.ts';
import type { EngineDeps } from './deps.ts';
import { jobFrom, rowById } from './records.ts';
import { listed } from './row.ts';
import * as statements from './statements.ts';

/** Says what has changed, after it is committed; the sums are said once for many changes. */
export interface Announcer {
  job(id: string): void;
  /** Only the sums and the queue changed (many jobs at once). */
  queue(): void;
  status(): QueueStatus;
  close(): void;
}

export function createAnnouncer(deps: EngineDeps, queueFacts: () => { paused: boolean; offline: boolean }): Announcer {
  let cancelPending: (() => void) | undefined;
  const status = (): QueueStatus => {
    const counts = new Map(
      deps.store.read.all<{ state: string; n: number }>(statements.openCounts).map(({ state, n }) => [state, n]),
    );
    const sum = (...states: string[]) => states.reduce((total, state) => total + (counts.get(state) ?? 0), 0);
    const doubt = deps.store.read.one<{ n: number; nano: number }>(statements.doubtSum);
    return {
      ...queueFacts(),
      running: sum('sending', 'running', 'fetching'),
      waiting: sum('queued', 'blocked'),
      doubt: { count: doubt?.n ?? 0, nano: doubt?.nano ?? 0 },
    };
  };
  const queue = (): void => {
    cancelPending ??= deps.clock.after(25, () => {
      cancelPending = undefined;
      deps.emit({ type: 'queue.changed', status: status() });
      deps.emit({ type: 'ledger.changed' });
    });
  };
  return {
    status,
    queue,
    close: () => cancelPending?.(),
    job: (id) => {
      const row = rowById(deps.store.read, id);
      if (!row) return;
      deps.emit({ type: 'job.changed', job: listed(jobFrom(deps.store.read, row)) });
      if (row.kind === 'chat') deps.onChatChanged(id);
      queue();
    },
  };
}
