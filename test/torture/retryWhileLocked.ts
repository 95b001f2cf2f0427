import { isDiskFault } from '../../src/main/core/store/index.ts';

/** Repeats a write that waited too long for the lock, as happens with many writers on one file. Other errors are rethrown. */
export function retryWhileLocked<T>(work: () => T): T {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isDiskFault(error)) throw error;
    }
  }
}
