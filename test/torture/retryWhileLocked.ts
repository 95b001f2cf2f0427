import { isDiskFault } from '../../src/main/core/store/index.ts';

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
