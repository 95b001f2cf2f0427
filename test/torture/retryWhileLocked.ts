import { isDiskFault } from '../../src/main/core/jobs/persist.ts';

/** With many writers on one file, a writer that waited too long for the lock tries again. Other errors are rethrown. */
export function retryWhileLocked<T>(work: () => T): T {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isDiskFault(error)) throw error;
    }
  }
}
